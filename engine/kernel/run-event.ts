/**
 * Facts about runs: one closed union, one envelope. Events are told, never asked: no listener can stop or change a run.
 * Type names and fields are the product's public protocol (`docs/events.md`) and stable.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { RunId, SessionId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { SkipReason } from '../flowspec/markers.ts';
import type { WhenTrace } from '../flowspec/when-trace.ts';

export type RunKind = 'flow' | 'agent';
export type RunEndStatus = 'completed' | 'failed' | 'cancelled' | 'skipped';
export type CancelReason = 'cancel' | 'fail-fast';

/** Tokens that model calls used. */
export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A run begins. */
export interface RunStartEvent {
  readonly type: 'run:start';
  readonly kind: RunKind;
  readonly name: string;
  /** Path of the definition relative to the workspace, with `/`. */
  readonly sourcePath: string;
  /** SHA-256 of the definition's text, in hex. */
  readonly definitionHash: string;
  readonly inputs: JsonValue;
  readonly redoCount?: number;
  readonly redoOf?: RunId;
}

/** A run has ended; its last event. */
export interface RunEndEvent {
  readonly type: 'run:end';
  readonly status: RunEndStatus;
  /** Of a flow: map from the id of each node without outgoing edges to its output. */
  readonly output?: JsonValue;
  readonly error?: ErrorRecord;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: readonly string[];
  readonly durationMs: number;
  readonly usage?: ModelUsage;
  readonly costUsd?: number;
}

interface TaskFields {
  readonly taskId: string;
  readonly nodeId?: string;
}

/** Every `task:start` is followed by exactly one of the other three. */
export type TaskEvent =
  | ({ readonly type: 'task:start'; readonly nodeType?: string } & TaskFields)
  | ({
      readonly type: 'task:complete';
      readonly result: JsonValue;
      readonly durationMs: number;
      readonly attempts: number;
    } & TaskFields)
  | ({
      readonly type: 'task:failed';
      readonly error: ErrorRecord;
      readonly durationMs: number;
      readonly attempts: number;
    } & TaskFields)
  | ({ readonly type: 'task:cancelled'; readonly reason: CancelReason } & TaskFields);

export type PhaseEvent =
  | { readonly type: 'phase:start'; readonly name: string }
  | { readonly type: 'phase:complete'; readonly name: string }
  | { readonly type: 'phase:failed'; readonly name: string; readonly error: ErrorRecord }
  | { readonly type: 'phase:cancelled'; readonly name: string };

/** What happens around the attempts of a node. */
export type NodeEvent =
  | {
      readonly type: 'node:skipped';
      readonly nodeId: string;
      readonly reason: SkipReason;
      /** For `when`: the condition with the values it saw. */
      readonly detail?: WhenTrace;
    }
  | { readonly type: 'node:input'; readonly nodeId: string; readonly input: JsonValue }
  | {
      readonly type: 'node:retry';
      readonly nodeId: string;
      /** The attempt that failed, from 1. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ErrorRecord;
    }
  | { readonly type: 'edge:fired'; readonly edgeId: string; readonly from: string; readonly to: string };

export type AgentEvent =
  | { readonly type: 'agent:start'; readonly agentName: string; readonly runId: RunId }
  | { readonly type: 'agent:complete'; readonly agentName: string; readonly runId: RunId; readonly success: boolean }
  | { readonly type: 'agent:failed'; readonly agentName: string; readonly runId: RunId; readonly error: ErrorRecord }
  /** Deltas: text since the last such event of the same task. */
  | { readonly type: 'agent:text'; readonly content: string }
  | { readonly type: 'agent:thinking'; readonly content: string };

/** A request to a language model, and its whole answer. */
export type ModelEvent =
  | {
      readonly type: 'model:request';
      readonly provider: string;
      readonly model: string;
      /** SHA-256 of the messages' JSON text, in hex. */
      readonly messagesHash: string;
    }
  | {
      readonly type: 'model:response';
      readonly usage?: ModelUsage;
      readonly costUsd?: number;
      readonly durationMs: number;
      readonly finishReason: string;
    };

export type RunEvent = RunStartEvent | RunEndEvent | PhaseEvent | TaskEvent | NodeEvent | AgentEvent | ModelEvent;

/** The scopes an event happened in. */
export interface EventContext {
  readonly sessionId: SessionId;
  readonly phase?: { readonly name: string };
  readonly task?: { readonly id: string };
  readonly agent?: { readonly name: string };
}

/** A numbered fact. */
export interface EventEnvelope {
  /** From 0 per root run, without gaps; child runs share their root's sequence. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly runId: RunId;
  readonly parentRunId?: RunId;
  readonly context: EventContext;
  readonly event: RunEvent;
}
