/**
 * The events of a run that its log shows, and what views look up in them: tries that failed, calls of tools, decisions of policies.
 */
import type { ErrorRecord, EventEnvelope, RunEvent } from '../../../engine/isomorphic.ts';
import { type ByPlace, type Decision, followDecisions, followToolCalls, type ToolCall } from './tool-calls.ts';

/** One try of a node that failed and was followed by another. */
export interface FailedAttempt {
  readonly attempt: number;
  /** When it failed; epoch milliseconds. */
  readonly at: number;
  /** Pause before the next one. */
  readonly delayMs: number;
  readonly error: ErrorRecord;
}

export interface RunLog {
  readonly events: readonly EventEnvelope[];
  /** Events that belong into the log and came before `events`. */
  readonly omittedCount: number;
  /** By node id, oldest first. */
  readonly failedAttempts: ReadonlyMap<string, readonly FailedAttempt[]>;
  /** Whether anything of it has asked a person. */
  readonly hasAsked: boolean;
  readonly toolCalls: ByPlace<ToolCall>;
  /** What policies refused in it. */
  readonly decisions: ByPlace<Decision>;
  /** That it was not begun at all; null when it was. */
  readonly refused: Extract<RunEvent, { type: 'run:refused' }> | null;
}

export const emptyRunLog: RunLog = {
  events: [],
  omittedCount: 0,
  failedAttempts: new Map(),
  hasAsked: false,
  toolCalls: new Map(),
  decisions: new Map(),
  refused: null,
};

/** Lines kept of one run. */
export const maxLogEvents = 5000;

function isLogged({ event }: EventEnvelope): boolean {
  return event.type !== 'agent:text' && event.type !== 'agent:thinking';
}

function withRetries(former: RunLog['failedAttempts'], events: readonly EventEnvelope[]): RunLog['failedAttempts'] {
  let result: Map<string, readonly FailedAttempt[]> | null = null;
  for (const { at, event } of events) {
    if (event.type !== 'node:retry') continue;
    result ??= new Map(former);
    const { nodeId, attempt, delayMs, error } = event;
    result.set(nodeId, [...(result.get(nodeId) ?? []), { attempt, at, delayMs, error }]);
  }
  return result ?? former;
}

/** Of the run at the top: one that it calls may be refused without ending it. */
function refusalIn(events: readonly EventEnvelope[]): RunLog['refused'] {
  for (const { event, rootRunId } of events) if (event.type === 'run:refused' && rootRunId === undefined) return event;
  return null;
}

/** The log with more events at its end; the same object when none of them is shown in a log. */
export function appendToLog(log: RunLog, events: readonly EventEnvelope[]): RunLog {
  const fresh = events.filter(isLogged);
  if (fresh.length === 0) return log;
  const all = [...log.events, ...fresh];
  const surplus = Math.max(0, all.length - maxLogEvents);
  return {
    events: surplus === 0 ? all : all.slice(surplus),
    omittedCount: log.omittedCount + surplus,
    failedAttempts: withRetries(log.failedAttempts, fresh),
    hasAsked:
      log.hasAsked || fresh.some(({ event: { type } }) => type === 'approval:requested' || type === 'input:requested'),
    toolCalls: followToolCalls(log.toolCalls, fresh),
    decisions: followDecisions(log.decisions, fresh),
    refused: refusalIn(fresh) ?? log.refused,
  };
}
