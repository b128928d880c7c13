/**
 * Tests agents with inputs that ask: they wait individually, continue where they asked, and nothing is paid or answered
 * twice.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, asksInData, asksInOutput, askWho, endOf, waitingOf } from '../../testing/asking-agents.ts';
import { CutAgents } from '../../testing/cut-agents.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { traceOf } from '../../testing/test-run.ts';
import { readWaiting } from './run-answers.ts';

let agents: CutAgents;
beforeEach(async () => {
  agents = await CutAgents.open();
});
afterEach(() => agents.world.close());

describe('12.1 an agent with a Data stage that asks', () => {
  beforeEach(() => agents.world.texts.set('a.aip', asksInData));

  test('suspends each input while others continue, and the run waits for the oldest request', async () => {
    agents.world.texts.set(
      'a.aip',
      asksInData
        .replace('CTX.ANSWERS.who == nil', 'CTX.ANSWERS.who == nil and input ~= "b"')
        .replace('return CTX.ANSWERS.who.values.who', 'return "all"'),
    );
    const runId = await agents.startAgent(['a', 'b', 'c']);
    expect(agents.asked).toEqual(['b for all']);
    expect(traceOf(agents.logOf(runId), ['input:', 'node:suspended', 'run:'])).toEqual([
      ...['run:start a.aip', 'input:requested input:0', 'node:suspended input:0'],
      ...['input:requested input:2', 'node:suspended input:2', 'run:suspended input:0'],
    ]);
    expect(agents.logOf(runId).at(-1)?.event).toEqual({
      type: 'run:suspended',
      reason: 'user_input',
      nodeId: 'input:0',
    });
    expect(agents.world.store.getRun(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PENDING_USER_INPUT' });
    expect(waitingOf(agents, runId)).toEqual(['input:0', 'input:2']);
  });

  test('continues with the values in any order; a second answer is rejected, a plain resume changes nothing', async () => {
    const runId = await agents.startAgent(['a', 'b']);
    const count = agents.logOf(runId).length;
    expect(await agents.resume(runId)).toMatchObject({ status: 'suspended' });
    expect(agents.logOf(runId)).toHaveLength(count);
    expect(await answer(agents, runId, 'input:1', { values: { who: 'lee' } })).toMatchObject({ status: 'suspended' });
    expect(waitingOf(agents, runId)).toEqual(['input:0']);
    const again = answer(agents, runId, 'input:1', { values: { who: 'max' } });
    await expect(again).rejects.toMatchObject({ code: 'run.invalid-state' });
    await expect(answer(agents, runId, 'input:0', { values: {} })).rejects.toMatchObject({ code: 'answer.invalid' });
    expect(await answer(agents, runId, 'input:0', { values: { who: 'kim' } })).toMatchObject({ status: 'completed' });
    expect(endOf(agents, runId).output).toMatchObject({ outputs: ['<a for kim>', '<b for lee>'] });
    expect(agents.asked).toEqual(['b for lee', 'a for kim']);
  });

  test('12.1 c fails when it repeats an answered request, and asks again if the text differs', async () => {
    agents.world.texts.set('a.aip', scriptSection('Data', `return aip.flow.ask({ key = "k", title = "Again?" })`));
    const same = await agents.startAgent(['a']);
    expect(await answer(agents, same, 'input:0', { approved: true })).toMatchObject({
      ...{ status: 'failed', error: { code: 'ask.duplicate-key', stage: 'Data' } },
    });
    const other = 'local n = CTX.ANSWERS.k and CTX.ANSWERS.k.values.n\nif n and n > 2 then return n end';
    const schema = '{ properties = { n = { type = "number" } } }';
    const ask = `return aip.flow.ask({ key = "k", title = n and "Not " .. n .. ". How many?" or "How many?", schema = ${schema} })`;
    agents.world.texts.set(
      'a.aip',
      `${scriptSection('Data', `${other}\n${ask}`)}${scriptSection('Output', 'return data')}`,
    );
    const runId = await agents.startAgent(['a']);
    await answer(agents, runId, 'input:0', { values: { n: 1 } });
    expect(readWaiting(agents.world.store, runId)).toMatchObject([{ name: 'input:0', message: 'Not 1. How many?' }]);
    expect(agents.logOf(runId).findLast(({ event }) => event.type === 'input:requested')?.event).toMatchObject({
      changed: true,
    });
    await answer(agents, runId, 'input:0', { values: { n: 3 } });
    expect(endOf(agents, runId).output).toMatchObject({ outputs: [3] });
  });

  test('fails if Output uses the key of Data, or if its request is invalid', async () => {
    const inOutput = `${scriptSection('Data', askWho)}${scriptSection('Output', 'return aip.flow.ask({ key = "who", title = "Who else?" })')}`;
    agents.world.texts.set('a.aip', inOutput);
    const runId = await agents.startAgent(['a']);
    const end = await answer(agents, runId, 'input:0', { values: { who: 'kim' } });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'ask.duplicate-key', stage: 'Output' } });
    agents.world.texts.set('a.aip', scriptSection('Data', 'return aip.flow.ask({ key = "who" })'));
    const bad = await agents.startAgent(['a']);
    expect(agents.stateOf(bad)).toMatchObject({ status: 'failed', error: { code: 'ask.bad-request', stage: 'Data' } });
  });

  test('12.1 f ends as cancelled, and so do its requests', async () => {
    const runId = await agents.startAgent(['a', 'b']);
    agents.world.executor.cancelRun(runId);
    await vi.waitFor(() => expect(agents.world.store.getRun(runId)?.status).toBe('cancelled'), 10_000);
    expect(endOf(agents, runId).status).toBe('cancelled');
    expect(waitingOf(agents, runId)).toEqual([]);
    await expect(answer(agents, runId, 'input:0', { values: { who: 'kim' } })).rejects.toMatchObject({
      code: 'run.invalid-state',
    });
  });

  test('12.1 f ends waiting inputs when another one fails', async () => {
    agents.world.texts.set('a.aip', scriptSection('Data', `if input == "b" then error("no") end\n${askWho}`));
    const runId = await agents.startAgent(['a', 'b', 'c']);
    expect(endOf(agents, runId).status).toBe('failed');
    const tasks = agents
      .logOf(runId)
      .flatMap(({ event }) =>
        'taskId' in event && event.type.startsWith('task:') ? [`${event.type} ${event.taskId}`] : [],
      );
    expect(tasks).toEqual([
      'task:start input:0',
      'task:start input:1',
      'task:failed input:1',
      'task:cancelled input:0',
    ]);
    expect(waitingOf(agents, runId)).toEqual([]);
  });

  test('12.1 e lets inputs wait up to the limit, then starts no further ones', async () => {
    const options = '# Options\n```toml\nmax_waiting = 2\ninput_concurrency = 4\n```\n';
    agents.world.texts.set('a.aip', `${options}${asksInData}`);
    const runId = await agents.startAgent(['a', 'b', 'c']);
    expect([...waitingOf(agents, runId)].sort()).toEqual(['input:0', 'input:1']);
    await answer(agents, runId, 'input:0', { values: { who: 'kim' } });
    expect(waitingOf(agents, runId)).toEqual(['input:1', 'input:2']);
  });

  test('a dry run asks no one, and shows what it would ask', async () => {
    const accepted = await agents.world.executor.startAgent({ agent: 'a.aip', inputs: ['a'], dry: 'req' });
    if ('work' in accepted) throw new Error('Nothing is missing');
    expect(await accepted.ended).toMatchObject({ status: 'completed' });
    expect(agents.logOf(accepted.runId).map(({ event }) => event)).toContainEqual({
      ...{ type: 'log', level: 'info', taskId: 'input:0', text: '-! A person would be asked: Who gets a?' },
    });
  });
});

describe('12.1 an agent with an Output stage that asks', () => {
  beforeEach(() => agents.world.texts.set('a.aip', asksInOutput));

  test("continues with the model's response, which is not paid for again", async () => {
    const runId = await agents.startAgent(['a', 'b']);
    expect(agents.world.store.getRun(runId)).toMatchObject({ waitStatus: 'PENDING_APPROVAL' });
    expect(readWaiting(agents.world.store, runId)).toMatchObject([
      {
        name: 'input:0',
        request: { kind: 'approval', askedBy: 'a.aip', action: { send: '<a>' }, params: { to: 'kim' } },
      },
      { name: 'input:1' },
    ]);
    await answer(agents, runId, 'input:1', { approved: true, params: { to: 'lee' } });
    await answer(agents, runId, 'input:0', { approved: true, params: {} });
    expect(endOf(agents, runId).output).toMatchObject({ outputs: ['<a> to kim by kim', '<b> to lee by kim'] });
    expect(agents.asked).toEqual(['a', 'b']);
    expect(agents.logOf(runId).at(-1)?.event).toMatchObject({ usage: { promptTokens: 2 }, costUsd: 1 });
  });

  test('12.2 fails when it is rejected, and sees the rejection if it requested that', async () => {
    const runId = await agents.startAgent(['a']);
    const end = await agents.resume(runId, { decision: 'reject', comment: 'not now', by: 'kim' });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'approval.rejected', stage: 'Output' } });
    expect(end.error?.message).toBe('"Send <a>?" was rejected by kim: not now');
    const seen = 'if CTX.ANSWERS.ok then return CTX.ANSWERS.ok.approved and "yes" or CTX.ANSWERS.ok.comment end\n';
    const ask = 'return aip.flow.ask({ key = "ok", title = "May I?", on_reject = "continue" })';
    agents.world.texts.set('a.aip', scriptSection('Output', seen + ask));
    const goesOn = await agents.startAgent(['a']);
    await agents.resume(goesOn, { decision: 'reject', comment: 'not now' });
    expect(endOf(agents, goesOn).output).toMatchObject({ outputs: ['not now'] });
  });

  test('a proposal may be too large to be stored in the log itself', async () => {
    const large = 'x'.repeat(40_000);
    const text = `if CTX.ANSWERS.ok then return #data end\nreturn aip.flow.ask({ key = "ok", title = "Keep it?", action = data })`;
    agents.world.texts.set('a.aip', `${scriptSection('Data', 'return input')}${scriptSection('Output', text)}`);
    const runId = await agents.startAgent([large]);
    expect(readWaiting(agents.world.store, runId)).toMatchObject([{ request: { action: large } }]);
    await agents.resume(runId, { decision: 'approve' });
    expect(endOf(agents, runId).output).toMatchObject({ outputs: [40_000] });
  });
});
