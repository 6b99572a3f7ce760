import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { WorldError } from '../errors.js';
import { AnswerParser, type ReadObject } from './cat-file-answer.js';
import { errorCode } from './file-system.js';
import { safeArguments, safeEnvironment } from './safe-environment.js';

interface Request {
  readonly spec: string;
  readonly resolve: (object: ReadObject | null) => void;
  readonly reject: (error: Error) => void;
  /** A child died while this was the next answer. */
  retried: boolean;
}

/** Bytes; git paths are shorter. */
const longestSpec = 8192;

/** One `git cat-file --batch-command` process with pipelined requests; a new one is started when it dies. */
export class CatFile {
  #child: ChildProcessWithoutNullStreams | undefined;
  #closed = false;
  #waiting: Request[] = [];
  #answer = new AnswerParser();
  #unsent = '';

  constructor(
    private readonly directory: string,
    private readonly maxObjectBytes: number,
  ) {}

  read(spec: string): Promise<ReadObject | null> {
    if (this.#closed) return Promise.reject(closed());
    if (spec === '' || /[\n\0]/.test(spec) || Buffer.byteLength(spec) > longestSpec) {
      return Promise.reject(
        new WorldError('bad-object-spec', `not an object name: ${JSON.stringify(spec.slice(0, 80))}`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ spec, resolve, reject, retried: false });
      if (this.#child === undefined) this.#start();
      else this.#send(this.#child, spec);
    });
  }

  /** Process id of the child, for tests that kill it. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    this.#child = undefined;
    this.#failAll(closed());
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'close').catch(() => undefined);
    child.stdin.end();
    child.kill();
    await gone;
  }

  #start(): void {
    const child = spawn('git', safeArguments(['cat-file', '--batch-command']), {
      cwd: this.directory,
      // A missing object of a partial clone must not make git fetch from the network in the middle of a read.
      // And a replacement (refs/replace) must not stand in for the object that was asked for.
      env: safeEnvironment({ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_NO_REPLACE_OBJECTS: '1' }),
      stdio: 'pipe',
    });
    this.#child = child;
    this.#answer = new AnswerParser();
    this.#unsent = '';
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    child.stdout.on('data', (chunk: Buffer) => {
      if (this.#child === child) this.#receive(chunk);
    });
    child.once('error', (error) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#failAll(startFailure(error));
    });
    child.once('close', () => {
      if (this.#child === child) this.#restart();
    });
    for (const request of this.#waiting) this.#send(child, request.spec);
  }

  /** One write for everything asked for in one turn: a system call for each request costs more than its answer. */
  #send(child: ChildProcessWithoutNullStreams, spec: string): void {
    const first = this.#unsent === '';
    this.#unsent += `contents ${spec}\n`;
    if (!first) return;
    process.nextTick(() => {
      // A new child was sent everything again.
      if (this.#child !== child) return;
      child.stdin.write(this.#unsent);
      this.#unsent = '';
    });
  }

  /** The request whose answer was due is the suspect: it gets one more try, the ones behind it any number. */
  #restart(): void {
    this.#child = undefined;
    const suspect = this.#waiting[0];
    if (suspect?.retried) {
      this.#waiting.shift();
      suspect.reject(
        new WorldError('object-unreadable', `git could not read ${suspect.spec}`, {
          hint: 'The object may be damaged. Run: git fsck',
          data: { spec: suspect.spec },
        }),
      );
    } else if (suspect !== undefined) {
      suspect.retried = true;
    }
    if (this.#waiting.length > 0) this.#start();
  }

  #failAll(error: Error): void {
    for (const request of this.#waiting.splice(0)) request.reject(error);
  }

  #receive(chunk: Buffer): void {
    this.#answer.push(chunk);
    for (;;) {
      const answer = this.#answer.next(this.maxObjectBytes);
      if (answer === undefined) return;
      const request = this.#waiting.shift();
      if (request === undefined) return;
      if (answer.kind === 'object') request.resolve(answer.object);
      else if (answer.kind === 'missing') request.resolve(null);
      else
        request.reject(
          new WorldError(answer.code, `${request.spec}: ${answer.message}`, { data: { spec: request.spec } }),
        );
    }
  }
}

function closed(): WorldError {
  return new WorldError('reader-closed', 'the object reader is closed');
}

function startFailure(error: Error): WorldError {
  if (errorCode(error) !== 'ENOENT') {
    return new WorldError('git-failed', `git could not be started: ${error.message}`, { cause: error });
  }
  return new WorldError('git-missing', 'the git program or the repository was not found', {
    hint: 'Install git 2.39 or newer and put it on the PATH.',
    cause: error,
  });
}
