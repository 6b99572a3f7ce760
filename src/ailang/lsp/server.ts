import type {
  DefinitionParams,
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
  DocumentSymbol,
  Hover,
  HoverParams,
  InitializeParams,
  InitializeResult,
  Location,
  Position,
  TextDocumentIdentifier,
  TextEdit,
} from 'vscode-languageserver-protocol';
import { format } from '../format/format.js';
import { parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';
import { definitionOf } from './definition.js';
import { diagnosticsOf } from './diagnostics.js';
import { hoverOf } from './hover.js';
import { nodesAt } from './nodes.js';
import { offsetAt, placeAt, rangeOf } from './positions.js';
import { symbolsOf } from './symbols.js';
import { type Disk, Workspace } from './workspace.js';

/** What the server needs of the outside. */
export interface LspOptions {
  readonly disk: Disk;
  readonly version: string;
  /** Sends a notification to the client. */
  notify(method: string, params: object): void;
  /** The client is done. */
  exit(code: number): void;
}

const errorCodes = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParameters: -32602,
  notInitialized: -32002,
} as const;

/** A request that cannot be answered; the code is one of JSON-RPC or of the protocol. */
export class RequestError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const fullSync = 1;
const warning = 2;

/** Long enough for a burst of keys, short enough to be felt as at once; in ms. */
const pauseBeforeChecking = 150;

/** The Language Server Protocol over AILANG: one instance for one client. */
export class LanguageServer {
  readonly #options: LspOptions;
  readonly #workspace: Workspace;
  /** URIs with findings of others' making, by the document that was checked. */
  readonly #published = new Map<string, readonly string[]>();
  #state: 'new' | 'running' | 'shut down' = 'new';
  #checking: NodeJS.Timeout | undefined;

  constructor(options: LspOptions) {
    this.#options = options;
    this.#workspace = new Workspace(options.disk);
  }

