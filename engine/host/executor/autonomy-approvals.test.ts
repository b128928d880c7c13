/** Tests which nodes an approval in the flow covers at autonomy levels that require one. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AutonomyWorld, approval, call, chainAt, edge, flowAt } from '../../testing/autonomy-world.ts';

let world: AutonomyWorld;
beforeEach(async () => {
  world = await AutonomyWorld.open();
});
afterEach(() => world.close());

test('an approval counts if it was given before the node, on a branch that the run took', async () => {
  const text = flowAt(
    'semi_auto',
    [approval('ok'), approval('other'), call('a'), call('b'), call('c')],
    [edge('ok', 'a'), edge('a', 'c'), edge('ok', 'c'), edge('other', 'b')],
  );
  const runId = await world.started(text);
  await world.answer(runId, 'ok');
  // `a` has used the approval, so `c` asks even though the approval has an edge to it.
  expect([await world.callsOf(runId), await world.waits(runId)]).toEqual([['a'], ['other', 'c']]);
  await world.answer(runId, 'other');
  expect([await world.callsOf(runId), await world.waits(runId)]).toEqual([['a', 'b'], ['c']]);
});

test('one approval covers both branches after it', async () => {
  const text = flowAt('semi_auto', [approval('ok'), call('a'), call('b')], [edge('ok', 'a'), edge('ok', 'b')]);
  const runId = await world.started(text);
  await world.answer(runId, 'ok');
  expect([(await world.stateOf(runId)).status, await world.callsOf(runId)]).toEqual(['completed', ['a', 'b']]);
});

test('a disabled or skipped approval does not count', async () => {
  for (const more of [', disabled: true', ', when: { exists: flow.input.nothing }']) {
    const runId = await world.started(chainAt('semi_auto', { ok: approval('ok', more), a: call('a') }));
    expect(await world.waits(runId)).toEqual(['a']);
  }
});

test('pinned outputs and those of earlier runs do not count as approvals', async () => {
  const text = chainAt('semi_auto', { ok: approval('ok'), a: call('a') });
  const pinned = await world.started(text, { pins: { ok: { route: 'approved', approved: true, by: 'ann' } } });
  expect(await world.waits(pinned)).toEqual(['a']);
  const first = await world.started(text);
  await world.answer(first, 'ok');
  expect(await world.callsOf(first)).toEqual(['a']);
  const { runId } = await world.engine.rerunFrom({ runId: first, nodeId: 'a', text });
  await world.engine.whenEnded(runId);
  expect([await world.waits(runId), await world.callsOf(runId)]).toEqual([['ok'], []]);
});

test('inside a loop, an approval only counts in its own iteration', async () => {
  const text = flowAt(
    'semi_auto',
    [
      approval('before'),
      '{ id: each, type: control.foreach, input: { items: [1, 2], body: [ok, a] } }',
      approval('ok', ', when: { equals: { var: item, value: 1 } }'),
      call('a'),
    ],
    [edge('before', 'each'), edge('ok', 'a')],
  );
  const runId = await world.started(text);
  await world.answer(runId, 'before');
  expect((await world.waits(runId)).filter((name) => name !== 'each')).toEqual(['each[0].ok', 'each[1].a']);
  await world.answer(runId, 'each[0].ok');
  expect(await world.callsOf(runId)).toEqual(['a']);
  expect((await world.waits(runId)).filter((name) => name !== 'each')).toEqual(['each[1].a']);
});
