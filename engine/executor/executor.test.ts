import { afterEach, describe, expect, test } from 'vitest';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import { asRunId, asSessionId, type RunId } from '../base/ids.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import { currentOwner } from '../store/owner.ts';
import type { RunStore } from '../store/run-store.ts';
import { openRunStore } from '../store/sqlite-run-store.ts';
import { createCountingIds } from '../testing/counting-ids.ts';
import { createFakeCapabilities } from '../testing/fake-capabilities.ts';
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts';
import type { AcceptedRun } from './action.ts';
import { createExecutor, type Executor } from './executor.ts';

const waiting = `
flow: { name: waiting, input: { ms: 1000 } }
nodes: [{ id: pause, type: control.wait, input: { ms: "{{flow.input.ms}}" } }]
edges: []`;

const echo = (text: string): string => `
flow: { name: echo, input: { word: hello } }
nodes: [{ id: say, type: echo, input: { text: "${text} {{flow.input.word}}" } }]
edges: []`;

interface World {
  readonly executor: Executor;
  readonly store: RunStore;
  readonly clock: ManualClock;
  readonly told: EventEnvelope[];
  readonly failures: EngineError[];
  /** Present text of definitions, by path. */
  readonly texts: Map<string, string>;
  run(text: string, inputs?: Record<string, string | number>): Promise<AcceptedRun>;
}

let open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.map((close) => close()));
  open = [];
});

async function createWorld(spoil: (store: RunStore) => RunStore = (store) => store): Promise<World> {
  const clock = createManualClock();
  const store = spoil(await openRunStore({ file: null, clock, owner: currentOwner() }));
  const failures: EngineError[] = [];
  const texts = new Map<string, string>();
  const told: EventEnvelope[] = [];
  const executor = createExecutor({
    store,
    registry: createNodeRegistry(builtinNodes),
    capabilities: createFakeCapabilities().capabilities,
    clock,
    ids: createCountingIds(),
    sessionId: asSessionId('s'),
    onRecordFailure: (error) => failures.push(error),
    async readDefinition(path) {
      const text = texts.get(path);
      if (text === undefined) throw new EngineError({ code: 'files.not-found', message: path });
      return text;
    },
    maxConcurrentRuns: 4,
  });
  executor.subscribe((events) => told.push(...events));
  open.push(async () => {
    await executor.close();
    store.close();
  });
  const run: World['run'] = (text, inputs = {}) =>
    executor.send('cmdRun', { request: { path: 'a.flow.yaml', text, inputs } });
  return { executor, store, clock, told, failures, texts, run };
}

function statusesOf(store: RunStore): Record<string, string> {
  return Object.fromEntries(store.listRuns({ limit: 100 }).map(({ runId, status }) => [runId, status]));
}

describe('a run', () => {
  test('is stored, told, and summed up alike', async () => {
    const { run, store, told } = await createWorld();
    const { runId, ended } = await run(echo('well,'), { word: 'there' });
    const summary = await ended;
    const { inputs, ...record } = store.getRun(runId)!;
    expect(summary).toEqual(record);
    expect(inputs).toEqual({ word: 'there' });
    expect(told).toEqual(store.readEvents(runId, -1, 100));
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
    expect(told.at(-1)?.event).toMatchObject({ type: 'run:end', output: { say: { text: 'well, there' } } });
  });

  test('of a flow with errors is refused whole, and nothing is recorded', async () => {
    const { run, store, told } = await createWorld();
    const error = await run('flow: { name: x }\nnodes: [{ id: a, type: nope, input: {} }]').catch(toErrorRecord);
    expect(error).toMatchObject({
      code: 'flow.invalid',
      details: expect.arrayContaining([expect.objectContaining({ code: 'flow.missing-key' })]),
    });
    expect(told).toEqual([]);
    expect(store.listRuns({ limit: 1 })).toEqual([]);
  });

  test('beyond the fourth waits as queued, and its turn comes', async () => {
    const { run, store, clock, told } = await createWorld();
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => run(waiting)));
    await clock.settle();
    expect(Object.values(statusesOf(store)).sort()).toEqual(['queued', 'running', 'running', 'running', 'running']);
    expect(told.filter(({ runId }) => runId === runs[4]?.runId)).toEqual([]);
    await clock.advance(1000);
    expect(statusesOf(store)[runs[4]!.runId]).toBe('running');
    await clock.advance(1000);
    expect(Object.values(statusesOf(store))).toEqual(Array(5).fill('completed'));
  });
});

describe('cancel', () => {
  test('stops the run that is named and no other', async () => {
    const { run, executor, clock } = await createWorld();
    const [first, second] = await Promise.all([run(waiting), run(waiting)]);
    await clock.settle();
    await executor.send('cancelRun', { runId: first!.runId });
    expect((await first!.ended).status).toBe('cancelled');
    await clock.advance(1000);
    expect((await second!.ended).status).toBe('completed');
  });

  test('without a name stops all, also those that wait for their turn', async () => {
    const { run, executor, clock, told } = await createWorld();
    const runs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run(waiting)));
    await clock.settle();
    await executor.send('cancelRun', {});
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    expect(ends.map(({ status }) => status)).toEqual(Array(6).fill('cancelled'));
    const last = told.filter(({ runId }) => runId === runs[5]?.runId).map(({ event }) => event.type);
    expect(last[0]).toBe('run:start');
    expect(last.at(-1)).toBe('run:end');
    expect(last).not.toContain('task:start');
    expect(clock.openTimers).toBe(0);
  });

  test('leaves a run that has ended, and one that nobody knows, alone', async () => {
    const { run, executor, store } = await createWorld();
    const { runId, ended } = await run(echo('a'));
    await ended;
    await executor.send('cancelRun', { runId });
    await executor.send('cancelRun', { runId: asRunId('nobody') });
    expect(statusesOf(store)[runId]).toBe('completed');
  });
});

