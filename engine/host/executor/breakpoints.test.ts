/** Tests breakpoints, and what a person gives the nodes that they hold. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { Breakpoint } from '../../runtime/kernel/hub/run-pause.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { actNode, flakyNode } from '../../testing/test-node.ts';
import type { ResumeRun } from './continuation.ts';

let folder: string;
let worlds: TestExecutor[];
let world: TestExecutor;
/** Inputs with which the nodes of type `act` have run. */
let acted: unknown[];

async function open(): Promise<TestExecutor> {
  const opened = await createTestExecutor({
    registry: createNodeRegistry([...builtinNodes, actNode(acted), flakyNode(1)]),
    openStore: (context) => openRunStore({ file: path.join(folder, 'runs.db'), ...context }),
    idPrefix: `run${worlds.length}-`,
  });
  worlds.push(opened);
  return opened;
}

beforeEach(async () => {
  worlds = [];
  acted = [];
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-breakpoints-'));
  world = await open();
});
afterEach(async () => {
  for (const opened of worlds) await opened.close();
  rmSync(folder, { recursive: true });
});

/** Ends the process of the runs, and starts another one. */
async function reopen(): Promise<void> {
  await world.close();
  worlds = [];
  world = await open();
}

const invalid = expect.objectContaining({ code: 'run.invalid-state' });

const eventsOf = (runId: RunId, of = world) => of.store.readEvents(runId, -1, 10_000);
const stateOf = (runId: RunId, of = world) => foldRun(emptyRunState, eventsOf(runId, of));
const heldIn = (runId: RunId) =>
  eventsOf(runId).flatMap(({ event }) => (event.type === 'node:held' ? [[event.nodeId, event.reason]] : []));

/** Runs a flow until it ends or is suspended. */
async function run(text: string, breakpoints: readonly Breakpoint[] = [], startedBy?: 'trigger' | 'http' | 'mcp') {
  const request = { path: 'a.flow.yaml', text, inputs: {}, breakpoints: { 'a.flow.yaml': breakpoints } };
  const by = startedBy === undefined ? {} : { startedBy: { kind: startedBy } as const };
  const { runId, ended } = await world.executor.startRun({ ...request, ...by });
  return { runId, end: await ended };
}

async function letGo(runId: RunId, decision: Omit<ResumeRun, 'runId'>, of = world) {
  return await (await of.executor.resumeRun({ runId, ...decision })).ended;
}

const line = `
flow: { name: line }
nodes:
  - { id: first, type: echo, input: { text: one } }
  - { id: second, type: act, input: { text: "{{first.text}}", n: 2 } }
  - { id: third, type: act, input: { text: "{{second.text}}!" } }
edges: [{ from: first, to: second }, { from: second, to: third }]`;

const loop = `
flow: { name: loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b, c, d], body: [x, y], maxParallel: 2 } }
  - { id: x, type: echo, input: { text: "{{item}}" } }
  - { id: y, type: act, input: { text: "{{x.text}}" } }
edges: [{ from: x, to: y }]`;

