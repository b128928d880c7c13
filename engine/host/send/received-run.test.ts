import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { packDefinition } from '../../language/flow/stored-definition.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { exportRun } from '../reads/export-run.ts';
import { createHistory } from '../reads/history.ts';
import { saveSentRun } from './list-private.ts';
import { openReceivedRun, type ReceivedRun } from './received-run.ts';

const runId = asRunId('20261130-101112-abcdef');
const sessionId = asSessionId('s');
const large = { text: 'x'.repeat(20_000) };
const called = 'flow: { name: Called }\nnodes: []\nedges: []\n';
const definition = packDefinition({
  text: 'flow: { name: Tea }\nnodes: [{ id: ask, type: prompt, input: { prompt: hi } }]\nedges: []\n',
  schemas: new Map([['flow\ncalled.flow.yaml', { flow: { path: 'called.flow.yaml', text: called, files: [] } }]]),
});

let store: RunStore;
let folder: string;
let file: string;
const opened: ReceivedRun[] = [];
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
  folder = await mkdtemp(join(tmpdir(), 'received-'));
  file = join(folder, 'run-7.json');
});
afterEach(async () => {
  for (const { store: one } of [...opened.splice(0), { store }]) one.close();
  await rm(folder, { recursive: true });
});

const completed: RunEvent = { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 3, output: 'done' };

function startOf(text: string, sourcePath: string): Extract<RunEvent, { type: 'run:start' }> {
  const definitionHash = contentHash(text);
  return { type: 'run:start', kind: 'flow', name: 'Tea', sourcePath, definitionHash, inputs: { leaf: 'green' } };
}

/** Records a run with a large output and a child run, and sends it. */
async function sendOne(events: readonly RunEvent[] = [completed], sourcePath = 'tea.flow.yaml'): Promise<void> {
  store.createRun({
    ...{ runId, sessionId, kind: 'flow', name: 'Tea', number: 7, sourcePath, definition, inputs: {}, queuedAt: 1_000 },
    startedBy: { kind: 'trigger', name: 'daily' },
  });
  store.marks.change(runId, { addLabels: ['good'], note: 'Look at this.' });
  store.keepDefinition(called);
  const own: readonly RunEvent[] = [
    { ...startOf(definition, sourcePath), startedBy: { kind: 'trigger', name: 'daily' } },
    { type: 'task:start', taskId: 'node:ask', nodeId: 'ask', nodeType: 'prompt' },
    { type: 'agent:text', content: 'hello' },
    {
      ...{ type: 'task:complete', taskId: 'node:ask', nodeId: 'ask', durationMs: 2, attempts: 1 },
      result: store.intern(large),
    },
    ...events,
  ];
  const child = { runId: asRunId('child'), parentRunId: runId, rootRunId: runId };
  const log = own.map((event, seq): EventEnvelope => ({ seq, at: 1_000, runId, context: { sessionId }, event }));
  const last = log.at(-1);
  const start = { ...startOf(called, 'called.flow.yaml'), parentTaskId: 'node:ask' };
  log.splice(-1, 1, { seq: 4, at: 1_000, ...child, context: { sessionId }, event: start });
  if (last !== undefined) log.push({ ...last, seq: 5 });
  store.append(runId, log);
  await saveSentRun({ history: createHistory(store), runId, known: [] }, { to: file });
}

async function open(): Promise<ReceivedRun> {
  const run = await openReceivedRun(file, createManualClock());
  opened.push(run);
  return run;
}

/** Changes the parsed file. */
async function change(edit: (sent: SentJson) => void): Promise<void> {
  const sent = JSON.parse(await readFile(file, 'utf8'));
  edit(sent);
  await writeFile(file, JSON.stringify(sent));
}

interface SentJson extends Record<string, unknown> {
  run: Record<string, unknown>;
  events: { at: unknown; runId: unknown; event: Record<string, unknown> }[];
  values: Record<string, unknown>;
  called: unknown[];
  definition: unknown;
}

const eventsOf = (run: ReceivedRun): readonly EventEnvelope[] => run.store.readEvents(runId, -1, 1_000);

test('opens a sent run as it was, in a separate history', async () => {
  await sendOne();
  const run = await open();
  expect(run.problems).toEqual([]);
  const history = createHistory(run.store);
  expect(await history.getRun(runId)).toMatchObject({
    ...{ number: 7, name: 'Tea', sourcePath: 'tea.flow.yaml', status: 'completed', startedAt: 1_000, durationMs: 3 },
    ...{ labels: ['good'], note: 'Look at this.', startedBy: { kind: 'trigger', name: 'daily' } },
  });
  const before = store.readEvents(runId, -1, 1_000).map(({ seq, event }) => [seq, event.type]);
  expect(eventsOf(run).map(({ seq, event }) => [seq, event.type])).toEqual(before);
  const state = foldRun(emptyRunState, eventsOf(run));
  expect(state.inputs).toEqual({ leaf: 'green' });
  const output = state.nodes.get('ask')?.output as { $value: string };
  expect(await history.readValue(output.$value)).toEqual(large);
  expect([...run.definitions.keys()]).toEqual(['tea.flow.yaml', 'called.flow.yaml']);
  expect(await history.readCalledDefinition(runId, asRunId('child'))).toBe(called);
});

test('opens an export, which has only the own definition', async () => {
  await sendOne();
  let text = '';
  for await (const piece of exportRun(createHistory(store), runId)) text += piece;
  await writeFile(file, text);
  const run = await open();
  expect(run.problems).toEqual([
    'The text of the flow was changed after the run.',
    'Flows and agents that the run called, without their definitions: 1.',
  ]);
  expect(eventsOf(run)).toHaveLength(6);
});

