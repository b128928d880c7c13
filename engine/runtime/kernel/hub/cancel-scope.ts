/**
 * Cancellation as a tree: a scope stops when its parent does, or earlier on its own.
 */
import { CancelSource } from '../../../base/cancel-source.ts';
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';

export interface CancelScope {
  /** Aborts with the reason passed to `cancel`. Created on first use, because most short work never needs it. */
  readonly signal: AbortSignal;
  /** The cancellation reason; undefined if the scope is not canceled. */
  readonly reason: EngineError | undefined;
  /** Stops everything in this scope and below. The first reason is kept. */
  cancel(reason: EngineError): void;
  /** Calls `listener` once, when the scope is canceled. Returns a function that removes the listener. */
  onCancel(listener: () => void): () => void;
  /** Creates a scope that stops with this one, or earlier on its own. */
  child(): CancelScope;
  /** Creates a scope that outlives this one, for cleanup that must finish. */
  shielded(): CancelScope;
  /** Detaches from the parent. Must be called when the scope's work is done. The scope is never canceled afterward. */
  close(): void;
}

/** Creates a scope: the root of a tree, or one below an external signal. */
export function createCancelScope(parent?: AbortSignal): CancelScope {
  const scope = new LocalCancelScope();
  if (parent !== undefined) scope.followSignal(parent, stopReason);
  return scope;
}

class LocalCancelScope extends CancelSource<EngineError> implements CancelScope {
  child(): CancelScope {
    const child = new LocalCancelScope();
    child.follow(this);
    return child;
  }

  shielded(): CancelScope {
    return new LocalCancelScope();
  }
}

const cancelledCode = 'run.cancelled';

/** Creates the reason for a run that a person, or a program on their behalf, cancels. */
export function cancellation(): EngineError {
  return new EngineError({ code: cancelledCode, message: 'The run was canceled' });
}

/**
 * `corrected`: a value that the run had used was corrected in its conversation, and a new run starts with the new
 * value.
 */
export type RunEndReason = 'corrected';

/** Creates the reason for a run that ends because a value it used was corrected. */
export function correction(): EngineError {
  const message = 'The run ended because a value was corrected';
  return new EngineError({ code: cancelledCode, message, details: { reason: 'corrected' satisfies RunEndReason } });
}

/** Returns the part of a canceled run's last event that describes the cancellation reason. */
export function endReasonOf(reason: EngineError | undefined): { readonly reason?: RunEndReason } {
  const { details } = reason ?? {};
  const isCorrected = typeof details === 'object' && details !== null && 'reason' in details;
  return isCorrected && details.reason === 'corrected' ? { reason: 'corrected' } : {};
}

/** Error code for a run that has exhausted a budget. The run fails, whatever it was doing. */
export const overBudgetCode = 'budget.exceeded';

const failFastCode = 'run.fail-fast';

/** Creates the reason for work that stops because other work failed. */
export function failFastStop(): EngineError {
  return new EngineError({ code: failFastCode, message: 'Stopped because other work failed' });
}

/**
 * Thrown by work that was stopped by its own scope, with the scope's reason. Only runners throw it: if a node or script
 * throws an error with any code, that is still a failure.
 */
export class Stopped extends EngineError {
  constructor(reason: EngineError) {
    super(toErrorRecord(reason));
  }
}

/** Whether this is the reason of a scope that a person, or a program on their behalf, canceled. */
export function isCancellation(reason: EngineError | undefined): boolean {
  return reason?.code === cancelledCode;
}

/**
 * Whether this is an error that a runner threw because its scope was canceled. Such an error does not count as a
 * failure.
 */
export function isCancelledStop(thrown: unknown): thrown is Stopped {
  return thrown instanceof Stopped && isCancellation(thrown);
}

/**
 * Returns why an aborted signal stopped. A reason that is not an `EngineError` (a bare `abort()`) counts as canceled on
 * request.
 */
export function stopReason(signal: AbortSignal): EngineError {
  return EngineError.is(signal.reason) ? signal.reason : cancellation();
}
