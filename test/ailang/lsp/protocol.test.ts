import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import {
  ExitNotification,
  HoverRequest,
  InitializeRequest,
  ResponseError,
  ShutdownRequest,
} from 'vscode-languageserver-protocol/node';
import { scratch } from '../policy/scratch.js';
import { marked, startEditor, startServer } from './client.js';

const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const initialize = frame('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}');

/** Writes the bytes and reads `count` messages. */
async function exchange(server: ReturnType<typeof startServer>, bytes: string, count: number) {
  server.stdin.write(bytes);
  let text = '';
  for (;;) {
    const messages = [...text.matchAll(/Content-Length: \d+\r\n\r\n(\{.*?\})(?=Content-Length|$)/gs)];
    if (messages.length >= count) return messages.map(([, body]) => JSON.parse(body ?? ''));
    const ended = server.exited.then(() => assert.fail(`the server ended after ${JSON.stringify(text)}`));
    const [chunk] = await Promise.race([once(server.stdout, 'data'), ended]);
    text += chunk;
  }
}

const failure = async (promise: Promise<unknown>): Promise<number> => {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  assert.ok(error instanceof ResponseError, String(error));
  return error.code;
};

test('shutdown, then exit: code 0', async (t) => {
  const { connection, server } = await startEditor(t, null);
  assert.equal(await connection.sendRequest(ShutdownRequest.type), null);
  await connection.sendNotification(ExitNotification.type);
  assert.deepEqual(await server.exited, [0, null]);
});

test('exit without shutdown: code 1', async (t) => {
  const { connection, server } = await startEditor(t, null);
  await connection.sendNotification(ExitNotification.type);
  assert.deepEqual(await server.exited, [1, null]);
});

test('an editor that is gone ends the server: code 1', async (t) => {
  const server = startServer(t);
  await exchange(server, initialize, 1);
  server.stdin.end();
  assert.deepEqual(await server.exited, [1, null]);
});

test('nothing but initialize is answered before initialize, nothing after shutdown', async (t) => {
  const server = startServer(t);
  const hover = frame('{"jsonrpc":"2.0","id":9,"method":"textDocument/hover","params":{}}');
  assert.equal((await exchange(server, hover, 1))[0].error.code, -32002);
  await exchange(server, initialize, 1);
  await exchange(server, frame('{"jsonrpc":"2.0","id":2,"method":"shutdown"}'), 1);
  assert.equal((await exchange(server, hover, 1))[0].error.code, -32600);
});

test('a second initialize, an unknown method and parameters that are none are refused, and the session goes on', async (t) => {
  const { connection } = await startEditor(t, null);
  assert.equal(await failure(connection.sendRequest('textDocument/nothing', {})), -32601);
  assert.equal(await failure(connection.sendRequest('toString', {})), -32601);
  assert.equal(await failure(connection.sendRequest('textDocument/hover', {})), -32602);
  assert.equal(await failure(connection.sendRequest('textDocument/hover')), -32602);
  const textDocument = { uri: 'file:///nowhere/m.ail' };
  assert.equal(await failure(connection.sendRequest('textDocument/hover', { textDocument })), -32602);
  const position = { line: -1, character: 0 };
  assert.equal(await failure(connection.sendRequest('textDocument/hover', { textDocument, position })), -32602);
  assert.equal(await failure(connection.sendRequest(InitializeRequest.method, {})), -32600);
  await connection.sendNotification('textDocument/didOpen', {});
  await connection.sendNotification('textDocument/didChange', { textDocument });
  await connection.sendNotification('workspace/nothing', { a: 1 });
  const params = { textDocument, position: { line: 0, character: 0 } };
  assert.equal(await connection.sendRequest(HoverRequest.type, params), null);
});

test('a body that is not JSON is answered with a parse error, and the session goes on', async (t) => {
  const server = startServer(t);
  const [refused] = await exchange(server, frame('{"jsonrpc":'), 1);
  assert.deepEqual(refused, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'the message is not JSON' } });
  const [answer] = await exchange(server, initialize, 1);
  assert.equal(answer.result.serverInfo.name, 'ailang');
});

