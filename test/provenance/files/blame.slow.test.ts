import { test } from 'node:test';
import { assertBlameAgrees } from './generated-histories.js';

test('blame agrees with a brute-force replay on 200 generated histories', (t) => assertBlameAgrees(t, 200));
