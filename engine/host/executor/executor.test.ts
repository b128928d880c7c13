import { afterEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { createTestExecutor, type TestExecutor, type TestExecutorOptions } from '../../testing/executor-world.ts';

const waiting = `
flow: { name: waiting, input: { ms: 1000 } }
nodes: [{ id: pause, type: control.wait, input: { ms: "{{flow.input.ms}}" } }]
edges: []`;

const echo = (text: string): string => `
flow: { name: echo, input: { word: hello } }
nodes: [{ id: say, type: echo, input: { text: "${text} {{flow.input.word}}" } }]
edges: []`;

let open: TestExecutor[] = [];

afterEach(async () => {
  await Promise.all(open.map((world) => world.close()));
  open = [];
});

async function createWorld(options: TestExecutorOptions = {}): Promise<TestExecutor> {
  const world = await createTestExecutor(options);
  open.push(world);
  return world;
}

function statusesOf(store: RunStore): Record<string, string> {
  return Object.fromEntries(store.listRuns({ limit: 100 }).map(({ runId, status }) => [runId, status]));
}

describe('a run', () => {
  test('is stored, emitted and summarized consistently', async () => {
    const { run, store, told } = await createWorld();
    const { runId, ended } = await run(echo('well,'), { word: 'there' });
    const summary = await ended;
    const { inputs, nodeSettings: _, ...record } = store.getRun(runId)!;
    expect(record.number).toBe(1);
    expect(summary).toEqual(record);
    expect(inputs).toEqual({ word: 'there' });
    expect(told).toEqual(store.readEvents(runId, -1, 100));
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
    expect(told.at(-1)?.event).toMatchObject({ type: 'run:end', output: { say: { text: 'well, there' } } });
  });

  test.each([
    ['FE-01 text that is not YAML', 'flow: {', 'yaml.syntax'],
    ['FE-02 a file that violates the schema', 'flow: { name: x }\nnodes: {}\nedges: []', 'flow.wrong-type'],
    ['FE-05 a cycle', `${echo('a').replace('edges: []', 'edges: [{ from: say, to: say }]')}`, 'edge.cycle'],
    ['FE-06 an edge to a missing node', `${echo('a').replace('[]', '[{ from: say, to: no }]')}`, 'edge.unknown-node'],
    ['FE-07 a file without edges', 'flow: { name: x }\nnodes: []', 'flow.missing-key'],
    ['FE-08 a reserved id', echo('a').replace('id: say', 'id: flow'), 'node.reserved-id'],
    ['an unknown node type', echo('a').replace('type: echo', 'type: no.such'), 'node.unknown-type'],
  ])('%s is rejected: nothing runs and no event is emitted or recorded', async (_, text, code) => {
    const { run, store, told, clock } = await createWorld();
    const error = await run(text).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'flow.invalid', details: [expect.objectContaining({ code })] });
    await clock.settle();
    expect(told).toEqual([]);
    expect(store.listRuns({ limit: 1 })).toEqual([]);
  });

  test('after the fourth waits as queued until a slot is free', async () => {
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
  test('stops the named run and no others', async () => {
    const { run, executor, clock } = await createWorld();
    const [first, second] = await Promise.all([run(waiting), run(waiting)]);
    await clock.settle();
    executor.cancelRun(first!.runId);
    expect((await first!.ended).status).toBe('cancelled');
    await clock.advance(1000);
    expect((await second!.ended).status).toBe('completed');
  });

  test('without an id stops all runs, including queued ones', async () => {
    const { run, executor, clock, told } = await createWorld();
    const runs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run(waiting)));
    await clock.settle();
    executor.cancelRun();
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    expect(ends.map(({ status }) => status)).toEqual(Array(6).fill('cancelled'));
    const last = told.filter(({ runId }) => runId === runs[5]?.runId).map(({ event }) => event.type);
    expect(last[0]).toBe('run:start');
    expect(last.at(-1)).toBe('run:end');
    expect(last).not.toContain('task:start');
    expect(clock.openTimers).toBe(0);
  });

  test('ignores an ended run and an unknown one', async () => {
    const { run, executor, store } = await createWorld();
    const { runId, ended } = await run(echo('a'));
    await ended;
    executor.cancelRun(runId);
    executor.cancelRun(asRunId('nobody'));
    expect(statusesOf(store)[runId]).toBe('completed');
  });

  test('13.14 a run with an open request to cancel it ends instead of continuing', async () => {
    const { run, executor, store } = await createWorld();
    const { runId, ended } = await run(
      'flow: { name: Pay }\nnodes: [{ id: ask, type: human_approval, input: { title: "?" } }]\nedges: []',
    );
    store.requests.add(runId, 'cancel', 1);
    expect((await ended).status).toBe('suspended');
    const resumed = await executor.resumeRun({ runId, decision: 'approve' });
    expect((await resumed.ended).status).toBe('cancelled');
    expect(store.requests.has(runId, 'cancel')).toBe(false);
  });
});

describe('redo', () => {
  async function outputOf(world: TestExecutor, redo: { runId: RunId; text?: string }): Promise<unknown> {
    const { runId, ended } = await world.executor.redo(redo);
    const summary = await ended;
    expect(summary).toMatchObject({ redoOf: redo.runId });
    expect(summary).not.toHaveProperty('redoCount');
    return world.store.readEvents(runId, -1, 100).at(-1)?.event;
  }

  test('reads the current file and keeps the inputs, unless a text is provided', async () => {
    const world = await createWorld();
    const { runId, ended } = await world.run(echo('old'), { word: 'friend' });
    await ended;
    world.texts.set('a.flow.yaml', echo('new'));
    expect(await outputOf(world, { runId })).toMatchObject({ output: { say: { text: 'new friend' } } });
    expect(await outputOf(world, { runId, text: echo('typed') })).toMatchObject({
      output: { say: { text: 'typed friend' } },
    });
  });

  test('is numbered from 0 each time, and uses the defaults of the current text', async () => {
    const world = await createWorld();
    const first = await world.run(echo('a'));
    await first.ended;
    world.texts.set('a.flow.yaml', echo('a').replace('hello', 'goodbye'));
    const second = await world.executor.redo({ runId: first.runId });
    await second.ended;
    expect(await outputOf(world, { runId: second.runId })).toMatchObject({ output: { say: { text: 'a goodbye' } } });
  });

  test('is rejected without a run, without a file, and for a text with errors', async () => {
    const world = await createWorld();
    const codeOf = async (redo: { runId: RunId; text?: string }): Promise<string> =>
      world.executor.redo(redo).then(
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

describe('subscribers', () => {
  test('an error in one affects neither the run nor the other subscribers', async () => {
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

  test('one that has unsubscribed receives no further events', async () => {
    const { executor, run } = await createWorld();
    let heard = 0;
    const end = executor.subscribe(() => heard++);
    end();
    await (await run(echo('a'))).ended;
    expect(heard).toBe(0);
  });
});

describe('close', () => {
  test('cancels active and queued runs, and accepts no new ones', async () => {
    const { executor, run, clock, store } = await createWorld();
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => run(waiting)));
    await clock.settle();
    await executor.close();
    expect(Object.values(statusesOf(store))).toEqual(Array(5).fill('cancelled'));
    expect(runs.map(({ runId }) => executor.whenActiveEnded(runId))).toEqual(Array(5).fill(undefined));
    await expect(run(waiting)).rejects.toMatchObject({ code: 'engine.closed' });
  });
});
