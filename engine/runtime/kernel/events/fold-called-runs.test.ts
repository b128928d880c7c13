/** Tests the folded state of called runs, and of events of agents. */
import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId, type RunId } from '../../../base/ids.ts';
import { foldRun, reduceRun } from './fold-run.ts';
import type { EventEnvelope, RunEvent, RunStartEvent } from './run-event.ts';
import { emptyRunState } from './run-state.ts';

const root = asRunId('root');
const child = asRunId('child');
const grandchild = asRunId('grandchild');
const sessionId = asSessionId('session');

interface Told {
  readonly event: RunEvent;
  readonly by?: RunId;
  readonly parent?: RunId;
  readonly task?: string;
}

function logOf(...told: readonly Told[]): readonly EventEnvelope[] {
  return told.map(({ event, by = root, parent, task }, seq) => ({
    ...{ seq, at: 1000 + seq, runId: by, event },
    ...(parent === undefined ? {} : { parentRunId: parent, rootRunId: root }),
    context: task === undefined ? { sessionId } : { sessionId, task: { id: task } },
  }));
}

function start(kind: 'flow' | 'agent', parentTaskId?: string): RunStartEvent {
  const caller = parentTaskId === undefined ? {} : { parentTaskId };
  return { type: 'run:start', kind, name: kind, sourcePath: 'x', definitionHash: 'h', inputs: null, ...caller };
}

const paid: RunEvent = {
  type: 'model:response',
  usage: { promptTokens: 10, completionTokens: 2 },
  costUsd: 0.5,
  durationMs: 1,
  finishReason: 'stop',
};
const ofChild = { by: child, parent: root };
const ofGrandchild = { by: grandchild, parent: child };

const log = logOf(
  { event: start('flow') },
  { event: { type: 'task:start', taskId: 'node:work', nodeId: 'work', nodeType: 'agent' } },
  { event: start('agent', 'node:work'), ...ofChild },
  { event: { type: 'task:start', taskId: 'input:0' }, ...ofChild },
  { event: paid, task: 'input:0', ...ofChild },
  { event: start('agent', 'input:0'), ...ofGrandchild },
  { event: paid, task: 'input:0', ...ofGrandchild },
  { event: { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 3, redoRequested: true }, ...ofChild },
);

describe('called runs', () => {
  test('have separate states at any depth, and do not change that of the root', () => {
    const state = foldRun(emptyRunState, log);
    expect(state).toMatchObject({ runId: root, status: 'running', kind: 'flow', seq: log.length - 1 });
    expect([...state.nodes.keys()]).toEqual(['work']);
    expect([...state.children.keys()]).toEqual([child, grandchild]);
    expect(state.children.get(child)).toMatchObject({
      parentRunId: root,
      parentTaskId: 'node:work',
      redoRequested: true,
    });
    expect(state.children.get(child)?.nodes.get('input:0')?.status).toBe('running');
    expect(state.children.get(grandchild)).toMatchObject({ parentRunId: child, parentTaskId: 'input:0' });
  });

  test("are paid for by the root and by the root's calling task, and each has its own total", () => {
    const state = foldRun(emptyRunState, log);
    expect(state.usage).toEqual({ promptTokens: 20, completionTokens: 4 });
    expect(state.costUsd).toBe(1);
    expect(state.nodes.get('work')?.usage).toEqual({ promptTokens: 20, completionTokens: 4 });
    expect(state.children.get(child)?.usage).toEqual({ promptTokens: 10, completionTokens: 2 });
    expect(state.children.get(child)?.nodes.get('input:0')?.usage).toEqual({ promptTokens: 10, completionTokens: 2 });
  });

  test('FE-83 their text is also added to the calling node, on separate lines for each run', () => {
    const says = (content: string, task: string, by: Partial<Told> = ofChild): Told => ({
      event: { type: 'agent:text', content },
      task,
      ...by,
    });
    const events = logOf(
      ...log.slice(0, 3).map(({ event, runId }) => ({ event, ...(runId === root ? {} : ofChild) })),
      says('one', 'input:0'),
      says(' more', 'input:0'),
      says('two', 'input:1'),
      says('deep', 'input:0', ofGrandchild),
    ).map((envelope) =>
      envelope.runId === root ? envelope : { ...envelope, context: { ...envelope.context, node: { id: 'work' } } },
    );
    const state = foldRun(emptyRunState, events);
    expect(state.nodes.get('work')?.text).toBe('one more\ntwo\ndeep');
    expect(events.reduce(reduceRun, emptyRunState).nodes.get('work')).toEqual(state.nodes.get('work'));
    expect(state.children.get(child)?.nodes.get('input:0')?.text).toBe('one more');
  });

  test('add calls with an unknown price to the root as well, whether or not run:end contains them', () => {
    const { costUsd: _, ...unpriced } = paid;
    const state = foldRun(
      emptyRunState,
      logOf({ event: start('flow') }, { event: start('agent'), ...ofChild }, { event: unpriced, ...ofChild }),
    );
    expect([state.unpricedCalls, state.children.get(child)?.unpricedCalls]).toEqual([1, 1]);
  });

  test('are the same whether events arrive one by one or in batches', () => {
    const together = foldRun(emptyRunState, log);
    const oneByOne = log.reduce(reduceRun, emptyRunState);
    expect([...oneByOne.children].map(([id, { status, usage }]) => [id, status, usage])).toEqual(
      [...together.children].map(([id, { status, usage }]) => [id, status, usage]),
    );
    expect(oneByOne.nodes.get('work')).toEqual(together.nodes.get('work'));
  });
});

