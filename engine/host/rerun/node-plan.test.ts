/** Tests the plan for running a single node, and running a part of a flow again. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import type { StartRun } from '../executor/start-request.ts';

const path = 'a.flow.yaml';
/** `load` → `clean` → `send`, which has an outside effect and reads more than its edge implies; `side` has no edges. */
const flow = `
flow: { name: f, input: { who: you, page: null } }
nodes:
  - { id: load, type: act, input: { text: "{{flow.input.who}}" } }
  - { id: clean, type: act, input: { text: "{{load.text}} clean" } }
  - { id: side, type: act, input: { text: side } }
  - { id: send, type: post, input: { text: "{{clean.text}} to {{?side.text}} {{clean.list[2].name}} {{flow.input.page}} {{flow.input.who}}" } }
  - { id: each, type: control.foreach, input: { items: [1], body: [one] } }
  - { id: one, type: post, input: { text: "{{item}} {{load.text}} {{load.text}}" } }
edges:
  - { from: load, to: clean }
  - { from: clean, to: send }
  - { from: load, to: each }`;

let world: TestExecutor;
let acted: string[];

beforeEach(async () => {
  acted = [];
  const run = async ({ nodeId, input }: { nodeId: string; input: Record<string, unknown> }) => {
    acted.push(nodeId);
    return { text: String(input['text']) };
  };
  const act = testNode('act', run, 'pure');
  const post = testNode('post', run, 'external');
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, act, post]) });
});
afterEach(() => world.close());

async function ran(asked: Partial<StartRun> = {}) {
  const { runId, ended } = await world.executor.startRun({ path, text: flow, inputs: {}, ...asked });
  await ended;
  return runId;
}

const plan = (nodeId: string, pins: Record<string, JsonValue> = {}, text = flow) =>
  world.executor.plans.planNode({ path, text, nodeId, pins });

describe('BB-45 what a single node needs', () => {
  test('lists each field of outputs and inputs as missing before the first run', async () => {
    expect(await plan('send')).toEqual({
      inputs: {},
      sources: [],
      missing: [
        ['clean', 'text'],
        ['clean', 'list'],
        ['flow', 'input', 'page'],
      ],
      known: {},
      actsOutside: true,
    });
    expect(acted).toEqual([]);
  });

  test('takes values from pins, then from the latest run and its inputs', async () => {
    const runId = await ran({ inputs: { page: 7 }, part: { to: 'clean' } });
    const found = await plan('send', { side: { text: 'mine' } });
    expect(found).toMatchObject({
      inputs: { page: 7 },
      sources: [{ nodeId: 'clean', fromRunId: runId }, { nodeId: 'side' }],
      missing: [['clean', 'list']],
      known: { clean: { text: 'you clean' } },
    });
    expect(found).not.toHaveProperty('input');
    const whole = await plan('send', { clean: { text: 'x', list: [0, 1, { name: 'n' }] } });
    expect(whole).toMatchObject({ missing: [], known: {}, input: { text: 'x to  n 7 you' } });
  });

  test('for a loop, lists once what its body reads, and includes effects of its body', async () => {
    expect(await plan('each')).toMatchObject({ missing: [['load', 'text']], actsOutside: true });
    expect(await plan('clean')).toMatchObject({ missing: [['load', 'text']], actsOutside: false });
  });

  test.each([
    ['nobody', 'node.not-found'],
    ['one', 'node.in-loop'],
  ])('rejects %s with %s', async (nodeId, code) => {
    expect(await plan(nodeId).catch(toErrorRecord)).toMatchObject({ code });
  });
});

describe('BB-47 a pin applies only while it is set', () => {
  test('a pinned value does not count later as an output of its node', async () => {
    await ran({ pins: { load: { text: 'pinned' } }, part: { to: 'clean' } });
    expect(await world.executor.plans.latestOutput({ path, nodeId: 'load' })).toBeUndefined();
    expect((await world.executor.plans.latestOutput({ path, nodeId: 'clean' }))?.output).toEqual({
      text: 'pinned clean',
    });
    expect(await plan('clean')).toMatchObject({ missing: [['load', 'text']] });
    expect(await ran({ part: { only: 'clean' } }).catch(toErrorRecord)).toMatchObject({ code: 'run.missing-outputs' });
  });

  test('the history records which part of its flow a run executed, and its pins', async () => {
    await ran({ pins: { load: { text: 'x' } }, part: { to: 'clean' } });
    await ran({ part: { only: 'side' } });
    await ran({ part: { to: 'side' } });
    const [to, only, pinned] = world.store.listRuns({ limit: 3 });
    expect(pinned).toMatchObject({ scope: { to: 'clean' }, pinned: ['load'] });
    expect([only?.scope, only?.pinned, to?.scope]).toEqual([{ only: 'side' }, undefined, { to: 'side' }]);
  });
});

