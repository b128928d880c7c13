/**
 * The log of a run with many requests, for tests of everything that reads logs.
 */
import type { RunId } from '../base/ids.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import { createTestExecutor, type TestExecutor } from './executor-world.ts';

const called = `
flow: { name: Called }
nodes:
  - { id: ask, type: human_approval, input: { title: "inner?" } }
  - { id: twice, type: user_input, input: { title: "why?", schema: { type: object, properties: { a: { type: string } } } } }
edges: [ { from: ask, to: twice } ]`;

const outer = `
flow: { name: Outer, policy: { maxParallel: 3 } }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b], body: [call, then] } }
  - { id: call, type: flow, input: { flow: called.flow.yaml } }
  - { id: then, type: human_approval, input: { title: "{{item}}?" } }
  - { id: beside, type: human_approval, input: { title: beside } }
  - { id: last, type: control.fail, input: { message: no } }
edges: [ { from: call, to: then }, { from: beside, to: last } ]`;

/** Returns the log of a run that asks in a loop, in called flows and outside them, and fails at its end. */
export async function askingLog(): Promise<readonly EventEnvelope[]> {
  const world: TestExecutor = await createTestExecutor();
  try {
    world.texts.set('called.flow.yaml', called);
    const { runId, ended } = await world.run(outer);
    await ended;
    const answers = [
      { nodeId: 'each[1].call/ask', decision: 'approve' },
      { nodeId: 'each[0].call/ask', decision: 'approve' },
      { nodeId: 'each[0].call/twice', payload: { values: { a: 'x' } } },
      { nodeId: 'beside', decision: 'approve' },
    ] as const;
    for (const answer of answers) await (await world.executor.resumeRun({ runId, ...answer })).ended;
    return [...world.told];
  } finally {
    await world.close();
  }
}

/** Returns the event as one of another run. */
export function asOf(root: RunId, [first]: readonly EventEnvelope[], event: EventEnvelope): EventEnvelope {
  const mapped = (id: RunId): RunId => (id === first?.runId ? root : id);
  return {
    ...event,
    runId: mapped(event.runId),
    ...(event.parentRunId === undefined ? {} : { parentRunId: mapped(event.parentRunId) }),
    ...(event.rootRunId === undefined ? {} : { rootRunId: root }),
  };
}
