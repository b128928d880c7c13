/** Tests firings that are recorded for requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewFiring } from '../../history/store/firing-store.ts';
import type { OverlapRule } from '../../language/triggers/trigger-doc.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { entry, TriggerLife } from './test-trigger-life.ts';

let folder: string;
let clock: ManualClock;
let life: TriggerLife;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-triggers-'));
  clock = createManualClock();
  const overlap: OverlapRule = 'queue';
  life = await new TriggerLife({ folder, clock }).begin([entry('t', { webhook: { path: 'x' }, overlap })]);
});
afterEach(async () => {
  await life.end();
  rmSync(folder, { recursive: true, force: true });
});

function event(key: string): NewFiring {
  const place = { flow: 'a.flow.yaml', trigger: 't', event: { body: {} } };
  return { ...place, key, priority: 0, createdAt: clock.now(), state: 'waiting' };
}

test('many that wait for a run to end are not tried again with each new one', async () => {
  for (let index = 0; index < 20; index++) await life.service?.fire(event(String(index)));
  await life.service?.settled();
  // The first started, and the second has to wait for its end.
  expect([life.started.length, life.reads]).toEqual([1, 2]);
  for (let minute = 0; minute < 25; minute++) {
    await clock.advance(60_000);
    await life.service?.settled();
  }
  const ids = life.started.map(({ firing }) => (firing !== undefined && 'id' in firing ? firing.id : 0));
  expect(ids.map((id) => life.store.firings.find(id)?.key)).toEqual(
    Array.from({ length: 20 }, (_, index) => String(index)),
  );
});

test('one is reported when its run has started, and one that still waits when the service closes', async () => {
  const first = await life.service?.fire(event('a'));
  expect(first).toMatchObject({ isNew: true, firing: { state: 'waiting' } });
  expect(await life.service?.whenDecided(first?.firing.id ?? 0)).toMatchObject({ state: 'started', runId: 'run-1' });
  expect(await life.service?.fire(event('a'))).toMatchObject({ isNew: false, firing: { state: 'started' } });
  const second = await life.service?.fire(event('b'));
  const decided = life.service?.whenDecided(second?.firing.id ?? 0);
  await life.service?.close();
  expect(await decided).toMatchObject({ key: 'b', state: 'waiting' });
});

test('one that cannot be recorded is reported to its caller', async () => {
  life.store.close();
  await expect(life.service?.fire(event('a'))).rejects.toThrow();
});
