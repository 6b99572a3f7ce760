/** Signatures of host-bound modules (ailang-language 5.13, 5.15 and appendix A), in the form of `signatures`. */
export const hostSignatures: Readonly<Record<string, string>> = {
  'std/debug': `
    log : (string) -> () !{Debug}
    check : (bool, string) -> () !{Debug}`,
  'std/trace': `
    spanStart, spanEnd : (string) -> () !{Trace}
    event : (string, string) -> () !{Trace}`,
  'std/secret': `
    secret : (string, string) -> string<secret> !{Secret}`,
  'std/web': `
    webFetch : (string) -> Result[{content: string, links: [string], title: string}, NetError] !{Net}
    webSearch : (string, int) -> Result[[{content: string, title: string, url: string}], NetError] !{Net}`,
  'std/package': `
    assetPath : (string, string) -> Result[string, string] !{FS}`,
  'std/extension': `
    requireWorkdirFile : (string, string) -> Result[(), string] !{FS}`,
  'std/smoke': `
    dispatchTool : (string, (string) -> ()) -> () !{IO}
    dispatchAllTools : ([string], (string) -> ()) -> () !{IO}
    okSuite : (string) -> () !{IO}`,
  'std/process': `
    exec : (string, [string]) -> Result[ProcessOutput, ProcessError] !{Process}
    spawnProcess : (string, [string]) -> ProcessHandle !{Process}
    writeProcessStdin : (ProcessHandle, bytes) -> Result[(), string] !{Process}
    closeProcessStdin : (ProcessHandle) -> () !{Process}`,
  'std/terminal': `
    info : (()) -> Result[TerminalInfo, TerminalError] !{IO}
    withTerminal : (TerminalOptions, (TerminalSession) -> a) -> Result[a, TerminalError] !{IO}
    readEvent : (TerminalSession, int) -> Result[TerminalEvent, TerminalError] !{IO}`,
  'std/sharedmem': `
    get : (string) -> Option[bytes] !{SharedMem}
    get_or : (string, bytes) -> bytes !{SharedMem}
    put : (string, bytes) -> () !{SharedMem}
    put_if_absent : (string, bytes) -> bool !{SharedMem}
    cas : (string, Option[bytes], bytes) -> bool !{SharedMem}
    delete : (string) -> () !{SharedMem}
    has_key : (string) -> bool !{SharedMem}
    keys : (()) -> [string] !{SharedMem}`,
  'std/sharedindex': `
    upsert : (string, string, int, int, int) -> () !{SharedIndex}
    upsertWithEmbedding : (string, string, int, [float], int, int) -> () !{SharedIndex}
    delete : (string, string) -> () !{SharedIndex}
    findSimhash : (string, int, int, int, bool) -> [Hit] !{SharedIndex}
    findByEmbedding : (string, [float], int, int, bool) -> [Hit] !{SharedIndex}
    entryCount : (string) -> int !{SharedIndex}
    namespaces : (()) -> [string] !{SharedIndex}`,
  'std/sem': `
    make_frame_at : (string, string, bytes, int) -> Frame
    make_frame : (string, string, bytes) -> Frame !{Clock}
    encode_frame : (Frame) -> string
    decode_frame : (string) -> Option[Frame]
    is_similar : (Frame, Frame, int) -> bool
    is_newer : (Frame, Frame) -> bool
    get_simhash : (Frame) -> int
    has_embedding : (Frame) -> bool
    with_embedding : (Frame, bytes, int) -> Frame
    bump_version : (Frame) -> Frame
    validate_namespace : (string) -> Option[string]
    store_frame : (string, Frame) -> () !{SharedMem}
    load_frame : (string) -> Option[Frame] !{SharedMem}
    update_frame : (string, (Frame) -> Frame, int) -> UpdateResult !{SharedMem}
    create_or_update_frame : (string, Frame, (Frame) -> Frame, int) -> UpdateResult !{SharedMem}
    store_frame_ns : (string, Frame) -> () !{SharedIndex, SharedMem}
    delete_frame_ns : (string, string) -> () !{SharedIndex, SharedMem}
    find_similar : (string, string, int) -> [Hit] !{SharedIndex}
    find_similar_bounded : (string, string, int, int, bool) -> [Hit] !{SharedIndex}
    resolve_best_match : (string, string) -> Option[Frame] !{SharedIndex, SharedMem}
    resolve_best_match_threshold : (string, string, float) -> Option[Frame] !{SharedIndex, SharedMem}
    count_frames : (string) -> int !{SharedIndex}
    list_namespaces : (()) -> [string] !{SharedIndex}`,
  'std/cognition': `
    sendMsg : (string, string) -> Note !{Msg}
    sendMsgResult : (string, string) -> Result[Note, {code: string, message: string}] !{Msg}
    recvMsg : (string) -> Note !{Msg}
    recvMsgResult : (string) -> Result[Note, {code: string, message: string}] !{Msg}
    subscribeMsg : (string, (Note) -> () !{Cog, Msg}) -> () !{Cog, Msg}
    drain : (int) -> int !{Cog}`,
  'std/ai': `
    call, callJsonSimple : (string) -> string !{AI}
    callJson : (string, string) -> string !{AI}
    callResult, callJsonSimpleResult : (string) -> Result[string, AIError] !{AI}
    callJsonResult : (string, string) -> Result[string, AIError] !{AI}
    step : (string, [Message], [ToolSchema]) -> Result[StepResult, AIError] !{AI}
    stepWithCache : (string, [Message], [ToolSchema], [CacheBreakpoint]) -> Result[StepResult, AIError] !{AI}
    stepWithStream : (string, [Message], [ToolSchema], (StreamChunk) -> () !{IO}) -> Result[StepResult, AIError] !{AI}
    stepWithStreamRecorded : (string, [Message], [ToolSchema], (StreamChunk) -> () !{IO}) -> RecordedStream !{AI}
    runTools : (string, [Message], [ToolSchema], (ToolCall) -> string, int) -> Result[[Message], AIError] !{AI}
    callImage : (string, string, string) -> string !{AI, FS}
    callImageWithRefs : (string, [ImagePart], string, string) -> string !{AI, FS}
    callImageBase64 : (string, string) -> string !{AI}
    callImageBase64WithRefs : (string, [ImagePart], string) -> string !{AI}
    callSpeech : (string, string, string, string) -> Result[bytes, AIError] !{AI}
    speechSampleRate : (()) -> int`,
  'std/stream': `
    connect, sseConnect : (string, StreamConfig) -> Result[StreamConn, StreamErrorKind] !{Stream}
    ssePost, ndjsonPost : (string, string, StreamConfig) -> Result[StreamConn, StreamErrorKind] !{Stream}
    transmit : (StreamConn, string) -> Result[(), StreamErrorKind] !{Stream}
    transmitBinary : (StreamConn, bytes) -> Result[(), StreamErrorKind] !{Stream}
    onEvent : (StreamConn, (StreamEvent) -> bool) -> () !{Stream}
    runEventLoop, disconnect : (StreamConn) -> () !{Stream}
    status : (StreamConn) -> StreamStatus !{Stream}
    withStream, withSSE : (string, (StreamEvent) -> bool) -> Result[StreamConn, StreamErrorKind] !{Stream}
    sourceOfConn : (StreamConn, string, int) -> StreamSource !{Stream}
    asyncReadStdinLines : (string, int) -> StreamSource !{Stream}
    asyncExecProcess : (string, [string], string, int, int) -> StreamSource !{Process, Stream}
    selectEvents : ([StreamSource], (StreamEvent) -> bool) -> () !{Stream}
    defaultConfig : (()) -> StreamConfig`,
};

