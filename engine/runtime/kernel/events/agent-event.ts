/**
 * Events of agents that run inside a node.
 */
import type { ErrorRecord } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';

export type AgentEvent =
  | { readonly type: 'agent:start'; readonly agentName: string; readonly runId: RunId }
  | { readonly type: 'agent:complete'; readonly agentName: string; readonly runId: RunId; readonly success: boolean }
  | { readonly type: 'agent:failed'; readonly agentName: string; readonly runId: RunId; readonly error: ErrorRecord }
  /** Delta: text since the same task's last such event. */
  | { readonly type: 'agent:text'; readonly content: string }
  | { readonly type: 'agent:thinking'; readonly content: string };
