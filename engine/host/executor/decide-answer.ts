/**
 * Decides which request an answer is for, and whether it is valid. Reads only what it is given, so that it applies to
 * any history.
 */
import { userInfo } from 'node:os';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { alreadyAnswered } from '../../history/store/answer-store.ts';
import type { StoredAsk } from '../../history/store/waiting-store.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { misfitOfSize } from '../../runtime/governance/budget.ts';
import type { PolicyLayer } from '../../runtime/governance/policy-layer.ts';
import type { AnswerMisfit } from '../../runtime/kernel/requests/answer-fields.ts';
import type { AskRequest, ReceivedAnswer, RefusedAnswerEvent } from '../../runtime/kernel/requests/ask.ts';
import { deadlineName } from '../../runtime/kernel/requests/ask-deadline.ts';
import { permissionOf } from '../../runtime/kernel/requests/ask-request.ts';
import { checkAnswer } from '../../runtime/kernel/requests/check-answer.ts';
import type { ResumeRun } from './continuation.ts';

/** Returns the value for a hash; undefined if it is not in the history. */
export type ReadValue = (hash: string) => JsonValue | undefined;

/** A run's requests and answers at one point in time. */
export interface AskSnapshot {
  /** Returns all requests of the run that it has not processed. */
  readonly asks: () => readonly StoredAsk[];
  readonly answers: () => readonly ReceivedAnswer[];
  readonly readValue: ReadValue;
}

/** A valid answer, or the error for an invalid one and the event that records it. */
export type DecidedAnswer =
  | { readonly answer: ReceivedAnswer }
  | { readonly refused: EngineError; readonly event?: RefusedAnswerEvent };

/**
 * Decides about the answer in a request to resume.
 * @param context `now` in epoch milliseconds, and the policies in effect
 * @returns undefined if the request contains no answer because it only decides about interrupted work
 * @throws EngineError `run.invalid-state` if no such request is open, if several are open and none is named, or if it
 * was already answered; `answer.invalid` with the problems in `details`
 */
export function decideAnswer(
  snapshot: AskSnapshot,
  request: ResumeRun,
  { now, policies }: { readonly now: number; readonly policies: readonly PolicyLayer[] },
): DecidedAnswer | undefined {
  const { runId, decision, payload, comment } = request;
  if (decision === undefined && payload === undefined) return undefined;
  const by = answererOf(request);
  if (by === deadlineName) throw takenName();
  const target = targetOf(snapshot, request);
  if (target === undefined) return undefined;
  const { name, key, requestHash, request: asked } = target;
  if (permissionOf(asked) !== undefined) throw needsPermission(runId, name);
  const who = by === undefined ? {} : { by };
  const told = comment === undefined ? {} : { comment };
  const given = { ...told, ...(payload ?? payloadOf(decision, asked)) };
  const checked = checkAnswer(asked, given);
  if (!checked.ok) return refusal({ runId, target, misfits: checked.misfits, ...who });
  const tooLarge = misfitOfSize(checked.payload, policies);
  if (tooLarge !== undefined) return refusal({ runId, target, misfits: [tooLarge], ...who, rule: tooLarge.code });
  return { answer: { name, key, requestHash, payload: checked.payload, at: now, ...who } };
}

function payloadOf(decision: ResumeRun['decision'], asked: AskRequest): JsonMap {
  const isDeclined = decision === 'reject' && asked.kind === 'input' && asked.mayDecline === true;
  return isDeclined ? { declined: true } : { approved: decision === 'approve' };
}

/** Returns the name of the person who answers; undefined if it is unknown. */
export function answererOf(request: ResumeRun): string | undefined {
  return request.by ?? resolverIn(request) ?? systemUser();
}

/** Returns the complete request; its large parts are stored separately. */
export function completeRequest(request: AskRequest, readValue: ReadValue): AskRequest {
  const entries = Object.entries(request).map(([key, value]) => [
    key,
    isValueHandle(value) ? (readValue(value.$value) ?? value) : value,
  ]);
  return Object.fromEntries(entries) as AskRequest;
}

/** Returns who answers. An answer to a step's approval may contain a name. */
function resolverIn({ payload }: ResumeRun): string | undefined {
  const by = payload?.['resolved_by'];
  return typeof by === 'string' && by !== '' ? by : undefined;
}

