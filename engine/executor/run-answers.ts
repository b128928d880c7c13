/**
 * Answers to the questions of runs: what waits, whether an answer fits, whose counts, and how a run that goes on gets it.
 */
import { userInfo } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { type RunId, taskIdOf } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import { misfitOfSize } from '../governance/budget.ts';
import type { PolicyLayer } from '../governance/policy-layer.ts';
import type { AnswerMisfit } from '../kernel/answer-fields.ts';
import type { AnswerSource, AskRequest, GivenAnswer } from '../kernel/ask.ts';
import { deadlineName } from '../kernel/ask-deadline.ts';
import { permissionOf } from '../kernel/ask-request.ts';
import { checkAnswer } from '../kernel/check-answer.ts';
import { alreadyAnswered } from '../store/answer-store.ts';
import type { RunStore } from '../store/run-store.ts';
import type { StoredAsk } from '../store/waiting-store.ts';
import type { ResumeRun } from './continuation.ts';
import { warn } from './warn.ts';

/** Something of a run that waits for a person. */
export interface WaitingAsk {
  readonly runId: RunId;
  /** Full name of the node, as an answer names it. */
  readonly name: string;
  /** Absent where the question is whether what a crash has cut may run again. */
  readonly key?: string;
  readonly requestHash?: string;
  readonly request?: AskRequest;
  /** For people, in a line. */
  readonly message: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly deadlineAt?: number;
}

/** All that a run asks at present, in the order in which it was asked. What was answered, and nobody has taken up yet, does not wait. */
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

/** Large parts of it stand apart. */
export function wholeRequest(store: RunStore, request: AskRequest): AskRequest {
  const entries = Object.entries(request).map(([key, value]) => [
    key,
    isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value,
  ]);
  return Object.fromEntries(entries) as AskRequest;
}

interface AnswerTaking {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the run is taken over where nobody has it. */
  readonly takesOver: boolean;
  /** Those that hold. */
  readonly policies?: readonly PolicyLayer[] | undefined;
}

/**
 * Claims the answer that a request holds.
 * @returns whether it was; undefined when the request holds no answer: it decides about what a crash has cut
 * @throws EngineError `run.invalid-state` when nothing of the kind waits, when several do and none is named, or when somebody was
 *   first; `answer.invalid` with `details`: what does not fit
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

/** Answers to approvals of steps may say who gives them. */
function resolverIn({ payload }: ResumeRun): string | undefined {
  const by = payload?.['resolved_by'];
  return typeof by === 'string' && by !== '' ? by : undefined;
}

/** Undefined where the system knows no name of whoever runs the program. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** A permission is given in a dialog of the system or at a terminal, and by no answer. */
function needsPermission(runId: RunId, nodeId: string): EngineError {
  const message = `Node "${nodeId}" waits for your permission, which an answer cannot give. Allow it in the window, or at a terminal with \`millrace resume ${runId} --allow\`. To end the run instead, cancel it.`;
  return new EngineError({ code: 'run.invalid-state', message, nodeId });
}

type Target = NonNullable<StoredAsk['asked']> & { readonly name: string };

function targetOf(store: RunStore, request: ResumeRun): Target | undefined {
  const { runId, nodeId, key, decision, payload } = request;
  const rows = store.waiting.ofRun(runId, { name: nodeId });
  const asked = rows.filter(isAsked);
  const cut = rows.filter((row) => !isAsked(row));
  const named = asked.filter((row) => key === undefined || row.asked.key === key);
  const open = named.filter(({ isAnswered }) => !isAnswered);
  // Who answers what was answered learns who that was.
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

/** @throws EngineError `run.invalid-state` where it was asked, and is asked no more because somebody has answered */
function refuseAnswered(store: RunStore, { runId, nodeId, key }: ResumeRun): void {
  const former = store.answers
    .list(runId)
    .findLast((given) => (nodeId === undefined || given.name === nodeId) && (key === undefined || given.key === key));
  if (former !== undefined) throw alreadyAnswered(runId, former);
}

function takenName(): EngineError {
  const message = `"${deadlineName}" is how answers are marked that a deadline has given. Answer by another name.`;
  return new EngineError({ code: 'answer.invalid', message });
}

export function isAsked(ask: StoredAsk): ask is StoredAsk & Required<Pick<StoredAsk, 'asked'>> {
  return ask.asked !== undefined;
}

/** More are not named in a message. */
const mostNames = 20;

function unclear({ runId, nodeId }: ResumeRun, rows: readonly StoredAsk[]): EngineError {
  const names = rows
    .slice(0, mostNames)
    .map(({ name, asked }) => (asked === undefined ? name : `${name} (${asked.key})`));
  const more = rows.length > mostNames ? ` and ${rows.length - mostNames} more` : '';
  const message =
    names.length === 0
      ? `Nothing of run ${runId} waits for an answer.`
      : `Say for which question of run ${runId} the answer is, by node and key. These wait: ${names.join(', ')}${more}.`;
  return new EngineError({ code: 'run.invalid-state', message, ...(nodeId === undefined ? {} : { nodeId }) });
}

interface RefusedAnswer {
  readonly store: RunStore;
  readonly target: Target;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly by?: string;
  /** The rule of a policy that it breaks. */
  readonly rule?: string;
}

/** Tells in the log of values that are not taken, where nobody has the run. Gives the error for whoever gave them. */
function refusedAnswer(
  runId: RunId,
  misfits: readonly AnswerMisfit[],
  { store, target: { name, key, request }, now, ...more }: RefusedAnswer,
): EngineError {
  const errors = misfits.map(({ code }) => code);
  const event = { type: 'input:refused', nodeId: name, key, errors, ...more } as const;
  // That it is refused does not hang on its being told.
  if (request.kind === 'input') tolerated(() => store.note(runId, event, { taskId: taskIdOf(name), at: now }));
  const sentences = misfits.map(({ message }) => message).join(' ');
  const message = `The answer does not fit what "${name}" asks. ${sentences}`;
  return new EngineError({ code: 'answer.invalid', message, nodeId: name, details: misfits as unknown as JsonMap[] });
}

function tolerated(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
  }
}

/** Other processes write answers too; asking whether there were any costs microseconds. */
const lookEveryMs = 500;

/** The answers of one run while it goes on. */
class RunAnswers implements AnswerSource {
  readonly #store: RunStore;
  readonly #runId: RunId;
  readonly #clock: Clock;
  readonly #listeners = new Listeners<[]>();
  #known: readonly GivenAnswer[];
  #version: number | undefined;
  #endTimer: (() => void) | undefined;

  constructor(runId: RunId, { store, clock }: { readonly store: RunStore; readonly clock: Clock }) {
    this.#store = store;
    this.#runId = runId;
    this.#clock = clock;
    this.#known = store.answers.list(runId);
  }

  list(): readonly GivenAnswer[] {
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

  /** Looks whether there are more. */
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

/** The answers of the runs that go on. */
export class AnswersOfRuns {
  readonly #world: { readonly store: RunStore; readonly clock: Clock };
  readonly #runs = new Map<RunId, RunAnswers>();

  constructor(world: { readonly store: RunStore; readonly clock: Clock }) {
    this.#world = world;
  }

  /** Those of a run that begins to go on. */
  open(runId: RunId): AnswerSource {
    const answers = new RunAnswers(runId, this.#world);
    this.#runs.set(runId, answers);
    return answers;
  }

  /** The run goes on no longer. */
  forget(runId: RunId): void {
    this.#runs.delete(runId);
  }

  /** Looks whether there are more for a run that goes on. */
  look(runId: RunId): void {
    this.#runs.get(runId)?.look();
  }
}
