import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Effects } from '../../../src/ailang/eval/effects.js';
import { RuntimeFailure } from '../../../src/ailang/eval/failure.js';
import { createNatives, findNative } from '../../../src/ailang/std/natives/registry.js';
import { hostBoundBuiltins } from '../../../src/ailang/std/table/host-bound.js';
import { compiled, runText } from '../eval/programs.js';

test('every host-bound primitive fails through its missing capability and nothing else', () => {
  const natives = createNatives(new Effects({ charge: () => undefined }));
  for (const { name, effect } of hostBoundBuiltins) {
    assert.throws(
      () => findNative(natives, name)?.(1),
      (error) =>
        error instanceof RuntimeFailure &&
        error.code === 'EVA004' &&
        error.message === `effect '${effect}' requires capability, but none provided\nHint: Run with --caps ${effect}`,
      name,
    );
  }
});

const programs = [
  ['std/ai (call)', 'AI', 'call("hi")'],
  ['std/process (exec)', 'Process', 'exec("ls", [])'],
  ['std/stream (connect, defaultConfig)', 'Stream', 'connect("wss://x", defaultConfig())'],
  ['std/sharedmem (get_or)', 'SharedMem', 'get_or("k", _bytes_fromString(""))'],
  ['std/sharedindex (namespaces)', 'SharedIndex', 'namespaces()'],
  ['std/sem (load_frame)', 'SharedMem', 'load_frame("k")'],
  ['std/cognition (drain)', 'Cog', 'drain(1)'],
  ['std/trace (spanStart)', 'Trace', 'spanStart("s")'],
  ['std/secret (secret)', 'Secret', 'secret("s", "n")'],
  ['std/web (webFetch)', 'Net', 'webFetch("https://x")'],
  ['std/web (webSearch)', 'Net', 'webSearch("x", 3)'],
] as const;

for (const [imports, effect, call] of programs) {
  test(`${imports} declares ${effect} and needs it`, () => {
    const text = `module main\nimport ${imports}\nexport func main() -> () ! {IO, ${effect}} = println(show(${call}))\n`;
    assert.deepEqual(compiled(text).entries[0]?.effects, ['IO', effect].sort());
    const { outcome } = runText(text);
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message, new RegExp(`^effect '${effect}' requires capability`));
    assert.throws(() => compiled(text.replace(`, ${effect}}`, '}')), new RegExp(effect));
  });
}

test('pages are fetched through the granted network', () => {
  const body = Buffer.from('<title>T</title><body><p>one<script>no</script><a href="/x">two</a>');
  const net = { request: () => ({ status: 200, headers: [], body }) };
  const text = `module main\nimport std/web (webFetch)\nimport std/result (map)\nexport func main() -> () ! {IO, Net} = println(show(map(\\p. (p.title, p.content, p.links), webFetch("https://x"))))\n`;
  assert.equal(runText(text, { host: { net } }).stdout, 'Ok((T, one two, [/x]))\n');
});

test('a terminal is refused in words', () => {
  const text = 'module main\nimport std/terminal (info)\nexport func main() -> () ! {IO} = println(show(info()))\n';
  assert.equal(runText(text).stdout, 'Err(Unsupported(info: programs run here without a terminal))\n');
});
