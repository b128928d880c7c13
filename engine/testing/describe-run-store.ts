/**
 * Tests that every run store must pass, wherever it stores its history.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId } from '../base/ids.ts';
import type { RunListQuery, RunStore } from '../history/store/run-store.ts';
import type { RunEvent } from '../runtime/kernel/events/run-event.ts';
import { envelope, envelopes, newRun, runCompleted, runStart } from './run-samples.ts';

/**
 * Runs the suite.
 * @param open creates an empty store with a stopped clock; the suite closes it
 */
export function describeRunStore(name: string, open: () => Promise<RunStore>): void {
  describe(`a run store ${name}`, () => {
    let store: RunStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describeRuns(() => store);
    describeLists(() => store);
    describeEvents(() => store);
    describeLogPieces(() => store);
    describeValues(() => store);
  });
}

function describeRuns(store: () => RunStore): void {
  test('shows a queued run at once, with its definition and inputs', () => {
    const run = newRun('r1', {
      inputs: { topic: 'tea' },
      redoOf: asRunId('r0'),
      redoCount: 2,
      nodeSettings: { ask: 'a1' },
    });
    const { definitionHash } = store().createRun(run);
    expect(store().getRun(run.runId)).toEqual({
      runId: 'r1',
      number: 1,
      kind: 'flow',
      name: 'Weekly report',
      sourcePath: 'flows/report.flow.yaml',
      definitionHash,
      status: 'queued',
      startedAt: 1_000,
      redoOf: 'r0',
      redoCount: 2,
      failedNodes: [],
      inputs: { topic: 'tea' },
      nodeSettings: { ask: 'a1' },
    });
    expect(store().readDefinition(definitionHash)).toBe('flow: {}\n');
  });

  test('brings the run up to date with its events', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r1'));
    store().append(runId, envelopes(runId, [runStart]));
    expect(store().getRun(runId)).toMatchObject({ status: 'running', startedAt: 2_000 });
    const error = { code: 'node.failed', message: 'No reply', nodeId: 'ask' };
    const end: RunEvent = { type: 'run:end', status: 'failed', error, failedNodes: ['ask'], durationMs: 30 };
    store().append(runId, envelopes(runId, [end], 1));
    expect(store().getRun(runId)).toMatchObject({ status: 'failed', error, failedNodes: ['ask'], durationMs: 30 });
  });
}

function describeLists(store: () => RunStore): void {
  test('says what each run has cost that has ended, whatever its calls cost before', () => {
    const paid: RunEvent = { ...runCompleted, costUsd: 0.25, unpricedCalls: 2 };
    const free: RunEvent = { ...runCompleted, output: { costUsd: 7 } };
    const call: RunEvent = { type: 'model:response', costUsd: 3, durationMs: 9, finishReason: 'stop' };
    const logs: readonly (readonly RunEvent[])[] = [[runStart, paid], [runStart, free], [runStart, call], []];
    for (const [index, log] of logs.entries()) {
      const { runId } = newRun(`r${index}`);
      store().createRun(newRun(runId));
      store().append(runId, envelopes(runId, log));
    }
    const costs = store()
      .listRuns({ limit: 10 })
      .map(({ runId, costUsd, unpricedCalls }) => ({ runId, costUsd, unpricedCalls }));
    expect(costs).toEqual([
      { runId: 'r3' },
      { runId: 'r2' },
      { runId: 'r1' },
      { runId: 'r0', costUsd: 0.25, unpricedCalls: 2 },
    ]);
    expect(store().getRun(asRunId('r0'))).toMatchObject({ costUsd: 0.25, unpricedCalls: 2 });
  });

  test('lists runs newest first, of one definition if asked, without their inputs', () => {
    store().createRun(newRun('r1', { inputs: { large: true } }));
    store().createRun(newRun('r2', { sourcePath: 'other.flow.yaml' }));
    store().createRun(newRun('r3'));
    const idsOf = (query: RunListQuery) =>
      store()
        .listRuns(query)
        .map(({ runId }) => runId);
    expect(idsOf({ limit: 10 })).toEqual(['r3', 'r2', 'r1']);
    expect(idsOf({ limit: 2 })).toEqual(['r3', 'r2']);
    expect(idsOf({ sourcePath: 'flows/report.flow.yaml', limit: 10 })).toEqual(['r3', 'r1']);
    expect(store().listRuns({ limit: 10 }).at(-1)).not.toHaveProperty('inputs');
  });

  test('lists the runs that wait for a person', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r1'));
    store().createRun(newRun('r2'));
    store().append(runId, envelopes(runId, [runStart, { type: 'run:suspended', reason: 'approval' }]));
    const waiting = (sourcePath?: string) =>
      store().listRuns({ status: 'suspended', limit: 10, ...(sourcePath === undefined ? {} : { sourcePath }) });
    expect(waiting().map((run) => [run.runId, run.status])).toEqual([['r1', 'suspended']]);
    expect(waiting('other.flow.yaml')).toEqual([]);
  });

  test('knows nothing of a run that was never recorded', () => {
    expect(store().getRun(asRunId('none'))).toBeUndefined();
    expect(store().readEvents(asRunId('none'), -1, 10)).toEqual([]);
    expect(store().readDefinition('none')).toBeUndefined();
  });

  test('refuses a second run of the same id and keeps the first', () => {
    store().createRun(newRun('r1'));
    expect(() => store().createRun(newRun('r1', { name: 'Other' }))).toThrow();
    expect(store().getRun(asRunId('r1'))?.name).toBe('Weekly report');
  });
}

