import { test } from 'node:test';
import { killWriters } from './kill-writer.js';

test('nothing acknowledged is lost when the writer is killed', (t) => killWriters(t, 3));
