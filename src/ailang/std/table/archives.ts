import { family } from './family.js';

const zip = family('std/zip', 'FS', [
  ['_zip_listEntries', 'string -> Result[[string], string] ! {FS}', 'The names in a zip archive.'],
  ['_zip_readEntry', '(string, string) -> Result[string, string] ! {FS}', 'The text of an entry.'],
  ['_zip_readEntryBytes', '(string, string) -> Result[string, string] ! {FS}', 'The content of an entry as base64.'],
  [
    '_zip_createArchive',
    '(string, [{name: string, content: string}]) -> Result[(), string] ! {FS}',
    'Writes an archive of texts.',
  ],
  [
    '_zip_createArchiveWithBytes',
    '(string, [{name: string, data: string}]) -> Result[(), string] ! {FS}',
    'Writes an archive of contents given as base64.',
  ],
]);

const tar = family('std/tar', 'FS', [
  [
    '_tar_listEntries',
    'string -> Result[[{name: string, size: int, isDir: bool}], string] ! {FS}',
    'The entries of a tar archive, gzipped or not.',
  ],
  ['_tar_readEntry', '(string, string) -> Result[string, string] ! {FS}', 'The text of an entry.'],
  ['_tar_readEntryBytes', '(string, string) -> Result[string, string] ! {FS}', 'The content of an entry as base64.'],
  ['_tar_readFromGzip', '(string, string) -> Result[string, string] ! {FS}', 'The text of an entry of a .tar.gz.'],
  [
    '_tar_readFromGzipBytes',
    '(string, string) -> Result[string, string] ! {FS}',
    'The content of an entry of a .tar.gz as base64.',
  ],
  [
    '_tar_extractAll',
    '(string, string) -> Result[[string], string] ! {FS}',
    'Writes all files below a directory; their paths.',
  ],
]);

const gzip = [
  ...family('std/gzip', null, [
    ['_gzip_compress', '(string, int) -> Result[string, string]', 'Base64 to gzipped base64, at a level of 0 to 9.'],
    ['_gzip_decompress', 'string -> Result[string, string]', 'Gzipped base64 to base64.'],
  ]),
  ...family('std/gzip', 'FS', [
    ['_gzip_decompressFile', 'string -> Result[string, string] ! {FS}', 'The content of a gzip file as base64.'],
  ]),
];

const deflate = family('std/deflate', null, [
  ['_deflate_inflate', 'string -> Result[string, string]', 'Unpacks raw deflate data, base64 to base64.'],
  ['_deflate_inflateZlib', 'string -> Result[string, string]', 'Unpacks zlib data, base64 to base64.'],
  [
    '_deflate_deflate',
    '(string, int) -> Result[string, string]',
    'Raw deflate, base64 to base64, at a level of 0 to 9.',
  ],
  ['_deflate_deflateZlib', '(string, int) -> Result[string, string]', 'Zlib, base64 to base64, at a level of 0 to 9.'],
]);

/** Archives and compression. */
export const archiveBuiltins = [...zip, ...tar, ...gzip, ...deflate];
