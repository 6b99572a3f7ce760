import { test } from 'node:test';
import { ALL_REQUESTS, everyRun, RUN_EFFECTS, subsets } from './capability-matrix.js';

for (const enabled of subsets(['Declassify', 'Env', 'Net']))
  test(`runs under the operator's switches [${enabled}]: every set of grants with every request`, (t) =>
    everyRun(t, enabled, subsets(RUN_EFFECTS), ALL_REQUESTS));
