import type { IncomingMessage } from 'node:http';
import { CHALLENGE, DENIAL_TEXT, type SessionDenial } from '../http/bearer.js';
import { type Reply, textReply } from '../http/respond.js';

/** A denied session learns nothing but that: this comes before every other check. */
export function deniedSession(denial: SessionDenial): Reply {
  return textReply(401, DENIAL_TEXT[denial], CHALLENGE);
}

/** Content type, then Accept, which may list its two types in any order and with parameters. Null when both are right. */
export function badHeaders({ headers }: IncomingMessage): Reply | null {
  const [contentType] = mediaTypes(headers['content-type']);
  if (contentType !== 'application/json') return textReply(400, 'Content-Type must be application/json');
  const accepted = mediaTypes(headers.accept);
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream')) {
    return textReply(400, 'Accept must list both application/json and text/event-stream');
  }
  return null;
}

function mediaTypes(header: string | undefined): string[] {
  return (header ?? '').split(',').map((item) => (item.split(';')[0] ?? '').trim().toLowerCase());
}
