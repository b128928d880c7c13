import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId, asSessionId, type RunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createHistory, type RunHistoryReader } from './history.ts';

let store: RunStore;
let history: RunHistoryReader;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
  history = createHistory(store);
});
afterEach(() => store.close());

const sessionId = asSessionId('s');
const [a, b] = [asRunId('a'), asRunId('b')];

const flow = `flow: { name: Ask }
nodes: [{ id: ask, type: prompt, input: { prompt: hello } }]
edges: []`;

interface Told {
  readonly at: number;
  readonly event: RunEvent;
  readonly nodeId?: string;
  /** A child run of the run. */
  readonly child?: RunId;
}

function record(runId: RunId, told: readonly Told[], definition = flow): void {
  store.createRun({
    ...{
      runId,
      sessionId,
      kind: 'flow',
      name: 'Ask',
      sourcePath: 'ask.flow.yaml',
      definition,
      inputs: {},
      queuedAt: 0,
    },
  });
  const envelopes = told.map(
    ({ at, event, nodeId, child }, seq): EventEnvelope => ({
      ...{ seq, at, runId: child ?? runId, event },
      ...(child === undefined ? {} : { rootRunId: runId, parentRunId: runId }),
      context: { sessionId, ...(nodeId === undefined ? {} : { task: { id: `node:${nodeId}` } }) },
    }),
  );
  store.append(runId, envelopes);
}

function start(
  runId: RunId,
  definitionHash = 'h',
  of: Partial<Extract<RunEvent, { type: 'run:start' }>> = {},
): RunEvent {
  const { name, sourcePath } = { name: 'Ask', sourcePath: 'ask.flow.yaml' };
  return { type: 'run:start', kind: 'flow', name, sourcePath, definitionHash, inputs: {}, runId, ...of } as RunEvent;
}

function ran(nodeId: string, result: JsonValue): RunEvent {
  return { type: 'task:complete', taskId: `node:${nodeId}`, nodeId, result, durationMs: 5, attempts: 1 };
}

/** Returns the events of a node that asks a model. */
function asked(nodeId: string, { model, text, first = 40 }: { model: string; text: string; first?: number }): Told[] {
  const request: RunEvent = { type: 'model:request', provider: 'p', model, messagesHash: 'm' };
  return [
    { at: 0, nodeId, event: { type: 'task:start', taskId: `node:${nodeId}`, nodeId, nodeType: 'prompt' } },
    { at: 1, nodeId, event: { type: 'node:input', nodeId, input: { prompt: 'hello' } } },
    { at: 10, nodeId, event: request },
    { at: 10 + first, nodeId, event: { type: 'agent:text', content: text } },
    { at: 90, nodeId, event: { type: 'agent:text', content: '.' } },
    { at: 95, nodeId, event: ran(nodeId, { text }) },
  ];
}

test('measures the first piece of a response, and names another model as the cause', async () => {
  record(a, [{ at: 0, event: start(a) }, ...asked('ask', { model: 'small', text: 'hi' })]);
  record(b, [{ at: 0, event: start(b) }, ...asked('ask', { model: 'large', text: 'good day', first: 70 })]);
  const { nodes } = await history.compareRuns({ a, b });
  expect(nodes).toMatchObject([
    { id: 'ask', difference: 'output', a: { firstTextMs: 40, model: 'small' }, b: { firstTextMs: 70, model: 'large' } },
  ]);
  expect(await history.compareNode({ a, b, place: 'ask' })).toEqual({
    causes: [{ kind: 'model', a: 'small', b: 'large' }],
    a: { input: { prompt: 'hello' }, output: { text: 'hi' }, model: 'small' },
    b: { input: { prompt: 'hello' }, output: { text: 'good day' }, model: 'large' },
  });
});

test('says that nothing in the log explains a difference with the same definition, input and model', async () => {
  record(a, [{ at: 0, event: start(a) }, ...asked('ask', { model: 'small', text: 'hi' })]);
  record(b, [{ at: 0, event: start(b) }, ...asked('ask', { model: 'small', text: 'ho' })]);
  const { causes } = await history.compareNode({ a, b, place: 'ask' });
  expect(causes).toEqual([{ kind: 'outside', isModel: true }]);
});

test('replaces large values by their content, and compares them by their hash', async () => {
  const [one, two] = ['x'.repeat(20_000), `${'x'.repeat(20_000)}y`];
  const large = (runId: RunId, text: string): void =>
    record(runId, [
      { at: 0, event: start(runId) },
      { at: 1, event: ran('ask', { text: store.intern(text) }) },
    ]);
  large(a, one);
  large(b, two);
  expect((await history.compareRuns({ a, b })).nodes[0]?.difference).toBe('output');
  expect(await history.compareNode({ a, b, place: 'ask' })).toMatchObject({
    a: { output: { text: one } },
    b: { output: { text: two } },
  });
});

test('compares the child runs of a node that calls a flow', async () => {
  const calling = 'flow: { name: Ask }\nnodes: [{ id: call, type: flow, input: { flow: ask } }]\nedges: []';
  for (const [runId, text] of [
    [a, 'hi'],
    [b, 'ho'],
  ] as const) {
    const child = asRunId(`${runId}-child`);
    const called = { parentRunId: runId, parentTaskId: 'node:call' };
    const own = asked('ask', { model: 'small', text }).map((told) => ({ ...told, child }));
    const { definitionHash } = await recordChildDefinition();
    record(
      runId,
      [
        { at: 0, event: start(runId) },
        { at: 0, event: { type: 'task:start', taskId: 'node:call', nodeId: 'call', nodeType: 'flow' } },
        { at: 0, child, event: start(child, definitionHash, called as never) },
        ...own,
        { at: 99, event: ran('call', { text }) },
      ],
      calling,
    );
  }
  const { called } = await history.compareNode({ a, b, place: 'call' });
  expect(called).toEqual({ kind: 'flow', sourcePath: 'ask.flow.yaml', runs: { a: 'a-child', b: 'b-child' } });
  const inside = await history.compareRuns({ a, b, called: { a: asRunId('a-child'), b: asRunId('b-child') } });
  expect(inside).toMatchObject({ differing: ['ask'], nodes: [{ id: 'ask', a: { model: 'small', firstTextMs: 40 } }] });
});

/** Stores the text of the called flow as the definition of another run. */
async function recordChildDefinition(): Promise<{ definitionHash: string }> {
  const other = asRunId('other');
  if (store.findSummary(other) === undefined) record(other, [{ at: 0, event: start(other) }]);
  return await history.getRun(other);
}
