/**
 * What every operation on a session gives: the events that it makes of the state, or why it is refused. Nothing is changed by it;
 * whoever asked commits the events, all of them or none.
 */
import { applyEvent } from './fold-session.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState } from './session-state.ts';

/** Why an operation is not possible. Programs compare `code`, which is `area.kebab-case`; `message` is for people. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export interface Refused {
  readonly refused: Refusal;
}

/** The events, in their order, with what else an operation tells. */
export type Outcome<Told extends object = object> = ({ readonly events: readonly SessionEvent[] } & Told) | Refused;

export function refuse(code: string, message: string): Refused {
  return { refused: { code, message } };
}

/** Events as they are made, and the state that they lead to. */
export class Draft {
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
