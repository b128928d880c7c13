/**
 * Being asked to stop, as a tree: a scope stops when its parent does, or earlier on its own.
 */
import { CancelSource } from '../base/cancel-source.ts';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';

export interface CancelScope {
  /** Aborts with the reason given to `cancel`. Made when it is first asked for: most short work never does. */
  readonly signal: AbortSignal;
  /** Why it was asked to stop; undefined while it was not. */
  readonly reason: EngineError | undefined;
  /** Asks everything in this scope and below to stop. The first reason stays. */
  cancel(reason: EngineError): void;
  /** Calls `listener` once, when the scope is asked to stop. Returns the end of that. */
  onCancel(listener: () => void): () => void;
  /** A scope that stops with this one, or earlier on its own. */
  child(): CancelScope;
  /** A scope that outlives this one: for clean-up that must finish. */
  shielded(): CancelScope;
  /** Lets go of the parent; to be called when the scope's work is done. It is never asked to stop afterwards. */
  close(): void;
}

/** Makes a scope: the root of a tree, or one below a signal that came from elsewhere. */
export function createCancelScope(parent?: AbortSignal): CancelScope {
  const scope = new Scope();
  if (parent !== undefined) scope.followSignal(parent, stopReason);
  return scope;
}

class Scope extends CancelSource<EngineError> implements CancelScope {
  child(): CancelScope {
    const child = new Scope();
    child.follow(this);
    return child;
  }

  shielded(): CancelScope {
    return new Scope();
  }
}

const cancelledCode = 'run.cancelled';

/** The reason to give when a person, or a program on their behalf, asks a run to stop. */
export function cancellation(): EngineError {
  return new EngineError({ code: cancelledCode, message: 'The run was cancelled' });
}

/** `corrected`: a value that the run had used was corrected in its conversation, and a new run begins with the new value. */
export type RunEndReason = 'corrected';

/** The reason to give when a run ends because a value that it has used was corrected. */
export function correction(): EngineError {
  const message = 'The run ended because a value was corrected';
  return new EngineError({ code: cancelledCode, message, details: { reason: 'corrected' satisfies RunEndReason } });
}

/** What the last event of a cancelled run says of the reason of its scope. */
export function endReasonOf(reason: EngineError | undefined): { readonly reason?: RunEndReason } {
  const { details } = reason ?? {};
  const isCorrected = typeof details === 'object' && details !== null && 'reason' in details;
  return isCorrected && details.reason === 'corrected' ? { reason: 'corrected' } : {};
}

/** Of the error that stops a run which has used up what it may: it has failed of that, whatever it was doing. */
export const overBudgetCode = 'budget.exceeded';

const failFastCode = 'run.fail-fast';

/** The reason to give to work that stops because something beside it has failed. */
export function failFastStop(): EngineError {
  return new EngineError({ code: failFastCode, message: 'Stopped, because something beside it has failed' });
}

/**
 * Thrown by work that its own scope has asked to stop, with what the scope gives as the reason. Only runners throw it: a node or
 * a script may throw an error of any code, which is a failure all the same.
 */
export class Stopped extends EngineError {
  constructor(reason: EngineError) {
    super(toErrorRecord(reason));
  }
}

/** True for the reason of a scope that was asked to stop by a person, or a program on their behalf. */
export function isCancellation(reason: EngineError | undefined): boolean {
  return reason?.code === cancelledCode;
}

/** True for what a runner has thrown because somebody asked its scope to stop, which is no failure. */
export function isCancelledStop(thrown: unknown): thrown is Stopped {
  return thrown instanceof Stopped && isCancellation(thrown);
}

/** Why an aborted signal stopped. A reason that is no `EngineError` (a bare `abort()`) counts as cancelled on request. */
export function stopReason(signal: AbortSignal): EngineError {
  return EngineError.is(signal.reason) ? signal.reason : cancellation();
}