/** Record aliases, which interfaces print expanded with their fields sorted. */
export const hostRecords: Readonly<Record<string, string>> = {
  Hit: '{key: string, score: float, timestamp: int, version: int}',
  Frame:
    '{content: string, embedding: Option[bytes], embedding_dim: int, id: string, opaque: bytes, simhash: int, ts: int, ver: int}',
  Note: '{clock: int, from: string, msg_id: string, payload: string, to: string}',
  ProcessOutput: '{exitCode: int, resolvedPath: string, stderr: bytes, stdout: bytes, truncated: bool}',
  TerminalOptions: '{alternate_screen: bool, hide_cursor: bool}',
  TerminalInfo: '{input_tty: bool, output_tty: bool, raw_supported: bool, size: Option[{columns: int, rows: int}]}',
  AIError: '{kind: string, message: string, retryable: bool}',
  CacheBreakpoint: '{message_index: int}',
  ImagePart: '{data: string, mime_type: string}',
  Message:
    '{content: string, role: string, tool_call_id: string, tool_calls: [{arguments: string, id: string, name: string}]}',
  RecordedStream:
    '{chunks: [StreamChunk], result: Result[{finish_reason: string, input_tokens: int, message: {content: string, role: string, tool_call_id: string, tool_calls: [{arguments: string, id: string, name: string}]}, output_tokens: int}, {kind: string, message: string, retryable: bool}]}',
  StepResult:
    '{finish_reason: string, input_tokens: int, message: {content: string, role: string, tool_call_id: string, tool_calls: [{arguments: string, id: string, name: string}]}, output_tokens: int}',
  ToolCall: '{arguments: string, id: string, name: string}',
  ToolSchema: '{description: string, name: string, parameters: string}',
  StreamConfig: '{headers: [{name: string, value: string}]}',
};
