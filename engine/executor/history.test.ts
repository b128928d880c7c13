import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentOwner } from '../store/owner.ts';
import type { RunStore } from '../store/run-store.ts';
import { openRunStore } from '../store/sqlite-run-store.ts';
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts';
import { newRun } from '../testing/run-samples.ts';
import { createHistoryWatch } from './history.ts';

let folder: string;
let clock: ManualClock;
let own: RunStore;
let other: RunStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-history-'));
  clock = createManualClock();
  const context = { file: join(folder, 'runs.db'), clock, owner: currentOwner() };
  own = await openRunStore(context);
  other = await openRunStore(context);
});
afterEach(() => {
  own.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test('tells of what others write, once, and not of what this store writes itself', async () => {
  const watch = createHistoryWatch(own, clock);
  let told = 0;
  watch.subscribe(() => told++);
  own.createRun(newRun('mine'));
  await clock.advance(1000);
  expect(told).toBe(0);
  other.createRun(newRun('theirs'));
  await clock.advance(1000);
  expect(told).toBe(1);
  await clock.advance(5000);
  expect(told).toBe(1);
  watch.close();
});

test('asks nothing any more when everybody has left', async () => {
  const watch = createHistoryWatch(own, clock);
  let told = 0;
  const ends = [watch.subscribe(() => told++), watch.subscribe(() => told++)];
  for (const end of ends) end();
  other.createRun(newRun('theirs'));
  await clock.advance(5000);
  expect(told).toBe(0);
  watch.subscribe(() => told++);
  await clock.advance(5000);
  expect(told).toBe(0);
  watch.close();
});
