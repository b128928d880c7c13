/** Tests pausing runs: what is held, what finishes, and how a paused run continues. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { testNode } from '../../testing/test-node.ts';

/** Ends the waiting nodes named `gate`, by their input. */
let gates: Map<unknown, () => void>;
let folder: string;
let worlds: TestExecutor[];
let world: TestExecutor;

const gate = testNode('gate', ({ input }) => {
  const ends = new Promise<void>((resolve) => gates.set(input['of'], resolve));
  return ends.then(() => input);
});

async function open(): Promise<TestExecutor> {
  const registry = createNodeRegistry([...builtinNodes, gate]);
  const file = path.join(folder, 'runs.db');
  const opened = await createTestExecutor({
    registry,
    openStore: (context) => openRunStore({ file, ...context }),
    idPrefix: `run${worlds.length}-`,
  });
  worlds.push(opened);
  return opened;
}

beforeEach(async () => {
  gates = new Map();
  worlds = [];
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-pause-'));
  world = await open();
});
afterEach(async () => {
  for (const end of gates.values()) end();
  for (const opened of worlds) await opened.close();
  rmSync(folder, { recursive: true });
});

/** Names of nodes that have started in a run, in order, as `loop[0].a` in loops and `call/a` in called flows. */
function started(runId: RunId, of = world): readonly string[] {
  return of.store.readEvents(runId, -1, 10_000).flatMap(({ event, rootRunId }) => {
    if (event.type !== 'task:start' || event.nodeId === undefined) return [];
    return event.resumed === true ? [] : [rootRunId === undefined ? event.nodeId : `called ${event.nodeId}`];
  });
}

const waits = (runId: RunId) => {
  const { status, waitStatus } = world.store.getRun(runId) ?? {};
  return [status, waitStatus];
};
const lastOf = (runId: RunId) => world.store.readEvents(runId, -1, 10_000).at(-1)?.event;

/** Starts a run, and returns it when its first gate waits. */
async function atGate(text: string): Promise<{ readonly runId: RunId; readonly ended: Promise<unknown> }> {
  const accepted = await world.run(text);
  await expect.poll(() => gates.size).toBeGreaterThan(0);
  return accepted;
}

function openGate(of: unknown = 'g'): void {
  gates.get(of)?.();
  gates.delete(of);
}

const line = `
flow: { name: line }
nodes:
  - { id: first, type: gate, input: { of: g } }
  - { id: second, type: echo, input: { text: "{{first.of}}" } }
  - { id: third, type: echo, input: { text: "{{second.text}}" } }
edges: [{ from: first, to: second }, { from: second, to: third }]`;

