/**
 * Node types for tests that wrap an agent.
 */
import { z } from 'zod';
import { defineNodeType, type NodeType } from '../runtime/flow/node-type.ts';
import { type AgentContext, runAgent } from '../runtime/kernel/capabilities/agent-definition.ts';

/** Returns a type that runs an agent of the same name, with an inbox, and returns its text as `{text}`. */
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

/** Returns a flow that runs one agent and returns its text; `policy` applies to the agent's node. */
export function agentFlow(type: string, policy = ''): string {
  return `
flow: { name: Agents }
nodes:
  - { id: ask, type: ${type}, input: {}, policy: { ${policy} } }
  - { id: after, type: echo, input: { text: "then {{ask.text}}" } }
edges: [{ from: ask, to: after }]`;
}