for (const body of ['null', '[]', '1', '{}', '"text"', '{"jsonrpc":"2.0","method":"$/cancelRequest"}'])
  test(`a body that is no message, ${body}, does not end the session`, async (t) => {
    const server = startServer(t);
    const answers = await exchange(server, frame(body) + initialize, 1);
    assert.equal(answers.at(-1).result.serverInfo.name, 'ailang');
  });

for (const header of ['Content-Type: text\r\n\r\n', 'Content-Length: many\r\n\r\n', 'nonsense\r\n\r\n'])
  test(`a header that does not say where the message ends, ${JSON.stringify(header)}, ends the server`, async (t) => {
    const server = startServer(t);
    server.stdin.write(header);
    assert.match(await text(server.stderr), /^ailang lsp: [^\n]+\n$/);
    assert.deepEqual(await server.exited, [1, null]);
  });

test('a message may come byte by byte, several may come at once', async (t) => {
  const server = startServer(t);
  for (const byte of initialize.slice(0, -1)) server.stdin.write(byte);
  await exchange(server, initialize.slice(-1), 1);
  const ask = (id: number): string => frame(`{"jsonrpc":"2.0","id":${id},"method":"textDocument/hover","params":{}}`);
  const answers = await exchange(server, ask(2) + ask(3) + ask(4), 3);
  assert.deepEqual(
    answers.map(({ id }) => id),
    [2, 3, 4],
  );
});

test('a request that is cancelled is answered once, like every request', async (t) => {
  const server = startServer(t);
  await exchange(server, initialize, 1);
  const cancel = (id: number): string => frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":${id}}}`);
  const unknown = (id: number): string => frame(`{"jsonrpc":"2.0","id":${id},"method":"nothing"}`);
  const answers = await exchange(server, unknown(2) + cancel(2) + cancel(9) + unknown(3), 2);
  assert.deepEqual(
    answers.map(({ id }) => id),
    [2, 3],
  );
});

test('places are counted in UTF-16 units, also behind astral characters', async (t) => {
  const editor = await startEditor(t, scratch(t, { 'm.ail': 'module m\n' }));
  const found = await editor.type('m.ail', 'module m\n\nfunc f() -> string = "🎈🎈" + missing\n');
  const line = 'func f() -> string = "🎈🎈" + missing';
  const at = line.indexOf('missing');
  assert.deepEqual(found.find(({ message }) => String(message).includes('undefined variable'))?.range, {
    start: { line: 2, character: at },
    end: { line: 2, character: at + 7 },
  });
  const source = marked('module m\n\nfunc g(balloon: int) -> string = "🎈${show(bal‸loon)}"\n');
  assert.deepEqual(await editor.type('m.ail', source.text), []);
  assert.equal(await editor.hover('m.ail', source.position), 'balloon : int');
  assert.equal(await editor.definition('m.ail', source.position), 'm.ail:3:8');
});

test('a place beyond its line is the end of the line, beyond the text the end of the text', async (t) => {
  const editor = await startEditor(t, scratch(t, { 'm.ail': 'module m\n' }));
  await editor.type('m.ail', 'module m\nlet x: int = 1\nlet y: int = x\n');
  assert.equal(await editor.hover('m.ail', { line: 2, character: 999 }), 'x : int');
  assert.equal(await editor.hover('m.ail', { line: 999, character: 0 }), null);
});

test('a document that is no file is left alone', async (t) => {
  const { connection } = await startEditor(t, null);
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: 'untitled:Untitled-1', languageId: 'ailang', version: 1, text: 'module m\n' },
  });
  const params = { textDocument: { uri: 'untitled:Untitled-1' }, position: { line: 0, character: 0 } };
  assert.equal(await connection.sendRequest(HoverRequest.type, params), null);
});