/** Returns the name of the current user; undefined if the system does not know it. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * Creates the error for a request for permissions. They are granted in a system dialog or terminal, never by an answer.
 */
function needsPermission(runId: RunId, nodeId: string): EngineError {
  const message = `Node "${nodeId}" is waiting for permission, which an answer cannot grant. Allow it in the window, or at a terminal with \`millrace resume ${runId} --allow\`. To end the run instead, cancel it.`;
  return new EngineError({ code: 'run.invalid-state', message, nodeId });
}

type AnswerTarget = NonNullable<StoredAsk['asked']> & { readonly name: string };

function targetOf(snapshot: AskSnapshot, request: ResumeRun): AnswerTarget | undefined {
  const { nodeId, key, decision, payload } = request;
  const all = snapshot.asks();
  const rows = all.filter(({ name }) => nodeId === undefined || name === nodeId);
  const asked = rows.filter(isAsked);
  const cut = rows.filter((row) => !isAsked(row));
  const named = asked.filter((row) => key === undefined || row.asked.key === key);
  const open = named.filter(({ isAnswered }) => !isAnswered);
  // If no request is open, the error names the person who answered.
  const meant = open.length === 0 ? named : open;
  const [one] = meant;
  const isForCut = nodeId === undefined && decision !== undefined && cut.length > 0;
  if (one !== undefined && (meant.length > 1 || isForCut)) throw unclear(request, isForCut ? rows : meant);
  if (one !== undefined)
    return { ...one.asked, name: one.name, request: completeRequest(one.asked.request, snapshot.readValue) };
  if (cut.length > 0 && payload === undefined) return undefined;
  if (cut.length === 0) refuseAnswered(snapshot, request);
  const others = all.filter(isAsked);
  const below = others.filter(({ name }) => nodeId === undefined || name.startsWith(`${nodeId}/`));
  if (payload === undefined && below.length === 0) return undefined;
  throw unclear(request, others);
}

/** @throws EngineError `run.invalid-state` if the request exists but has already been answered */
function refuseAnswered(snapshot: AskSnapshot, { runId, nodeId, key }: ResumeRun): void {
  const former = snapshot
    .answers()
    .findLast((given) => (nodeId === undefined || given.name === nodeId) && (key === undefined || given.key === key));
  if (former !== undefined) throw alreadyAnswered(runId, former);
}

function takenName(): EngineError {
  const message = `"${deadlineName}" is reserved for answers that are given at a deadline. Use another name.`;
  return new EngineError({ code: 'answer.invalid', message });
}

export function isAsked(ask: StoredAsk): ask is StoredAsk & Required<Pick<StoredAsk, 'asked'>> {
  return ask.asked !== undefined;
}

/** Maximum number of names in a message. */
const mostNames = 20;

function unclear({ runId, nodeId }: ResumeRun, rows: readonly StoredAsk[]): EngineError {
  const names = rows
    .slice(0, mostNames)
    .map(({ name, asked }) => (asked === undefined ? name : `${name} (${asked.key})`));
  const more = rows.length > mostNames ? ` and ${rows.length - mostNames} more` : '';
  const message =
    names.length === 0
      ? `Run ${runId} has no open requests.`
      : `Specify which request of run ${runId} to answer, by node and key. Open requests: ${names.join(', ')}${more}.`;
  return new EngineError({ code: 'run.invalid-state', message, ...(nodeId === undefined ? {} : { nodeId }) });
}

interface Refusal {
  readonly runId: RunId;
  readonly target: AnswerTarget;
  readonly misfits: readonly AnswerMisfit[];
  readonly by?: string;
  /** The policy rule that the answer violates. */
  readonly rule?: string;
}

function refusal({ runId, target: { name, key, request }, misfits, ...more }: Refusal): DecidedAnswer {
  const errors = misfits.map(({ code }) => code);
  const event = { type: 'input:refused', nodeId: name, key, errors, ...more } as const;
  const sentences = misfits.map(({ message }) => message).join(' ');
  const message = `The answer does not match the request of "${name}". ${sentences}`;
  const details = misfits as unknown as JsonMap[];
  const refused = new EngineError({ code: 'answer.invalid', message, nodeId: name, details });
  return request.kind === 'input' ? { refused, event } : { refused };
}
