/**
 * The tests of a mutation run: those listed in the orders file of `MILLRACE_MUTANTS`, in their order, for sources with
 * a switch for each mutant.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { luaWorker } from '../lua-worker-plugin.ts';
import { withSwitches } from './find-mutants.mjs';
import type { Orders } from './trial-runner.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { sample, files, only } = JSON.parse(readFileSync(process.env['MILLRACE_MUTANTS'] ?? '', 'utf8')) as Orders;

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

class GivenOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = new Map(files.map((file, index) => [file, index]));
    return specifications.sort((a, b) => (place.get(a.moduleId) ?? 0) - (place.get(b.moduleId) ?? 0));
  }
}

export default defineConfig({
  root,
  plugins: [switches, luaWorker()],
  test: {
    name: 'mutants',
    include: files.map((file) => path.relative(root, file)),
    environment: 'node',
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    testTimeout: 60_000,
    runner: path.join(import.meta.dirname, 'trial-runner.mjs'),
    sequence: { sequencer: GivenOrder },
    unstubEnvs: true,
    unstubGlobals: true,
    bail: only === null ? 0 : 1,
    reporters: [{}],
  },
});
