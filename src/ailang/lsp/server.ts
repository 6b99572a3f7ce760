import { format } from '../format/format.js';
import { parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';
import { definitionOf } from './definition.js';
import { diagnosticsOf } from './diagnostics.js';
import { hoverOf } from './hover.js';
import { errorCodes, type Message } from './json-rpc.js';
import { nodesAt } from './nodes.js';
import { offsetAt, type Place, placeAt, rangeOf } from './positions.js';
import { symbolsOf } from './symbols.js';
import { type Disk, Workspace } from './workspace.js';

/** What the server needs of the outside. */
export interface LspOptions {
  readonly disk: Disk;
  readonly version: string;
  send(message: object): void;
  /** Runs later, once, unless cancelled by the returned function. */
  schedule(run: () => void): () => void;
  /** The client is done. */
  exit(code: number): void;
}

interface TextDocumentParams {
  readonly textDocument: { readonly uri: string; readonly text?: string };
  readonly position?: Place;
  readonly contentChanges?: readonly { readonly text: string }[];
}

const fullSync = 1;

/** The Language Server Protocol over AILANG: one instance for one client. */
export class LanguageServer {
  readonly #options: LspOptions;
  readonly #workspace: Workspace;
  /** URIs with findings of others' making, by the document that was checked. */
  readonly #published = new Map<string, readonly string[]>();
  #state: 'new' | 'running' | 'shut down' = 'new';
  #cancel: () => void = () => {};

  constructor(options: LspOptions) {
    this.#options = options;
    this.#workspace = new Workspace(options.disk);
  }

  /** Takes the body of one message. */
  receive(body: string): void {
    let message: Message;
    try {
      message = JSON.parse(body) as Message;
      if (typeof message !== 'object' || message === null || Array.isArray(message)) throw new Error('no object');
    } catch {
      this.#fail(null, errorCodes.parse, 'the message is not a JSON object');
      return;
    }
    if (typeof message.method !== 'string') return;
    if (message.id === undefined) this.#notified(message.method, message.params);
    else this.#requested(message.id, message.method, message.params);
  }

  #requested(id: Message['id'], method: string, params: unknown): void {
    if (this.#state === 'new' && method !== 'initialize')
      return this.#fail(id, errorCodes.notInitialized, 'initialize comes first');
    if (this.#state === 'shut down') return this.#fail(id, errorCodes.invalidRequest, 'the server was shut down');
    const handle = Object.hasOwn(this.#requests, method) ? this.#requests[method] : undefined;
    if (handle === undefined) return this.#fail(id, errorCodes.unknownMethod, `unknown method ${method}`);
    try {
      this.#options.send({ id, result: handle((params ?? {}) as TextDocumentParams) });
    } catch (error) {
      this.#fail(id, errorCodes.internal, error instanceof Error ? error.message : String(error));
    }
  }

  #notified(method: string, params: unknown): void {
    if (method === 'exit') return this.#options.exit(this.#state === 'shut down' ? 0 : 1);
    if (this.#state !== 'running') return;
    const { textDocument, contentChanges } = (params ?? {}) as Partial<TextDocumentParams>;
    if (typeof textDocument?.uri !== 'string') return;
    const { uri } = textDocument;
    if (method === 'textDocument/didOpen') this.#changed(uri, textDocument.text);
    else if (method === 'textDocument/didChange') this.#changed(uri, contentChanges?.at(-1)?.text);
    else if (method === 'textDocument/didClose') {
      this.#workspace.close(uri);
      for (const one of this.#published.get(uri) ?? [uri]) this.#publish(one, []);
      this.#published.delete(uri);
    }
  }

  #changed(uri: string, text: string | undefined): void {
    if (typeof text !== 'string') return;
    this.#workspace.set(uri, text);
    this.#cancel();
    this.#cancel = this.#options.schedule(() => this.#diagnose());
  }

  /** All open documents: one may import what changed in another. */
  #diagnose(): void {
    for (const uri of this.#workspace.open) {
      const analysis = this.#workspace.analyse(uri);
      if (analysis === null) continue;
      const found = diagnosticsOf(this.#workspace, analysis);
      const others = [...found.keys()].filter((one) => one !== uri && this.#workspace.text(one) === null);
      for (const gone of this.#published.get(uri) ?? [])
        if (gone !== uri && !others.includes(gone) && this.#workspace.text(gone) === null) this.#publish(gone, []);
      for (const one of [uri, ...others]) this.#publish(one, found.get(one) ?? []);
      this.#published.set(uri, [uri, ...others]);
    }
  }

  #publish(uri: string, diagnostics: readonly object[]): void {
    this.#options.send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } });
  }

  #fail(id: Message['id'], code: number, message: string): void {
    this.#options.send({ id: id ?? null, error: { code, message } });
  }

  readonly #requests: Readonly<Record<string, (params: TextDocumentParams) => unknown>> = {
    initialize: (params) => this.#initialize(params as object),
    shutdown: () => {
      this.#state = 'shut down';
      this.#cancel();
      return null;
    },
    'textDocument/hover': (params) => this.#hover(params),
    'textDocument/definition': (params) => this.#definition(params),
    'textDocument/documentSymbol': ({ textDocument }) => this.#symbols(textDocument.uri),
    'textDocument/formatting': ({ textDocument }) => this.#format(textDocument.uri),
  };

  #initialize(params: {
    readonly rootUri?: string | null;
    readonly workspaceFolders?: readonly { uri: string }[] | null;
  }) {
    const root = params.workspaceFolders?.[0]?.uri ?? params.rootUri;
    if (typeof root === 'string') this.#workspace.root = root;
    this.#state = 'running';
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: fullSync },
        hoverProvider: true,
        definitionProvider: true,
        documentSymbolProvider: true,
        documentFormattingProvider: true,
      },
      serverInfo: { name: 'ailang', version: this.#options.version },
    };
  }

  #at({ textDocument, position }: TextDocumentParams) {
    const analysis = this.#workspace.analyse(textDocument.uri);
    if (analysis === null || analysis.module === null || position === undefined) return null;
    const offset = offsetAt(analysis.source, position);
    return { analysis, offset, nodes: nodesAt(analysis.module.file, offset) };
  }

  #hover(params: TextDocumentParams) {
    const found = this.#at(params);
    if (found === null) return null;
    const hover = hoverOf(found.analysis, found.nodes, found.offset);
    if (hover === null) return null;
    const from = hover.from === null ? '' : `\n\nfrom \`${hover.from}\``;
    return {
      contents: { kind: 'markdown', value: `\`\`\`ailang\n${hover.code}\n\`\`\`${from}` },
      range: rangeOf(found.analysis.source, hover.span),
    };
  }

  #definition(params: TextDocumentParams) {
    const found = this.#at(params);
    const definition = found === null ? null : definitionOf(found.analysis, found.nodes, found.offset);
    if (found === null || definition === null) return null;
    const { module, name } = definition;
    const uri = this.#workspace.uriFor(found.analysis, module.source.file);
    return uri === null ? null : { uri, range: rangeOf(module.source, name ?? { start: 0, end: 0 }) };
  }

  #symbols(uri: string) {
    const text = this.#workspace.text(uri);
    if (text === null) return [];
    const source = new Source(uri, text);
    return symbolsOf(source, parseFile(source).file.declarations);
  }

  /** The whole document anew; nothing when it does not parse or would lose something, which is told to the reader. */
  #format(uri: string) {
    const text = this.#workspace.text(uri);
    if (text === null) return null;
    const formatted = format(text, uri.slice(uri.lastIndexOf('/') + 1));
    if (!formatted.ok) {
      this.#options.send({ method: 'window/showMessage', params: { type: 2, message: formatted.message } });
      return null;
    }
    if (formatted.text === text) return [];
    const source = new Source(uri, text);
    const range = { start: { line: 0, character: 0 }, end: placeAt(source, source.text.length) };
    return [{ range, newText: formatted.text }];
  }
}
