import { family } from './family.js';

const io = family('std/io', 'IO', [
  ['_io_print', 'string -> () ! {IO}', 'Writes the text to standard output.'],
  ['_io_println', 'string -> () ! {IO}', 'Writes the text and a newline to standard output.'],
  ['_io_printErr', 'string -> () ! {IO}', 'Writes the text to standard error.'],
  ['_io_eprintln', 'string -> () ! {IO}', 'Writes the text and a newline to standard error.'],
  ['_io_flush', '() -> () ! {IO}', 'Flushes standard output.'],
  ['_io_readLine', '() -> string ! {IO}', 'The next input line without its terminator; empty at the end of input.'],
  ['_io_readLineOpt', '() -> Option[string] ! {IO}', 'The next input line, None at the end of input.'],
  ['_io_writeBytes', 'bytes -> () ! {IO}', 'Writes raw bytes to standard output.'],
  ['_io_exit', 'int -> () ! {IO}', 'Ends the program with this exit status; never returns.'],
]);

const fs = family('std/fs', 'FS', [
  ['_fs_readFile', 'string -> string ! {FS}', 'The text of a file; the run fails when it cannot be read.'],
  [
    '_fs_readFileResult',
    'string -> Result[string, string] ! {FS}',
    'The text of a file or the reason it cannot be read.',
  ],
  ['_fs_readFileBytes', 'string -> Result[string, string] ! {FS}', 'The content of a file as base64, or the reason.'],
  ['_fs_writeFile', '(string, string) -> () ! {FS}', 'Replaces the content of a file.'],
  ['_fs_writeFileBytes', '(string, bytes) -> () ! {FS}', 'Replaces the content of a file by raw bytes.'],
  [
    '_fs_writeFileResult',
    '(string, string) -> Result[(), string] ! {FS}',
    'Replaces the content of a file, or tells why not.',
  ],
  ['_fs_appendFile', '(string, string) -> () ! {FS}', 'Appends to a file, creating it when absent.'],
  ['_fs_appendFileBytes', '(string, bytes) -> () ! {FS}', 'Appends raw bytes to a file.'],
  ['_fs_appendFileResult', '(string, string) -> Result[(), string] ! {FS}', 'Appends to a file, or tells why not.'],
  ['_fs_fileExists', 'string -> bool ! {FS}', 'Whether the path names anything.'],
  ['_fs_isFile', 'string -> bool ! {FS}', 'Whether the path names a file.'],
  ['_fs_isDir', 'string -> bool ! {FS}', 'Whether the path names a directory.'],
  ['_fs_listDir', 'string -> [string] ! {FS}', 'Sorted names in a directory.'],
  ['_fs_walk', 'string -> [string] ! {FS}', 'All files below a directory, sorted, prefixed with it.'],
  ['_fs_glob', '(string, string) -> [string] ! {FS}', 'All files below a directory that end in the suffix.'],
  ['_fs_mkdir', 'string -> () ! {FS}', 'Creates a directory.'],
  ['_fs_mkdirAll', 'string -> () ! {FS}', 'Creates a directory and its parents.'],
  ['_fs_mkdirResult', 'string -> Result[(), string] ! {FS}', 'Creates a directory, or tells why not.'],
  [
    '_fs_mkdirAllResult',
    'string -> Result[(), string] ! {FS}',
    'Creates a directory and its parents, or tells why not.',
  ],
  ['_fs_removeFile', 'string -> () ! {FS}', 'Removes a file or an empty directory.'],
  ['_fs_removeFileResult', 'string -> Result[(), string] ! {FS}', 'Removes a file, or tells why not.'],
  ['_fs_removeDirResult', 'string -> Result[(), string] ! {FS}', 'Removes an empty directory, or tells why not.'],
  ['_fs_renameFile', '(string, string) -> () ! {FS}', 'Renames a file.'],
  ['_fs_renameFileResult', '(string, string) -> Result[(), string] ! {FS}', 'Renames a file, or tells why not.'],
]);

const env = family('std/env', 'Env', [
  ['_env_getArgs', '() -> [string] ! {Env}', 'The arguments of the program.'],
  ['_env_getEnv', 'string -> Option[string] ! {Env}', 'The value of an environment variable.'],
  ['_env_getEnvOr', '(string, string) -> string ! {Env}', 'The value of an environment variable or the given text.'],
  ['_env_hasEnv', 'string -> bool ! {Env}', 'Whether an environment variable is set.'],
  ['_env_getPid', '() -> int ! {Env}', 'The process id.'],
]);

const net = [
  ...family('std/net', 'Net', [
    ['_net_httpGet', 'string -> string ! {Net}', 'The body of a GET; the run fails with an E_NET_ error.'],
    ['_net_httpPost', '(string, string) -> string ! {Net}', 'The body of a POST of JSON text.'],
    [
      '_net_request',
      '(string, string, [{name: string, value: string}], bytes) -> Result[{status: int, headers: [{name: string, value: string}], body: string, bodyBytes: bytes, ok: bool}, (string, string)] ! {Net}',
      'Any request; an error is its kind and message.',
    ],
  ]),
  ...family('std/net', null, [
    ['_net_urlEncode', 'string -> string', 'Percent-encodes all but unreserved characters, a space as +.'],
    [
      '_net_parseUrl',
      'string -> Result[{scheme: string, host: string, port: string, path: string, query: string, fragment: string}, string]',
      'The parts of a URL.',
    ],
    ['_net_parseQuery', 'string -> [{name: string, value: string}]', 'The decoded pairs of a query string, in order.'],
  ]),
];

const clock = family('std/clock', 'Clock', [
  ['_clock_now', '() -> int ! {Clock}', 'Seconds since 1970.'],
  ['_clock_sleep', 'int -> () ! {Clock}', 'Waits this many milliseconds.'],
]);

const rand = family('std/rand', 'Rand', [
  ['_rand_int', '(int, int) -> int ! {Rand}', 'A number between the bounds, both included.'],
  ['_rand_float', '(float, float) -> float ! {Rand}', 'A number from the first bound up to the second.'],
  ['_rand_bool', '() -> bool ! {Rand}', 'A coin toss.'],
  ['_rand_seed', 'int -> () ! {Rand}', 'Makes the numbers that follow reproducible.'],
  ['_rand_uuid4', '() -> string ! {Rand}', 'A random UUID.'],
]);

const debug = family('std/debug', 'Debug', [
  ['_debug_log', 'string -> () ! {Debug}', 'Records a message, printed as a JSON line after the run.'],
  ['_debug_check', '(bool, string) -> () ! {Debug}', 'Records whether a check held.'],
]);

/** Operations on the world. */
export const effectBuiltins = [...io, ...fs, ...env, ...net, ...clock, ...rand, ...debug];