describe('13.5 a paused run', () => {
  test('finishes what runs, starts nothing new, and is suspended as paused', async () => {
    const { runId, ended } = await atGate(line);
    await world.executor.pauseRun(runId);
    expect(waits(runId)).toEqual(['running', undefined]);
    openGate();
    expect(await ended).toMatchObject({ status: 'suspended' });
    expect(waits(runId)).toEqual(['suspended', 'PAUSED']);
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'paused', nodeId: 'second' });
    expect(started(runId)).toEqual(['first']);
  });

  test('continues, and the log says who let it', async () => {
    const { runId, ended } = await atGate(line);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    const accepted = await world.executor.resumeRun({ runId, action: 'continue', by: 'Kim' });
    expect(await accepted.ended).toMatchObject({ status: 'completed' });
    const events = world.store.readEvents(runId, -1, 1000);
    expect(events.map(({ event }) => event)).toContainEqual({ type: 'run:resumed', action: 'continue', by: 'Kim' });
    expect(events.at(-1)?.event).toMatchObject({ type: 'run:end', output: { third: { text: 'g' } } });
    expect(openScopes(events)).toEqual([]);
    expect(started(runId)).toEqual(['first', 'second', 'third']);
  });

  test('takes one step after the other, in the order of the runner', async () => {
    const { runId, ended } = await atGate(line);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    for (const [step, status] of [
      ['second', 'suspended'],
      ['third', 'completed'],
    ]) {
      const accepted = await world.executor.resumeRun({ runId, action: 'step' });
      expect(await accepted.ended).toMatchObject({ status });
      expect(started(runId).at(-1)).toBe(step);
    }
    await expect(world.executor.resumeRun({ runId, action: 'step' })).rejects.toMatchObject({
      code: 'run.invalid-state',
    });
  });

  test('continues at once if something in it still runs', async () => {
    const both = `
flow: { name: both, policy: { maxParallel: 2 } }
nodes:
  - { id: long, type: gate, input: { of: long } }
  - { id: short, type: gate, input: { of: short } }
  - { id: next, type: echo, input: { text: "{{short.of}}" } }
edges: [{ from: short, to: next }]`;
    const { runId, ended } = await world.run(both);
    await expect.poll(() => gates.size).toBe(2);
    await world.executor.pauseRun(runId);
    openGate('short');
    await expect.poll(() => started(runId).length).toBe(2);
    await world.executor.resumeRun({ runId, action: 'continue' });
    await expect.poll(() => started(runId)).toEqual(['long', 'short', 'next']);
    openGate('long');
    expect(await ended).toMatchObject({ status: 'completed' });
    expect(world.store.readEvents(runId, -1, 1000).some(({ event }) => event.type === 'run:suspended')).toBe(false);
  });

  test('goes past nodes that are skipped, because they start nothing', async () => {
    const skipping = `
flow: { name: skipping }
nodes:
  - { id: first, type: gate, input: { of: g } }
  - { id: never, type: echo, input: { text: x }, when: { equals: { var: first.of, value: other } } }
  - { id: last, type: echo, input: { text: y } }
edges: [{ from: first, to: never }, { from: first, to: last }]`;
    const { runId, ended } = await atGate(skipping);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    expect(lastOf(runId)).toMatchObject({ reason: 'paused', nodeId: 'last' });
    const { ended: end } = await world.executor.resumeRun({ runId, action: 'step' });
    expect(await end).toMatchObject({ status: 'completed' });
  });

  test('holds the items of loops, and steps through them', async () => {
    const loop = `
flow: { name: loop }
nodes:
  - { id: first, type: gate, input: { of: g } }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [a, b] } }
  - { id: a, type: echo, input: { text: "{{item}}" } }
  - { id: b, type: echo, input: { text: "{{a.text}}" } }
edges: [{ from: first, to: each }, { from: a, to: b }]`;
    const { runId, ended } = await atGate(loop);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    const order = ['each', 'each[0].a', 'each[0].b', 'each[1].a', 'each[1].b'];
    for (const [index, name] of order.entries()) {
      const accepted = await world.executor.resumeRun({ runId, action: 'step' });
      const isLast = index === order.length - 1;
      expect(await accepted.ended, name).toMatchObject({ status: isLast ? 'completed' : 'suspended' });
      expect(started(runId)).toEqual(['first', ...order.slice(0, index + 1)]);
    }
  });

  test('holds called flows, in this process and after it', async () => {
    world.texts.set('inner.flow.yaml', line.replace('name: line', 'name: inner'));
    const outer = `
flow: { name: outer }
nodes:
  - { id: call, type: flow, input: { flow: inner.flow.yaml } }
  - { id: after, type: echo, input: { text: x } }
edges: [{ from: call, to: after }]`;
    const { runId, ended } = await atGate(outer);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    expect(waits(runId)).toEqual(['suspended', 'PAUSED']);
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'paused', nodeId: 'call/second' });
    const step = await world.executor.resumeRun({ runId, action: 'step' });
    expect(await step.ended).toMatchObject({ status: 'suspended' });
    expect(started(runId)).toEqual(['call', 'called first', 'called second']);
    const rest = await world.executor.resumeRun({ runId, action: 'continue' });
    expect(await rest.ended).toMatchObject({ status: 'completed' });
    expect(started(runId)).toEqual(['call', 'called first', 'called second', 'called third', 'after']);
    expect(openScopes(world.store.readEvents(runId, -1, 1000))).toEqual([]);
  });

  test('can be cancelled', async () => {
    const { runId, ended } = await atGate(line);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    world.executor.cancelRun(runId);
    await expect.poll(() => world.store.getRun(runId)?.status).toBe('cancelled');
  });

  test('stays paused when a request in it is answered', async () => {
    const asking = `
flow: { name: asking }
nodes:
  - { id: ask, type: human_approval, input: { title: Go on? } }
  - { id: first, type: gate, input: { of: g } }
  - { id: other, type: echo, input: { text: x } }
  - { id: next, type: echo, input: { text: y } }
edges: [{ from: first, to: other }, { from: ask, to: next }]`;
    const { runId, ended } = await atGate(asking);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    expect(waits(runId)).toEqual(['suspended', 'PAUSED']);
    const answered = await world.executor.resumeRun({ runId, nodeId: 'ask', payload: { approved: true } });
    await answered.ended;
    expect(waits(runId)).toEqual(['suspended', 'PAUSED']);
    expect(started(runId)).toEqual(['ask', 'first']);
    const rest = await world.executor.resumeRun({ runId, action: 'continue' });
    expect(await rest.ended).toMatchObject({ status: 'completed' });
  });
});

