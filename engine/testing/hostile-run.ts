/**
 * Runs a misbehaving node with a separate history.
 */
import { builtinNodes } from '../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../runtime/nodes/node-registry.ts';
import { createTestExecutor } from './executor-world.ts';
import { type TestNodeRun, testNode } from './test-node.ts';

/** Returns a flow with the node `bad` of the type `hostile`, and a node after it that returns its error code. */
export const hostileFlow = (policy = '{}') => `
flow: { name: f }
nodes:
  - { id: bad, type: hostile, input: {}, policy: ${policy} }
  - { id: after, type: echo, input: { text: "{{?bad.error.code}}" } }
edges: [{ from: bad, to: after }]`;

/** Runs that flow with a real history and returns the recorded run; the caller must close it. */
export async function runRecorded(run: TestNodeRun, policy = '{ continueOnError: true }') {
  const registry = createNodeRegistry([...builtinNodes, testNode('hostile', run)]);
  const { executor, store, failures, ...world } = await createTestExecutor({ registry });
  const { runId, ended } = await world.run(hostileFlow(policy));
  const { status } = await ended;
  const events = store.readEvents(runId, -1, 1000).map(({ event }) => event);
  const failed = events.find((event) => event.type === 'task:failed');
  return { status, events, failures, error: failed?.error, close: world.close };
}