test('13.5 a run and its child run are paused before their next nodes, take a step, and continue', () => {
  const told: readonly Told[] = [
    { event: start('flow') },
    { event: start('flow', 'node:work'), ...ofChild },
    { event: { type: 'run:suspended', reason: 'paused', nodeId: 'a' }, ...ofChild },
    { event: { type: 'run:suspended', reason: 'paused', nodeId: 'work/a' } },
    { event: { type: 'run:resumed', action: 'step' } },
    { event: { type: 'run:suspended', reason: 'paused', nodeId: 'b' } },
    { event: { type: 'run:resumed', action: 'continue' } },
  ];
  const states = told.map((_, index) => foldRun(emptyRunState, logOf(...told.slice(0, index + 1))));
  expect(states[2]?.children.get(child)?.pause).toEqual({ nextNode: 'a', reason: 'paused' });
  expect(states.slice(2).map(({ status, pause }) => [status, pause])).toEqual([
    ['running', undefined],
    ['suspended', { nextNode: 'work/a', reason: 'paused' }],
    ['running', { nextNode: undefined, reason: 'paused' }],
    ['suspended', { nextNode: 'b', reason: 'paused' }],
    ['running', undefined],
  ]);
  const end: Told = { event: { type: 'run:end', status: 'cancelled', failedNodes: [], durationMs: 1 } };
  expect(foldRun(emptyRunState, logOf(...told.slice(0, 4), end)).pause).toBe(undefined);
});

