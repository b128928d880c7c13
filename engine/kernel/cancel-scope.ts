/**
 * Being asked to stop, as a tree: a scope stops when its parent does, or earlier on its own.
 */
import { EngineError } from '../base/engine-error.ts';

export interface CancelScope {
  /** Aborts with the reason given to `cancel`. */
  readonly signal: AbortSignal;
  /** Asks everything in this scope and below to stop. The first reason stays. */
  cancel(reason: EngineError): void;
  /** A scope that stops with this one, or earlier on its own. */
  child(): CancelScope;
  /** A scope that outlives this one: for clean-up that must finish. */
  shielded(): CancelScope;
  /** Lets go of the parent; to be called when the scope's work is done. Its signal never aborts afterwards. */
  close(): void;
}

/** Makes a scope: the root of a tree, or one below `parent` (which may be a signal that came from elsewhere). */
export function createCancelScope(parent?: AbortSignal): CancelScope {
  const controller = new AbortController();
  let isOpen = true;
  const cancel = (reason: unknown): void => {
    if (!isOpen) return;
    close();
    controller.abort(reason);
  };
  const follow = (): void => cancel(parent?.reason);
  const close = (): void => {
    isOpen = false;
    parent?.removeEventListener('abort', follow);
  };
  if (parent?.aborted === true) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    cancel,
    child: () => createCancelScope(controller.signal),
    shielded: () => createCancelScope(),
    close,
  };
}

const cancelledCode = 'run.cancelled';

/** The reason to give when a person, or a program on their behalf, asks a run to stop. */
export function cancellation(): EngineError {
  return new EngineError({ code: cancelledCode, message: 'The run was cancelled' });
}

const failFastCode = 'run.fail-fast';

/** The reason to give to work that stops because something beside it has failed. */
export function failFastStop(): EngineError {
  return new EngineError({ code: failFastCode, message: 'Stopped, because something beside it has failed' });
}

/** True when an aborted signal's reason is a failure beside it rather than somebody's wish. */
export function isFailFastStop(reason: unknown): boolean {
  return EngineError.is(reason) && reason.code === failFastCode;
}

/** True for what was thrown because somebody asked to stop, which is no failure. */
export function isCancellation(thrown: unknown): boolean {
  return EngineError.is(thrown) && thrown.code === cancelledCode;
}

/** Why an aborted signal stopped. A reason that is no `EngineError` (a bare `abort()`) counts as cancelled on request. */
export function stopReason(signal: AbortSignal): EngineError {
  return EngineError.is(signal.reason) ? signal.reason : cancellation();
}
