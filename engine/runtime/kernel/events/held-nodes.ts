/**
 * Nodes that may not start because their run is paused.
 */
import type { ErrorRecord } from '../../../base/engine-error.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { type BudgetDoc, raisedBudget } from '../../../language/triggers/budget-doc.ts';
import { isPauseReason, type PauseAction, type PauseReason } from '../hub/run-pause.ts';

/** A node, or an agent's input, may not start because the run is paused. It has no task yet. Emitted once per reason. */
export interface HeldEvent {
  readonly type: 'node:held';
  readonly nodeId: string;
  readonly reason: PauseReason;
  /** Its resolved input; absent if a binding cannot be resolved, which `error` explains. */
  readonly input?: JsonValue;
  readonly error?: ErrorRecord;
  /**
   * The breakpoint's condition with the values that made it hold. If its result is false, it could not be decided: a value
   * was missing or could not be compared.
   */
  readonly because?: WhenTrace;
}

/** A held node in the state of its run. It has no entry in `RunState.nodes` yet. */
export interface HeldNode extends Omit<HeldEvent, 'type' | 'nodeId'> {
  /** Full name; in a child run, it follows the calling task's name and a `/`. */
  readonly name: string;
}

/** Where a paused run continues, and the held node's input. */
export interface PausedAt extends Pick<HeldNode, 'reason' | 'input' | 'error' | 'because'> {
  /** Full name of the next node to start; undefined while the run takes a step. */
  readonly nextNode: string | undefined;
}

/** Why a run is suspended, and at which node. */
interface SuspendedFor {
  readonly reason?: string;
  readonly nodeId?: string;
}

/** The held nodes of a root run and its child runs while a batch of events is folded. */
export class HeldNodes {
  list: readonly HeldNode[];

  constructor(list: readonly HeldNode[]) {
    this.list = list;
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** @param name full name */
  add(name: string, { type: _, nodeId: __, ...why }: HeldEvent): void {
    this.list = [...this.list.filter((node) => node.name !== name), { name, ...why }];
  }

  /** Removes a node that has started, or that does not start any more. */
  remove(name: string): void {
    if (!this.isEmpty) this.list = this.list.filter((node) => node.name !== name);
  }

  /** Removes the nodes of a child run that has ended. @param place prefix of their full names */
  removeBelow(place: string): void {
    this.list = this.list.filter(({ name }) => !name.startsWith(place));
  }

  /** Returns where a suspended run is paused, from the event; undefined if it waits for something else. */
  placeOf({ reason, nodeId: nextNode }: SuspendedFor): PausedAt | undefined {
    if (!isPauseReason(reason)) return undefined;
    const { input, error, because } = this.list.find(({ name }) => name === nextNode) ?? {};
    return {
      ...{ nextNode, reason },
      ...(input === undefined ? {} : { input }),
      ...(error === undefined ? {} : { error }),
      ...(because === undefined ? {} : { because }),
    };
  }
}

/** Returns the changed fields of a run that resumes: its pause ends, and its budget may be higher. */
export function resumedFields(
  { action, raised }: { readonly action?: PauseAction; readonly raised?: BudgetDoc },
  budget: BudgetDoc | undefined,
): { status: 'running'; pause: PausedAt | undefined; budget: BudgetDoc | undefined } {
  return {
    status: 'running',
    pause: action === 'step' ? { nextNode: undefined, reason: 'paused' } : undefined,
    budget: raised === undefined ? budget : raisedBudget(budget ?? {}, raised),
  };
}