test('13.5 the root run lists the nodes that are held in it and in its child runs, with their inputs', () => {
  const because = { op: 'equals', var: 'input.n', value: 1, actual: 1, result: true } as const;
  const held = (nodeId: string): RunEvent => ({
    type: 'node:held',
    nodeId,
    reason: 'breakpoint',
    input: { n: 1 },
    because,
  });
  const begun = (nodeId: string): RunEvent => ({
    type: 'task:start',
    taskId: `node:${nodeId}`,
    nodeId,
    nodeType: 'echo',
  });
  const told: readonly Told[] = [
    { event: start('flow') },
    { event: start('flow', 'node:work'), ...ofChild },
    { event: held('a'), ...ofChild },
    { event: { type: 'node:held', nodeId: 'other', reason: 'paused', input: {} } },
    { event: { type: 'run:suspended', reason: 'breakpoint', nodeId: 'a' }, ...ofChild },
    { event: { type: 'run:suspended', reason: 'breakpoint', nodeId: 'work/a' } },
    { event: { type: 'run:resumed', action: 'continue' } },
    { event: begun('a'), ...ofChild },
    { event: { type: 'node:reused', nodeId: 'other', output: 5, pin: true, given: { by: 'Kim' } } },
  ];
  const states = told.map((_, index) => foldRun(emptyRunState, logOf(...told.slice(0, index + 1))));
  const why = { reason: 'breakpoint', input: { n: 1 }, because };
  expect(states[5]?.pause).toEqual({ nextNode: 'work/a', ...why });
  expect(states[5]?.held).toEqual([
    { name: 'work/a', ...why },
    { name: 'other', reason: 'paused', input: {} },
  ]);
  expect(states.slice(6).map(({ held: list }) => list.map(({ name }) => name))).toEqual([
    ['work/a', 'other'],
    ['other'],
    [],
  ]);
  expect(states[8]?.nodes.get('other')).toMatchObject({ status: 'reused', output: 5, given: { by: 'Kim' } });
});

test('13.5 an output that a person changes keeps what the node has done, and an input says who changed it', () => {
  const told: readonly Told[] = [
    { event: start('flow') },
    { event: { type: 'task:start', taskId: 'node:a', nodeId: 'a', nodeType: 'echo' } },
    { event: { type: 'node:input', nodeId: 'a', input: { n: 2 }, edited: { by: 'Kim', before: { n: 1 } } } },
    { event: paid, task: 'node:a' },
    { event: { type: 'task:complete', taskId: 'node:a', nodeId: 'a', result: 1, durationMs: 7, attempts: 1 } },
    { event: { type: 'node:reused', nodeId: 'a', output: 2, pin: true, given: { by: 'Kim', before: 1 } } },
  ];
  const { nodes } = foldRun(emptyRunState, logOf(...told));
  expect(nodes.get('a')).toMatchObject({
    ...{ status: 'reused', input: { n: 2 }, output: 2, durationMs: 7, costUsd: 0.5, attempts: 1, isPinned: true },
    ...{ edited: { by: 'Kim', before: { n: 1 } }, given: { by: 'Kim', before: 1 } },
  });
});

describe('events of agents', () => {
  const pin = (iden: string, priority?: number, taskId?: string): Told => ({
    event: {
      type: 'pin',
      iden,
      content: `${iden} ${priority ?? ''}`.trim(),
      ...(priority === undefined ? {} : { priority }),
      ...(taskId === undefined ? {} : { taskId }),
    },
  });

  test('sorts pins by priority, then by order of arrival; the same name in the same scope is one pin', () => {
    const state = foldRun(
      emptyRunState,
      logOf({ event: start('agent') }, pin('late'), pin('b', 2), pin('a', 1), pin('b', 1), pin('a', 1, 'input:0')),
    );
    expect(state.pins.map(({ iden, content, taskId }) => [iden, content, taskId])).toEqual([
      ['a', 'a 1', undefined],
      ['b', 'b 1', undefined],
      ['a', 'a 1', 'input:0'],
      ['late', 'late', undefined],
    ]);
  });

  test('labels, stages and skips belong to the run or to an input', () => {
    const state = foldRun(
      emptyRunState,
      logOf(
        { event: start('agent') },
        { event: { type: 'label', text: 'a run' } },
        { event: { type: 'task:start', taskId: 'input:0' } },
        { event: { type: 'label', text: 'an input', taskId: 'input:0' } },
        { event: { type: 'stage:start', stage: 'Data', taskId: 'input:0' } },
        { event: { type: 'task:skipped', taskId: 'input:0', reason: 'not now' } },
      ),
    );
    expect(state.label).toBe('a run');
    expect(state.nodes.get('input:0')).toMatchObject({
      status: 'skipped',
      label: 'an input',
      stage: 'Data',
      skip: { reason: 'directive', text: 'not now' },
    });
  });
});