describe('BB-48 a run that was interrupted before it started', () => {
  test('is not resumed as a run of the whole flow; it can be started again or canceled', async () => {
    const part = await ran({ part: { only: 'load' } });
    const { nodeSettings = {} } = world.store.getRun(part) ?? {};
    const cut = await cutRun(world, { text: flow, lineage: { nodeSettings } });
    acted.length = 0;
    const refusal = await world.executor.resumeRun({ runId: cut }).catch(toErrorRecord);
    expect(refusal).toMatchObject({ code: 'run.invalid-state', message: expect.stringContaining('Start it again') });
    world.executor.cancelRun(cut);
    await vi.waitFor(() => expect(world.store.getRun(cut)?.status).toBe('cancelled'), 20_000);
    expect(acted).toEqual([]);
  });

  test('is not resumed if its pins were not recorded yet', async () => {
    const pinned = await ran({ pins: { load: { text: 'x' } }, part: { to: 'clean' } });
    const cut = await cutRun(world, { text: flow, of: pinned, after: ({ type }) => type === 'run:start' });
    acted.length = 0;
    const refusal = await world.executor.resumeRun({ runId: cut }).catch(toErrorRecord);
    expect([acted, refusal]).toEqual([[], expect.objectContaining({ code: 'run.invalid-state' })]);
  });
});

describe('BB-46 up to a node, with existing results', () => {
  const again = (runId: Awaited<ReturnType<typeof ran>>, more: Partial<StartRun> = {}) => ({
    runId,
    text: flow,
    part: { to: 'send' },
    ...more,
  });
  const full = flow.replace(' {{clean.list[2].name}}', '').replace(' {{flow.input.page}}', '');

  test('reuses results that are unchanged, as planned, and runs no other node', async () => {
    const first = await ran({ text: full, part: { to: 'clean' } });
    acted.length = 0;
    const asked = again(first, { text: full });
    const fates = (await world.executor.plans.planRerun(asked)).map(({ nodeId, fate }) => [nodeId, fate]);
    expect(fates).toEqual([
      ['load', 'reused'],
      ['clean', 'reused'],
      ['side', 'runs'],
      ['send', 'runs'],
    ]);
    const { runId, ended } = await world.executor.rerunFrom(asked);
    expect((await ended).status).toBe('completed');
    expect(acted).toEqual(['side', 'send']);
    const event = world.store.readEvents(runId, -1, 1)[0]?.event;
    expect(event).toMatchObject({ rerunOf: first, scope: { to: 'send' } });
    expect(event).not.toHaveProperty('rerunFromNode');
  });

  test('the plan includes a pinned node, and nodes after it run with the pinned output', async () => {
    const first = await ran({ text: full });
    acted.length = 0;
    const asked = again(first, { text: full, pins: { clean: { text: 'mine' } } });
    const fates = (await world.executor.plans.planRerun(asked)).map(({ nodeId, fate }) => [nodeId, fate]);
    expect(fates).toEqual([
      ['clean', 'pinned'],
      ['side', 'reused'],
      ['send', 'runs'],
    ]);
    await (await world.executor.rerunFrom(asked)).ended;
    expect(acted).toEqual(['send']);
  });

  test('runs a node again once it is no longer pinned', async () => {
    const first = await ran({ text: full, pins: { clean: { text: 'mine' } } });
    const steps = await world.executor.plans.planRerun(again(first, { text: full }));
    expect(steps.find(({ nodeId }) => nodeId === 'clean')).toMatchObject({
      fate: 'runs',
      why: 'its output was pinned before',
    });
  });

  test('an interrupted run resumes with the results that it had reused', async () => {
    const first = await ran({ text: full });
    const changed = full.replace('{{load.text}} clean', '{{load.text}} cleaner');
    const second = await world.executor.rerunFrom(again(first, { text: changed }));
    await second.ended;
    const cut = await cutRun(world, {
      text: changed,
      of: second.runId,
      after: (event) => event.type === 'node:reused' && event.nodeId === 'load',
    });
    // Otherwise the interrupted run would reuse results of this one.
    await world.executor.deleteRun(second.runId);
    acted.length = 0;
    await (await world.executor.resumeRun({ runId: cut })).ended;
    expect(acted).toEqual(['clean', 'send']);
  });
});
