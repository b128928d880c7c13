/** Tests a run that waits because of its autonomy level while its process is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import { AutonomyWorld, approval, call, chainAt } from '../../testing/autonomy-world.ts';
import { bundleChildProgram, type ChildProgram } from '../../testing/child-program.ts';

let program: ChildProgram;
let world: AutonomyWorld;
beforeAll(async () => {
  program = await bundleChildProgram(fileURLToPath(new URL('../../testing/waiting-child.ts', import.meta.url)));
  return () => program.remove();
}, 60_000);
beforeEach(async () => {
  world = await AutonomyWorld.open();
});
afterEach(() => world.close());

/** Returns the run of another process that was killed while the run waited. */
async function startedAndKilled(text: string): Promise<RunId> {
  world.write('act.flow.yaml', text);
  const child = spawn(process.execPath, [program.file, world.workspace, 'act.flow.yaml'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { runId, status } = JSON.parse(line) as { readonly runId: string; readonly status: string };
  expect(status).toBe('suspended');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return asRunId(runId);
}

test('MF-091 killed while it waits, a run at semi_auto is approved by another process and continues at its level', async () => {
  const write = '{ id: write, type: file.write, input: { path: out.txt, text: hi } }';
  const runId = await startedAndKilled(chainAt('semi_auto', { write, a: call('a'), ok: approval('ok'), b: call('b') }));
  await world.answer(runId, 'write');
  expect([await world.waits(runId), await world.callsOf(runId)]).toEqual([['a'], []]);
  await world.answer(runId, 'a');
  await world.answer(runId, 'ok');
  expect([(await world.stateOf(runId)).status, await world.callsOf(runId)]).toEqual(['completed', ['a', 'b']]);
  // Each request was made once, in either process.
  expect((await world.told(runId, 'node:suspended')).map(({ nodeId }) => nodeId)).toEqual(['write', 'a', 'ok']);
  expect((await world.stateOf(runId)).autonomy).toBe('semi_auto');
}, 60_000);
