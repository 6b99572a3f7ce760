import type { Builtin } from '../types.js';
import { family } from './family.js';

const terminal = family('std/terminal', 'IO', [
  ['_terminal_info', '() -> Result[TerminalInfo, TerminalError] ! {IO}', 'What is known about the terminal.'],
  [
    '_terminal_withTerminal',
    '(TerminalOptions, (TerminalSession) -> a) -> Result[a, TerminalError] ! {IO}',
    'Calls a function while the terminal is in raw mode.',
  ],
  [
    '_terminal_readEvent',
    '(TerminalSession, int) -> Result[TerminalEvent, TerminalError] ! {IO}',
    'The next event, waiting at most so many milliseconds.',
  ],
]);

const search = family('std/web', 'Net', [
  [
    '_web_search',
    '(string, int) -> Result[[{title: string, url: string, content: string}], NetError] ! {Net}',
    'Pages found for a query.',
  ],
]);

/** Operations of effects a program may have, for which this host has no service: they answer with an error that says so. */
export const refusedBuiltins = [...terminal, ...search];

const ai = family('std/ai', 'AI', [
  ['_ai_call', 'string -> string ! {AI}', 'The answer of a model to a prompt.'],
  ['_ai_callResult', 'string -> Result[string, AIError] ! {AI}', 'call, with failures as values.'],
  ['_ai_callJson', '(string, string) -> string ! {AI}', 'JSON text that follows a JSON Schema.'],
  ['_ai_callJsonResult', '(string, string) -> Result[string, AIError] ! {AI}', 'callJson, with failures as values.'],
  ['_ai_callJsonSimple', 'string -> string ! {AI}', 'JSON text.'],
  ['_ai_callJsonSimpleResult', 'string -> Result[string, AIError] ! {AI}', 'callJsonSimple, with failures as values.'],
  [
    '_ai_step',
    '(string, [Message], [ToolSchema]) -> Result[StepResult, AIError] ! {AI}',
    'One turn of a conversation with tools.',
  ],
  [
    '_ai_stepWithCache',
    '(string, [Message], [ToolSchema], [CacheBreakpoint]) -> Result[StepResult, AIError] ! {AI}',
    'step with cache marks.',
  ],
  [
    '_ai_stepWithStream',
    '(string, [Message], [ToolSchema], (StreamChunk) -> () ! {IO}) -> Result[StepResult, AIError] ! {AI}',
    'step that hands over its answer piece by piece.',
  ],
  [
    '_ai_stepWithStreamRecorded',
    '(string, [Message], [ToolSchema], (StreamChunk) -> () ! {IO}) -> RecordedStream ! {AI}',
    'step with the pieces of its answer recorded.',
  ],
  [
    '_ai_runTools',
    '(string, [Message], [ToolSchema], (ToolCall) -> string, int) -> Result[[Message], AIError] ! {AI}',
    'Steps until no tool is called any more, at most so many times.',
  ],
  ['_ai_callImage', '(string, string, string) -> string ! {AI, FS}', 'Writes an image for a prompt to a file.'],
  [
    '_ai_callImageWithRefs',
    '(string, [ImagePart], string, string) -> string ! {AI, FS}',
    'callImage with images to start from.',
  ],
  ['_ai_callImageBase64', '(string, string) -> string ! {AI}', 'An image for a prompt as base64.'],
  [
    '_ai_callImageBase64WithRefs',
    '(string, [ImagePart], string) -> string ! {AI}',
    'callImageBase64 with images to start from.',
  ],
  ['_ai_callSpeech', '(string, string, string, string) -> Result[bytes, AIError] ! {AI}', 'Speech as sound samples.'],
]);

const stream = [
  ...family('std/stream', 'Stream', [
    [
      '_stream_connect',
      '(string, StreamConfig) -> Result[StreamConn, StreamErrorKind] ! {Stream}',
      'Opens a WebSocket.',
    ],
    [
      '_stream_sseConnect',
      '(string, StreamConfig) -> Result[StreamConn, StreamErrorKind] ! {Stream}',
      'Opens a stream of server-sent events.',
    ],
    [
      '_stream_ssePost',
      '(string, string, StreamConfig) -> Result[StreamConn, StreamErrorKind] ! {Stream}',
      'Posts and reads server-sent events.',
    ],
    [
      '_stream_ndjsonPost',
      '(string, string, StreamConfig) -> Result[StreamConn, StreamErrorKind] ! {Stream}',
      'Posts and reads JSON lines.',
    ],
    ['_stream_transmit', '(StreamConn, string) -> Result[(), StreamErrorKind] ! {Stream}', 'Sends text.'],
    ['_stream_transmitBinary', '(StreamConn, bytes) -> Result[(), StreamErrorKind] ! {Stream}', 'Sends bytes.'],
    [
      '_stream_onEvent',
      '(StreamConn, (StreamEvent) -> bool) -> () ! {Stream}',
      'Sets the function that takes events; false ends it.',
    ],
    ['_stream_runEventLoop', 'StreamConn -> () ! {Stream}', 'Delivers events until the connection ends.'],
    ['_stream_disconnect', 'StreamConn -> () ! {Stream}', 'Closes a connection.'],
    ['_stream_status', 'StreamConn -> StreamStatus ! {Stream}', 'The state of a connection.'],
    [
      '_stream_sourceOfConn',
      '(StreamConn, string, int) -> StreamSource ! {Stream}',
      'A connection as a source of events.',
    ],
    [
      '_stream_asyncReadStdinLines',
      '(string, int) -> StreamSource ! {Stream}',
      'Lines of input as a source of events.',
    ],
    [
      '_stream_selectEvents',
      '([StreamSource], (StreamEvent) -> bool) -> () ! {Stream}',
      'Delivers events of several sources.',
    ],
  ]),
  ...family('std/stream', 'Process', [
    [
      '_stream_asyncExecProcess',
      '(string, [string], string, int, int) -> StreamSource ! {Process, Stream}',
      'The output of a child process as a source of events.',
    ],
  ]),
];

