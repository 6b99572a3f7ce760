import { test } from 'node:test';
import { killWriters } from './kill-writer.js';

test('nothing acknowledged is lost over thirty kills in each object format', (t) => killWriters(t, 30));
