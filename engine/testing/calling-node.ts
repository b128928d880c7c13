/**
 * A node that makes calls, and test services that record the requests.
 */
import { z } from 'zod';
import type { NodeEffects } from '../language/types/node-type-spec.ts';
import { defineNodeType, type NodeType } from '../runtime/flow/node-type.ts';
import type { Capabilities } from '../runtime/kernel/capabilities/capabilities.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';

/** A call and its target. */
export interface Call {
  readonly to: 'model' | 'web' | 'ask' | string;
  readonly what: string;
}

/**
 * Returns a node that makes groups of calls in sequence, with the calls of a group in parallel. Returns their results.
 */
export function callingNode(groups: readonly (readonly Call[])[], effects: NodeEffects = 'idempotent'): NodeType {
  return defineNodeType(
    {
      ...{ type: 'calls', title: 'Calls', description: 'Calls.', category: 'flow', icon: 'box', effects },
      inputSchema: z.object({}),
      configSchema: z.object({}),
      outputSchema: z.object({ given: z.array(z.string()) }),
    },
    {
      capabilities: ['model', 'web', 'ask'],
      async run({ can, signal }) {
        const given: string[] = [];
        let asked = 0;
        const make = async ({ to, what }: Call): Promise<string> => {
          if (to === 'ask') {
            const { by = '' } = await can.ask(`${asked++}`, { kind: 'approval', title: what });
            return by;
          }
          if (to === 'web') {
            const request = { url: 'https://example.com/', method: 'POST', headers: {}, body: what, maxBytes: 1000 };
            return (await can.web.send(request, signal)).text;
          }
          const messages = [{ role: 'user', content: what }] as const;
          return (await can.model.ask({ model: undefined, messages }, { signal, onText: () => undefined })).text;
        };
        for (const group of groups) given.push(...(await Promise.all(group.map(make))));
        return { given };
      },
    },
  );
}

/** @param name included in all responses */
export function createCallWorld(name: string): {
  readonly capabilities: Partial<Capabilities>;
  readonly sent: string[];
} {
  const sent: string[] = [];
  const note = (what: string): string => `${name}: ${sent.push(what)}`;
  const { capabilities } = createFakeCapabilities({
    reply: ({ messages }) => ({ text: note(`model ${messages[0]?.content}`), finishReason: 'stop', costUsd: 1 }),
    respond: ({ body }) => ({ text: note(`web ${body}`) }),
  });
  return { capabilities, sent };
}
