/** Tests reruns in which a person gives nodes their outputs. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { actNode } from '../../testing/test-node.ts';
import type { RerunFrom } from '../executor/start-request.ts';

let world: TestExecutor;
/** Inputs with which the nodes of type `act` have run. */
let acted: unknown[];

beforeEach(async () => {
  acted = [];
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, actNode(acted)]) });
});
afterEach(() => world.close());

const flow = `
flow: { name: branching, policy: { maxParallel: 1 } }
nodes:
  - { id: before, type: act, input: { n: 1 } }
  - { id: kind, type: echo, input: { text: "x{{before.n}}" } }
  - { id: left, type: act, input: { of: "{{kind.text}}" } }
  - { id: right, type: act, input: { of: "{{kind.text}}" } }
  - { id: other, type: act, input: { beside: true, n: "{{before.n}}" } }
edges:
  - { from: before, to: kind }
  - { from: before, to: other }
  - { from: kind, to: left, when: { equals: { var: kind.text, value: x1 } } }
  - { from: kind, to: right, when: { equals: { var: kind.text, value: y } } }`;

const loop = `
flow: { name: loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [draft] } }
  - { id: draft, type: echo, input: { text: "{{item}}" } }
  - { id: call, type: flow, input: { flow: called.flow.yaml } }
edges: [{ from: each, to: call }]`;

const steps = 'id: steps\nsteps: [{ id: first, type: human_approval, message: "Go?" }]\n';

async function ran(text: string): Promise<RunId> {
  world.texts.set('a.flow.yaml', text);
  const run = await world.run(text);
  await run.ended;
  acted.length = 0;
  return run.runId;
}

async function rerun(request: RerunFrom) {
  const run = await world.executor.rerunFrom(request);
  return { runId: run.runId, end: await run.ended };
}

const eventsOf = (runId: RunId): readonly RunEvent[] =>
  world.store.readEvents(runId, -1, 1000).map(({ event }) => event);

const stateOf = (runId: RunId) => foldRun(emptyRunState, world.store.readEvents(runId, -1, 1000));

test('13.14 the node gets the output instead of running, other edges fire, and the log says who gave it', async () => {
  const runId = await ran(flow);
  const given = { kind: { text: 'y' } };
  const plan = await world.executor.plans.planRerun({ runId, given });
  expect(plan.map(({ nodeId, fate }) => `${nodeId} ${fate}`)).toEqual([
    'before reused',
    'kind given',
    'left runs',
    'right runs',
    'other reused',
  ]);
  const again = await rerun({ runId, given, by: 'Kim' });
  expect(again.end.status).toBe('completed');
  expect(acted).toEqual([{ of: 'y' }]);
  const { nodes, skippedEdges, pinned } = stateOf(again.runId);
  const change = { by: 'Kim', before: { text: 'x1' } };
  expect(nodes.get('kind')).toMatchObject({ status: 'reused', output: { text: 'y' }, given: change });
  expect([[...skippedEdges], pinned]).toEqual([['kind->left'], ['kind']]);
  expect(eventsOf(again.runId)).toContainEqual(
    expect.objectContaining({ type: 'node:reused', nodeId: 'kind', pin: true, given: change }),
  );
});

test('13.14 it counts for this run only: later runs neither get it nor reuse it', async () => {
  const runId = await ran(flow);
  const again = await rerun({ runId, given: { kind: { text: 'y' } } });
  const { end, runId: third } = await rerun({ runId: again.runId });
  expect(end.status).toBe('completed');
  expect(stateOf(third).nodes.get('kind')).toMatchObject({ output: { text: 'x1' } });
  expect(stateOf(third).nodes.get('kind')?.given).toBeUndefined();
});

test('13.14 a crash after the start of the rerun does not lose it', async () => {
  const runId = await ran(flow);
  const { runId: whole } = await rerun({ runId, given: { kind: { text: 'y' } } });
  acted.length = 0;
  const lineage = { rerunOf: runId };
  const after = (event: RunEvent): boolean => event.type === 'node:reused';
  const cut = await cutRun(world, { text: flow, of: whole, after, lineage });
  const { ended: end } = await world.executor.resumeRun({ runId: cut });
  expect((await end).status).toBe('completed');
  const { nodes } = stateOf(cut);
  expect(nodes.get('kind')).toMatchObject({ output: { text: 'y' }, given: { before: { text: 'x1' } } });
  expect([nodes.get('left')?.status, nodes.get('right')?.output]).toEqual(['skipped', { of: 'y' }]);
});

describe('13.14 an output is refused before anything is recorded', () => {
  const refusalOf = async (text: string, given: Readonly<Record<string, JsonValue>>) => {
    const called = 'flow: { name: called }\nnodes: [{ id: inner, type: echo, input: { text: in } }]\nedges: []\n';
    world.texts.set('called.flow.yaml', called);
    const runId = await ran(text);
    const refused = await rerun({ runId, given }).catch((error: unknown) => error);
    expect(world.store.listRuns({ limit: 10 })).toHaveLength(1);
    return refused;
  };

  test.each([
    { of: 'of another shape', text: flow, id: 'kind', output: {}, refusal: ['node.bad-output', /output\.text/] },
    { of: 'of an unknown node', text: flow, id: 'kidn', refusal: ['node.not-found', /kind/] },
    { of: 'of a node in a loop', text: loop, id: 'draft', refusal: ['node.in-loop', /Change the output of "each"/] },
    { of: 'of one item', text: loop, id: 'each[1].draft', refusal: ['node.in-loop', /Change the output of "each"/] },
    { of: 'of a called flow', text: loop, id: 'call/inner', refusal: ['node.in-call', /Change the output of "call"/] },
    { of: 'of a step', text: steps, id: 'first', refusal: ['step.not-alone', /given/] },
  ] as const)('$of', async ({ text, id, refusal: [code, message], ...other }) => {
    const refused = await refusalOf(text, { [id]: 'output' in other ? other.output : { text: 'y' } });
    expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('of an agent', async () => {
    world.texts.set('a.agent.md', '# Data\n```lua\nreturn input\n```\n');
    const started = await world.executor.startAgent({ agent: 'a.agent.md', inputs: [1] });
    if (!('ended' in started)) throw new Error('The agent must start');
    await started.ended;
    await expect(rerun({ runId: started.runId, given: { 'input:0': 1 } })).rejects.toMatchObject({
      ...{ code: 'run.invalid-state', message: expect.stringMatching(/nodes of a flow/) },
    });
  });
});
