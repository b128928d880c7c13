/** Tests that an agent that is no longer awaited has an end in the log, including everything that was open in it. */
import { expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { testNode } from '../../testing/test-node.ts';
import { startTestRun } from '../../testing/test-run.ts';
import type { Hub } from '../kernel/hub/hub.ts';

const nobody = { sourcePath: 'a.aip', definitionHash: '', inputs: null };

/** Calls a run that calls another one, starts an input in each, and never receives a result. */
function callDeeply(hub: Hub): void {
  let caller = hub;
  for (const id of ['outer', 'inner']) {
    const runId = asRunId(id);
    caller.emit({ type: 'agent:start', agentName: `${id}.aip`, runId });
    const own = caller.child(runId);
    const task = caller.taskId === undefined ? {} : { parentTaskId: caller.taskId };
    own.emit({ type: 'run:start', kind: 'agent', name: `${id}.aip`, ...nobody, ...task });
    own.emit({ type: 'phase:start', name: 'Tasks' });
    own.scoped({ phase: { name: 'Tasks' } }).emit({ type: 'task:start', taskId: 'input:0' });
    caller = own.scoped({ phase: { name: 'Tasks' }, task: { id: 'input:0' } });
  }
}

const deaf = testNode('deaf', ({ hub, clock }) => {
  callDeeply(hub);
  // Its output after it was abandoned is discarded.
  return new Promise((resolve) => {
    clock.setTimer(() => {
      hub.emit({ type: 'agent:complete', agentName: 'outer.aip', runId: asRunId('outer'), success: true });
      resolve({ late: true });
    }, 60_000);
  });
});

function start(policy: string) {
  const clock = createManualClock();
  const text = `
flow: { name: f }
nodes: [{ id: a, type: deaf, input: {}, policy: ${policy} }]
edges: []`;
  return { clock, ...startTestRun(text, { clock, nodeTypes: [deaf] }) };
}

test('on a timeout, inner runs end first, and then each end is reported to the caller', async () => {
  const { clock, done, events } = start('{ timeoutMs: 100 }');
  await clock.advance(60_000);
  const { end } = await done;
  expect(end).toMatchObject({ status: 'failed', error: { code: 'node.timeout' } });
  expect(openScopes(events)).toEqual([]);
  const ends = events.filter(({ event: { type } }) =>
    /^agent:(complete|failed)$|^run:end$|^task:cancelled$/.test(type),
  );
  expect(ends.map(({ event: { type }, runId }) => [type, String(runId).replace(/^run-.*/, 'root')])).toEqual([
    ['task:cancelled', 'inner'],
    ['run:end', 'inner'],
    ['agent:failed', 'outer'],
    ['task:cancelled', 'outer'],
    ['run:end', 'outer'],
    ['agent:failed', 'root'],
    ['run:end', 'root'],
  ]);
  const told = ends.flatMap(({ event }) => (event.type === 'agent:failed' ? [event] : []));
  expect(told.map(({ error }) => error.code)).toEqual(['node.timeout', 'node.timeout']);
});

test('on a cancel, and once for each retried attempt', async () => {
  const cancelled = start('{}');
  await cancelled.clock.advance(10);
  cancelled.cancel();
  await cancelled.clock.advance(2000);
  await cancelled.done;
  expect(openScopes(cancelled.events)).toEqual([]);
  const again = start('{ timeoutMs: 100, retry: { maxAttempts: 2 } }');
  await again.clock.advance(10_000);
  await again.done;
  expect(again.events.filter(({ event }) => event.type === 'agent:failed')).toHaveLength(4);
});