  /** The result of a request. @throws RequestError */
  request(method: string, params: unknown): unknown {
    if (this.#state === 'new' && method !== 'initialize')
      throw new RequestError(errorCodes.notInitialized, 'initialize comes first');
    if (this.#state === 'shut down') throw new RequestError(errorCodes.invalidRequest, 'the server was shut down');
    const handle = Object.hasOwn(this.#requests, method) ? this.#requests[method] : undefined;
    if (handle === undefined) throw new RequestError(errorCodes.unknownMethod, `unknown method ${method}`);
    return handle(params);
  }

  /** Takes a notification; one that has no meaning here is passed over, as the protocol wants it. */
  notified(method: string, params: unknown): void {
    if (method === 'exit') {
      clearTimeout(this.#checking);
      this.#options.exit(this.#state === 'shut down' ? 0 : 1);
    } else if (this.#state === 'running' && namesDocument(params)) this.#documentEvent(method, params);
  }

  #documentEvent(method: string, params: object): void {
    switch (method) {
      case 'textDocument/didOpen': {
        const { uri, text, version } = (params as DidOpenTextDocumentParams).textDocument;
        this.#changed(uri, text, version);
        return;
      }
      case 'textDocument/didChange': {
        const { textDocument, contentChanges } = params as DidChangeTextDocumentParams;
        this.#changed(textDocument.uri, contentChanges?.at(-1)?.text, textDocument.version);
        return;
      }
      case 'textDocument/didClose':
        this.#closed((params as DidCloseTextDocumentParams).textDocument.uri);
    }
  }

  #changed(uri: string, text: string | undefined, version: number): void {
    if (typeof text !== 'string') return;
    this.#workspace.set(uri, { text, version });
    this.#checkSoon();
  }

  #closed(uri: string): void {
    this.#workspace.close(uri);
    for (const one of this.#published.get(uri) ?? [uri]) this.#publish(one, []);
    this.#published.delete(uri);
    this.#checkSoon();
  }

  #checkSoon(): void {
    clearTimeout(this.#checking);
    this.#checking = setTimeout(() => this.#diagnose(), pauseBeforeChecking);
  }

  /** All open documents: one may import what changed in another. */
  #diagnose(): void {
    for (const uri of this.#workspace.open) {
      const analysis = this.#workspace.analyse(uri);
      if (analysis === null) continue;
      const found = diagnosticsOf(this.#workspace, analysis);
      const others = [...found.keys()].filter((one) => one !== uri && this.#workspace.document(one) === null);
      for (const gone of this.#published.get(uri) ?? [])
        if (gone !== uri && !others.includes(gone) && this.#workspace.document(gone) === null) this.#publish(gone, []);
      for (const one of [uri, ...others]) this.#publish(one, found.get(one) ?? []);
      this.#published.set(uri, [uri, ...others]);
    }
  }

  #publish(uri: string, diagnostics: readonly object[]): void {
    const version = this.#workspace.document(uri)?.version;
    const params = version === undefined ? { uri, diagnostics } : { uri, version, diagnostics };
    this.#options.notify('textDocument/publishDiagnostics', params);
  }

  readonly #requests: Readonly<Record<string, (params: unknown) => unknown>> = {
    initialize: (params) => this.#initialize(params as InitializeParams),
    shutdown: () => {
      this.#state = 'shut down';
      clearTimeout(this.#checking);
      return null;
    },
    'textDocument/hover': (params) => this.#hover(withPosition(params)),
    'textDocument/definition': (params) => this.#definition(withPosition(params)),
    'textDocument/documentSymbol': (params) => this.#symbols(withDocument(params).textDocument.uri),
    'textDocument/formatting': (params) => this.#format(withDocument(params).textDocument.uri),
  };

  #initialize(params: Partial<InitializeParams> | undefined): InitializeResult {
    if (this.#state !== 'new') throw new RequestError(errorCodes.invalidRequest, 'the server is initialized');
    const root = params?.workspaceFolders?.[0]?.uri ?? params?.rootUri;
    if (typeof root === 'string') this.#workspace.root = root;
    this.#state = 'running';
    return {
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: fullSync },
        hoverProvider: true,
        definitionProvider: true,
        documentSymbolProvider: true,
        documentFormattingProvider: true,
      },
      serverInfo: { name: 'ailang', version: this.#options.version },
    };
  }

  #at({ textDocument, position }: WithDocument & { readonly position: Position }) {
    const analysis = this.#workspace.analyse(textDocument.uri);
    if (analysis === null || analysis.module === null) return null;
    const offset = offsetAt(analysis.source, position);
    return { analysis, offset, nodes: nodesAt(analysis.module.file, offset) };
  }

  #hover(params: HoverParams): Hover | null {
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

  #definition(params: DefinitionParams): Location | null {
    const found = this.#at(params);
    const definition = found === null ? null : definitionOf(found.analysis, found.nodes, found.offset);
    if (found === null || definition === null) return null;
    const { module, name } = definition;
    const uri = this.#workspace.uriFor(found.analysis, module.source.file);
    return uri === null ? null : { uri, range: rangeOf(module.source, name ?? { start: 0, end: 0 }) };
  }

  #symbols(uri: string): DocumentSymbol[] {
    const text = this.#workspace.document(uri)?.text;
    if (text === undefined) return [];
    const source = new Source(uri, text);
    return symbolsOf(source, parseFile(source).file.declarations);
  }

  /** The whole document anew; nothing when it does not parse or would lose something, which is told to the reader. */
  #format(uri: string): TextEdit[] | null {
    const text = this.#workspace.document(uri)?.text;
    if (text === undefined) return null;
    const formatted = format(text, uri.slice(uri.lastIndexOf('/') + 1));
    if (!formatted.ok) {
      this.#options.notify('window/showMessage', { type: warning, message: formatted.message });
      return null;
    }
    if (formatted.text === text) return [];
    const source = new Source(uri, text);
    const range = { start: { line: 0, character: 0 }, end: placeAt(source, source.text.length) };
    return [{ range, newText: formatted.text }];
  }
}

interface WithDocument {
  readonly textDocument: TextDocumentIdentifier;
}

function namesDocument(params: unknown): params is WithDocument {
  return isObject(params) && isObject(params.textDocument) && typeof params.textDocument.uri === 'string';
}

/** @throws RequestError */
function withDocument(params: unknown): WithDocument {
  if (namesDocument(params)) return params;
  throw new RequestError(errorCodes.invalidParameters, 'textDocument.uri is missing');
}

/** @throws RequestError */
function withPosition(params: unknown): WithDocument & { readonly position: Position } {
  const given = withDocument(params) as WithDocument & { readonly position?: unknown };
  const { position } = given;
  if (isObject(position) && isCount(position.line) && isCount(position.character))
    return { ...given, position: { line: position.line, character: position.character } };
  throw new RequestError(errorCodes.invalidParameters, 'position has no line and character');
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