describe('redo', () => {
  async function outputOf(world: World, redo: { runId: RunId; text?: string }): Promise<unknown> {
    const { runId, ended } = await world.executor.send('redo', redo);
    const summary = await ended;
    expect(summary).toMatchObject({ redoOf: redo.runId });
    expect(summary).not.toHaveProperty('redoCount');
    return world.store.readEvents(runId, -1, 100).at(-1)?.event;
  }

  test('reads the file anew and keeps the inputs; a text that is given wins', async () => {
    const world = await createWorld();
    const { runId, ended } = await world.run(echo('old'), { word: 'friend' });
    await ended;
    world.texts.set('a.flow.yaml', echo('new'));
    expect(await outputOf(world, { runId })).toMatchObject({ output: { say: { text: 'new friend' } } });
    expect(await outputOf(world, { runId, text: echo('typed') })).toMatchObject({
      output: { say: { text: 'typed friend' } },
    });
  });

  test('counts from 0 each time, and takes defaults of the present text', async () => {
    const world = await createWorld();
    const first = await world.run(echo('a'));
    await first.ended;
    world.texts.set('a.flow.yaml', echo('a').replace('hello', 'goodbye'));
    const second = await world.executor.send('redo', { runId: first.runId });
    await second.ended;
    expect(await outputOf(world, { runId: second.runId })).toMatchObject({ output: { say: { text: 'a goodbye' } } });
  });

  test('is refused without a run, without a file, and for a text with errors', async () => {
    const world = await createWorld();
    const codeOf = async (redo: { runId: RunId; text?: string }): Promise<string> =>
      world.executor.send('redo', redo).then(
        () => 'accepted',
        (error) => toErrorRecord(error).code,
      );
    expect(await codeOf({ runId: asRunId('nobody') })).toBe('run.not-found');
    const { runId, ended } = await world.run(echo('a'));
    await ended;
    expect(await codeOf({ runId })).toBe('files.not-found');
    expect(await codeOf({ runId, text: 'nodes: 1' })).toBe('flow.invalid');
    expect(world.store.listRuns({ limit: 10 })).toHaveLength(1);
  });
});

describe('a store that cannot take more', () => {
  function failing(when: (events: readonly EventEnvelope[]) => boolean): (store: RunStore) => RunStore {
    return (store) => ({
      file: null,
      createRun: (run) => store.createRun(run),
      append(runId, events) {
        if (when(events)) throw new EngineError({ code: 'store.full', message: 'The disk is full' });
        store.append(runId, events);
      },
      intern: (value) => store.intern(value),
      listRuns: (query) => store.listRuns(query),
      getRun: (runId) => store.getRun(runId),
      readEvents: (...query) => store.readEvents(...query),
      readDefinition: (hash) => store.readDefinition(hash),
      readValue: (hash) => store.readValue(hash),
      foreignVersion: () => store.foreignVersion(),
      close: () => store.close(),
    });
  }

  test('in the middle of a run fails the run with that error, tells it, and reports it once', async () => {
    const world = await createWorld(failing((events) => events.some(({ event }) => event.type === 'node:input')));
    const { ended } = await world.run(waiting);
    await world.clock.settle();
    await world.clock.advance(20);
    const summary = await ended;
    expect(summary).toMatchObject({ status: 'failed', error: { code: 'store.full' } });
    expect(world.told.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'failed' });
    expect(world.failures.map(({ code }) => code)).toEqual(['store.full']);
  });
});

describe('listeners', () => {
  test('one that throws keeps neither the run nor the other listeners from going on', async () => {
    const { executor, run } = await createWorld();
    const warnings: unknown[] = [];
    const note = (warning: unknown): number => warnings.push(warning);
    process.on('warning', note);
    const seen: string[] = [];
    executor.subscribe(() => {
      throw new Error('a careless listener');
    });
    executor.subscribe((events) => seen.push(...events.map(({ event }) => event.type)));
    const { ended } = await run(echo('a'));
    expect((await ended).status).toBe('completed');
    expect(seen.at(-1)).toBe('run:end');
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings.length).toBeGreaterThan(0);
    process.off('warning', note);
  });

  test('one that has ended its subscription hears nothing more', async () => {
    const { executor, run } = await createWorld();
    let heard = 0;
    const end = executor.subscribe(() => heard++);
    end();
    await (await run(echo('a'))).ended;
    expect(heard).toBe(0);
  });
});

describe('close', () => {
  test('cancels what runs or waits, and takes nothing new', async () => {
    const { executor, run, clock, store } = await createWorld();
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => run(waiting)));
    await clock.settle();
    await executor.close();
    expect(Object.values(statusesOf(store))).toEqual(Array(5).fill('cancelled'));
    expect(runs.map(({ runId }) => executor.whenActiveEnded(runId))).toEqual(Array(5).fill(undefined));
    await expect(run(waiting)).rejects.toMatchObject({ code: 'engine.closed' });
  });
});
