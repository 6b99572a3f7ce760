import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { format } from '../../../src/ailang/format/format.js';
import { printFile } from '../../../src/ailang/format/print-file.js';
import { sameTree } from '../../../src/ailang/format/same-tree.js';
import { SourceView } from '../../../src/ailang/format/source-view.js';
import { files } from './arbitrary-ast.js';
import { parsed } from './sources.js';

test('what is printed of any tree reads back as that tree, and is canonical', () => {
  fc.assert(
    fc.property(files, (file) => {
      const text = printFile(new SourceView(null), file);
      const again = parsed(text);
      assert.deepEqual(again.diagnostics, [], text);
      assert.ok(sameTree(file, again.file), text);
      assert.deepEqual(format(text, 'x.ail'), { ok: true, text });
    }),
    { numRuns: 400 },
  );
});
