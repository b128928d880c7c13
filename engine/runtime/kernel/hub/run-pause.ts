/**
 * Whether new work of a run may start, and what a person wants to happen to the nodes that may not. A run and its child
 * runs share this state; each child run has its own view, which knows where it was called.
 */
import type { WhenExpr } from '../../../language/flow/flow-doc.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';

/** The reasons of suspensions by a pause. The run continues when a person lets it, without an answer. */
export type PauseReason = 'paused' | 'breakpoint' | 'budget';

export function isPauseReason(reason: string | undefined): reason is PauseReason {
  return reason === 'paused' || reason === 'breakpoint' || reason === 'budget';
}

/**
 * A person's decision about a paused run: everything may start again, or only the next node; a held node gets an output
 * instead of running, or runs with another input. `raise` continues with a higher budget.
 */
export type PauseAction = 'continue' | 'step' | 'skip' | 'edit' | 'raise';

/** A person's wish to stop before a node. It is never part of the flow's file. */
export interface Breakpoint {
  /** ID of the node in its file. For an input of an agent: `input`. */
  readonly node: string;
  /**
   * A condition as one line, such as `route.kind is "minor"`. It reads the values that the node's bindings can read, and
   * the node's own input as `input`, unless that is the name of another value.
   */
  readonly when?: string;
  /** Stops only in this item of the loop, or of the agent, from 1. On a loop: before the first node of the item. */
  readonly item?: number;
  /** Listed, but does not act. */
  readonly isOff?: boolean;
}

/** Breakpoints by the path of their file: relative to the workspace with `/`, or absolute if it is outside. */
export type BreakpointsByFile = Readonly<Record<string, readonly Breakpoint[]>>;

/** A breakpoint that acts, with its condition parsed. */
export interface ActiveBreakpoint extends Pick<Breakpoint, 'node' | 'item'> {
  readonly condition?: WhenExpr;
}

/** The breakpoints in a file, by its path as in the history. Read before each node, so that changes act at once. */
export type BreakpointSource = (path: string) => readonly ActiveBreakpoint[];

/** What a person gives a held node: an output instead of running it, or another input. A completed node gets an output. */
export interface HeldAnswer {
  readonly action: 'skip' | 'edit';
  readonly value: JsonValue;
  readonly by?: string | undefined;
}

/** What a person gives the node with this full name. */
export interface NamedHeldAnswer {
  readonly name: string;
  readonly answer: HeldAnswer;
}

/** What starting work needs of the run's budget. A node that a person has given an output needs nothing. */
export type NeededBudget = 'nothing' | 'time' | 'model';

interface PauseState {
  isPaused: boolean;
  /** Number of nodes that may start although the run is paused. */
  steps: number;
  breakpoints: BreakpointSource;
  /** Called when held work should ask again, in the order in which it was held, with the work's full name. */
  readonly wakes: Map<() => void, string>;
  /** Why nodes were held, by full name. */
  readonly held: Map<string, PauseReason>;
  /** By full name. */
  readonly answers: Map<string, HeldAnswer>;
  readonly isUsedUp: PauseOptions['isUsedUp'];
  readonly onHit: () => void;
}

interface PauseOptions {
  readonly breakpoints?: BreakpointSource;
  /** Answers that an earlier process has received, by full name: in child runs, `<task>/<name>`. */
  readonly answers?: Iterable<readonly [name: string, answer: HeldAnswer]>;
  /** Returns whether the run has used up what work needs of its budget. Absent for a run without one. */
  readonly isUsedUp?: (needs: NeededBudget) => boolean;
  /** Called when a breakpoint or the budget pauses the run. */
  readonly onHit?: () => void;
}

export class RunPause {
  #state: PauseState;
  /** Prefix of the full names of nodes in the view's run. */
  #place = '';

  constructor(isPaused: boolean, options: PauseOptions = {}) {
    const { breakpoints = () => [], answers = [], isUsedUp, onHit = () => undefined } = options;
    const held = { wakes: new Map<() => void, string>(), held: new Map(), answers: new Map(answers) };
    this.#state = { isPaused, steps: 0, breakpoints, isUsedUp, onHit, ...held };
  }

  /** Returns the view of a child run. @param task name of the task that called it */
  below(task: string): RunPause {
    const view = new RunPause(false);
    view.#state = this.#state;
    view.#place = `${this.#place}${task}/`;
    return view;
  }

  get isPaused(): boolean {
    return this.#state.isPaused;
  }

  /** Holds everything that has not started yet. */
  pause(): void {
    this.#state.isPaused = true;
    this.#state.steps = 0;
  }

  apply(action: PauseAction): void {
    this.#state.isPaused = action === 'step';
    this.#state.steps = action === 'step' ? 1 : 0;
    const { wakes } = this.#state;
    const held = [...wakes.keys()];
    wakes.clear();
    for (const wake of held) wake();
  }

  /** Whether work may start. */
  get mayStart(): boolean {
    return !this.#state.isPaused || this.#state.steps > 0;
  }

  /** Returns why work may not start. */
  reasonFor(needs: NeededBudget): PauseReason {
    return this.#state.isUsedUp?.(needs) === true ? 'budget' : 'paused';
  }

  /**
   * Returns whether work may start now. Must be called directly before it starts. Pauses the run if the work needs what
   * is used up of its budget.
   */
  admits(needs: NeededBudget): boolean {
    if (!this.mayStart) return false;
    if (this.reasonFor(needs) === 'budget') {
      this.hit();
      return false;
    }
    if (this.#state.isPaused) this.#state.steps--;
    return true;
  }

  /**
   * Registers work that may not start. Calls `wake` once, when it should ask again. Returns a function that removes it.
   * @param name its name in the view's run
   */
  hold(name: string, wake: () => void): () => void {
    const { wakes } = this.#state;
    wakes.set(wake, this.#place + name);
    return () => wakes.delete(wake);
  }

  /** Returns the held work by which a suspension is named: at a breakpoint, otherwise what was held first. */
  get firstHeld(): { readonly name: string; readonly reason: PauseReason } | undefined {
    const { wakes, held } = this.#state;
    const all = [...wakes.values()].map((name) => ({ name, reason: held.get(name) ?? ('paused' as const) }));
    return all.find(({ reason }) => reason === 'breakpoint') ?? all[0];
  }

  /** Returns the breakpoints in a file. */
  breakpointsIn(path: string): readonly ActiveBreakpoint[] {
    return this.#state.breakpoints(path);
  }

  /** Whether each node of a file may start as usual: it is not paused, has no budget, and a person has set and given nothing. */
  isIdleIn(path: string | undefined): boolean {
    const { isPaused, answers, breakpoints, isUsedUp } = this.#state;
    return !isPaused && !isUsedUp && answers.size === 0 && (path === undefined || breakpoints(path).length === 0);
  }

  /** Pauses the run because of a breakpoint or its budget. */
  hit(): void {
    this.pause();
    this.#state.onHit();
  }

  /** Returns why a node of the view's run was held; undefined if it was not. */
  heldBecause(name: string): PauseReason | undefined {
    return this.#state.held.get(this.#place + name);
  }

  /** Records that a node is held. It does not hit a breakpoint again. */
  noteHeld(name: string, reason: PauseReason): void {
    this.#state.held.set(this.#place + name, reason);
  }

  /** Gives a held node an output or an input. @param name full name from the root run */
  give(name: string, answer: HeldAnswer): void {
    this.#state.answers.set(name, answer);
  }

  /** Returns what a person has given a node of the view's run. */
  answerFor(name: string): HeldAnswer | undefined {
    return this.#state.answers.get(this.#place + name);
  }
}
