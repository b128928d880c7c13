/** Tests autonomy levels, in engines that are closed and opened again on one history. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { AutonomyWorld, approval, call, chainAt, flowAt } from '../../testing/autonomy-world.ts';

let world: AutonomyWorld;
beforeEach(async () => {
  world = await AutonomyWorld.open();
});
afterEach(() => world.close());

test('MF-090 suggest_only calls no tools, and records each call as a suggestion', async () => {
  const runId = await world.started(
    chainAt('suggest_only', { a: call('a'), b: '{ id: b, type: constant, input: { value: "{{a.params.text}}" } }' }),
  );
  expect((await world.stateOf(runId)).status).toBe('completed');
  expect(await world.callsOf(runId)).toEqual([]);
  expect(await world.told(runId, 'node:skipped')).toEqual([
    { type: 'node:skipped', nodeId: 'a', reason: 'autonomy', suggestion: { tool: 'note', params: { text: 'a' } } },
  ]);
  expect((await world.stateOf(runId)).nodes.get('a')).toMatchObject({
    status: 'skipped',
    suggestions: [{ tool: 'note', params: { text: 'a' } }],
  });
  expect((await world.stateOf(runId)).nodes.get('b')?.output).toEqual({ value: 'a' });
  expect(await world.told(runId, 'governance:decision')).toContainEqual(
    expect.objectContaining({ allowed: false, rule: 'autonomy.suggest_only', level: 'suggest_only', target: 'note' }),
  );
});

test('MF-090 suggest_only asks for approvals, and leaves files unchanged', async () => {
  const runId = await world.started(
    chainAt('suggest_only', {
      ok: approval('ok'),
      write: '{ id: write, type: file.write, input: { path: out.txt, text: hi } }',
    }),
  );
  expect(await world.waits(runId)).toEqual(['ok']);
  await world.answer(runId, 'ok');
  expect((await world.stateOf(runId)).nodes.get('write')).toMatchObject({
    status: 'skipped',
    skip: { reason: 'autonomy' },
    suggestions: [{ params: { path: 'out.txt', text: 'hi' } }],
  });
  expect(() => readFileSync(path.join(world.workspace, 'out.txt'))).toThrow();
});

test('MF-091 semi_auto asks once for a tool without an earlier approval, and calls it after consent', async () => {
  const runId = await world.started(chainAt('semi_auto', { a: call('a') }));
  expect(await world.waits(runId)).toEqual(['a']);
  expect(await world.callsOf(runId)).toEqual([]);
  await world.restart();
  await world.answer(runId, 'a');
  expect((await world.stateOf(runId)).status).toBe('completed');
  expect(await world.callsOf(runId)).toEqual(['a']);
  expect(await world.told(runId, 'approval:requested')).toHaveLength(1);
  expect((await world.told(runId, 'governance:decision')).filter(({ level }) => level !== undefined)).toEqual([
    expect.objectContaining({ allowed: true, rule: 'autonomy.semi_auto', level: 'semi_auto', target: 'note' }),
  ]);
});

test('MF-091 semi_auto uses an approval in the flow for the next tool only', async () => {
  const runId = await world.started(chainAt('semi_auto', { ok: approval('ok'), a: call('a'), b: call('b') }));
  await world.answer(runId, 'ok');
  expect([await world.callsOf(runId), await world.waits(runId)]).toEqual([['a'], ['b']]);
  expect(await world.told(runId, 'governance:decision')).toContainEqual(
    expect.objectContaining({ allowed: true, target: 'note', approvedBy: 'ok', level: 'semi_auto' }),
  );
  await world.answer(runId, 'b', false);
  expect(await world.stateOf(runId)).toMatchObject({ status: 'failed', error: { code: 'approval.rejected' } });
  expect(await world.callsOf(runId)).toEqual(['a']);
});

test('MF-092 full_auto asks for nothing if a policy allows it, and otherwise the run is refused before its start', async () => {
  const text = chainAt('full_auto', { a: call('a') });
  const refused = await world.started(text);
  expect((await world.logOf(refused)).map(({ event }) => event)).toEqual([
    expect.objectContaining({ type: 'run:refused', code: 'autonomy_denied' }),
  ]);
  world.write('millrace.policy.yaml', 'allow_full_autonomy: true\n');
  await world.restart();
  const runId = await world.started(text);
  expect([(await world.stateOf(runId)).status, await world.callsOf(runId)]).toEqual(['completed', ['a']]);
  expect(await world.told(runId, 'approval:requested')).toEqual([]);
  expect((await world.told(runId, 'run:start'))[0]).toMatchObject({ autonomy: 'full_auto' });
});

test('a flow without a level prevents nothing', async () => {
  const runId = await world.started(chainAt(undefined, { a: call('a'), b: call('b') }));
  expect([
    (await world.stateOf(runId)).status,
    (await world.stateOf(runId)).autonomy,
    await world.callsOf(runId),
  ]).toEqual(['completed', null, ['a', 'b']]);
  expect((await world.told(runId, 'governance:decision')).filter(({ level }) => level !== undefined)).toEqual([]);
});

test('a start can lower the level declared by a flow, but never raise it', async () => {
  const semi = chainAt('semi_auto', { a: call('a') });
  const lowered = await world.started(semi, { autonomy: 'suggest_only' });
  const raised = await world.started(semi, { autonomy: 'full_auto' });
  const given = await world.started(chainAt(undefined, { a: call('a') }), { autonomy: 'semi_auto' });
  const states = await Promise.all([lowered, raised, given].map((runId) => world.stateOf(runId)));
  expect(states.map(({ status, autonomy }) => [status, autonomy])).toEqual([
    ['completed', 'suggest_only'],
    ['suspended', 'semi_auto'],
    ['suspended', 'semi_auto'],
  ]);
  await world.restart();
  await world.answer(given, 'a');
  expect(await world.callsOf(given)).toEqual(['a']);
});

test('a run keeps the level of its start, whatever it was lowered from', async () => {
  const text = chainAt('semi_auto', { ok: approval('ok'), a: call('a') });
  const runId = await world.started(text, { autonomy: 'suggest_only' });
  await world.restart();
  await world.answer(runId, 'ok');
  expect([(await world.stateOf(runId)).status, await world.callsOf(runId)]).toEqual(['completed', []]);
});

test('other nodes with effects ask before they start, under a separate key', async () => {
  const write = '{ id: write, type: file.write, input: { path: out.txt, text: hi } }';
  const runId = await world.started(chainAt('semi_auto', { write }));
  expect(await world.waits(runId)).toEqual(['write']);
  const [asked] = await world.told(runId, 'approval:requested');
  expect(asked).toMatchObject({ key: 'autonomy:start', request: { action: { type: 'file.write' } } });
  await world.restart();
  await world.answer(runId, 'write');
  expect(readFileSync(path.join(world.workspace, 'out.txt'), 'utf8')).toBe('hi');
  const rejected = await world.started(chainAt('semi_auto', { write }));
  await world.answer(rejected, 'write', false);
  expect(await world.stateOf(rejected)).toMatchObject({
    status: 'failed',
    error: { code: 'approval.rejected', nodeId: 'write' },
  });
});

test('a rejected start takes the "rejected" branch if there is one', async () => {
  const text = flowAt(
    'semi_auto',
    [
      '{ id: write, type: file.write, input: { path: out.txt, text: hi } }',
      '{ id: no, type: constant, input: { value: "{{write.message}}" } }',
      '{ id: yes, type: constant, input: { value: done } }',
    ],
    [
      '{ from: write, to: no, when: { equals: { var: write.route, value: rejected } } }',
      '{ from: write, to: yes, when: { exists: write.path } }',
    ],
  );
  const runId = await world.started(text);
  await world.answer(runId, 'write', false);
  const { nodes, status } = await world.stateOf(runId);
  expect([status, nodes.get('no')?.status, nodes.get('yes')?.status]).toEqual(['completed', 'completed', 'skipped']);
});

test('a child flow has the level of its caller, or its own if that is lower', async () => {
  world.write('inner.flow.yaml', flowAt('full_auto', [call('x')], []));
  world.write('careful.flow.yaml', flowAt('suggest_only', [call('y')], []));
  const callFlow = (id: string, file: string): string => `{ id: ${id}, type: flow, input: { flow: ${file} } }`;
  const runId = await world.started(
    chainAt('semi_auto', { one: callFlow('one', 'inner.flow.yaml'), two: callFlow('two', 'careful.flow.yaml') }),
  );
  expect((await world.told(runId, 'run:start')).map(({ autonomy }) => autonomy)).toEqual(['semi_auto', 'semi_auto']);
  expect(await world.callsOf(runId)).toEqual([]);
  await world.restart();
  await world.answer(runId, 'one/x');
  expect(await world.callsOf(runId)).toEqual(['x']);
  expect((await world.stateOf(runId)).status).toBe('completed');
  expect((await world.told(runId, 'run:start')).map(({ autonomy }) => autonomy)).toEqual([
    'semi_auto',
    'semi_auto',
    'suggest_only',
  ]);
});

test('a flow that calls one which acts without asking is refused unless a policy allows that', async () => {
  world.write('inner.flow.yaml', flowAt('full_auto', [call('x')], []));
  const runId = await world.started(
    chainAt(undefined, { one: '{ id: one, type: flow, input: { flow: inner.flow.yaml } }' }),
  );
  expect(await world.told(runId, 'run:refused')).toEqual([expect.objectContaining({ code: 'autonomy_denied' })]);
});

test('an autonomous agent is approved as a whole, and runs at the level below, with the agents it calls', async () => {
  world.write('inner.aip', '# Output\n```lua\nreturn "inner"\n```\n');
  world.write('outer.aip', '# Output\n```lua\nreturn aip.agent.run("inner.aip", { inputs = { 1 } })\n```\n');
  const node = '{ id: agent, type: agent, input: { agent: outer.aip, inputs: [1] } }';
  const runId = await world.started(chainAt('semi_auto', { agent: node }));
  expect(await world.waits(runId)).toEqual(['agent']);
  expect(await world.told(runId, 'run:start')).toHaveLength(1);
  await world.answer(runId, 'agent');
  expect((await world.stateOf(runId)).status).toBe('completed');
  expect((await world.told(runId, 'run:start')).map(({ name, autonomy }) => [name, autonomy])).toEqual([
    ['Act', 'semi_auto'],
    ['outer.aip', 'semi_auto'],
    ['inner.aip', 'semi_auto'],
  ]);
  const suggested = await world.started(chainAt('suggest_only', { agent: node }));
  expect(await world.told(suggested, 'run:start')).toHaveLength(1);
});

test('a redo and a rerun keep the lowered level of a start, and follow the level declared in the file', async () => {
  const semi = chainAt('semi_auto', { a: call('a') });
  const lowered = await world.started(semi, { autonomy: 'suggest_only' });
  const declared = await world.started(semi);
  const levelOf = async (accepted: Promise<{ readonly runId: RunId }>) => {
    const { runId } = await accepted;
    await world.engine.whenEnded(runId);
    return (await world.stateOf(runId)).autonomy;
  };
  expect(await levelOf(world.engine.redo({ runId: lowered, text: semi }))).toBe('suggest_only');
  expect(await levelOf(world.engine.rerunFrom({ runId: lowered, nodeId: 'a', text: semi }))).toBe('suggest_only');
  const none = chainAt(undefined, { a: call('a') });
  expect(await levelOf(world.engine.redo({ runId: declared, text: none }))).toBeNull();
});