const process = family('std/process', 'Process', [
  [
    '_process_exec',
    '(string, [string]) -> Result[ProcessOutput, ProcessError] ! {Process}',
    'Runs a program to its end.',
  ],
  ['_process_spawn', '(string, [string]) -> ProcessHandle ! {Process}', 'Starts a program.'],
  [
    '_process_writeStdin',
    '(ProcessHandle, bytes) -> Result[(), string] ! {Process}',
    'Writes to the input of a program.',
  ],
  ['_process_closeStdin', 'ProcessHandle -> () ! {Process}', 'Ends the input of a program.'],
]);

const sharedmem = family('std/sharedmem', 'SharedMem', [
  ['_sharedmem_get', 'string -> Option[bytes] ! {SharedMem}', 'The value of a key.'],
  ['_sharedmem_put', '(string, bytes) -> () ! {SharedMem}', 'Sets a key.'],
  ['_sharedmem_putIfAbsent', '(string, bytes) -> bool ! {SharedMem}', 'Sets a key that is not set; whether it did.'],
  [
    '_sharedmem_cas',
    '(string, Option[bytes], bytes) -> bool ! {SharedMem}',
    'Sets a key that has the expected value; whether it did.',
  ],
  ['_sharedmem_delete', 'string -> () ! {SharedMem}', 'Removes a key.'],
  ['_sharedmem_keys', '() -> [string] ! {SharedMem}', 'All keys.'],
]);

const hits = '[{key: string, score: float, timestamp: int, version: int}] ! {SharedIndex}';
const sharedindex = family('std/sharedindex', 'SharedIndex', [
  [
    '_sharedindex_upsert',
    '(string, string, int, int, int) -> () ! {SharedIndex}',
    'Namespace, key, simhash, time, version.',
  ],
  [
    '_sharedindex_upsertWithEmbedding',
    '(string, string, int, [float], int, int) -> () ! {SharedIndex}',
    'upsert with a vector before time and version.',
  ],
  ['_sharedindex_delete', '(string, string) -> () ! {SharedIndex}', 'Removes a key of a namespace.'],
  [
    '_sharedindex_findSimhash',
    `(string, int, int, int, bool) -> ${hits}`,
    'Namespace, simhash, count, most to look at, newest first.',
  ],
  ['_sharedindex_findByEmbedding', `(string, [float], int, int, bool) -> ${hits}`, 'findSimhash with a vector.'],
  ['_sharedindex_entryCount', 'string -> int ! {SharedIndex}', 'Entries of a namespace.'],
  ['_sharedindex_namespaces', '() -> [string] ! {SharedIndex}', 'All namespaces.'],
]);

const cognition = [
  ...family('std/cognition', 'Msg', [
    ['_msg_send', '(string, string) -> message ! {Msg}', 'Sends a payload to a name.'],
    [
      '_msg_sendResult',
      '(string, string) -> Result[message, {code: string, message: string}] ! {Msg}',
      'send, with failures as values.',
    ],
    ['_msg_recv', 'string -> message ! {Msg}', 'Waits for a message to a name.'],
    [
      '_msg_recvResult',
      'string -> Result[message, {code: string, message: string}] ! {Msg}',
      'recv, with failures as values.',
    ],
    [
      '_msg_subscribe',
      '(string, (message) -> () ! {Cog, Msg}) -> () ! {Cog, Msg}',
      'Calls a function with each message to a name.',
    ],
  ]),
  ...family('std/cognition', 'Cog', [
    ['_cog_drain', 'int -> int ! {Cog}', 'Handles at most so many waiting messages; how many it was.'],
  ]),
];

const trace = family('std/trace', 'Trace', [
  ['_trace_spanStart', 'string -> () ! {Trace}', 'Begins a span.'],
  ['_trace_spanEnd', 'string -> () ! {Trace}', 'Ends a span.'],
  ['_trace_event', '(string, string) -> () ! {Trace}', 'Records an event.'],
]);

const secret = family('std/secret', 'Secret', [
  ['_secret_read', '(string, string) -> string<secret> ! {Secret}', 'A secret of the host, by store and name.'],
]);

/** Operations of effects that no host of this evaluator has; they are typed, listed and never run. */
export const hostBoundBuiltins: readonly Builtin[] = [
  ...ai,
  ...stream,
  ...process,
  ...sharedmem,
  ...sharedindex,
  ...cognition,
  ...trace,
  ...secret,
];
