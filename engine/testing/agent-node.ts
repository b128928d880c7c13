/**
 * Node types that wrap an agent made on the spot.
 */
import { z } from 'zod';
import { defineNodeType, type NodeType } from '../flow/node-type.ts';
import { type AgentContext, runAgent } from '../kernel/agent-definition.ts';

/** A type that executes an agent of its own name, with an inbox, and gives what it says as `{text}`. */
export function agentNode(type: string, execute: (context: AgentContext) => Promise<string>): NodeType {
  return defineNodeType(
    {
      type,
      title: type,
      description: 'Made for a test.',
      category: 'agent',
      icon: 'message',
      inputSchema: z.object({}),
      configSchema: z.object({}),
      outputSchema: z.object({ text: z.string() }),
      effects: 'pure',
    },
    {
      capabilities: [],
      supportsInbox: true,
      async run({ input, hub, runId, signal, inbox }) {
        const agent = { name: type, execute: (_: unknown, context: AgentContext) => execute(context) };
        return { text: await runAgent(agent, input, { hub, runId, signal, inbox }) };
      },
    },
  );
}

/** Asks one agent, then says what it gave; `policy` is that of the agent's node. */
export function agentFlow(type: string, policy = ''): string {
  return `
flow: { name: Agents }
nodes:
  - { id: ask, type: ${type}, input: {}, policy: { ${policy} } }
  - { id: after, type: echo, input: { text: "then {{ask.text}}" } }
edges: [{ from: ask, to: after }]`;
}
