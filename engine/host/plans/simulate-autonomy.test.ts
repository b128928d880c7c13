/** Tests the simulation of recorded runs at other autonomy levels. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import { AutonomyWorld, approval, call, chainAt, edge, flowAt } from '../../testing/autonomy-world.ts';

let world: AutonomyWorld;
beforeEach(async () => {
  world = await AutonomyWorld.open();
});
afterEach(() => world.close());

async function heldAt(runId: RunId, level: AutonomyLevel): Promise<readonly string[]> {
  const { acts, pauses, suggestions } = await world.engine.simulateAutonomy({ runId, level });
  expect(pauses + suggestions).toBe(acts.length);
  return acts.map(({ kind, nodeId, tool = '-' }) => `${kind} ${nodeId} ${tool}`);
}

test('a run without a level would have paused before each tool, and suggested each', async () => {
  const write = '{ id: write, type: file.write, input: { path: out.txt, text: hi } }';
  const runId = await world.started(chainAt(undefined, { a: call('a'), b: call('b'), write }));
  expect(await heldAt(runId, 'semi_auto')).toEqual(['pause a note', 'pause b note', 'pause write -']);
  expect(await heldAt(runId, 'suggest_only')).toEqual(['suggestion a note', 'suggestion b note', 'suggestion write -']);
  const { acts, ranAt } = await world.engine.simulateAutonomy({ runId, level: 'suggest_only' });
  expect([ranAt, acts[2]?.params]).toEqual([null, { path: 'out.txt', text: 'hi' }]);
});

test('calls that were approved in the run would not have requested approval again', async () => {
  const text = flowAt(
    undefined,
    [approval('ok'), call('a'), call('b'), call('c')],
    [edge('ok', 'a'), edge('a', 'b'), edge('ok', 'c')],
  );
  const runId = await world.started(text);
  await world.answer(runId, 'ok');
  expect(await heldAt(runId, 'semi_auto')).toEqual(['pause b note']);
});

test("simulating the run's own level reports what the run did", async () => {
  const text = chainAt('semi_auto', { ok: approval('ok'), a: call('a'), b: call('b') });
  const runId = await world.started(text);
  await world.answer(runId, 'ok');
  await world.answer(runId, 'b');
  const asked = (await world.told(runId, 'approval:requested')).map(({ nodeId }) => nodeId);
  expect([asked, await heldAt(runId, 'semi_auto')]).toEqual([['ok', 'b'], ['pause b note']]);
});

test('effects that a run only suggested would have paused at the next level, and been done at the highest', async () => {
  const runId = await world.started(chainAt('suggest_only', { a: call('a') }));
  expect(await heldAt(runId, 'semi_auto')).toEqual(['pause a note']);
  expect(await heldAt(runId, 'full_auto')).toEqual([]);
  const { refused } = await world.engine.simulateAutonomy({ runId, level: 'full_auto' });
  expect(refused).toContain('no policy allows this');
});

test('judges each node in loops and called flows separately', async () => {
  world.write('inner.flow.yaml', chainAt(undefined, { ok: approval('ok'), x: call('x'), y: call('y') }));
  world.write('careful.flow.yaml', chainAt('suggest_only', { z: call('z') }));
  const text = flowAt(
    undefined,
    [
      '{ id: each, type: control.foreach, input: { items: [1, 2], body: [a] } }',
      call('a'),
      '{ id: sub, type: flow, input: { flow: inner.flow.yaml } }',
      '{ id: low, type: flow, input: { flow: careful.flow.yaml } }',
    ],
    [edge('each', 'sub'), edge('sub', 'low')],
  );
  const runId = await world.started(text);
  await world.answer(runId, 'sub/ok');
  expect(await heldAt(runId, 'semi_auto')).toEqual([
    'pause each[0].a note',
    'pause each[1].a note',
    'pause sub/y note',
    'suggestion low/z note',
  ]);
});

test('simulates a run of steps like any other', async () => {
  const steps = `id: act
autonomy_level: semi_auto
steps:
  - { id: ok, type: human_approval, message: May it? }
  - { id: a, type: tool, tool: note, params: { text: "{{payload.word}}" } }
  - { id: b, type: tool, tool: note, params: { text: b } }
`;
  const runId = await world.started(steps, { inputs: { word: 'hi' } });
  await world.answer(runId, 'ok');
  expect(await heldAt(runId, 'semi_auto')).toEqual(['pause b note']);
  const { acts } = await world.engine.simulateAutonomy({ runId, level: 'suggest_only' });
  expect(acts[0]).toMatchObject({ nodeId: 'a', tool: 'note', params: { text: 'hi' } });
});

test('rejects an unknown run', async () => {
  await expect(world.engine.simulateAutonomy({ runId: 'none' as RunId, level: 'semi_auto' })).rejects.toMatchObject({
    code: 'run.not-found',
  });
});
