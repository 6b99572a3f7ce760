import { type Effects, reasonOf } from '../../eval/effects.js';
import { RuntimeFailure } from '../../eval/failure.js';
import { toNumber } from '../../eval/integers.js';
import { List } from '../../eval/list.js';
import type { Callable, Int, Value } from '../../eval/values.js';
import type { EffectHost } from '../../interfaces.js';
import { type Format, pack, unpack } from '../archive/compression.js';
import { ArchiveError, MAX_BYTES } from '../archive/limits.js';
import { readTar, type TarEntry, tarFile } from '../archive/tar.js';
import { writeZip, ZipArchive } from '../archive/zip.js';
import { err, field, type Natives, ok, record } from './native.js';

type Fs = NonNullable<EffectHost['fs']>;

const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function fromBase64(text: string): Buffer {
  if (text.length > (MAX_BYTES / 3) * 4 + 4) throw new ArchiveError(`the content is larger than ${MAX_BYTES} bytes`);
  if (!STANDARD.test(text)) throw new ArchiveError('the content is not base64');
  return Buffer.from(text, 'base64');
}

const base64 = (content: Buffer): string => content.toString('base64');
const utf8 = (content: Buffer): string => content.toString('utf8');

function attempt(action: () => Value): Value {
  try {
    return ok(action());
  } catch (error) {
    if (error instanceof ArchiveError) return err(error.message);
    throw error;
  }
}

const packing =
  (format: Format): Callable =>
  (_depth, text: string, level: Int) =>
    attempt(() => base64(pack(format, fromBase64(text), toNumber(level))));

const unpacking =
  (format: Format): Callable =>
  (_depth, text: string) =>
    attempt(() => base64(unpack(format, fromBase64(text))));

/** Compression of values; no effect. */
export const compressionNatives: Natives = {
  _gzip_compress: packing('gzip'),
  _gzip_decompress: unpacking('gzip'),
  _deflate_deflate: packing('raw'),
  _deflate_inflate: unpacking('raw'),
  _deflate_deflateZlib: packing('zlib'),
  _deflate_inflateZlib: unpacking('zlib'),
};

function zipOf(fs: Fs, path: string): ZipArchive {
  return new ZipArchive(fs.readFile(path));
}

function createZip(fs: Fs, path: string, files: List, contentOf: (file: Value) => Buffer): Value {
  const named = files.toArray().map((file) => ({ name: field(file, 'name') as string, content: contentOf(file) }));
  return fs.writeFile(path, writeZip(named), false) as undefined;
}

const isDirectory = (entry: TarEntry): boolean => entry.kind === 'directory';

/** Every entry is judged before the first file is written. */
function extractAll(fs: Fs, path: string, directory: string): Value {
  const entries = readTar(fs.readFile(path), 'optional');
  const refused = entries.find(({ kind }) => kind === 'link' || kind === 'other');
  if (refused !== undefined) {
    throw new ArchiveError(`the entry ${JSON.stringify(refused.name)} is neither file nor directory`);
  }
  const base = directory.replace(/(?<=.)\/+$/, '');
  fs.mkdir(base, true);
  const written: string[] = [];
  for (const entry of entries) {
    const parts = entry.name.split('/').filter((part) => part !== '' && part !== '.');
    const target = [base, ...parts].join('/');
    if (isDirectory(entry)) fs.mkdir(target, true);
    else {
      fs.mkdir([base, ...parts.slice(0, -1)].join('/'), true);
      fs.writeFile(target, entry.content, false);
      written.push(target);
    }
  }
  return List.of(written);
}

const tarEntry = (entry: TarEntry): Value =>
  record({ name: entry.name, size: entry.content.length, isDir: isDirectory(entry) });

// biome-ignore lint/suspicious/noExplicitAny: parameters are what the checker proved them to be
type Action = (fs: Fs, ...args: any[]) => Value;

const actions: Readonly<Record<string, Action>> = {
  _zip_listEntries: (fs, path: string) => List.of(zipOf(fs, path).entries.map(({ name }) => name)),
  _zip_readEntry: (fs, path: string, name: string) => utf8(zipOf(fs, path).read(name)),
  _zip_readEntryBytes: (fs, path: string, name: string) => base64(zipOf(fs, path).read(name)),
  _zip_createArchive: (fs, path: string, files: List) =>
    createZip(fs, path, files, (file) => Buffer.from(field(file, 'content') as string, 'utf8')),
  _zip_createArchiveWithBytes: (fs, path: string, files: List) =>
    createZip(fs, path, files, (file) => fromBase64(field(file, 'data') as string)),
  _tar_listEntries: (fs, path: string) => List.of(readTar(fs.readFile(path), 'optional').map(tarEntry)),
  _tar_readEntry: (fs, path: string, name: string) => utf8(tarFile(readTar(fs.readFile(path), 'optional'), name)),
  _tar_readEntryBytes: (fs, path: string, name: string) =>
    base64(tarFile(readTar(fs.readFile(path), 'optional'), name)),
  _tar_readFromGzip: (fs, path: string, name: string) => utf8(tarFile(readTar(fs.readFile(path), 'required'), name)),
  _tar_readFromGzipBytes: (fs, path: string, name: string) =>
    base64(tarFile(readTar(fs.readFile(path), 'required'), name)),
  _tar_extractAll: extractAll,
  _gzip_decompressFile: (fs, path: string) => base64(unpack('gzip', fs.readFile(path))),
};

/** Archives on the file system the program was granted; whatever goes wrong is the program's `Err`. */
export function archiveNatives(effects: Effects): Natives {
  const natives: Record<string, Callable> = {};
  for (const [name, action] of Object.entries(actions)) {
    const operation = name.slice(1).replace('_', '.');
    natives[name] = (_depth, ...args) => {
      const fs = effects.use('FS', operation);
      try {
        return ok(action(fs, ...args));
      } catch (cause) {
        if (cause instanceof RuntimeFailure || cause instanceof RangeError) throw cause;
        return err(reasonOf(cause));
      }
    };
  }
  return natives;
}
