import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId, asSessionId, type RunId } from '../../base/ids.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { allOf } from '../../testing/all-of.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { exportRun } from './export-run.ts';
import { createHistory } from './history.ts';

let store: RunStore;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
});
afterEach(() => store.close());

const runId = asRunId('r1');
const sessionId = asSessionId('s');

/** Records a run with these events, numbered from 0. */
function record(id: RunId, events: readonly RunEvent[]): EventEnvelope[] {
  const envelopes = events.map((event, seq) => ({ seq, at: 1_000, runId: id, context: { sessionId }, event }));
  store.createRun({
    runId: id,
    sessionId,
    kind: 'flow',
    name: 'Tea',
    sourcePath: 'tea.flow.yaml',
    definition: 'flow: { name: Tea }\n# ü\n',
    inputs: {},
    queuedAt: 1_000,
  });
  store.append(id, envelopes);
  return envelopes;
}

/** Stores a large value. */
function keep(value: JsonValue): { value: JsonValue; handle: JsonValue; hash: string } {
  return { value, handle: store.intern(value), hash: contentHash(JSON.stringify(value)) };
}

function complete(result: JsonValue, nodeId = 'a'): RunEvent {
  return { type: 'task:complete', taskId: `node:${nodeId}`, nodeId, result, durationMs: 1, attempts: 1 };
}

const end: RunEvent = { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 3 };

function pieces(): Promise<string[]> {
  return allOf(exportRun(createHistory(store), runId));
}

test('contains the run, its definition, every event and each large value once, and nothing from other runs', async () => {
  const [book, seen, foreign] = [
    keep({ pages: ['x'.repeat(20_000)] }),
    keep('y'.repeat(20_000)),
    keep('z'.repeat(20_000)),
  ];
  record(asRunId('r0'), [complete(foreign.handle), end]);
  const events = record(runId, [
    complete(book.handle),
    complete({ list: [book.handle] }),
    {
      type: 'node:skipped',
      nodeId: 'b',
      reason: 'when',
      detail: { op: 'equals', var: 'a', value: 1, actual: seen.handle, result: false },
    },
    end,
  ]);
  const text = (await pieces()).join('');
  expect(JSON.parse(text)).toEqual({
    format: 'millrace.run/1',
    run: await createHistory(store).getRun(runId),
    definition: 'flow: { name: Tea }\n# ü\n',
    events,
    values: { [book.hash]: book.value, [seen.hash]: seen.value },
  });
  expect(text).not.toContain(foreign.hash);
  expect(text.endsWith('}\n')).toBe(true);
});

test('puts each event on its own line', async () => {
  const events = record(runId, [complete('tea'), complete({ text: 'line\nbreak' }), end]);
  const lines = (await pieces()).join('').split('\n');
  const first = lines.indexOf('  "events": [') + 1;
  expect(lines.slice(first, first + 3).map((line) => JSON.parse(line.replace(/,$/, '')))).toEqual(events);
});

test('is produced in chunks, however long the run is', async () => {
  const texts = Array.from({ length: 1_200 }, (_, index): RunEvent => ({ type: 'agent:text', content: `${index}` }));
  const events = record(runId, [...texts, end]);
  const parts = await pieces();
  expect(parts.length).toBeGreaterThan(4);
  expect((JSON.parse(parts.join('')) as { events: unknown }).events).toEqual(events);
});

test('is complete even for a run that has not started', async () => {
  record(runId, []);
  expect(JSON.parse((await pieces()).join(''))).toMatchObject({ run: { status: 'queued' }, events: [], values: {} });
});

test('does not replace data that only looks like a large value', async () => {
  record(runId, [complete({ $value: 'mine', bytes: 1, preview: '' }), end]);
  expect(JSON.parse((await pieces()).join(''))).toMatchObject({ values: {} });
});

test('reports a missing run by its id', async () => {
  await expect(pieces()).rejects.toThrow(expect.objectContaining({ code: 'run.not-found' }));
});

test('MF-181 for others, payloads are redacted, and decisions, ids and times are kept', async () => {
  const large = { mail: 'kim@mail.example.org', text: 'x'.repeat(20_000) };
  const { handle, hash } = keep(large);
  const decision = {
    type: 'governance:decision',
    allowed: false,
    rule: 'tool_blocked',
    effect: 'tool',
    target: 'a',
  } as const;
  record(runId, [
    { type: 'node:input', nodeId: 'a', input: { to: 'kim@mail.example.org', token: 'abc', large: handle } },
    decision,
  ]);
  const plain = (await allOf(exportRun(createHistory(store), runId))).join('');
  const read = JSON.parse((await allOf(exportRun(createHistory(store), runId, { isRedacted: true }))).join(''));
  expect(plain).toContain('kim@mail.example.org');
  expect(read.events).toMatchObject([
    { at: 1_000, runId, event: { nodeId: 'a', input: { to: '[email]', token: '[secret]', large: { $value: hash } } } },
    { event: decision },
  ]);
  expect(read.values[hash]).toEqual({ ...large, mail: '[email]' });
  expect(read.definition).toBe(JSON.parse(plain).definition);
});
