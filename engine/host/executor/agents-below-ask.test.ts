/** Tests nested agents that ask: in flows, in loops, called by other agents. Their requests have full names. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import {
  answer,
  answerAll,
  askingFlow,
  asksInData,
  asksInOutput,
  calledAgent,
  callsOne,
  endOf,
  waitingOf,
} from '../../testing/asking-agents.ts';
import { CutAgents } from '../../testing/cut-agents.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { traceOf } from '../../testing/test-run.ts';

let agents: CutAgents;
beforeEach(async () => {
  agents = await CutAgents.open();
});
afterEach(() => agents.world.close());

describe('12.1 i requests of nested agents are answered by full name', () => {
  test('of a node: the rest of the flow continues, and the node when all of its inputs have ended', async () => {
    agents.world.texts.set('a.aip', asksInOutput);
    const runId = await agents.startFlow(askingFlow);
    expect(agents.stateOf(runId).nodes.get('beside')?.status).toBe('completed');
    expect(agents.logOf(runId).at(-1)?.event).toEqual({
      type: 'run:suspended',
      reason: 'approval',
      nodeId: 'write/input:0',
    });
    expect(waitingOf(agents, runId)).toEqual(['write/input:0', 'write/input:1', 'write/input:2']);
    await answer(agents, runId, 'write/input:2', { approved: true, params: { to: 'lee' } });
    expect(waitingOf(agents, runId)).toEqual(['write/input:0', 'write/input:1']);
    expect(await answerAll(agents, runId, true)).toEqual(['write/input:1', 'write/input:0']);
    expect(endOf(agents, runId).output).toMatchObject({ after: { text: '<c> to lee by kim' } });
    expect(agents.asked).toEqual(['a', 'b', 'c']);
  });

  test('of a node in a loop, and of a node with the agent as its type', async () => {
    const node =
      '# Options\n```toml\n[node]\ntitle = "Asks"\n[node.input]\nproperties.word = { type = "string" }\n```\n';
    agents.world.texts.set(
      './a.aip',
      `${node}${asksInData.replaceAll('input ..', 'input.word ..').replace('{{input}}', '{{input.word}}')}`,
    );
    const runId = await agents.startFlow(`
flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [m, n, o], body: [one] } }
  - { id: one, type: ./a.aip, input: { word: "{{item}}" } }
edges: []`);
    expect(waitingOf(agents, runId)).toEqual(['each[0].one/input:0', 'each[1].one/input:0', 'each[2].one/input:0']);
    expect(await answerAll(agents, runId, true)).toHaveLength(3);
    expect(agents.stateOf(runId)).toMatchObject({
      status: 'completed',
      output: { each: { iterations: [{ outputs: { one: '<m for kim>' } }, {}, {}] } },
    });
    expect(openScopes(agents.logOf(runId))).toEqual([]);
    expect(agents.asked).toHaveLength(3);
  });

  test.each([
    ['Data', 'input:0/input:0', `${scriptSection('Data', callsOne)}# User\n{{data}}`, ['<went>']],
    [
      'Output',
      'input:0/input:0',
      `# User\n{{input}}\n${scriptSection('Output', `${callsOne.replace('"went"', 'ai_response.content')}`)}`,
      ['<a>'],
    ],
  ])('of an agent called by the %s stage of another one, which runs again', async (_stage, name, text, outputs) => {
    agents.world.texts.set('a.aip', text);
    agents.world.texts.set('b.aip', calledAgent);
    const runId = await agents.startAgent(['a']);
    expect(waitingOf(agents, runId)).toEqual([name]);
    expect(agents.logOf(runId).at(-1)?.event).toEqual({ type: 'run:suspended', reason: 'approval', nodeId: name });
    expect(await answerAll(agents, runId)).toEqual([name]);
    expect(endOf(agents, runId).output).toMatchObject({ outputs });
    expect(agents.asked).toHaveLength(1);
  });

  test.each([
    ['Before All', 'BeforeAll'],
    ['After All', 'AfterAll'],
  ])('of an agent called by %s', async (heading, stage) => {
    agents.world.texts.set('a.aip', scriptSection(heading, callsOne));
    agents.world.texts.set('b.aip', calledAgent);
    const runId = await agents.startAgent(['a']);
    expect(waitingOf(agents, runId)).toEqual([`${stage}/input:0`]);
    expect(await answerAll(agents, runId)).toEqual([`${stage}/input:0`]);
    expect(endOf(agents, runId).status).toBe('completed');
    expect(traceOf(agents.logOf(runId), ['agent:'])).toEqual(['agent:start', 'agent:complete']);
  });

  test('a script that catches the error of its call is still stopped', async () => {
    agents.world.texts.set(
      'a.aip',
      scriptSection(
        'Data',
        'pcall(aip.agent.run, "b.aip", { inputs = { "q" } })\naip.run.pin("went on", "x")\nreturn 1',
      ),
    );
    agents.world.texts.set('b.aip', calledAgent);
    const runId = await agents.startAgent(['a']);
    expect(waitingOf(agents, runId)).toEqual(['input:0/input:0']);
    expect(agents.stateOf(runId).pins).toEqual([]);
    await answerAll(agents, runId);
    expect(agents.stateOf(runId)).toMatchObject({ status: 'completed', pins: [{ iden: 'went on' }] });
  });

  test('equal requests of two calls are separate, and a redo asks again; a retry of the node keeps the answers', async () => {
    agents.world.texts.set(
      'a.aip',
      scriptSection(
        'Data',
        `local a = aip.agent.run("b.aip", { inputs = { "q" } })\nlocal b = aip.agent.run("b.aip", { inputs = { "q" } })\nreturn a.outputs[1] .. b.outputs[1]`,
      ) + scriptSection('Output', 'return data'),
    );
    agents.world.texts.set('b.aip', calledAgent);
    const twice = await agents.startAgent(['a']);
    expect(await answerAll(agents, twice)).toEqual(['input:0/input:0', 'input:0/input:0']);
    expect(endOf(agents, twice).output).toMatchObject({ outputs: ['yesyes'] });
    const redo = scriptSection('After All', 'if not CTX.REDO_COUNT then return aip.flow.redo_run() end');
    agents.world.texts.set('a.aip', `${calledAgent}${redo}`);
    const flow = askingFlow.replace('[a, b, c]', '[a]').replace('outputs[2]', 'outputs[0]');
    const redone = await agents.startFlow(flow);
    expect(await answerAll(agents, redone)).toEqual(['write/input:0', 'write/input:0']);
    agents.world.texts.set('a.aip', `${calledAgent.replace('return data', 'error("no")')}`);
    const retried = await agents.startFlow(
      flow.replace('type: agent,', 'type: agent, policy: { retry: { maxAttempts: 3 } },'),
    );
    expect(await answerAll(agents, retried)).toEqual(['write/input:0']);
    expect(agents.stateOf(retried)).toMatchObject({ status: 'failed' });
    expect(traceOf(agents.logOf(retried), ['node:retry'])).toHaveLength(2);
  });
});

describe('12.1 h while the run is active', () => {
  // The wait node keeps the run from being suspended.
  const beside = askingFlow
    .replace('[a, b, c]', '[a, b]')
    .replace('outputs[2]', 'outputs[1]')
    .replace('type: constant, input: { value: on }', 'type: control.wait, input: { ms: 3600000 }')
    .replace('name: Around', 'name: Around, policy: { maxParallel: 2 }');

  async function whileTimePasses(check: () => void): Promise<void> {
    await vi.waitFor(async () => {
      await agents.world.clock.advance(10);
      check();
    });
  }

  async function startBeside(): Promise<RunId> {
    const { runId } = await agents.world.run(beside);
    await vi.waitFor(() => expect(waitingOf(agents, runId)).toEqual(['write/input:0', 'write/input:1']), 10_000);
    return runId;
  }

  test('answers reach the inputs at once, which continue with the original file', async () => {
    agents.world.texts.set('a.aip', asksInOutput);
    const runId = await startBeside();
    agents.world.texts.set('a.aip', 'changed');
    for (const input of [1, 0]) {
      const payload = { approved: true, params: { to: 'lee' } };
      await agents.world.executor.resumeRun({ runId, nodeId: `write/input:${input}`, payload, by: 'kim' });
      const name = `write/input:${input}`;
      await whileTimePasses(() => expect(waitingOf(agents, runId)).not.toContain(name));
    }
    await whileTimePasses(() => expect(agents.stateOf(runId).nodes.get('after')?.status).toBe('completed'));
    expect(
      traceOf(
        agents.logOf(runId).filter((one) => one.runId === runId),
        ['run:'],
      ),
    ).toEqual(['run:start Around']);
    await agents.world.clock.advance(3_600_000);
    await vi.waitFor(() => expect(agents.stateOf(runId).status).toBe('completed'), 10_000);
    expect(endOf(agents, runId).output).toMatchObject({ after: { text: '<b> to lee by kim' } });
    expect(agents.asked).toEqual(['a', 'b']);
  });

  test('canceling ends what waits, and closes its requests', async () => {
    agents.world.texts.set('a.aip', asksInOutput);
    const runId = await startBeside();
    agents.world.executor.cancelRun(runId);
    await vi.waitFor(() => expect(agents.stateOf(runId).status).toBe('cancelled'), 10_000);
    expect(endOf(agents, runId).status).toBe('cancelled');
    expect(waitingOf(agents, runId)).toEqual([]);
  });
});

describe('12.1 d the timeout of a node that calls', () => {
  const called = (secondMs: number) => `
flow: { name: Called }
nodes:
  - { id: first, type: control.wait, input: { ms: 600 } }
  - { id: ask, type: human_approval, input: { title: "Go on?" } }
  - { id: second, type: control.wait, input: { ms: ${secondMs} } }
edges: [ { from: first, to: ask }, { from: ask, to: second } ]`;
  const calling = `
flow: { name: Calling }
nodes: [ { id: call, type: flow, policy: { timeoutMs: 1000 }, input: { flow: called.flow.yaml } } ]
edges: []`;

  test.each([
    [300, 'completed'],
    [600, 'failed'],
  ])('pauses while everything in it waits, and continues with it: %s ms more, %s', async (ms, status) => {
    agents.world.texts.set('called.flow.yaml', called(ms));
    const runId = await agents.startFlow(calling);
    expect(waitingOf(agents, runId)).toEqual(['call/ask']);
    await agents.world.clock.advance(86_400_000);
    expect(await agents.resume(runId, { decision: 'approve' })).toMatchObject({ status });
    const { error } = agents.stateOf(runId);
    expect(error?.code).toBe(status === 'failed' ? 'node.timeout' : undefined);
  });
});
