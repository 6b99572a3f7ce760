import { documentSignatures } from './signatures-documents.js';
import { hostRecords, hostSignatures } from './signatures-host.js';

/**
 * The signatures of the standard library (ailang-language section 5 and appendix A), one line for names that
 * share a type: `names : type`. Parameter lists are in parentheses, a hidden unit parameter is `(())`.
 */
export const signatures: Readonly<Record<string, string>> = {
  'std/io': `
    print, println, printErr, eprintln : (string) -> () !{IO}
    readLine : (()) -> string !{IO}
    readLineOpt : (()) -> Option[string] !{IO}
    flush : (()) -> () !{IO}
    writeBytes : (bytes) -> () !{IO}
    exit : (int) -> () !{IO}`,
  'std/fs': `
    readFile : (string) -> string !{FS}
    readFileBytes, readFileResult : (string) -> Result[string, string] !{FS}
    writeFile, appendFile, renameFile : (string, string) -> () !{FS}
    writeFileBytes, appendFileBytes : (string, bytes) -> () !{FS}
    writeFileResult, appendFileResult, renameFileResult : (string, string) -> Result[(), string] !{FS}
    fileExists, isDir, isFile : (string) -> bool !{FS}
    listDir, walk : (string) -> [string] !{FS}
    glob : (string, string) -> [string] !{FS}
    mkdir, mkdirAll, removeFile : (string) -> () !{FS}
    mkdirResult, mkdirAllResult, removeFileResult, removeDirResult : (string) -> Result[(), string] !{FS}`,
  'std/env': `
    getArgs : (()) -> [string] !{Env}
    getEnv : (string) -> Result[string, EnvError] !{Env}
    getEnvOr : (string, string) -> string !{Env}
    hasEnv : (string) -> bool !{Env}
    getPid : (()) -> int !{Env}`,
  'std/string': `
    length, charCode : (string) -> int
    substring : (string, int, int) -> string
    charAt, repeat : (string, int) -> string
    chars, words : (string) -> [string]
    compare, find : (string, string) -> int
    contains, startsWith, endsWith, startsWithIgnoreCase : (string, string) -> bool
    split : (string, string) -> [string]
    splitAny : (string, [string]) -> [string]
    trim, toUpper, toLower, decodeQuotedPrintable : (string) -> string
    replace : (string, string, string) -> string
    replaceMany : (string, [(string, string)]) -> string
    concat : ([string]) -> string
    join : (string, [string]) -> string
    stringToInt : (string) -> Option[int]
    stringToFloat : (string) -> Option[float]
    intToStr : (int) -> string
    floatToStr : (float) -> string
    foldChars : ((a, string) -> a, a, string) -> a
    foldSlices : (string, string, a, (a, string) -> a) -> a
    mapSlicesJoin : (string, string, (string) -> string) -> string`,
  'std/list': `
    length : ([a]) -> int
    head, last : ([a]) -> Option[a]
    tail, reverse, dedup : ([a]) -> [a]
    concat, intersect, union, difference : ([a], [a]) -> [a]
    zip : ([a], [b]) -> [(a, b)]
    zipWith : ((a, b) -> c, [a], [b]) -> [c]
    map : ((a) -> b, [a]) -> [b]
    filter : ((a) -> bool, [a]) -> [a]
    foldl : ((b, a) -> b, b, [a]) -> b
    foldr : ((a, b) -> b, b, [a]) -> b
    mapAccumL : ((s, a) -> (b, s), s, [a]) -> ([b], s)
    sortBy : ((a, a) -> int, [a]) -> [a]
    take, drop : (int, [a]) -> [a]
    range : (int, int) -> [int]
    contains : ([a], a) -> bool
    member : (a, [a]) -> bool
    nth : ([a], int) -> Option[a]
    nth_or : ([a], int, a) -> a
    head_or, last_or : ([a], a) -> a
    any : ((a) -> bool, [a]) -> bool
    findIndex : ((a) -> bool, [a]) -> Option[int]
    flatMap : ((a) -> [b], [a]) -> [b]
    takeFlatMap : (int, (a) -> [b], [a]) -> [b]
    takeMap : (int, (a) -> b, [a]) -> [b]
    maximumInt, minimumInt : ([int]) -> Option[int]
    maximumFloat, minimumFloat : ([float]) -> Option[float]
    maximumString, minimumString : ([string]) -> Option[string]
    mapE : ((a) -> b !{e}, [a]) -> [b] !{e}
    filterE : ((a) -> bool !{e}, [a]) -> [a] !{e}
    foldlE : ((b, a) -> b !{e}, b, [a]) -> b !{e}
    flatMapE : ((a) -> [b] !{e}, [a]) -> [b] !{e}
    forEachE : ((a) -> () !{e}, [a]) -> () !{e}`,
  'std/option': `
    map : ((a) -> b, Option[a]) -> Option[b]
    flatMap : ((a) -> Option[b], Option[a]) -> Option[b]
    filter : ((a) -> bool, Option[a]) -> Option[a]
    getOrElse : (Option[a], a) -> a
    isSome, isNone : (Option[a]) -> bool`,
  'std/result': `
    map : ((a) -> b, Result[a, c]) -> Result[b, c]
    mapErr : ((a) -> b, Result[c, a]) -> Result[c, b]
    flatMap : ((a) -> Result[b, c], Result[a, c]) -> Result[b, c]
    isOk, isErr : (Result[a, b]) -> bool
    unwrap : (Result[a, b]) -> a`,
  'std/math': `
    PI, E : (()) -> float
    abs_Int : (int) -> int
    abs_Float, floor, ceil, round, sqrt, exp, log, log10, sin, cos, tan, asin, acos, atan : (float) -> float
    pow, atan2 : (float, float) -> float
    intToFloat : (int) -> float
    floatToInt : (float) -> int
    bitwiseOr, shiftRightLogical : (int, int) -> int
    isNaN : (float) -> bool`,
  'std/json': `
    encode : (Json) -> string
    decode : (string) -> Result[Json, string]
    repair : (string) -> Result[string, string]
    jn : (()) -> Json
    jb : (bool) -> Json
    jnum : (float) -> Json
    jint : (int) -> Json
    js : (string) -> Json
    ja : ([Json]) -> Json
    jo : ([{key: string, value: Json}]) -> Json
    kv : (string, Json) -> {key: string, value: Json}
    get : (Json, string) -> Option[Json]
    getOr : (Json, string, Json) -> Json
    has : (Json, string) -> bool
    keys : (Json) -> [string]
    values : (Json) -> [Json]
    getString : (Json, string) -> Option[string]
    getNumber : (Json, string) -> Option[float]
    getInt : (Json, string) -> Option[int]
    getBool : (Json, string) -> Option[bool]
    getArray : (Json, string) -> Option[[Json]]
    getObject : (Json, string) -> Option[Json]
    asString : (Json) -> Option[string]
    asNumber : (Json) -> Option[float]
    asBool, asBoolLoose : (Json) -> Option[bool]
    asArray : (Json) -> Option[[Json]]
    asObject : (Json) -> Option[[{key: string, value: Json}]]
    filterStrings : ([Json]) -> [string]
    filterNumbers : ([Json]) -> [float]
    allStrings : ([Json]) -> Option[[string]]
    allNumbers : ([Json]) -> Option[[float]]
    getStringArray, getStringArrayStrict : (Json, string) -> Option[[string]]
    getStringArrayOrEmpty : (Json, string) -> [string]
    getNumberArray, getNumberArrayStrict : (Json, string) -> Option[[float]]
    getNumberArrayOrEmpty : (Json, string) -> [float]
    decodeFloatArray : (string) -> Result[Array[float], string]`,
  'std/map': `
    empty : (()) -> Map[k, v]
    insert : (Map[k, v], k, v) -> Map[k, v]
    lookup : (Map[k, v], k) -> Option[v]
    member : (Map[k, v], k) -> bool
    remove : (Map[k, v], k) -> Map[k, v]
    size : (Map[k, v]) -> int
    keys : (Map[k, v]) -> [k]
    values : (Map[k, v]) -> [v]
    fromList : ([(k, v)]) -> Map[k, v]
    toList : (Map[k, v]) -> [(k, v)]`,
  'std/array': `
    empty : (()) -> Array[a]
    make : (int, a) -> Array[a]
    fromList : ([a]) -> Array[a]
    toList : (Array[a]) -> [a]
    length : (Array[a]) -> int
    get, unsafeGet : (Array[a], int) -> a
    getOpt : (Array[a], int) -> Option[a]
    set : (Array[a], int, a) -> Array[a]
    append : (Array[a], a) -> Array[a]
    updateMany : (Array[a], [(int, a)]) -> Array[a]
    dot : (Array[float], Array[float]) -> float
    add, sub, mul : (Array[float], Array[float]) -> Array[float]
    axpy : (float, Array[float], Array[float]) -> Array[float]
    scale : (float, Array[float]) -> Array[float]
    sum : (Array[float]) -> float
    argmax : (Array[float]) -> int
    scatterAdd : (Array[float], Array[int], Array[float]) -> Array[float]
    encodeF64LE : (Array[float]) -> bytes
    decodeF64LE, decodeF32LE : (bytes) -> Option[Array[float]]`,
  'std/bytes': `
    fromString : (string) -> bytes
    toString, toBase64, toBase64URL : (bytes) -> string
    fromBase64, fromBase64URL : (string) -> Option[bytes]
    length : (bytes) -> int
    byteAt : (bytes, int) -> Option[int]
    slice : (bytes, int, int) -> Option[bytes]
    concat : (bytes, bytes) -> bytes
    concatList : ([bytes]) -> bytes
    fromInts : ([int]) -> bytes
    toInts : (bytes) -> [int]`,
  'std/regex': `
    compile : (string) -> Result[Regex, string]
    isMatch : (Regex, string) -> bool
    findFirst : (Regex, string) -> Option[RegexMatch]
    findAll : (Regex, string) -> [RegexMatch]
    replaceAll : (Regex, string, string) -> string
    split : (Regex, string) -> [string]`,
  'std/datetime': `
    year, month, day, weekday, hour, minute, second, startOfDay, startOfWeek, startOfMonth : (int) -> int
    addDays, addMonths, addYears, diffDays : (int, int) -> int
    makeDate : (int, int, int) -> int
    makeDateTime : (int, int, int, int, int, int) -> int
    formatISODate, formatRFC3339, formatMonthShort, formatWeekdayFull : (int) -> string
    parseISODate, parseRFC3339 : (string) -> Option[int]`,
  'std/crypto': `
    sha256Hex : (string) -> string
    sha256Bytes : (bytes) -> string
    hmacSha256 : (string, string) -> string
    constantTimeEqual : (string, string) -> bool
    rsaVerifyPKCS1v15 : (bytes, bytes, string) -> Result[bool, string]`,
  'std/net': `
    httpGet : (string) -> string !{Net}
    httpPost : (string, string) -> string !{Net}
    httpRequest : (string, string, [{name: string, value: string}], string) -> Result[HttpResponse, NetError] !{Net}
    httpRequestBytes : (string, string, [{name: string, value: string}], bytes) -> Result[HttpResponse, NetError] !{Net}
    urlEncode : (string) -> string
    urlEncodeForm : ([{name: string, value: string}]) -> string
    parseUrl : (string) -> Result[Url, string]
    parseQuery : (string) -> [{name: string, value: string}]`,
  'std/rand': `
    rand_int : (int, int) -> int !{Rand}
    rand_float : (float, float) -> float !{Rand}
    rand_bool : (()) -> bool !{Rand}
    rand_seed : (int) -> () !{Rand}
    uuid4 : (()) -> string !{Rand}`,
  'std/clock': `
    now : (()) -> int !{Clock}
    sleep : (int) -> () !{Clock}`,
  ...documentSignatures,
  ...hostSignatures,
};

/** Type names that stand for a record in the printed types. */
export const recordAliases: Readonly<Record<string, string>> = {
  RegexMatch: '{end: int, groups: [{end: int, start: int, text: string}], start: int, text: string}',
  HttpResponse: '{body: string, bodyBytes: bytes, headers: [{name: string, value: string}], ok: bool, status: int}',
  ...hostRecords,
  Url: '{fragment: string, host: string, path: string, port: string, query: string, scheme: string}',
};
