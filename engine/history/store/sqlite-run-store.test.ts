import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { describeRunStore } from '../../testing/describe-run-store.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { currentOwner } from './owner.ts';
import { openRunStore } from './sqlite-run-store.ts';

const context = { clock: systemClock, owner: currentOwner() };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describeRunStore('in memory', () => openRunStore({ file: null, ...context }));
describeRunStore('in a file', () => openRunStore({ file: join(folder, 'runs.db'), ...context }));

describe('a history file', () => {
  test('still contains runs, events and values after it is reopened', async () => {
    const file = join(folder, 'runs.db');
    const runId = asRunId('r1');
    const first = await openRunStore({ file, ...context });
    const { definitionHash } = first.createRun(newRun('r1', { inputs: { n: 1 } }));
    first.append(runId, envelopes(runId, [runStart, runCompleted]));
    const handle = first.intern('v'.repeat(20_000)) as { $value: string };
    first.close();
    const second = await openRunStore({ file, ...context });
    expect({
      run: second.getRun(runId),
      events: second.readEvents(runId, -1, 10).length,
      definition: second.readDefinition(definitionHash),
      value: second.readValue(handle.$value),
    }).toMatchObject({
      run: { status: 'completed', inputs: { n: 1 } },
      events: 2,
      definition: 'flow: {}\n',
      value: 'v'.repeat(20_000),
    });
    second.close();
  });

  test('shows a run as interrupted if its store was closed before it ended', async () => {
    const file = join(folder, 'runs.db');
    const first = await openRunStore({ file, ...context });
    first.createRun(newRun('r1'));
    first.close();
    first.close();
    const second = await openRunStore({ file, ...context });
    expect(second.listRuns({ limit: 1 })[0]?.status).toBe('interrupted');
    second.close();
  });

  test('shows a run of another open store as running, and lets only that store write it', async () => {
    const file = join(folder, 'runs.db');
    const runId = asRunId('r1');
    const [first, second] = [await openRunStore({ file, ...context }), await openRunStore({ file, ...context })];
    first.createRun(newRun('r1'));
    first.append(runId, envelopes(runId, [runStart]));
    expect(second.getRun(runId)?.status).toBe('running');
    expect(() => second.append(runId, envelopes(runId, [runCompleted], 1))).toThrow(
      expect.objectContaining({ code: 'store.not-owner' }),
    );
    first.close();
    second.close();
  });
});

test('finds runs by number, and by part of their name or path in either case', async () => {
  const store = await openRunStore({ file: join(folder, 'runs.db'), ...context });
  store.createRun(newRun('r1', { name: 'Weekly report', sourcePath: 'flows/report.flow.yaml' }));
  store.createRun(newRun('r2', { name: "Nightly 100%_'", sourcePath: 'other.flow.yaml' }));
  store.createRun(newRun('r3', { name: 'Weekly tea', sourcePath: 'tea.flow.yaml' }));
  const found = (find: { text?: string; number?: number }, limit = 9) =>
    store.listRuns({ find, limit }).map(({ runId }) => runId);
  expect(found({ text: 'WEEKLY' })).toEqual(['r3', 'r1']);
  expect(found({ text: 'weekly' }, 1)).toEqual(['r3']);
  expect(found({ text: 'flows/' })).toEqual(['r1']);
  expect(found({ text: "100%_'" })).toEqual(['r2']);
  expect(found({ text: 'y%r' })).toEqual([]);
  expect(found({ number: 2 })).toEqual(['r2']);
  expect(found({ number: 3, text: 'report' })).toEqual([]);
  expect(found({})).toHaveLength(3);
  store.close();
});
