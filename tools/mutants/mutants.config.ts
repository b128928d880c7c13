/**
 * How tests run in a mutation run: as always, over sources with a switch for each mutant of the sample that
 * `MILLRACE_MUTANTS` names.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { luaWorker } from '../lua-worker-plugin.ts';
import { type Mutant, withSwitches } from './find-mutants.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const sample = JSON.parse(readFileSync(process.env['MILLRACE_MUTANTS'] ?? '', 'utf8')) as Mutant[];

const switches: Plugin = {
  name: 'switches',
  enforce: 'pre',
  transform(code, id) {
    const file = path
      .relative(root, id.split('?')[0] ?? '')
      .split(path.sep)
      .join('/');
    const mutants = sample.filter((mutant) => mutant.file === file);
    return mutants.length === 0 ? undefined : { code: withSwitches(code, mutants), map: null };
  },
};

export default defineConfig({
  root,
  plugins: [switches, luaWorker()],
  test: {
    name: 'mutants',
    include: ['engine/**/*.test.ts'],
    exclude: ['**/*.isolated.test.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 1,
    // Which files pass a mutant that stands in what is run once can only be seen where each has modules of its own.
    isolate: process.env['MILLRACE_MUTANT_NOTES'] !== undefined,
    testTimeout: 20_000,
    setupFiles: ['engine/testing/leave-nothing-behind.ts', 'tools/mutants/switches.setup.ts'],
    unstubEnvs: true,
    unstubGlobals: true,
    bail: 1,
    reporters: ['dot'],
  },
});
