/** Tests outputs that a person changes in a paused run. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { Breakpoint, PauseAction } from '../../runtime/kernel/hub/run-pause.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { actNode } from '../../testing/test-node.ts';

let world: TestExecutor;
/** Inputs with which the nodes of type `act` have run. */
let acted: unknown[];

beforeEach(async () => {
  acted = [];
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, actNode(acted)]) });
});
afterEach(() => world.close());

const invalid = expect.objectContaining({ code: 'run.invalid-state' });
const eventsOf = (runId: RunId) => world.store.readEvents(runId, -1, 10_000);

async function run(text: string, breakpoints: readonly Breakpoint[]) {
  const request = { path: 'a.flow.yaml', text, inputs: {}, breakpoints: { 'a.flow.yaml': breakpoints } };
  const { runId, ended } = await world.executor.startRun(request);
  return { runId, end: await ended };
}

async function letGo(runId: RunId, decision: { readonly action: PauseAction }) {
  return await (await world.executor.resumeRun({ runId, ...decision })).ended;
}

const line = `
flow: { name: line }
nodes:
  - { id: first, type: echo, input: { text: one } }
  - { id: second, type: act, input: { text: "{{first.text}}", n: 2 } }
  - { id: third, type: act, input: { text: "{{second.text}}!" } }
edges: [{ from: first, to: second }, { from: second, to: third }]`;

describe('13.5 the output of a completed node of a paused run', () => {
  const branching = `
flow: { name: branching }
nodes:
  - { id: start, type: act, input: { kind: x } }
  - { id: wait, type: echo, input: { text: "{{start.kind}}" } }
  - { id: left, type: act, input: { of: "{{start.kind}}" } }
  - { id: right, type: act, input: { of: "{{start.kind}}" } }
edges:
  - { from: start, to: wait }
  - { from: start, to: left, when: { equals: { var: start.kind, value: x } } }
  - { from: start, to: right, when: { equals: { var: start.kind, value: y } } }
  - { from: wait, to: left }
  - { from: wait, to: right }`;

  test('is changed, so that other edges fire, and the log says who changed what', async () => {
    const { runId } = await run(branching, [{ node: 'wait' }]);
    const seen: string[] = [];
    world.executor.subscribe((events) => seen.push(...events.map(({ event }) => event.type)));
    await world.executor.changeOutput({ runId, nodeId: 'start', output: { kind: 'y' }, by: 'Kim' });
    // The log contains it at once.
    const { nodes: known, pause } = foldRun(emptyRunState, eventsOf(runId));
    expect([known.get('start')?.output, pause?.nextNode, seen]).toEqual([{ kind: 'y' }, 'wait', ['node:reused']]);
    expect(world.store.getRun(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PAUSED' });
    expect(await letGo(runId, { action: 'step' })).toMatchObject({ status: 'suspended' });
    expect(await letGo(runId, { action: 'continue' })).toMatchObject({ status: 'completed' });
    const { nodes, firedEdges, skippedEdges } = foldRun(emptyRunState, eventsOf(runId));
    expect(nodes.get('start')).toMatchObject({ output: { kind: 'y' }, given: { by: 'Kim', before: { kind: 'x' } } });
    expect([nodes.get('wait')?.output, nodes.get('right')?.output]).toEqual([{ text: 'y' }, { of: 'y' }]);
    expect([...firedEdges].includes('start->left')).toBe(false);
    expect([...skippedEdges]).toEqual(['start->left']);
    const changes = eventsOf(runId).filter(({ event }) => event.type === 'node:reused');
    expect([changes.length, openScopes(eventsOf(runId))]).toEqual([1, []]);
  });

  test('is changed in an item of a loop and in a called flow, more than once, also if it is large', async () => {
    world.texts.set('inner.flow.yaml', line.replace('name: line', 'name: inner'));
    const outer = `
flow: { name: outer, outputs: { all: "{{each.iterations}}" } }
nodes:
  - { id: each, type: control.foreach, input: { items: [p, q], body: [say, call] } }
  - { id: say, type: echo, input: { text: "{{item}}" } }
  - { id: call, type: flow, input: { flow: inner.flow.yaml } }
edges: [{ from: say, to: call }]`;
    world.executor.breakpoints.set('inner.flow.yaml', [{ node: 'second' }]);
    const { runId } = await run(outer, [{ node: 'call', item: 2 }]);
    const change = (nodeId: string, text: string) =>
      world.executor.changeOutput({ runId, nodeId, output: { text }, by: 'Kim' });
    await expect(change('each[0].say', 'x')).rejects.toThrow(/already used by each\[0\]\.call/);
    await change('each[0].call/first', 'other');
    await letGo(runId, { action: 'continue' });
    const long = 'x'.repeat(100_000);
    await change('each[1].say', 'first try');
    await change('each[1].say', long);
    await letGo(runId, { action: 'continue' });
    await change('each[1].call/first', 'again');
    expect(await letGo(runId, { action: 'continue' })).toMatchObject({ status: 'completed' });
    expect(acted.map((input) => (input as { text: string }).text)).toEqual(['other', 'other!', 'again', 'again!']);
    const said = foldRun(emptyRunState, eventsOf(runId)).nodes.get('each[1].say');
    expect(said).toMatchObject({ output: { $value: expect.any(String) }, given: { before: { text: 'first try' } } });
    expect(openScopes(eventsOf(runId))).toEqual([]);
  });

  test('cannot be changed once others have used it, which are named, or before it has completed', async () => {
    const { runId } = await run(line, [{ node: 'third' }]);
    const change = (nodeId: string, output: unknown) =>
      world.executor.changeOutput({ runId, nodeId, output: output as never });
    await expect(change('first', { text: 'x' })).rejects.toMatchObject({
      ...{ code: 'run.invalid-state', message: expect.stringMatching(/already used by second\. Run it again with/) },
    });
    await expect(change('third', { text: 'x' })).rejects.toEqual(invalid);
    await change('second', { text: 'new' });
    await letGo(runId, { action: 'continue' });
    expect(acted.at(-1)).toEqual({ text: 'new!' });
    await expect(change('second', { text: 'late' })).rejects.toEqual(invalid);
  });
});