describe('13.14 a run of another process', () => {
  test('is paused, stepped and continued by its owner', async () => {
    const other = await open();
    const { runId, ended } = await atGate(line.replace('type: echo, input: {', 'type: gate, input: { of: g,'));
    await other.executor.pauseRun(runId);
    await expect.poll(() => passTime()).toBe(true);
    openGate();
    expect(await ended).toMatchObject({ status: 'suspended' });
    await other.executor.resumeRun({ runId, action: 'step' });
    await expect.poll(() => gates.size).toBe(1);
    expect(lastOf(runId)).toMatchObject({ type: 'run:resumed', action: 'step' });
    // The second process owns the run now.
    await world.executor.resumeRun({ runId, action: 'continue' });
    await expect.poll(() => passTime(other)).toBe(false);
    openGate();
    await expect.poll(() => world.store.getRun(runId)?.status).toBe('completed');
    expect(started(runId)).toEqual(['first', 'second', 'third']);

    async function passTime(owner = world): Promise<boolean> {
      await owner.clock.advance(250);
      return world.store.requests.has(runId, 'pause');
    }
  });
});

test('only a run that is queued or running can be paused, and only a paused one let go', async () => {
  const { runId, ended } = await atGate(line);
  const invalid = expect.objectContaining({ code: 'run.invalid-state' });
  await expect(world.executor.resumeRun({ runId, action: 'continue' })).rejects.toEqual(invalid);
  openGate();
  await ended;
  await expect(world.executor.pauseRun(runId)).rejects.toEqual(invalid);
});

describe('13.5 a paused agent', () => {
  const agent = [
    '# Data',
    '```lua',
    'return { data = input }',
    '```',
    '# Output',
    '```lua',
    'return data',
    '```',
    '# After All',
    '```lua',
    'return #outputs',
    '```',
  ].join('\n');

  test('holds inputs and After All, also below a flow', async () => {
    world.texts.set('a.aip', agent);
    const flow = `
flow: { name: agents }
nodes:
  - { id: first, type: gate, input: { of: g } }
  - { id: call, type: agent, input: { agent: a.aip, inputs: [1, 2] } }
edges: [{ from: first, to: call }]`;
    const { runId, ended } = await atGate(flow);
    await world.executor.pauseRun(runId);
    openGate();
    await ended;
    const places: unknown[] = [];
    for (let status = 'suspended'; status === 'suspended' && places.length < 10; ) {
      places.push((lastOf(runId) as { readonly nodeId?: string }).nodeId);
      const step = await world.executor.resumeRun({ runId, action: 'step' });
      status = ((await step.ended) as { readonly status: string }).status;
    }
    expect(places).toEqual(['call', 'call/input:0', 'call/input:1', 'call/AfterAll']);
    expect(world.store.getRun(runId)?.status).toBe('completed');
    expect(openScopes(world.store.readEvents(runId, -1, 1000))).toEqual([]);
  });
});
