/**
 * The events of a run shown in its log, and indexes for the views: failed attempts, tool calls, policy decisions.
 */
import type { ErrorRecord, EventEnvelope, RunEvent } from '../../../../engine/isomorphic.ts';
import {
  type ByPlace,
  followDecisions,
  followToolCalls,
  type RecordedDecision,
  type ToolCallRecord,
} from './tool-calls.ts';

/** A failed attempt of a node that was followed by another. */
export interface FailedAttempt {
  readonly attempt: number;
  /** When it failed, in epoch milliseconds. */
  readonly at: number;
  /** Pause before the next attempt. */
  readonly delayMs: number;
  readonly error: ErrorRecord;
}

export interface WindowRunLog {
  readonly events: readonly EventEnvelope[];
  /** While a moment of the run is shown: further events, which had not happened at that moment. */
  readonly later: readonly EventEnvelope[];
  /** Number of logged events before `events`. */
  readonly omittedCount: number;
  /** By node ID, oldest first. */
  readonly failedAttempts: ReadonlyMap<string, readonly FailedAttempt[]>;
  /** Whether the run has made any request to a person. */
  readonly hasAsked: boolean;
  readonly toolCalls: ByPlace<ToolCallRecord>;
  /** What policies denied in the run. */
  readonly decisions: ByPlace<RecordedDecision>;
  /** The event of a run that was denied before it started, or null. */
  readonly refused: Extract<RunEvent, { type: 'run:refused' }> | null;
}

export const emptyRunLog: WindowRunLog = {
  events: [],
  later: [],
  omittedCount: 0,
  failedAttempts: new Map(),
  hasAsked: false,
  toolCalls: new Map(),
  decisions: new Map(),
  refused: null,
};

/** Maximum number of lines to keep for a run. */
export const maxLogEvents = 5000;

/** Returns the log as it was after an event. */
export function logUpTo(log: WindowRunLog, seq: number): WindowRunLog {
  const at = log.events.findLastIndex((event) => event.seq <= seq) + 1;
  return { ...log, events: log.events.slice(0, at), later: log.events.slice(at) };
}

/** Returns whether an event is shown in logs. */
export function isLogged({ event }: EventEnvelope): boolean {
  return event.type !== 'agent:text' && event.type !== 'agent:thinking';
}

function withRetries(
  former: WindowRunLog['failedAttempts'],
  events: readonly EventEnvelope[],
): WindowRunLog['failedAttempts'] {
  let result: Map<string, readonly FailedAttempt[]> | null = null;
  for (const { at, event } of events) {
    if (event.type !== 'node:retry') continue;
    result ??= new Map(former);
    const { nodeId, attempt, delayMs, error } = event;
    result.set(nodeId, [...(result.get(nodeId) ?? []), { attempt, at, delayMs, error }]);
  }
  return result ?? former;
}

/** Considers only the root run, because a child run may be denied without ending it. */
function refusalIn(events: readonly EventEnvelope[]): WindowRunLog['refused'] {
  for (const { event, rootRunId } of events) if (event.type === 'run:refused' && rootRunId === undefined) return event;
  return null;
}

/** Appends events to the log. Returns the same object if none of them is shown in a log. */
export function appendToLog(log: WindowRunLog, events: readonly EventEnvelope[]): WindowRunLog {
  const fresh = events.filter(isLogged);
  if (fresh.length === 0) return log;
  const all = [...log.events, ...fresh];
  const surplus = Math.max(0, all.length - maxLogEvents);
  return {
    events: surplus === 0 ? all : all.slice(surplus),
    later: log.later,
    omittedCount: log.omittedCount + surplus,
    failedAttempts: withRetries(log.failedAttempts, fresh),
    hasAsked:
      log.hasAsked || fresh.some(({ event: { type } }) => type === 'approval:requested' || type === 'input:requested'),
    toolCalls: followToolCalls(log.toolCalls, fresh),
    decisions: followDecisions(log.decisions, fresh),
    refused: refusalIn(fresh) ?? log.refused,
  };
}
