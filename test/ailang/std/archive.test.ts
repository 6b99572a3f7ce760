import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Format, pack, unpack } from '../../../src/ailang/std/archive/compression.js';
import { crc32 } from '../../../src/ailang/std/archive/crc32.js';
import { readTar, tarFile } from '../../../src/ailang/std/archive/tar.js';
import { writeZip, ZipArchive } from '../../../src/ailang/std/archive/zip.js';
import { runText } from '../eval/programs.js';
import { memoryFiles, tarEntry, tarOf } from './archive-files.js';

const bytes = fc.uint8Array({ maxLength: 300 }).map((content) => Buffer.from(content));
const formats: readonly Format[] = ['raw', 'zlib', 'gzip'];

test('packing and unpacking give the same bytes in every format and level', () => {
  fc.assert(
    fc.property(bytes, fc.constantFrom(...formats), fc.integer({ min: -1, max: 9 }), (content, format, level) => {
      assert.deepEqual(unpack(format, pack(format, content, level)), content);
    }),
  );
  assert.throws(() => pack('gzip', Buffer.alloc(1), 10), { message: /level 10 is not between/ });
  assert.throws(() => unpack('gzip', Buffer.from('no gzip')), { message: /damaged/ });
});

test('a bomb stops at the limit', () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  assert.ok(bomb.length < 10_000);
  assert.throws(() => unpack('gzip', bomb, 1_000_000), { message: /more than 1000000 bytes/ });
});

test('the checksum is that of the reference vector', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
});

test('a zip archive gives back what was put into it', () => {
  const file = fc.record(
    { name: fc.stringMatching(/^[a-zé]{1,8}(\/[a-z.]{0,3}[a-z])?$/), content: bytes },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.uniqueArray(file, { selector: (one) => one.name, maxLength: 5 }), (files) => {
      const archive = new ZipArchive(writeZip(files));
      assert.deepEqual(
        archive.entries.map(({ name }) => ({ name, content: archive.read(name) })),
        files,
      );
    }),
  );
});

test('names that lead out are refused, in writing and in reading', () => {
  for (const name of ['../x', 'a/../../x', '/etc/passwd', 'C:x', 'a\\..\\x', '']) {
    assert.throws(() => writeZip([{ name, content: Buffer.alloc(0) }]), { message: /leads out/ }, name);
    if (name === '') continue;
    assert.throws(() => readTar(tarOf(tarEntry(name, '')), 'optional'), { message: /leads out/ }, name);
  }
  const honest = writeZip([{ name: 'aa/x', content: Buffer.from('1') }]);
  const slip = Buffer.from(honest.toString('latin1').replaceAll('aa/x', '../x'), 'latin1');
  assert.throws(() => new ZipArchive(slip), { message: /leads out/ });
});

test('a zip entry that lies about its size or content is refused', () => {
  const content = Buffer.alloc(100_000, 'a');
  const archive = writeZip([{ name: 'a', content }]);
  const central = archive.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const small = Buffer.from(archive);
  small.writeUInt32LE(10, central + 24);
  assert.throws(() => new ZipArchive(small).read('a'), { message: /more than 11 bytes/ });
  const wrong = Buffer.from(archive);
  wrong.writeUInt32LE(1, central + 16);
  assert.throws(() => new ZipArchive(wrong).read('a'), { message: /damaged/ });
  const huge = Buffer.from(archive);
  huge.writeUInt32LE(0xf0000000, central + 24);
  assert.throws(() => new ZipArchive(huge).read('a'), { message: /larger than/ });
});

test('too many entries are refused', () => {
  const files = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, content: Buffer.alloc(0) }));
  assert.throws(() => writeZip(files), { message: /more than 10000 entries/ });
  const tar = tarOf(...files.map(({ name }) => tarEntry(name, '')));
  assert.throws(() => readTar(tar, 'optional'), { message: /more than 10000 entries/ });
});

