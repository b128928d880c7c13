import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';
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

describe('filters', () => {
  test('select runs by status, start time and number', async () => {
    const store = await openRunStore({ file: null, ...context });
    for (const [id, queuedAt] of [
      ['r1', 1_000],
      ['r2', 2_000],
      ['r3', 3_000],
      ['r4', 4_000],
    ] as const)
      store.createRun(newRun(id, { queuedAt }));
    store.append(asRunId('r1'), envelopes(asRunId('r1'), [{ ...runCompleted, status: 'cancelled' }]));
    store.append(asRunId('r2'), envelopes(asRunId('r2'), [runCompleted]));
    store.giveUp(asRunId('r3'));
    const found = (query: Partial<Parameters<typeof store.listRuns>[0]>) =>
      store.listRuns({ limit: 9, ...query }).map(({ runId }) => runId);
    expect(found({ status: 'completed' })).toEqual(['r2']);
    expect(found({ status: 'cancelled' })).toEqual(['r1']);
    expect(found({ status: 'queued' })).toEqual(['r4']);
    // The newest open run is not the interrupted one.
    expect(found({ status: 'interrupted', limit: 1 })).toEqual(['r3']);
    expect(found({ since: 2_000, until: 4_000 })).toEqual(['r3', 'r2']);
    expect(found({ below: 3, limit: 1 })).toEqual(['r2']);
    store.close();
  });

  test('find text in inputs, outputs and errors, however large they are', async () => {
    const store = await openRunStore({ file: null, ...context });
    const ended = (id: string, inputs: JsonValue, end: Partial<RunEndEvent>) => {
      const runId = asRunId(id);
      store.createRun(newRun(id, { inputs }));
      const output = end.output === undefined ? {} : { output: store.intern(end.output) };
      store.append(runId, envelopes(runId, [runStart, { ...runCompleted, ...end, ...output }]));
    };
    ended('r1', { city: 'Bern', size: 'x'.repeat(20_000) }, { output: { letter: 'Dear "Kim"\nhello' } });
    ended('r2', { city: 'Ulm' }, { output: { letter: `${'y'.repeat(20_000)} needle` } });
    const error = { code: 'http.status', message: '429 Too Many Requests', recoverable: true };
    ended('r3', { city: 'bern' }, { status: 'failed', error });
    store.createRun(newRun('r4', { inputs: { city: 'BERN' } }));
    const found = (content: string, query: Partial<Parameters<typeof store.listRuns>[0]> = {}) =>
      store.listRuns({ limit: 9, find: { content }, ...query }).map(({ runId }) => runId);
    expect(found('bern')).toEqual(['r4', 'r3', 'r1']);
    expect(found('bern', { below: 4, limit: 1 })).toEqual(['r3']);
    expect(found('dear "kim"\nHello')).toEqual(['r1']);
    expect(found('NEEDLE')).toEqual(['r2']);
    expect(found('429 too many')).toEqual(['r3']);
    expect(found('durationMs')).toEqual([]);
    expect(found("%' OR 1")).toEqual([]);
    store.close();
  });
});

describe('labels and notes', () => {
  test('are listed with their run, select runs, and are deleted with it', async () => {
    const file = join(folder, 'runs.db');
    const store = await openRunStore({ file, ...context });
    const [r1, r2] = [asRunId('r1'), asRunId('r2')];
    for (const id of [r1, r2]) store.createRun(newRun(id));
    store.marks.change(r1, { addLabels: [' good ', 'demo'], note: ' Kim has read it. ' });
    store.marks.change(r2, { addLabels: ['good', 'good'], removeLabels: ['none'] });
    expect(store.findSummary(r1)).toMatchObject({ labels: ['demo', 'good'], note: 'Kim has read it.' });
    expect(store.listRuns({ limit: 9, label: 'demo' }).map(({ runId }) => runId)).toEqual([r1]);
    expect(store.marks.labels()).toEqual([
      { label: 'good', runs: 2 },
      { label: 'demo', runs: 1 },
    ]);
    store.marks.change(r2, { removeLabels: ['good'], note: '' });
    expect(Object.keys(store.findSummary(r2) ?? {})).not.toEqual(expect.arrayContaining(['labels']));
    store.giveUp(r1);
    store.deleteRun(r1);
    expect(store.marks.labels()).toEqual([]);
    expect(() => store.marks.change(r1, {})).toThrow(expect.objectContaining({ code: 'run.not-found' }));
    store.close();
  });

  test('that are too long or too many are refused, and nothing changes', async () => {
    const store = await openRunStore({ file: null, ...context });
    const runId = asRunId('r1');
    store.createRun(newRun('r1'));
    const many = Array.from({ length: 21 }, (_, index) => `label ${index}`);
    for (const change of [
      ...[{ addLabels: ['fine', ' '] }, { addLabels: ['fine', 'x'.repeat(61)] }, { addLabels: ['two\nlines'] }],
      ...[
        { addLabels: many, note: 'n' },
        { addLabels: ['fine'], note: 'x'.repeat(2_001) },
      ],
    ])
      expect(() => store.marks.change(runId, change)).toThrow(expect.objectContaining({ code: 'run.bad-mark' }));
    expect([store.marks.labels(), store.findSummary(runId)?.note]).toEqual([[], undefined]);
    store.close();
  });
});

test('lists the tokens of runs that have ended', async () => {
  const store = await openRunStore({ file: null, ...context });
  const usage = { promptTokens: 30, completionTokens: 12, cachedTokens: 20 };
  for (const [id, end] of [
    ['r1', { ...runCompleted, usage }],
    ['r2', runCompleted],
  ] as const) {
    store.createRun(newRun(id));
    store.append(asRunId(id), envelopes(asRunId(id), [runStart, end]));
  }
  expect(store.listRuns({ limit: 9 }).map(({ tokens }) => tokens)).toEqual([undefined, 42]);
  store.close();
});
