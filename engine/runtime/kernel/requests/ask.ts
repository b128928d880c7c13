/**
 * Requests to a person, or to anyone outside the run, and their answers. They are recorded in the log, and each answer
 * is used once.
 */
import type { ConsentScope, PermissionNeed } from '../../../base/consent.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { ApprovalContext } from '../../../language/steps/approval-request.ts';

/** What happens when a deadline expires: send a reminder, assume an answer, or fail the node. */
export type DeadlinePolicy = 'remind' | 'approve' | 'reject' | 'fail';

interface AnyRequest {
  /** The request in one line. */
  readonly title: string;
  /** Information for the person who answers. */
  readonly message?: string;
  /** Deadline in epoch milliseconds. */
  readonly deadlineAt?: number;
  /** Alternative to `deadlineAt`: milliseconds after the request. The log contains the resulting time. */
  readonly deadlineMs?: number;
  /** Defaults to a reminder. Forms cannot be approved or rejected. */
  readonly onDeadline?: DeadlinePolicy;
}

/** A request for approval of an action. */
export interface ApprovalRequest extends AnyRequest {
  readonly kind: 'approval';
  /** The proposed action. */
  readonly action?: JsonValue;
  /** The changes as a unified diff. */
  readonly diff?: string;
  /** Who wants to perform the action. */
  readonly askedBy?: string;
  readonly recommended?: 'approve' | 'reject';
  /** Reasons for the proposal. */
  readonly notes?: readonly string[];
  /** Parameters that the approver may edit. The answer then contains all of them. */
  readonly params?: JsonMap;
  /** The missing permissions. A person grants them in a system dialog or at a terminal; an answer cannot grant them. */
  readonly permission?: readonly PermissionNeed[];
  /** The scopes available to the answer's `scope`; absent if the approval is only for this call. */
  readonly scopes?: readonly ConsentScope[];
  /**
   * For a step: the context for the decision, as given. The approver may add keys, which are added to the run's
   * payload.
   */
  readonly approval_context?: ApprovalContext;
}

/** A request for values. */
export interface InputRequest extends AnyRequest {
  readonly kind: 'input';
  /** JSON Schema of a map: the fields of the form. */
  readonly schema: JsonMap;
  /** The form's initial values. */
  readonly defaults?: JsonMap;
  /** For a step: its request as written, with `form_id` and `mode`. The answer names the form. */
  readonly form?: JsonMap;
  /** The person may refuse to give values. The answer is then `{ declined: true }`, and the node continues. */
  readonly mayDecline?: true;
}

/** A request, consisting only of JSON values. */
export type AskRequest = ApprovalRequest | InputRequest;

/** An answer to a request. */
export interface AskAnswer {
  /**
   * For an approval: `approved` and, if given, `comment`, `params` and `scope`. For an input: `values`, or `declined`, and, if given,
   * `comment`. `expired` if the deadline has passed and the request then fails. `withdrawn` if a live request is no longer
   * needed.
   */
  readonly payload: JsonMap;
  readonly by?: string;
  /** Time of the answer, in epoch milliseconds. */
  readonly at: number;
}

/** A claimed answer to one of a node's requests. */
export interface ReceivedAnswer extends AskAnswer {
  /** Full name of the node. For a node in a child run, preceded by the names of the calling nodes, separated by `/`. */
  readonly name: string;
  readonly key: string;
  readonly requestHash: string;
}

/** A node's request with its answer. */
export interface Ask {
  /** Key that is unique within its node. */
  readonly key: string;
  /** Hash that is the same for equal requests. An answer is valid only for its own request. */
  readonly requestHash: string;
  readonly request: AskRequest;
  /** Time of the request, in epoch milliseconds. */
  readonly askedAt: number;
  /** Absent while the request is open. */
  readonly answer?: AskAnswer;
}

/** Answers that arrive during a run. */
export interface AnswerSource {
  /**
   * Returns all answers so far, including those that the run has processed. Names are relative to the run; the name of
   * a node in a child run follows its caller's name and a `/`.
   */
  list(): readonly ReceivedAnswer[];
  /** Calls `listener` when there are new answers. Returns a function that removes the listener. */
  listen(listener: () => void): () => void;
}

/** How a node waits for an answer. */
export interface AskWait {
  /**
   * For work that cannot start over, such as a process that waits for the answer: `run` keeps running, and its time limit
   * is paused. If the signal aborts, the request is withdrawn and the promise rejects with the signal's reason. If the
   * program ends, the request is dropped, and the node counts as interrupted.
   */
  readonly live?: AbortSignal;
}

/**
 * Makes a request and waits for the answer, which may take days. Without an answer, the node is suspended, and `run`
 * is called again from the start when there is an answer. Earlier capability calls then return the same results; all
 * other work is repeated.
 * @param key unique among the node's requests
 * @throws EngineError `ask.duplicate-key` | `ask.bad-request`; `ask.unavailable` for a live request that cannot be
 * answered here
 */
export type AskCapability = (key: string, request: AskRequest, wait?: AskWait) => Promise<AskAnswer>;

/** Start of the keys of live requests, which belong to one process. */
const liveStart = 'live:';

/** Returns the key of a node's live request. @param count number of earlier live requests in this process */
export function liveKey(key: string, count: number): string {
  return `${liveStart}${count}:${key}`;
}

/** Whether the request with this key ends with the process that made it. */
export function isLiveKey(key: string): boolean {
  return key.startsWith(liveStart);
}

/** Returns a node's requests without those that ended with their process. */
export function withoutLive<One extends { readonly key: string }>(asks: readonly One[]): readonly One[] {
  return asks.filter(({ key }) => !isLiveKey(key));
}

/**
 * A node's request, or its answer. An answer is recorded permanently: a resumed run uses it and does not repeat the
 * request. A node may have several requests, distinguished by `key`.
 */
export type AskEvent =
  | {
      readonly type: 'approval:requested' | 'input:requested';
      readonly nodeId: string;
      readonly key: string;
      /** Hash that is the same for equal requests. An answer is valid only for its own request. */
      readonly requestHash: string;
      readonly request: AskRequest;
      /** An earlier request with this key was different, so its answer is not valid. */
      readonly changed?: true;
    }
  | {
      readonly type: 'approval:resolved' | 'input:received';
      readonly nodeId: string;
      readonly key: string;
      readonly requestHash: string;
      /** `approved`, `comment`, `params`; for an input: `values`, `comment`. */
      readonly payload: JsonMap;
      readonly by?: string;
      /** Time of the answer, in epoch milliseconds; the event itself may be later. */
      readonly at: number;
    };

/** Rejected values. The request stays open. */
export interface RefusedAnswerEvent {
  readonly type: 'input:refused';
  readonly nodeId: string;
  readonly key: string;
  /** Mismatch codes, such as `missing_required:reason`. */
  readonly errors: readonly string[];
  /** The policy rule that the values violate; absent if they do not match the form. */
  readonly rule?: string;
  readonly by?: string;
}

/** Error code of a node that a person did not allow to continue. */
export const rejectedCode = 'approval.rejected';
/** Maximum time limit for an answer: ten years, in milliseconds. */
export const longestDeadlineMs = 10 * 366 * 24 * 3_600_000;
/** Error code of a node whose request was not answered in time. */
export const expiredCode = 'ask.expired';

/** Returns canonical JSON text, which is the same for equal values regardless of key order. */
export function canonicalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const map = value as JsonMap;
  const entries = Object.keys(map)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(map[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}
