import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Definition,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { atEnd } from '../../cleanup.js';
import { programFile } from '../cli/program.js';

/** The program as an editor starts it. Killed after the test if it still runs. */
export function startServer(
  t: TestContext,
  environment: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams & { readonly exited: Promise<unknown[]> } {
  const child = spawn(process.execPath, [programFile, 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  atEnd(t, async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return Object.assign(child, { exited });
}

/** An editor with the folder open, over the protocol's own client library. */
export async function startEditor(t: TestContext, folder: string | null, environment: NodeJS.ProcessEnv = {}) {
  const server = startServer(t, environment);
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const published: PublishDiagnosticsParams[] = [];
  let wake = (): void => {};
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    wake();
  });
  connection.listen();
  atEnd(t, () => connection.dispose());
  const rootUri = folder === null ? null : pathToFileURL(folder).href;
  const initialized: InitializeResult = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri,
    capabilities: {},
    workspaceFolders: rootUri === null ? null : [{ uri: rootUri, name: 'project' }],
  });
  await connection.sendNotification(InitializedNotification.type, {});
  return new Editor(server, connection, initialized, folder ?? '/', published, (listener) => {
    wake = listener;
  });
}

class Editor {
  readonly #versions = new Map<string, number>();

  constructor(
    readonly server: ReturnType<typeof startServer>,
    readonly connection: ProtocolConnection,
    readonly initialized: InitializeResult,
    readonly folder: string,
    readonly published: readonly PublishDiagnosticsParams[],
    readonly onPublished: (listener: () => void) => void,
  ) {}

  uri(file: string): string {
    return pathToFileURL(join(this.folder, file)).href;
  }

  /** Opens the buffer or replaces its text, and waits for what the server finds in it. */
  async type(file: string, text: string): Promise<readonly Diagnostic[]> {
    const uri = this.uri(file);
    const version = (this.#versions.get(file) ?? 0) + 1;
    this.#versions.set(file, version);
    if (version === 1)
      await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: 'ailang', version, text },
      });
    else
      await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
    return this.findings(file, (found) => found.version === version);
  }

  async close(file: string): Promise<void> {
    this.#versions.delete(file);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: this.uri(file) },
    });
  }

  /** The newest findings of a file that fit, as soon as there are some. */
  async findings(file: string, fits: (found: PublishDiagnosticsParams) => boolean): Promise<readonly Diagnostic[]> {
    const uri = this.uri(file);
    for (;;) {
      const found = this.published.filter((one) => one.uri === uri && fits(one)).at(-1);
      if (found !== undefined) return found.diagnostics;
      await new Promise<void>((resolve) => this.onPublished(resolve));
    }
  }

  /** The text of the hover, without its fences; null when there is none. */
  async hover(file: string, position: Position): Promise<string | null> {
    const params = { textDocument: { uri: this.uri(file) }, position };
    const hover: Hover | null = await this.connection.sendRequest(HoverRequest.type, params);
    if (hover === null) return null;
    assert.ok(typeof hover.contents === 'object' && 'value' in hover.contents);
    return hover.contents.value.replace(/^```ailang\n([\s\S]*?)\n```/, '$1');
  }

  /** `hello.ail:3:10` counted from 1, or the whole URI and place for what is outside of the folder. */
  async definition(file: string, position: Position): Promise<string | null> {
    const params = { textDocument: { uri: this.uri(file) }, position };
    const found = (await this.connection.sendRequest(DefinitionRequest.type, params)) as Definition | null;
    if (found === null) return null;
    const [location] = [found].flat();
    if (location === undefined) return null;
    const { line, character } = location.range.start;
    return `${location.uri.replace(`${pathToFileURL(this.folder).href}/`, '')}:${line + 1}:${character + 1}`;
  }
}

/** Where the marked text `‸` stands, and the text without the mark. */
export function marked(text: string): { readonly text: string; readonly position: Position } {
  const at = text.indexOf('‸');
  const before = text.slice(0, at).split('\n');
  return {
    text: text.replace('‸', ''),
    position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
  };
}
