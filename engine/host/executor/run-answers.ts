/**
 * Handles answers to runs' requests: lists open requests, validates answers, decides which answer counts, and delivers
 * it to a run in progress.
 */
import { userInfo } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { type RunId, taskIdOf } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import { alreadyAnswered } from '../../history/store/answer-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { StoredAsk } from '../../history/store/waiting-store.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { misfitOfSize } from '../../runtime/governance/budget.ts';
import type { PolicyLayer } from '../../runtime/governance/policy-layer.ts';
import type { AnswerMisfit } from '../../runtime/kernel/requests/answer-fields.ts';
import type { AnswerSource, AskRequest, ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import { deadlineName } from '../../runtime/kernel/requests/ask-deadline.ts';
import { permissionOf } from '../../runtime/kernel/requests/ask-request.ts';
import { checkAnswer } from '../../runtime/kernel/requests/check-answer.ts';
import type { ResumeRun } from './continuation.ts';
import { warn } from './warn.ts';

/** An open request of a run. */
export interface WaitingAsk {
  readonly runId: RunId;
  /** Full name of the node, as used in an answer. */
  readonly name: string;
  /** Key of the request. Absent if the request asks whether work interrupted by a crash may run again. */
  readonly key?: string;
  readonly requestHash?: string;
  readonly request?: AskRequest;
  /** One-line description for people. */
  readonly message: string;
  /** Time of the request, in epoch milliseconds. */
  readonly askedAt: number;
  readonly deadlineAt?: number;
}

/**
 * Returns the open requests of a run, in the order in which they were made. Omits answered requests, even if the run
 * has not processed the answer yet.
 */
export function readWaiting(store: RunStore, runId: RunId): readonly WaitingAsk[] {
  return store.waiting.ofRun(runId).flatMap((ask): readonly WaitingAsk[] => {
    if (ask.isAnswered) return [];
    const { name, asked, message, askedAt } = ask;
    if (asked === undefined) return [{ runId, name, message, askedAt }];
    const request = wholeRequest(store, asked.request);
    const { deadlineAt } = request;
    const deadline = deadlineAt === undefined ? {} : { deadlineAt };
    return [{ runId, name, ...asked, request, message, askedAt, ...deadline }];
  });
}

/** Returns the complete request; its large parts are stored separately. */
export function wholeRequest(store: RunStore, request: AskRequest): AskRequest {
  const entries = Object.entries(request).map(([key, value]) => [
    key,
    isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value,
  ]);
  return Object.fromEntries(entries) as AskRequest;
}

interface AnswerTaking {
  /** Current time, in epoch milliseconds. */
  readonly now: number;
  /** Whether to take over a run that no process owns. */
  readonly takesOver: boolean;
  /** The policies in effect. */
  readonly policies?: readonly PolicyLayer[] | undefined;
}

/**
 * Claims the answer in a request to resume.
 * @returns whether the run was taken over; undefined if the request contains no answer because it only decides about
 * interrupted work
 * @throws EngineError `run.invalid-state` if no such request is open, if several are open and none is named, or if it
 * was already answered; `answer.invalid` with the problems in `details`
 */
export function claimAnswer(
  store: RunStore,
  request: ResumeRun,
  { now, takesOver, policies = [] }: AnswerTaking,
): boolean | undefined {
  const { runId, decision, payload, comment, by = resolverIn(request) ?? systemUser() } = request;
  if (decision === undefined && payload === undefined) return undefined;
  if (by === deadlineName) throw takenName();
  const target = targetOf(store, request);
  if (target === undefined) return undefined;
  const { name, key, requestHash, request: asked } = target;
  if (permissionOf(asked) !== undefined) throw needsPermission(runId, name);
  const who = by === undefined ? {} : { by };
  const told = comment === undefined ? {} : { comment };
  const given = { ...told, ...(payload ?? { approved: decision === 'approve' }) };
  const checked = checkAnswer(asked, given);
  const refused = { store, target, now, ...who };
  if (!checked.ok) throw refusedAnswer(runId, checked.misfits, refused);
  const tooLarge = misfitOfSize(checked.payload, policies);
  if (tooLarge !== undefined) throw refusedAnswer(runId, [tooLarge], { ...refused, rule: tooLarge.code });
  return store.claimAnswer(runId, { name, key, requestHash, payload: checked.payload, at: now, ...who }, takesOver);
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

function targetOf(store: RunStore, request: ResumeRun): AnswerTarget | undefined {
  const { runId, nodeId, key, decision, payload } = request;
  const rows = store.waiting.ofRun(runId, { name: nodeId });
  const asked = rows.filter(isAsked);
  const cut = rows.filter((row) => !isAsked(row));
  const named = asked.filter((row) => key === undefined || row.asked.key === key);
  const open = named.filter(({ isAnswered }) => !isAnswered);
  // If no request is open, the error names the person who answered.
  const meant = open.length === 0 ? named : open;
  const [one] = meant;
  const isForCut = nodeId === undefined && decision !== undefined && cut.length > 0;
  if (one !== undefined && (meant.length > 1 || isForCut)) throw unclear(request, isForCut ? rows : meant);
  if (one !== undefined) return { ...one.asked, name: one.name, request: wholeRequest(store, one.asked.request) };
  if (cut.length > 0 && payload === undefined) return undefined;
  if (cut.length === 0) refuseAnswered(store, request);
  const others = nodeId === undefined ? asked : store.waiting.ofRun(runId).filter(isAsked);
  const below = others.filter(({ name }) => nodeId === undefined || name.startsWith(`${nodeId}/`));
  if (payload === undefined && below.length === 0) return undefined;
  throw unclear(request, others);
}

/** @throws EngineError `run.invalid-state` if the request exists but has already been answered */
function refuseAnswered(store: RunStore, { runId, nodeId, key }: ResumeRun): void {
  const former = store.answers
    .list(runId)
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

interface RefusedAnswer {
  readonly store: RunStore;
  readonly target: AnswerTarget;
  /** Current time, in epoch milliseconds. */
  readonly now: number;
  readonly by?: string;
  /** The policy rule that the answer violates. */
  readonly rule?: string;
}

/** Records rejected values in the log if no process owns the run. Returns the error for the caller. */
function refusedAnswer(
  runId: RunId,
  misfits: readonly AnswerMisfit[],
  { store, target: { name, key, request }, now, ...more }: RefusedAnswer,
): EngineError {
  const errors = misfits.map(({ code }) => code);
  const event = { type: 'input:refused', nodeId: name, key, errors, ...more } as const;
  // The answer is rejected even if the rejection cannot be recorded.
  if (request.kind === 'input') tolerated(() => store.note(runId, event, { taskId: taskIdOf(name), at: now }));
  const sentences = misfits.map(({ message }) => message).join(' ');
  const message = `The answer does not match the request of "${name}". ${sentences}`;
  return new EngineError({ code: 'answer.invalid', message, nodeId: name, details: misfits as unknown as JsonMap[] });
}

function tolerated(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
  }
}

/** Other processes also write answers. Checking for them takes microseconds. */
const lookEveryMs = 500;

/** One run's answers while it is in progress. */
class RunAnswers implements AnswerSource {
  readonly #store: RunStore;
  readonly #runId: RunId;
  readonly #clock: Clock;
  readonly #listeners = new Listeners<[]>();
  #known: readonly ReceivedAnswer[];
  #version: number | undefined;
  #endTimer: (() => void) | undefined;

  constructor(runId: RunId, { store, clock }: { readonly store: RunStore; readonly clock: Clock }) {
    this.#store = store;
    this.#runId = runId;
    this.#clock = clock;
    this.#known = store.answers.list(runId);
  }

  list(): readonly ReceivedAnswer[] {
    return this.#known;
  }

  listen(listener: () => void): () => void {
    const stop = this.#listeners.add(listener);
    this.look();
    if (this.#endTimer === undefined) this.#lookLater();
    return () => {
      stop();
      if (this.#listeners.count > 0) return;
      this.#endTimer?.();
      this.#endTimer = undefined;
    };
  }

  /** Checks for new answers. */
  look(): void {
    const answers = this.#store.answers.list(this.#runId);
    if (answers.length === this.#known.length) return;
    this.#known = answers;
    this.#listeners.tell(warn);
  }

  #lookLater(): void {
    this.#endTimer = this.#clock.setTimer(() => {
      const version = this.#store.foreignVersion();
      if (version !== this.#version) this.look();
      this.#version = version;
      this.#lookLater();
    }, lookEveryMs);
  }
}

/** The answers of the runs in progress. */
export class AnswersOfRuns {
  readonly #world: { readonly store: RunStore; readonly clock: Clock };
  readonly #runs = new Map<RunId, RunAnswers>();

  constructor(world: { readonly store: RunStore; readonly clock: Clock }) {
    this.#world = world;
  }

  /** Returns the answers of a run that is about to start or resume. */
  open(runId: RunId): AnswerSource {
    const answers = new RunAnswers(runId, this.#world);
    this.#runs.set(runId, answers);
    return answers;
  }

  /** Removes a run that is no longer in progress. */
  forget(runId: RunId): void {
    this.#runs.delete(runId);
  }

  /** Checks for new answers to a run in progress. */
  look(runId: RunId): void {
    this.#runs.get(runId)?.look();
  }
}
