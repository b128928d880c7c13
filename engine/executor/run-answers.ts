/**
 * Answers to the questions of runs: what waits, whether an answer fits, whose counts, and how a run that goes on gets it.
 */
import { userInfo } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { AnswerSource, Ask, AskRequest, GivenAnswer } from '../kernel/ask.ts';
import { checkAnswer } from '../kernel/check-answer.ts';
import { foldRun } from '../kernel/fold-run.ts';
import { emptyRunState } from '../kernel/run-state.ts';
import { type WaitingRequest, waitingRequests } from '../kernel/waiting-requests.ts';
import type { RunStore } from '../store/run-store.ts';
import type { ResumeRun } from './continuation.ts';
import { readLog } from './read-log.ts';
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
  readonly askedAt?: number;
  readonly deadlineAt?: number;
}

/** All that a run asks at present, in the order in which what asks began. What was answered, and nobody has taken up yet, does not wait. */
export function readWaiting(store: RunStore, runId: RunId): readonly WaitingAsk[] {
  const answered = store.answers.list(runId);
  return openRequests(store, runId).flatMap(({ name, request, ask }): readonly WaitingAsk[] => {
    const message = request?.message ?? '';
    if (ask === undefined) return [{ runId, name, message }];
    if (answered.some((given) => isFor(given, name, ask))) return [];
    const { key, requestHash, askedAt } = ask;
    const whole = wholeRequest(store, ask.request);
    const deadline = whole.deadlineAt === undefined ? {} : { deadlineAt: whole.deadlineAt };
    return [{ runId, name, key, requestHash, request: whole, message, askedAt, ...deadline }];
  });
}

/** Whether somebody has answered something that the run still asks. */
export function hasNews(store: RunStore, runId: RunId): boolean {
  const answered = store.answers.list(runId);
  if (answered.length === 0) return false;
  return openRequests(store, runId).some(({ name, ask }) => ask && answered.some((given) => isFor(given, name, ask)));
}

function openRequests(store: RunStore, runId: RunId): readonly WaitingRequest[] {
  return waitingRequests(foldRun(emptyRunState, [...readLog(store, runId)]));
}

function isFor(given: GivenAnswer, name: string, { key, requestHash }: Ask): boolean {
  return given.name === name && given.key === key && given.requestHash === requestHash;
}

/** Large parts of it stand apart. */
function wholeRequest(store: RunStore, request: AskRequest): AskRequest {
  const entries = Object.entries(request).map(([key, value]) => [
    key,
    isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value,
  ]);
  return Object.fromEntries(entries) as AskRequest;
}

/**
 * Claims the answer that a request holds.
 * @returns false when it is none: it decides about what a crash has cut
 * @throws EngineError `run.invalid-state` when nothing of the kind waits, when several do and none is named, or when somebody was
 *   first; `answer.invalid` with `details`: what does not fit
 */
export function claimAnswer(store: RunStore, request: ResumeRun, now: number): boolean {
  const { runId, decision, payload, comment, by = systemUser() } = request;
  if (decision === undefined && payload === undefined) return false;
  const target = targetOf(store, request);
  if (target === undefined) return false;
  const { name, key, requestHash, request: asked } = target;
  const given = payload ?? { approved: decision === 'approve', ...(comment === undefined ? {} : { comment }) };
  const checked = checkAnswer(asked, given);
  if (!checked.ok) throw misfit(name, checked.misfits);
  const who = by === undefined ? {} : { by };
  store.answers.claim(runId, { name, key, requestHash, payload: checked.payload, at: now, ...who });
  return true;
}

/** Undefined where the system knows no name of whoever runs the program. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

type AskedRequest = WaitingAsk & Required<Pick<WaitingAsk, 'key' | 'requestHash' | 'request'>>;

function targetOf(store: RunStore, { runId, nodeId, key, payload }: ResumeRun): AskedRequest | undefined {
  const all = openRequests(store, runId).flatMap(({ name, ask }) =>
    ask === undefined ? [] : [{ name, ask: { ...ask, request: wholeRequest(store, ask.request) } }],
  );
  const meant = all.filter(
    ({ name, ask }) => (nodeId === undefined || name === nodeId) && (key === undefined || ask.key === key),
  );
  const [one] = meant;
  if (one !== undefined && meant.length === 1) {
    const { key: own, requestHash, request } = one.ask;
    return { runId, name: one.name, message: request.title, key: own, requestHash, request };
  }
  if (meant.length === 0 && payload === undefined && (nodeId !== undefined || all.length === 0)) return undefined;
  throw unclear(
    runId,
    nodeId,
    (meant.length === 0 ? all : meant).map(({ name, ask }) => `${name} (${ask.key})`),
  );
}

function unclear(runId: RunId, nodeId: string | undefined, names: readonly string[]): EngineError {
  const message =
    names.length === 0
      ? `Nothing of run ${runId} waits for an answer.`
      : `Say for which question of run ${runId} the answer is, by node and key. These wait: ${names.join(', ')}.`;
  return new EngineError({ code: 'run.invalid-state', message, ...(nodeId === undefined ? {} : { nodeId }) });
}

function misfit(nodeId: string, misfits: readonly { readonly code: string; readonly message: string }[]): EngineError {
  const sentences = misfits.map(({ message }) => message).join(' ');
  const message = `The answer does not fit what "${nodeId}" asks. ${sentences}`;
  return new EngineError({ code: 'answer.invalid', message, nodeId, details: misfits as unknown as JsonMap[] });
}

/** Other processes write answers too; asking whether there were any costs microseconds. */
const lookEveryMs = 500;

/** The answers of one run while it goes on. */
export class RunAnswers implements AnswerSource {
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
