/**
 * Tests that interrupted agent runs resume by input: completed inputs are neither repeated nor paid for again, and
 * interrupted ones ask.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { CutAgents, flowWithAgent, nthOf, wholeAgent } from '../../testing/cut-agents.ts';
import { openScopes } from '../../testing/open-scopes.ts';

let agents: CutAgents;
beforeEach(async () => {
  agents = await CutAgents.open();
});
afterEach(() => agents.world.close());

describe('an agent interrupted during the model call of its second input', () => {
  let runId: RunId;
  beforeEach(async () => {
    agents.world.texts.set('a.aip', wholeAgent);
    runId = await agents.cut(agents.startAgent(), nthOf('model:request', 2));
  });

  test('asks only about that input, and calls no model before it is answered', async () => {
    expect(await agents.resume(runId)).toMatchObject({ status: 'suspended' });
    expect(agents.asked).toEqual([]);
    const tail = agents.logOf(runId).slice(-3);
    expect(tail.map(({ event }) => event)).toMatchObject([
      { type: 'task:start', taskId: 'input:1', resumed: true },
      { type: 'node:suspended', nodeId: 'input:1', request: { reason: 'operator' } },
      { type: 'run:suspended', reason: 'operator', nodeId: 'input:1' },
    ]);
    const state = agents.stateOf(runId);
    expect(state.nodes.get('input:0')).toMatchObject({ status: 'completed', output: '<a x>!' });
    expect(state.nodes.get('input:1')).toMatchObject({ status: 'suspended' });
    expect(state.nodes.get('input:2')).toBeUndefined();
  });

  test('when approved, repeats that input and runs the later ones and After All; earlier costs count', async () => {
    await agents.resume(runId);
    const end = await agents.resume(runId, { decision: 'approve' });
    expect(end).toMatchObject({ status: 'completed', failedNodes: [] });
    expect(agents.asked).toEqual(['b x', 'c x']);
    const state = agents.stateOf(runId);
    expect(state.output).toEqual({ outputs: ['<a x>!', '<b x>!', '<c x>!'], after_all: 3 });
    expect(agents.logOf(runId).at(-1)?.event).toMatchObject({ usage: { promptTokens: 3 }, costUsd: 1.5 });
    expect(
      agents.logOf(runId).filter(({ event }) => event.type === 'stage:start' && event.stage === 'BeforeAll'),
    ).toHaveLength(1);
    expect(agents.logOf(runId).map(({ seq }) => seq)).toEqual(agents.logOf(runId).map((_, index) => index));
  });

  test('when rejected, the input fails and ends the run, like a failing one', async () => {
    await agents.resume(runId);
    const end = await agents.resume(runId, { decision: 'reject', nodeId: 'input:1' });
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['input:1'], error: { code: 'node.cut' } });
    expect(agents.asked).toEqual([]);
    expect(agents.stateOf(runId).nodes.get('input:1')).toMatchObject({ status: 'failed', error: { code: 'node.cut' } });
  });

  test('accepts no answer before it has asked, nor one for an input that does not wait', async () => {
    await expect(agents.resume(runId, { decision: 'approve' })).rejects.toMatchObject({ code: 'run.invalid-state' });
    await agents.resume(runId);
    const other = agents.resume(runId, { decision: 'approve', nodeId: 'input:0' });
    await expect(other).rejects.toMatchObject({ code: 'run.invalid-state' });
    expect(await agents.resume(runId)).toMatchObject({ status: 'suspended' });
  });

  test('ends as cancelled with its input and phase if it is canceled while it waits', async () => {
    await agents.resume(runId);
    agents.world.executor.cancelRun(runId);
    await expect.poll(() => agents.world.store.getRun(runId)?.status).toBe('cancelled');
    const tail = agents.logOf(runId).slice(-3);
    expect(tail.map(({ event: { type } }) => type)).toEqual(['task:cancelled', 'phase:cancelled', 'run:end']);
  });
});

test('a rejected input that the agent tolerates is an error in the outputs, and the others run', async () => {
  const options = '# Options\n```toml\nallow_run_on_task_fail = true\n```\n';
  agents.world.texts.set('a.aip', `${options}${wholeAgent}`);
  const runId = await agents.cut(agents.startAgent(), nthOf('model:request', 2));
  await agents.resume(runId);
  expect(await agents.resume(runId, { decision: 'reject' })).toMatchObject({
    status: 'completed',
    failedNodes: ['input:1'],
  });
  expect(agents.asked).toEqual(['c x']);
  expect(agents.stateOf(runId).output).toEqual({
    outputs: ['<a x>!', { error: expect.stringContaining('Input 2') }, '<c x>!'],
    after_all: 3,
  });
});

test('inputs interrupted in parallel ask in parallel, and each can be answered separately', async () => {
  agents.world.texts.set('a.aip', `# Options\n\`\`\`toml\ninput_concurrency = 2\n\`\`\`\n${wholeAgent}`);
  const runId = await agents.cut(agents.startAgent(), nthOf('model:request', 2));
  await agents.resume(runId);
  const waiting = () => [...agents.stateOf(runId).nodes.values()].filter(({ status }) => status === 'suspended');
  expect(waiting().map(({ nodeId }) => nodeId)).toEqual(['input:0', 'input:1']);
  expect(await agents.resume(runId, { decision: 'approve', nodeId: 'input:1' })).toMatchObject({ status: 'suspended' });
  expect(agents.asked).toEqual(['b x']);
  expect(waiting().map(({ nodeId }) => nodeId)).toEqual(['input:0']);
  expect(await agents.resume(runId, { decision: 'approve', nodeId: 'input:0' })).toMatchObject({ status: 'completed' });
  expect(agents.asked).toEqual(['b x', 'a x', 'c x']);
});

describe.each([
  ['BeforeAll', 'Before All'],
  ['AfterAll', 'After All'],
] as const)('an agent interrupted inside %s', (stage, phase) => {
  let runId: RunId;
  beforeEach(async () => {
    agents.world.texts.set('a.aip', wholeAgent);
    const isCut = (event: RunEvent): boolean => event.type === 'stage:start' && event.stage === stage;
    runId = await agents.cut(agents.startAgent(), isCut);
    await agents.resume(runId);
  });

  test('asks before it runs that stage again', async () => {
    expect(agents.logOf(runId).at(-1)?.event).toEqual({ type: 'run:suspended', reason: 'operator', nodeId: stage });
    expect(agents.stateOf(runId).stageRequest).toMatchObject({
      stage,
      request: { message: expect.stringContaining(phase) },
    });
    expect(await agents.resume(runId, { decision: 'approve', nodeId: stage })).toMatchObject({ status: 'completed' });
    expect(agents.stateOf(runId).output).toMatchObject({ after_all: 3 });
    expect(agents.stateOf(runId).stageRequest).toBeUndefined();
    expect(agents.asked).toHaveLength(stage === 'BeforeAll' ? 3 : 0);
  });

  test('fails there when that is rejected', async () => {
    const end = await agents.resume(runId, { decision: 'reject' });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'node.cut', stage } });
    expect(agents.stateOf(runId).stageRequest).toBeUndefined();
    expect(agents.asked).toEqual([]);
  });
});

test('a run recorded before results of Before All were stored reports that it must be started again', async () => {
  agents.world.texts.set('a.aip', wholeAgent);
  const log = agents.logOf(await agents.startAgent()).map((envelope) => {
    if (envelope.event.type !== 'stage:end') return envelope;
    const { result: _, ...event } = envelope.event;
    return { ...envelope, event };
  });
  const resumed = agents.resume(agents.cutBehind(log.slice(0, 12)));
  await expect(resumed).rejects.toMatchObject({ code: 'run.invalid-state', message: expect.stringContaining('redo') });
});

describe('an interrupted agent node', () => {
  test('does not ask itself: its run resumes, and only its interrupted input asks', async () => {
    agents.world.texts.set('a.aip', wholeAgent);
    const runId = await agents.cut(agents.startFlow(flowWithAgent), nthOf('model:request', 2));
    await agents.resume(runId);
    expect(agents.asked).toEqual([]);
    expect(agents.logOf(runId).at(-1)?.event).toEqual({
      type: 'run:suspended',
      reason: 'operator',
      nodeId: 'work/input:1',
    });
    expect(agents.stateOf(runId).nodes.get('work')).toMatchObject({ status: 'suspended' });
    const end = await agents.resume(runId, { decision: 'approve', nodeId: 'work/input:1' });
    expect(end).toMatchObject({ status: 'completed' });
    expect(agents.asked).toEqual(['b x', 'c x']);
    const state = agents.stateOf(runId);
    expect(state.nodes.get('work')?.output).toMatchObject({
      outputs: ['<a x>!', '<b x>!', '<c x>!'],
      after_all: 3,
      usage: { promptTokens: 3, completionTokens: 3 },
      costUsd: 1.5,
    });
    expect([...state.children.values()].map(({ status }) => status)).toEqual(['completed']);
  });

  test('accepts an answer for everything that waits in it', async () => {
    agents.world.texts.set('a.aip', wholeAgent);
    const runId = await agents.cut(agents.startFlow(flowWithAgent), nthOf('model:request', 2));
    await agents.resume(runId);
    expect(await agents.resume(runId, { decision: 'reject', nodeId: 'work' })).toMatchObject({ status: 'failed' });
    expect(agents.stateOf(runId).nodes.get('work')).toMatchObject({ status: 'failed', error: { code: 'node.cut' } });
  });

  test('continues with the text that its agent had at the start', async () => {
    agents.world.texts.set('a.aip', wholeAgent);
    const runId = await agents.cut(agents.startFlow(flowWithAgent), nthOf('model:request', 2));
    agents.world.texts.set('a.aip', wholeAgent.replace('"!"', '" changed"'));
    await agents.toItsEnd(runId);
    expect(agents.stateOf(runId).nodes.get('work')?.output).toMatchObject({ outputs: ['<a x>!', '<b x>!', '<c x>!'] });
  });

  test('ends with its child run if it is canceled while that waits', async () => {
    agents.world.texts.set('a.aip', wholeAgent);
    const runId = await agents.cut(agents.startFlow(flowWithAgent), nthOf('model:request', 2));
    await agents.resume(runId);
    agents.world.executor.cancelRun(runId);
    await expect.poll(() => agents.world.store.getRun(runId)?.status).toBe('cancelled');
    expect(openScopes(agents.logOf(runId))).toEqual([]);
  });
});
