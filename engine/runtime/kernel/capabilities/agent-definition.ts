/** Agents: named executables that a node type may wrap. The wrapper emits an agent's start and outcome on the hub. */
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { Hub } from '../hub/hub.ts';
import { closedInbox, type Inbox } from '../requests/agent-inbox.ts';

export interface AgentContext {
  /** Hub that adds the agent to the event context. */
  readonly hub: Hub;
  readonly inbox: Inbox;
  /** A new ID for every call. */
  readonly runId: RunId;
  /**
   * Aborts on cancel and timeout, but not when the agent has returned its output. The agent must close its own
   * resources.
   */
  readonly signal: AbortSignal;
}

export interface AgentDefinition<Input, Output> {
  readonly name: string;
  /** Whether the agent emits `agent:start` and its end, `agent:complete` or `agent:failed`, itself. */
  readonly emitsStartComplete?: boolean;
  /** Returns the output, even if one of the provider's sessions is still open. */
  execute(input: Input, context: AgentContext): Promise<Output>;
}

/** A call's arguments. Without an inbox, the agent's inbox is closed. */
export interface AgentInvocation extends Omit<AgentContext, 'inbox'> {
  readonly inbox?: Inbox | undefined;
}

/**
 * Executes an agent once, between `agent:start` and `agent:complete` or `agent:failed`.
 * @throws the agent's error
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
