/**
 * Notifies the user of long runs that have ended or wait, while no window is focused. Runs that end at almost the same
 * time are one notification.
 */
import type { ToldRun } from '../ipc/contracts/inbox-contract.ts';
import type { Clock } from '../ipc/engine-base.ts';
import { text } from './text.ts';
import { plainText } from './windows/plain-text.ts';

/** A system notification. */
export interface SystemNotice {
  readonly title: string;
  readonly body: string;
  readonly onClick: () => void;
}

export interface RunNoticesOptions {
  readonly clock: Clock;
  /** Returns whether a window of the program is focused. */
  readonly isInFront: () => boolean;
  readonly show: (notice: SystemNotice) => void;
  /** Returns whether the user wants these notifications. */
  readonly showsRuns: () => boolean;
}

/** Milliseconds of work. The user waits for the end of a shorter run. */
const leastMs = 20_000;

/** Milliseconds in which more runs can join a notification. */
const gatherMs = 1_000;

/** Maximum number of names in a notification. */
const mostNames = 3;

/** The windows of a workspace report a run at about the same time, so older ones can be forgotten. */
const mostKnown = 1_000;

interface FreshRun {
  readonly run: ToldRun;
  /** Shows the run. */
  readonly open: () => void;
}

export class RunNotices {
  readonly #parts: RunNoticesOptions;
  readonly #known = new Set<string>();
  #fresh: FreshRun[] = [];

  constructor(parts: RunNoticesOptions) {
    this.#parts = parts;
  }

  /** Receives a run that has just ended or waits. Each window on a workspace reports it. */
  tell(workspace: string, run: ToldRun, open: () => void): void {
    const { clock, isInFront } = this.#parts;
    const key = `${workspace} ${run.runId} ${run.seq}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    if (this.#known.size > mostKnown) this.#known.delete(String(this.#known.values().next().value));
    if (run.workedMs <= leastMs || isInFront()) return;
    if (this.#fresh.length === 0) clock.setTimer(() => this.#notify(), gatherMs);
    this.#fresh.push({ run, open });
  }

  #notify(): void {
    const { isInFront, show, showsRuns } = this.#parts;
    const fresh = this.#fresh;
    this.#fresh = [];
    const last = fresh.at(-1);
    if (last === undefined || isInFront() || !showsRuns()) return;
    const { run, open } = last;
    const words = text().runNotices;
    if (fresh.length === 1) {
      show({ title: words[run.how]({ name: plainText(run.name) }), body: plainText(run.path), onClick: open });
      return;
    }
    const names = fresh.slice(0, mostNames).map((one) => words[one.run.how]({ name: plainText(one.run.name) }));
    const more = fresh.length - names.length;
    const body = more === 0 ? names.join(', ') : words.names({ names: names.join(', '), count: more });
    show({ title: words.many({ count: fresh.length }), body, onClick: open });
  }
}
