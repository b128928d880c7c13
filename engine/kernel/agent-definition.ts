/**
 * Agents: named executables that a node type may wrap. The wrapper says on the hub when one begins and how it ended.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { Hub } from './hub.ts';
import { closedInbox, type Inbox } from './inbox.ts';

export interface AgentContext {
  /** Carries the agent in its events' context. */
  readonly hub: Hub;
  readonly inbox: Inbox;
  /** Fresh for every invocation. */
  readonly runId: RunId;
  /** Aborts on cancel and time-out, not when the agent has given its output: what it opened, it closes itself. */
  readonly signal: AbortSignal;
}

export interface AgentDefinition<Input, Output> {
  readonly name: string;
  /** The agent emits `agent:start` and its end, `agent:complete` or `agent:failed`, itself. */
  readonly emitsStartComplete?: boolean;
  /** What it returns is its output, also while a session of its provider is still open. */
  execute(input: Input, context: AgentContext): Promise<Output>;
}

/** What an invocation is handed; without an inbox, the agent finds its own closed. */
export interface AgentInvocation extends Omit<AgentContext, 'inbox'> {
  readonly inbox?: Inbox | undefined;
}

/**
 * Executes an agent once, between `agent:start` and `agent:complete` or `agent:failed`.
 * @throws what the agent threw
 */
export async function runAgent<Input, Output>(
  agent: AgentDefinition<Input, Output>,
  input: Input,
  invocation: AgentInvocation,
): Promise<Output> {
  const { hub, runId, signal, inbox = closedInbox } = invocation;
  const agentName = agent.name;
  const context = { hub: hub.scoped({ agent: { name: agentName } }), inbox, runId, signal };
  if (agent.emitsStartComplete === true) return await agent.execute(input, context);
  hub.emit({ type: 'agent:start', agentName, runId });
  try {
    const output = await agent.execute(input, context);
    hub.emit({ type: 'agent:complete', agentName, runId, success: true });
    return output;
  } catch (thrown) {
    hub.emit({ type: 'agent:failed', agentName, runId, error: toErrorRecord(thrown) });
    throw thrown;
  }
}
