/**
 * Defines the result of every operation on a session: the events it derives from the state, or why it is refused. An
 * operation itself changes nothing. The caller commits all events or none.
 */
import { applyEvent } from './fold-session.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState } from './session-state.ts';

/**
 * Why an operation is not possible. Programs compare `code`, which has the form `area.kebab-case`; `message` is for
 * people.
 */
export interface OperationRefusal {
  readonly code: string;
  readonly message: string;
}

export interface RefusedOperation {
  readonly refused: OperationRefusal;
}

/** The events in order, with an operation's additional results; or the refusal. */
export type OperationOutcome<Told extends object = object> =
  | ({ readonly events: readonly SessionEvent[] } & Told)
  | RefusedOperation;

export function refuse(code: string, message: string): RefusedOperation {
  return { refused: { code, message } };
}

/** Collects events and tracks the state that results from them. */
export class OperationDraft {
  readonly events: SessionEvent[] = [];
  state: SessionState;

  constructor(state: SessionState) {
    this.state = state;
  }

  emit(event: SessionEvent): void {
    this.events.push(event);
    this.state = applyEvent(this.state, event);
  }
}