describe('13.5 a breakpoint', () => {
  test('holds the node with its resolved input, and the run waits as paused', async () => {
    const { runId, end } = await run(line, [{ node: 'second' }, { node: 'third', isOff: true }]);
    expect(end.status).toBe('suspended');
    expect(world.store.getRun(runId)?.waitStatus).toBe('PAUSED');
    const input = { text: 'one', n: 2 };
    expect(eventsOf(runId).slice(-2)).toMatchObject([
      { event: { type: 'node:held', nodeId: 'second', reason: 'breakpoint', input } },
      { event: { type: 'run:suspended', reason: 'breakpoint', nodeId: 'second' } },
    ]);
    expect(stateOf(runId).pause).toEqual({ nextNode: 'second', reason: 'breakpoint', input });
    expect(acted).toEqual([]);
    expect(await letGo(runId, { action: 'continue' })).toMatchObject({ status: 'completed' });
    expect(acted).toEqual([input, { text: 'one!' }]);
    expect([openScopes(eventsOf(runId)), stateOf(runId).held]).toEqual([[], []]);
  });

  test('is kept for its run: the next process stops at the others, and not at the same again', async () => {
    const { runId } = await run(line, [{ node: 'second' }, { node: 'third' }]);
    await reopen();
    expect(await letGo(runId, { action: 'step' })).toMatchObject({ status: 'suspended' });
    expect(stateOf(runId).pause).toMatchObject({ nextNode: 'third', reason: 'breakpoint' });
    expect(await letGo(runId, { action: 'continue' })).toMatchObject({ status: 'completed' });
    expect(heldIn(runId)).toEqual([
      ['second', 'breakpoint'],
      ['third', 'breakpoint'],
    ]);
  });

  test('stops where its condition holds, or cannot be decided, and says with which values', async () => {
    const at = async (when: string) => {
      const { runId, end } = await run(line, [{ node: 'second', when }]);
      const { because } = stateOf(runId).pause ?? {};
      return end.status === 'completed' ? 'passed' : because;
    };
    expect(await at('first.text is "one" and input.n > 1')).toMatchObject({
      result: true,
      of: [{ actual: 'one' }, { var: 'input.n', actual: 2 }],
    });
    expect(await at('input.n > 2 or first.text is "two"')).toBe('passed');
    expect(await at('first.txt is "one"')).toMatchObject({ var: 'first.txt', result: false });
    expect(await at('first.text > 5')).toMatchObject({ actual: 'one', result: false });
    expect(await at('first.txt is "one" and input.n is 3')).toBe('passed');
    expect(await at('first.txt exists')).toBe('passed');
    expect(await at('not (first.txt is "one")')).toMatchObject({ result: true });
  });

  test('is refused if its condition cannot be read, with the place and the reason, and the former ones stay', async () => {
    world.executor.breakpoints.set('a.flow.yaml', [{ node: 'third' }]);
    const wrong = [{ node: 'second', when: 'first.text is one', isOff: true }];
    const refusal = {
      ...{ code: 'breakpoint.invalid', nodeId: 'second', details: { offset: 14 } },
      message: expect.stringMatching(/"second" in a\.flow\.yaml cannot be set.*character 15.*JSON value/),
    };
    expect(() => world.executor.breakpoints.set('a.flow.yaml', wrong)).toThrow(expect.objectContaining(refusal));
    await expect(run(line, wrong)).rejects.toMatchObject(refusal);
    await expect(run(line, [{ node: 'second', item: 0 }])).rejects.toMatchObject({ code: 'breakpoint.invalid' });
    expect(stateOf((await run(line)).runId).pause?.nextNode).toBe('third');
  });

  test('set for a file acts at once in runs of the person, and elsewhere only if the person is attached', async () => {
    world.executor.breakpoints.set('a.flow.yaml', [{ node: 'second' }]);
    expect(stateOf((await run(line)).runId).pause?.nextNode).toBe('second');
    for (const kind of ['trigger', 'http', 'mcp'] as const)
      expect((await run(line, [], kind)).end.status).toBe('completed');
    const slow = line.replace('type: echo, input: { text: one }', 'type: control.wait, input: { ms: 10 }');
    const text = slow.replaceAll('{{first.text}}', 'one');
    const start = { path: 'a.flow.yaml', text, inputs: {}, startedBy: { kind: 'trigger' } } as const;
    const accepted = await world.executor.startRun(start);
    world.executor.breakpoints.attach(accepted.runId);
    await expect.poll(() => world.clock.openTimers).toBeGreaterThan(0);
    await world.clock.advance(10);
    expect(await accepted.ended).toMatchObject({ status: 'suspended' });
    world.executor.breakpoints.set('a.flow.yaml', []);
    expect((await run(line)).end.status).toBe('completed');
  });

  test('stops in one item of a loop, also on the loop itself, and while others run', async () => {
    const places = async (breakpoint: Breakpoint) => {
      const { runId } = await run(loop, [breakpoint]);
      const { nextNode } = stateOf(runId).pause ?? {};
      const end = await letGo(runId, { action: 'continue' });
      expect([end.status, acted.length]).toEqual(['completed', 4]);
      acted.length = 0;
      return [nextNode, heldIn(runId).filter(([, reason]) => reason === 'breakpoint')];
    };
    expect(await places({ node: 'y', item: 3 })).toEqual(['each[2].y', [['each[2].y', 'breakpoint']]]);
    expect(await places({ node: 'each', item: 3 })).toEqual(['each[2].x', [['each[2].x', 'breakpoint']]]);
    expect(await places({ node: 'y', when: 'input.text is "b"' })).toEqual([
      'each[1].y',
      [['each[1].y', 'breakpoint']],
    ]);
  });

  test('stops in a called flow at a node with a place in the run', async () => {
    world.texts.set('inner.flow.yaml', line.replace('name: line', 'name: inner'));
    const outer = `
flow: { name: outer }
nodes: [{ id: call, type: flow, input: { flow: inner.flow.yaml } }]
edges: []`;
    world.executor.breakpoints.set('inner.flow.yaml', [{ node: 'second' }]);
    const { runId } = await run(outer);
    expect(stateOf(runId).pause).toMatchObject({ nextNode: 'call/second', input: { text: 'one' } });
    expect(world.store.getRun(runId)?.waitStatus).toBe('PAUSED');
    const end = await letGo(runId, { action: 'edit', input: { text: 'other' } });
    expect([end.status, acted]).toEqual(['completed', [{ text: 'other' }, { text: 'other!' }]]);
  });

  test('does not stop again at a retry', async () => {
    const retrying = `
flow: { name: retrying }
nodes: [{ id: a, type: flaky, input: {}, policy: { retry: { maxAttempts: 2, backoffMs: 0 } } }]
edges: []`;
    const { runId } = await run(retrying, [{ node: 'a' }]);
    expect(await letGo(runId, { action: 'continue' })).toMatchObject({ status: 'completed' });
    expect(heldIn(runId)).toHaveLength(1);
  });

  test('holds a node with an input that cannot be resolved, and runs it with an input from a person', async () => {
    const broken = line.replace('{{second.text}}', '{{second.missing}}');
    const { runId } = await run(broken, [{ node: 'third' }]);
    expect(stateOf(runId).pause).toMatchObject({ error: { code: 'binding.missing' } });
    expect(stateOf(runId).pause).not.toHaveProperty('input');
    const end = await letGo(runId, { action: 'edit', input: { text: 'mended' }, by: 'Kim' });
    expect([end.status, acted[1]]).toEqual(['completed', { text: 'mended' }]);
    expect(stateOf(runId).nodes.get('third')?.edited).toEqual({ by: 'Kim', before: null });
  });
});

