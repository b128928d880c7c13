/**
 * Node types for tests of the code that runs them.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import type { NodeEffects } from '../language/types/node-type-spec.ts';
import { defineNodeType, type NodeRunContext, type NodeType } from '../runtime/flow/node-type.ts';
import { anyJson } from '../runtime/nodes/shared-schemas.ts';

export type TestNodeRun = (context: NodeRunContext<JsonMap, JsonMap, 'model' | 'files'>) => Promise<JsonValue>;

/** Returns a type that accepts any input and config and returns the result of `run`. */
export function testNode(type: string, run: TestNodeRun, effects: NodeEffects = 'pure'): NodeType {
  return defineNodeType(
    {
      type,
      title: type,
      description: 'Made for a test.',
      category: 'flow',
      icon: 'box',
      inputSchema: z.record(z.string(), anyJson),
      configSchema: z.record(z.string(), anyJson),
      outputSchema: anyJson,
      effects,
    },
    {
      capabilities: ['model', 'files'],
      run,
    },
  );
}

/** Returns a type `act` that adds its input to `acted` and returns it. */
export function actNode(acted: unknown[]): NodeType {
  return testNode('act', async ({ input }) => {
    acted.push(input);
    return input;
  });
}

/** Returns a type `probe` that records the `name` of its input at start and end, with one turn in between. */
export function probeNode(log: string[]): NodeType {
  return testNode('probe', async ({ nodeId, input }) => {
    log.push(`start ${nodeId}`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`end ${nodeId}`);
    return input;
  });
}

/** Returns a type `flaky` that fails its first `failures` attempts, then returns the number of the attempt. */
export function flakyNode(failures: number): NodeType & { readonly attempts: number } {
  let attempts = 0;
  const nodeType = testNode('flaky', async () => {
    attempts++;
    if (attempts <= failures) throw new Error(`failure ${attempts}`);
    return { attempt: attempts };
  });
  return Object.defineProperty(nodeType, 'attempts', { get: () => attempts }) as NodeType & { attempts: number };
}

/** A type `stuck` that never settles and ignores its signal. */
export const stuckNode = testNode('stuck', () => new Promise(() => {}));

/**
 * Returns a type `patient` that always waits the `ms` of its input, and records in `log` when it was asked to stop and
 * when it ended.
 */
export function patientNode(log: string[]): NodeType {
  return testNode('patient', async ({ input, clock, signal }) => {
    signal.addEventListener('abort', () => log.push('aborted'));
    await new Promise<void>((resolve) => clock.setTimer(resolve, Number(input['ms'])));
    log.push('done');
    return { late: true };
  });
}
