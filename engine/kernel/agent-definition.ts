/**
 * Agents: named executables that a node type may wrap. The wrapper says on the hub when one begins and how it ended.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { Hub } from './hub.ts';

export interface InboxMessage {
  readonly content: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** Messages to one invocation of an agent. Iterating ends when the inbox is closed and empty. */
export interface Inbox extends AsyncIterable<InboxMessage> {
  /** Waits for the next message; undefined when the inbox is closed and empty. */
  pop(): Promise<InboxMessage | undefined>;
  /** Takes all that is there now. */
  drain(): readonly InboxMessage[];
}

export interface AgentContext {
  /** Carries the agent in its events' context. */
  readonly hub: Hub;
  readonly inbox: Inbox;
  /** Fresh for every invocation. */
  readonly runId: RunId;
  readonly signal: AbortSignal;
}

export interface AgentDefinition<Input, Output> {
  readonly name: string;
  execute(input: Input, context: AgentContext): Promise<Output>;
}

/** Nobody can write to an agent yet, so reading never waits. */
const closedInbox: Inbox = {
  pop: () => Promise.resolve(undefined),
  drain: () => [],
  async *[Symbol.asyncIterator]() {},
};

/**
 * Executes an agent once, between `agent:start` and `agent:complete` or `agent:failed`.
 * @throws what the agent threw
 */
export async function runAgent<Input, Output>(
  agent: AgentDefinition<Input, Output>,
  input: Input,
  invocation: Omit<AgentContext, 'inbox'>,
): Promise<Output> {
  const { hub, runId, signal } = invocation;
  const agentName = agent.name;
  hub.emit({ type: 'agent:start', agentName, runId });
  try {
    const agentHub = hub.scoped({ agent: { name: agentName } });
    const output = await agent.execute(input, { hub: agentHub, inbox: closedInbox, runId, signal });
    hub.emit({ type: 'agent:complete', agentName, runId, success: true });
    return output;
  } catch (thrown) {
    hub.emit({ type: 'agent:failed', agentName, runId, error: toErrorRecord(thrown) });
    throw thrown;
  }
}
