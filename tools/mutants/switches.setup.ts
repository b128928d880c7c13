/**
 * Which mutant is on in this process, and which ones a test file passes. Set up before every file of a mutation run.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const on = Number(process.env['MILLRACE_MUTANT'] ?? 0);
const noteFile = process.env['MILLRACE_MUTANT_NOTES'];
const reached = new Set<number>();
const startedAt = performance.now();

Object.assign(globalThis, {
  __isMutant:
    noteFile === undefined
      ? (id: number) => id === on
      : (id: number) => {
          reached.add(id);
          return false;
        },
});

afterAll(() => {
  if (noteFile === undefined) return;
  const tookMs = Math.round(performance.now() - startedAt);
  const note = { file: expect.getState().testPath, tookMs, reached: [...reached] };
  appendFileSync(noteFile, `${JSON.stringify(note)}\n`);
});
