/** What running a node alone would take, and running a part of a flow again. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import { cutRun } from '../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../testing/executor-world.ts';
import { testNode } from '../testing/test-node.ts';
import type { StartRun } from './flow-jobs.ts';

const path = 'a.flow.yaml';
/** `load` → `clean` → `send`, which acts outside and reads more than the edge says; `side` is on its own. */
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

describe('BB-45 what a node alone would take', () => {
  test('is all missing before the first run, a field of each output and of the inputs', async () => {
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

  test('comes from pins, then from the latest run, with its inputs', async () => {
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

  test('of a loop is what its body reads, once, and what its body does counts', async () => {
    expect(await plan('each')).toMatchObject({ missing: [['load', 'text']], actsOutside: true });
    expect(await plan('clean')).toMatchObject({ missing: [['load', 'text']], actsOutside: false });
  });

  test.each([
    ['nobody', 'node.not-found'],
    ['one', 'node.in-loop'],
  ])('%s is refused with %s', async (nodeId, code) => {
    expect(await plan(nodeId).catch(toErrorRecord)).toMatchObject({ code });
  });
});

describe('BB-47 a pin holds as long as it is there', () => {
  test('what was pinned is no output of its node later', async () => {
    await ran({ pins: { load: { text: 'pinned' } }, part: { to: 'clean' } });
    expect(await world.executor.plans.latestOutput({ path, nodeId: 'load' })).toBeUndefined();
    expect((await world.executor.plans.latestOutput({ path, nodeId: 'clean' }))?.output).toEqual({
      text: 'pinned clean',
    });
    expect(await plan('clean')).toMatchObject({ missing: [['load', 'text']] });
    expect(await ran({ part: { only: 'clean' } }).catch(toErrorRecord)).toMatchObject({ code: 'run.missing-outputs' });
  });

  test('the history says of a run what of its flow it was about, and what was pinned', async () => {
    await ran({ pins: { load: { text: 'x' } }, part: { to: 'clean' } });
    await ran({ part: { only: 'side' } });
    await ran({ part: { to: 'side' } });
    const [to, only, pinned] = world.store.listRuns({ limit: 3 });
    expect(pinned).toMatchObject({ scope: { to: 'clean' }, pinned: ['load'] });
    expect([only?.scope, only?.pinned, to?.scope]).toEqual([{ only: 'side' }, undefined, { to: 'side' }]);
  });
});

describe('BB-48 one that was cut before it had begun', () => {
  test('does not go on as a run of the whole flow; it can be started anew or cancelled', async () => {
    const part = await ran({ part: { only: 'load' } });
    const { nodeSettings = {} } = world.store.getRun(part) ?? {};
    const cut = await cutRun(world, { text: flow, lineage: { nodeSettings } });
    acted.length = 0;
    const refusal = await world.executor.resumeRun({ runId: cut }).catch(toErrorRecord);
    expect(refusal).toMatchObject({ code: 'run.invalid-state', message: expect.stringContaining('Start it anew') });
    world.executor.cancelRun(cut);
    await vi.waitFor(() => expect(world.store.getRun(cut)?.status).toBe('cancelled'), 20_000);
    expect(acted).toEqual([]);
  });

  test('neither does one whose pins were not told yet', async () => {
    const pinned = await ran({ pins: { load: { text: 'x' } }, part: { to: 'clean' } });
    const cut = await cutRun(world, { text: flow, of: pinned, after: ({ type }) => type === 'run:start' });
    acted.length = 0;
    const refusal = await world.executor.resumeRun({ runId: cut }).catch(toErrorRecord);
    expect([acted, refusal]).toEqual([[], expect.objectContaining({ code: 'run.invalid-state' })]);
  });
});

describe('BB-46 up to a node, with what is there', () => {
  const again = (runId: Awaited<ReturnType<typeof ran>>, more: Partial<StartRun> = {}) => ({
    runId,
    text: flow,
    part: { to: 'send' },
    ...more,
  });
  const full = flow.replace(' {{clean.list[2].name}}', '').replace(' {{flow.input.page}}', '');

  test('takes over what nothing has changed for, as the plan says, and nothing beside it runs', async () => {
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

  test('a pinned node is in the plan, and those behind it run with what it gives', async () => {
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

  test('what was pinned before runs again once it is not', async () => {
    const first = await ran({ text: full, pins: { clean: { text: 'mine' } } });
    const steps = await world.executor.plans.planRerun(again(first, { text: full }));
    expect(steps.find(({ nodeId }) => nodeId === 'clean')).toMatchObject({
      fate: 'runs',
      why: 'its output was pinned before',
    });
  });

  test('one that was cut goes on with what it had taken over', async () => {
    const first = await ran({ text: full });
    const changed = full.replace('{{load.text}} clean', '{{load.text}} cleaner');
    const second = await world.executor.rerunFrom(again(first, { text: changed }));
    await second.ended;
    const cut = await cutRun(world, {
      text: changed,
      of: second.runId,
      after: (event) => event.type === 'node:reused' && event.nodeId === 'load',
    });
    // Else the run that was cut would take what this one gave.
    await world.executor.deleteRun(second.runId);
    acted.length = 0;
    await (await world.executor.resumeRun({ runId: cut })).ended;
    expect(acted).toEqual(['clean', 'send']);
  });
});
