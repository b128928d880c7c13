/**
 * Questions that work asks a person, or anybody outside, and their answers: facts of the log, of which each is taken once.
 */
import type { ConsentScope, PermissionNeed } from '../base/consent.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { ApprovalContext } from '../flowspec/steps/approval-request.ts';

/** What is done when nobody has answered in time: tell again, take an answer as given, or let the node fail. */
export type DeadlinePolicy = 'remind' | 'approve' | 'reject' | 'fail';

interface AnyRequest {
  /** What is asked, in one line. */
  readonly title: string;
  /** What whoever answers has to know. */
  readonly message?: string;
  /** Epoch milliseconds. */
  readonly deadlineAt?: number;
  /** In place of `deadlineAt`, milliseconds from when it is asked; the log has the time that they make. */
  readonly deadlineMs?: number;
  /** Reminds when absent; approves and rejects no forms. */
  readonly onDeadline?: DeadlinePolicy;
}

/** Somebody wants to do something, and asks whether they may. */
export interface ApprovalRequest extends AnyRequest {
  readonly kind: 'approval';
  /** All that is proposed. */
  readonly action?: JsonValue;
  /** What would change, as a unified diff. */
  readonly diff?: string;
  /** Who wants to do it. */
  readonly askedBy?: string;
  readonly recommended?: 'approve' | 'reject';
  /** What led to the proposal. */
  readonly notes?: readonly string[];
  /** What whoever approves may edit; the answer then has all of it. */
  readonly params?: JsonMap;
  /** The permissions that are missing. A person grants them in a dialog of the system or at a terminal; an answer cannot. */
  readonly permission?: readonly PermissionNeed[];
  /** The scopes that the answer may choose from with `scope`; absent = the approval is for this call only. */
  readonly scopes?: readonly ConsentScope[];
  /**
   * Of a step: what it was given to decide by, as it gave it. Whoever approves may give along further keys, which are added to what
   * the run was started with.
   */
  readonly approval_context?: ApprovalContext;
}

/** Somebody needs values. */
export interface InputRequest extends AnyRequest {
  readonly kind: 'input';
  /** JSON Schema of a map: what the form asks for. */
  readonly schema: JsonMap;
  /** What the form begins with. */
  readonly defaults?: JsonMap;
  /** Of a step: its request as it wrote it, with `form_id` and `mode`. An answer names the form. */
  readonly form?: JsonMap;
}

/** A question. All of it is JSON. */
export type AskRequest = ApprovalRequest | InputRequest;

/** What somebody has answered. */
export interface AskAnswer {
  /**
   * To an approval `approved`, and where they were given `comment`, `params` and `scope`; to an input `values`, and `comment` where it was
   * given. `expired` when nobody has answered in time and the request says that this fails.
   */
  readonly payload: JsonMap;
  readonly by?: string;
  /** When they answered, in epoch milliseconds. */
  readonly at: number;
}

/** An answer as it was claimed: to one question of one node. */
export interface GivenAnswer extends AskAnswer {
  /** Full name of the node: behind nodes of runs that call others and a `/`, where it stands in a called one. */
  readonly name: string;
  readonly key: string;
  readonly requestHash: string;
}

/** A question of a node, with what was answered. */
export interface Ask {
  /** Unique in its node. */
  readonly key: string;
  /** Equal for equal requests: an answer counts for no other. */
  readonly requestHash: string;
  readonly request: AskRequest;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** Absent = it waits. */
  readonly answer?: AskAnswer;
}

/** Answers that come in while a run goes on. */
export interface AnswerSource {
  /** All so far, those that the run knows among them. Names are those of nodes of the run, or behind one of these and a `/`. */
  list(): readonly GivenAnswer[];
  /** Calls `listener` when there are more. Returns the end of that. */
  listen(listener: () => void): () => void;
}

/**
 * Asks and waits for an answer, which may take days: where nobody has answered, the node ends suspended, and `run` is called again
 * from its beginning when somebody has. What its abilities gave before, it is given again; all else it does again.
 * @param key unique among the questions of the node
 * @throws EngineError `ask.duplicate-key` | `ask.bad-request`
 */
export type AskCapability = (key: string, request: AskRequest) => Promise<AskAnswer>;

/**
 * A node asks, and somebody has answered. An answer is a fact: whoever goes on with the run has it from here, and asks nobody again.
 * Several may be asked for one node; they are told apart by `key`.
 */
export type AskEvent =
  | {
      readonly type: 'approval:requested' | 'input:requested';
      readonly nodeId: string;
      readonly key: string;
      /** Equal for equal requests: an answer counts for no other. */
      readonly requestHash: string;
      readonly request: AskRequest;
      /** It was asked before under this key, in other words, and that answer does not count. */
      readonly changed?: true;
    }
  | {
      readonly type: 'approval:resolved' | 'input:received';
      readonly nodeId: string;
      readonly key: string;
      readonly requestHash: string;
      /** `approved`, `comment`, `params`; of an input `values`, `comment`. */
      readonly payload: JsonMap;
      readonly by?: string;
      /** When they answered, in epoch milliseconds; the event itself may be later. */
      readonly at: number;
    };

/** Values that somebody has given, and that were not taken: the form waits on. */
export interface RefusedAnswerEvent {
  readonly type: 'input:refused';
  readonly nodeId: string;
  readonly key: string;
  /** Codes of what does not fit, such as `missing_required:reason`. */
  readonly errors: readonly string[];
  /** The rule of a policy that they break; absent where they do not fit the form. */
  readonly rule?: string;
  readonly by?: string;
}

/** Nodes that were not allowed to go on by whoever was asked. */
export const rejectedCode = 'approval.rejected';
/** How long somebody may have for an answer: ten years, in milliseconds. */
export const longestDeadlineMs = 10 * 366 * 24 * 3_600_000;
/** Nobody has answered in time. */
export const expiredCode = 'ask.expired';

/** Canonical JSON text: equal for equal values, whatever the order of their keys. */
export function canonicalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const map = value as JsonMap;
  const entries = Object.keys(map)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(map[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}