describe('13.14 a held node', () => {
  test('is skipped with an output of the person, which later nodes use', async () => {
    const { runId } = await run(line, [{ node: 'second' }]);
    const end = await letGo(runId, { action: 'skip', output: { text: 'given' }, by: 'Kim' });
    expect([end.status, acted]).toEqual(['completed', [{ text: 'given!' }]]);
    const events = eventsOf(runId).map(({ event }) => event);
    expect(events).toContainEqual({ type: 'run:resumed', action: 'skip', by: 'Kim', nodeId: 'second' });
    const reused = {
      type: 'node:reused',
      nodeId: 'second',
      pin: true,
      given: { by: 'Kim' },
      output: { text: 'given' },
    };
    expect(events).toContainEqual(reused);
    expect(openScopes(eventsOf(runId))).toEqual([]);
  });

  test('runs with another input, and the log says who changed what', async () => {
    const { runId } = await run(line, [{ node: 'second' }]);
    await letGo(runId, { action: 'edit', nodeId: 'second', input: { text: 'other' }, by: 'Kim' });
    expect(acted).toEqual([{ text: 'other' }, { text: 'other!' }]);
    const { input, edited } = stateOf(runId).nodes.get('second') ?? {};
    expect([input, edited]).toEqual([{ text: 'other' }, { by: 'Kim', before: { text: 'one', n: 2 } }]);
  });

  test('refuses an output or input that does not fit, or is for another node, and stays held', async () => {
    const timed = line.replace(
      'type: act, input: { text: "{{first.text}}", n: 2 }',
      'type: control.wait, input: { ms: 0 }',
    );
    const { runId } = await run(timed.replace('second.text', 'first.text'), [{ node: 'second' }]);
    const code = (name: string) => expect.objectContaining({ code: name });
    await expect(letGo(runId, { action: 'skip', output: 5 })).rejects.toEqual(code('node.bad-output'));
    await expect(letGo(runId, { action: 'edit', input: { ms: 'x' } })).rejects.toEqual(code('node.bad-input'));
    await expect(letGo(runId, { action: 'skip', nodeId: 'third', output: {} })).rejects.toEqual(invalid);
    await expect(letGo(runId, { action: 'skip' })).rejects.toEqual(invalid);
    expect(world.store.getRun(runId)?.waitStatus).toBe('PAUSED');
    expect(await letGo(runId, { action: 'skip', output: { waitedMs: 0 } })).toMatchObject({ status: 'completed' });
    await expect(letGo(runId, { action: 'edit', input: {} })).rejects.toEqual(invalid);
  });

  test('is named if several are held', async () => {
    const { runId } = await run(loop, [{ node: 'y', when: 'input.text is "b"' }]);
    expect(stateOf(runId).held.map(({ name }) => name)).toEqual(['each[1].y', 'each[2].x']);
    const unnamed = letGo(runId, { action: 'edit', input: { text: 'z' } });
    await expect(unnamed).rejects.toMatchObject({ message: expect.stringContaining('each[1].y, each[2].x') });
    const end = await letGo(runId, { action: 'edit', nodeId: 'each[1].y', input: { text: 'z' } });
    const texts = ['a', 'z', 'c', 'd'].map((text) => ({ text }));
    expect([end.status, acted]).toEqual(['completed', texts]);
  });

  test('in another process gets its new input through the owner of the run', async () => {
    const other = await open();
    const both = `
flow: { name: both, policy: { maxParallel: 2 } }
nodes:
  - { id: long, type: control.wait, input: { ms: 100000 } }
  - { id: held, type: act, input: { n: 1 } }
edges: []`;
    const accepted = await world.executor.startRun({
      ...{ path: 'a.flow.yaml', text: both, inputs: {}, breakpoints: { 'a.flow.yaml': [{ node: 'held' }] } },
    });
    const { runId } = accepted;
    await expect.poll(() => heldIn(runId)).toHaveLength(1);
    await other.executor.resumeRun({ runId, action: 'edit', input: { n: 2 } });
    await expect
      .poll(async () => {
        await world.clock.advance(250);
        return acted;
      })
      .toEqual([{ n: 2 }]);
    await world.clock.advance(100_000);
    expect(await accepted.ended).toMatchObject({ status: 'completed' });
  });

  test('gets what it was given after a crash between the answer and the start', async () => {
    const { runId } = await run(line, [{ node: 'second' }]);
    // The answer is on disk, and its process has ended.
    const answer = { action: 'edit', value: { text: 'kept' }, by: 'Kim' } as const;
    world.store.requests.give(runId, { name: 'second', answer });
    await reopen();
    expect(await letGo(runId, {})).toMatchObject({ status: 'completed' });
    expect([acted[0], stateOf(runId).nodes.get('second')?.edited?.by]).toEqual([{ text: 'kept' }, 'Kim']);
  });
});