test('a run that had not ended is interrupted, and one that waited still waits', async () => {
  await sendOne([{ type: 'run:suspended', reason: 'paused' }]);
  expect((await open()).store.findSummary(runId)?.status).toBe('suspended');
  await change((sent) => void sent.events.pop());
  expect((await open()).store.findSummary(runId)?.status).toBe('interrupted');
});

describe('a hostile or damaged file', () => {
  test.each([
    ['no JSON', 'PK\u0003\u0004 not text', 'sent.not-a-run'],
    ['other JSON', '{"name": "other"}', 'sent.not-a-run'],
    ['a list', '[]', 'sent.not-a-run'],
    ['endless nesting', `{"format": "millrace.run/1", "run": ${'['.repeat(100_000)}`, 'sent.not-a-run'],
    [
      'a run without an id',
      '{"format": "millrace.run/1", "run": {"runId": "../../x"}, "events": []}',
      'sent.not-a-run',
    ],
    ['a newer format', '{"format": "millrace.run/2", "run": {"runId": "a"}}', 'sent.newer-format'],
  ])('%s is refused with its name', async (_, text, code) => {
    await writeFile(file, text);
    await expect(open()).rejects.toMatchObject({ code, message: expect.stringContaining('run-7.json') });
  });

  test('damaged events are left out, and the rest is shown', async () => {
    await sendOne();
    await change(({ events }) => {
      events.splice(2, 1, null as never, { at: -1, runId, event: { type: 'log' } }, 'x' as never);
      events.push({ ...(events[0] as SentJson['events'][number]), runId: 'other' });
    });
    const run = await open();
    expect(run.problems).toEqual(['Events that are damaged and left out: 4 of 9.']);
    expect(eventsOf(run).map(({ seq, event }) => `${seq} ${event.type}`)).toEqual([
      ...['0 run:start', '1 task:start', '2 task:complete', '3 run:start', '4 run:end'],
    ]);
  });

  test('events after the end of the run are left out', async () => {
    await sendOne();
    await change(({ events }) => void events.push(events[1] as never));
    const run = await open();
    expect(run.problems).toEqual(['Events that contradict others and are left out: 1.']);
    expect(run.store.findSummary(runId)?.status).toBe('completed');
  });

  test('without its start, a run is shown without inputs', async () => {
    await sendOne();
    await change(({ events }) => void events.shift());
    const run = await open();
    expect(run.problems).toEqual(['The start of the run is missing, and with it its inputs.']);
    expect(foldRun(emptyRunState, eventsOf(run))).toMatchObject({ status: 'completed', sourcePath: 'tea.flow.yaml' });
  });

  test('values that differ from their hash are never shown', async () => {
    await sendOne();
    await change((sent) => {
      for (const hash of Object.keys(sent.values)) sent.values[hash] = 'forged';
    });
    const run = await open();
    expect(run.problems).toEqual([
      'Large values that differ from their hash or are too large, and are left out: 1 of 1.',
      'Large values that are missing, so that only their start is shown: 1 of 1.',
    ]);
  });

  test('a list with more items than a call may have arguments is read', async () => {
    await sendOne();
    const list = Array.from({ length: 300_000 }, () => 0);
    await change((sent) => {
      sent.values[contentHash(JSON.stringify(list))] = list;
    });
    expect((await open()).problems).toEqual([]);
  });

  test('values that would expand without limit are left out', async () => {
    await sendOne();
    await change((sent) => {
      let value: unknown = 'y'.repeat(100);
      for (let level = 0; level < 40; level++) {
        const text = JSON.stringify(value);
        const hash = contentHash(text);
        sent.values[hash] = value;
        value = Array.from({ length: 8 }, () => ({ $value: hash, bytes: text.length, type: 'array', preview: '' }));
      }
    });
    const { problems } = await open();
    expect(problems.join()).toMatch(/and are left out: \d\d of 41\./);
  });

  test('definitions that cannot be used are named, and paths never lead outside', async () => {
    await sendOne();
    await change((sent) => {
      sent.run['sourcePath'] = '../../..\\C:\\etc/./\u202epasswd.flow.yaml';
      sent.definition = 7;
      sent.called = ['@millrace-definition {"schemas":7}\nx', 7];
      for (const { event } of sent.events) if (event['type'] === 'run:start') event['sourcePath'] = '/etc/../passwd';
    });
    const run = await open();
    expect(run.problems).toEqual([
      'The text of the flow is missing or damaged, so its canvas is empty.',
      'Flows and agents that the run called, with damaged definitions: 2.',
      'The text of the flow was changed after the run.',
      'Flows and agents that the run called, without their definitions: 1.',
    ]);
    expect([...run.definitions.keys()]).toEqual(['C/etc/passwd.flow.yaml', 'etc/passwd']);
    const paths = eventsOf(run).flatMap(({ event }) => (event.type === 'run:start' ? [event.sourcePath] : []));
    expect(paths).toEqual(['C/etc/passwd.flow.yaml', 'etc/passwd']);
  });

  test('a file that was cut off shows everything before', async () => {
    await sendOne();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, text.indexOf('"run:end"')));
    const run = await open();
    expect(run.problems).toEqual([
      'The file is damaged: some of its lines cannot be read and are left out.',
      'Large values that are missing, so that only their start is shown: 1 of 1.',
    ]);
    expect(eventsOf(run)).toHaveLength(5);
    expect([...run.definitions.keys()]).toEqual(['tea.flow.yaml', 'called.flow.yaml']);
    expect(run.store.findSummary(runId)).toMatchObject({ status: 'interrupted', number: 7 });
  });
});