function describeEvents(store: () => RunStore): void {
  test('gives events back as they were, in order, in pieces if asked', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r1'));
    const texts: RunEvent[] = ['Zeile\n', '„ü“ 😀', '\u0000'].map((content) => ({ type: 'agent:text', content }));
    const events = envelopes(runId, [runStart, ...texts, runCompleted]);
    store().append(runId, events.slice(0, 2));
    store().append(runId, []);
    store().append(runId, events.slice(2));
    expect(store().readEvents(runId, -1, 100)).toEqual(events);
    expect(store().readEvents(runId, 0, 2)).toEqual(events.slice(1, 3));
    expect(store().readEvents(runId, 4, 100)).toEqual([]);
  });

  test('keeps the events of a child run in the log of its root', () => {
    const { runId } = newRun('root');
    store().createRun(newRun('root'));
    const child = { ...envelope(asRunId('child'), runCompleted, 1), parentRunId: runId };
    store().append(runId, [...envelopes(runId, [runStart]), child]);
    store().append(runId, envelopes(runId, [runCompleted], 2));
    expect(
      store()
        .readEvents(runId, -1, 10)
        .map((event) => event.runId),
    ).toEqual(['root', 'child', 'root']);
  });

  test('records all events of one call or none', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r1'));
    const start = envelope(runId, runStart, 0);
    store().append(runId, [start]);
    expect(() => store().append(runId, [envelope(runId, runCompleted, 1), start])).toThrow();
    expect(store().readEvents(runId, -1, 10)).toEqual([start]);
    expect(store().getRun(runId)?.status).toBe('running');
  });

  test('takes events only in the order of their numbers, without gap or repeat', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r1'));
    expect(() => store().append(runId, envelopes(runId, [runStart], 1))).toThrow(/the next one is 0/);
    store().append(runId, envelopes(runId, [runStart]));
    expect(() => store().append(runId, envelopes(runId, [runStart]))).toThrow(/the next one is 1/);
    const gap = [envelope(runId, runCompleted, 1), envelope(runId, runCompleted, 3)];
    expect(() => store().append(runId, gap)).toThrow(/the next one is 2/);
    expect(store().readEvents(runId, -1, 10)).toHaveLength(1);
  });

  test('adds nothing to a run that has ended or that it did not record', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r1'));
    store().append(runId, envelopes(runId, [runStart, runCompleted]));
    const refused = expect.objectContaining({ code: 'store.not-owner' });
    expect(() => store().append(runId, envelopes(runId, [runCompleted], 2))).toThrow(refused);
    expect(() => store().append(asRunId('none'), envelopes(asRunId('none'), [runStart]))).toThrow(refused);
  });
}

function describeLogPieces(store: () => RunStore): void {
  test('finds any piece of a log, however the events were grouped', () => {
    const { runId } = newRun('r1');
    store().createRun(newRun('r0'));
    store().createRun(newRun('r1'));
    store().createRun(newRun('r2'));
    const texts = Array.from({ length: 10 }, (_, seq): RunEvent => ({ type: 'agent:text', content: `${seq}` }));
    const events = envelopes(runId, texts);
    for (const other of [asRunId('r0'), asRunId('r2')]) {
      store().append(other, envelopes(other, texts));
    }
    for (const [from, to] of [
      [0, 1],
      [1, 4],
      [4, 10],
    ]) {
      store().append(runId, events.slice(from, to));
    }
    for (let afterSeq = -1; afterSeq < 11; afterSeq += 1) {
      for (let limit = 0; limit < 12; limit += 1) {
        expect(store().readEvents(runId, afterSeq, limit)).toEqual(events.slice(afterSeq + 1, afterSeq + 1 + limit));
      }
    }
    expect(store().readEvents(runId, -1, Number.MAX_SAFE_INTEGER)).toEqual(events);
  });
}

function describeValues(store: () => RunStore): void {
  test('passes a small value through and keeps one over 16 KiB under the hash of its JSON text', () => {
    const atLimit = 'a'.repeat(16 * 1024 - 2);
    expect(store().intern(atLimit)).toBe(atLimit);
    const large = { pages: ['b'.repeat(16 * 1024)] };
    const handle = store().intern(large);
    expect(handle).toMatchObject({
      $value: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: JSON.stringify(large).length,
      type: 'object',
      preview: expect.stringMatching(/^\{"pages":\["bbb/),
    });
    expect(store().intern(large)).toEqual(handle);
    expect(store().readValue((handle as { $value: string }).$value)).toEqual(large);
  });

  test('counts bytes, not characters, and cuts no character in the preview', () => {
    const emoji = `x${'😀'.repeat(4_100)}`;
    const handle = store().intern(emoji) as { bytes: number; preview: string; type: string };
    expect(handle).toMatchObject({ bytes: 4 * 4_100 + 3, type: 'string', preview: `x${'😀'.repeat(99)}` });
  });

  test('has no value under the hash of a definition, or under an unknown one', () => {
    const { definitionHash } = store().createRun(newRun('r1'));
    expect(store().readValue(definitionHash)).toBeUndefined();
    expect(store().readValue('none')).toBeUndefined();
  });
}