test('damaged archives are refused, wherever they are cut or changed', () => {
  const zip = writeZip([{ name: 'a', content: Buffer.from('hello hello hello') }]);
  const tar = tarOf(tarEntry('a', 'hello'));
  fc.assert(
    fc.property(fc.nat(), fc.nat(255), (at, byte) => {
      const changed = Buffer.from(zip);
      changed[at % zip.length] = byte;
      for (const content of [changed, zip.subarray(0, at % zip.length)]) {
        try {
          const archive = new ZipArchive(content);
          for (const { name } of archive.entries) archive.read(name);
        } catch (error) {
          assert.equal((error as Error).constructor.name, 'ArchiveError');
        }
      }
      try {
        readTar(tar.subarray(0, at % tar.length), 'optional');
      } catch (error) {
        assert.equal((error as Error).constructor.name, 'ArchiveError');
      }
    }),
  );
});

test('tar entries have long names, kinds and the last content of a name', () => {
  const long = `${'d/'.repeat(80)}file.txt`;
  const pax = `${String(long.length + 10)} path=${long}\n`;
  const entries = readTar(
    gzipSync(
      tarOf(
        tarEntry('dir/', '', '5'),
        tarEntry('a', 'one'),
        tarEntry('a', 'two'),
        tarEntry('././@LongLink', `${long}\0`, 'L'),
        tarEntry('short', 'gnu'),
        tarEntry('pax', pax, 'x'),
        tarEntry('short', 'pax'),
      ),
    ),
    'required',
  );
  assert.deepEqual(
    entries.map(({ name, kind }) => [name, kind]),
    [
      ['dir/', 'directory'],
      ['a', 'file'],
      ['a', 'file'],
      [long, 'file'],
      [long, 'file'],
    ],
  );
  assert.equal(tarFile(entries, 'a').toString(), 'two');
  assert.throws(() => tarFile(entries, 'b'), { message: /no entry "b"/ });
  assert.throws(() => readTar(tarOf(tarEntry('a', '')), 'required'), { message: /no gzip file/ });
});

const program = (body: string): string =>
  `module main\nimport std/zip as Z\nimport std/tar as T\nimport std/gzip as G\nexport func main() -> () ! {IO, FS} = println(show(${body}))\n`;

test('programs reach archives through the file system they were granted', () => {
  const { fs, contents } = memoryFiles({
    'a.tar': tarOf(tarEntry('x/', '', '5'), tarEntry('x/y.txt', 'hi')),
    'link.tar': tarOf(tarEntry('f', '1'), tarEntry('l', '', '2', '/etc')),
    'z.zip': writeZip([{ name: 'd.xml', content: Buffer.from('<r><i>1</i><i>2</i></r>') }]),
    'g.gz': gzipSync('abc'),
    'raw.bin': deflateRawSync('abc'),
  });
  const cases = [
    ['T.extractAll("a.tar", "out/")', 'Ok([out/x/y.txt])'],
    ['T.extractAll("link.tar", "out2")', 'Err(the entry "l" is neither file nor directory)'],
    ['T.listEntries("a.tar")', 'Ok([{isDir: true, name: x/, size: 0}, {isDir: false, name: x/y.txt, size: 2}])'],
    ['T.readEntry("a.tar", "x/y.txt")', 'Ok(hi)'],
    ['Z.createArchive("n.zip", [{ name: "a", content: "é" }])', 'Ok(())'],
    ['Z.readEntryBytes("n.zip", "a")', 'Ok(w6k=)'],
    ['Z.createArchiveWithBytes("n.zip", [{ name: "a", data: "?" }])', 'Err(the content is not base64)'],
    ['Z.scanFold("z.zip", "d.xml", "i", 0, \\n x. n + 1)', 'Ok(2)'],
    ['Z.listEntries("none.zip")', 'Err(open none.zip: no such file or directory)'],
    ['G.decompressFile("g.gz")', 'Ok(YWJj)'],
  ] as const;
  for (const [body, shown] of cases) {
    const { stdout, outcome } = runText(program(body), { host: { fs } });
    assert.deepEqual([stdout, outcome.kind], [`${shown}\n`, 'finished'], body);
  }
  assert.equal(contents.get('out/x/y.txt')?.toString(), 'hi');
  assert.equal(contents.has('out2/f'), false);
});

test('without FS an archive cannot be read, and each operation is charged', () => {
  const body = 'Z.listEntries("z.zip")';
  const { outcome } = runText(program(body));
  assert.ok(outcome.kind === 'failed');
  assert.match(outcome.message, /^effect 'FS' requires capability, but none provided\n/);
  const { fs } = memoryFiles({});
  assert.ok(runText(program(body), { host: { fs } }).charged.includes('FS zip.listEntries'));
});
