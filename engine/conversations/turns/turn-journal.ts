/**
 * Records a turn's decisions and steps in the log. A turn is a function of its initial state and the results of its
 * steps. An interrupted turn runs again from its start, and reads steps from the log instead of executing them.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { SessionId } from '../../base/ids.ts';
import { type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { foldSession } from '../session/fold-session.ts';
import type { OperationOutcome } from '../session/operation.ts';
import type { SessionEnvelope, SessionEvent } from '../session/session-event.ts';
import type { SessionState } from '../session/session-state.ts';
import type { SessionLog } from './session-log.ts';

/** Error code of a turn that cannot be resumed because its decisions differ from those in the log. */
const turnLostCode = 'turn.lost';
/** Error code of an operation that the turn relied on and that was refused. */
const refusedCode = 'turn.refused';
/** Error code of a turn canceled by a person. */
const cancelledCode = 'turn.cancelled';

/** Creates the abort reason of a turn that a person cancels. */
export function turnCancelled(): EngineError {
  return new EngineError({ code: cancelledCode, message: 'The turn was canceled.' });
}

/**
 * Returns whether a turn was canceled by a person, and not because the program exits. @param reason abort reason of the
 * turn
 */
export function isTurnCancelled(reason: unknown): boolean {
  return EngineError.is(reason) && reason.code === cancelledCode;
}

export class TurnJournal {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly #log: SessionLog;
  /** Events in the log that the turn has not reached yet. */
  #recorded: SessionEnvelope[];
  #replayed: SessionState | undefined;
  readonly #keys = new Map<string, number>();
  readonly #told: SessionEvent[] = [];

  /** @param options.isCut whether an earlier process has started the turn; `signal` ends the turn */
  constructor(
    log: SessionLog,
    turnId: string,
    { signal, isCut }: { readonly signal: AbortSignal; readonly isCut: boolean },
  ) {
    const open = isCut ? log.openTurn() : undefined;
    this.turnId = turnId;
    this.signal = signal;
    this.#log = log;
    this.#recorded = [...(open?.log ?? [])];
    this.#replayed = open?.start;
    this.#passForeign();
  }

  get sessionId(): SessionId {
    return this.#log.sessionId;
  }

  /** Events of this turn so far, including those before an interruption, but not those of other sources. */
  get told(): readonly SessionEvent[] {
    return this.#told;
  }

  get state(): SessionState {
    return this.#replayed ?? this.#log.state;
  }

  /** Emits the events of an operation. @throws EngineError if it was refused */
  take<Told extends object>(outcome: OperationOutcome<Told>): { readonly events: readonly SessionEvent[] } & Told {
    if ('refused' in outcome) {
      const { code, message } = outcome.refused;
      throw new EngineError({ code: refusedCode, message, details: { code } });
    }
    this.emit(...outcome.events);
    return outcome;
  }

  emit(...events: readonly SessionEvent[]): void {
    this.#told.push(...events);
    const fresh = events.slice(this.#replay(events));
    this.#log.append(fresh, this.turnId);
  }

  /**
   * Returns the recorded result of a step, or performs it and records its result.
   * @param name name of the step; repeating a name refers to the next step of that name
   */
  async step<Result extends JsonValue>(name: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const count = (this.#keys.get(name) ?? 0) + 1;
    this.#keys.set(name, count);
    const key = count === 1 ? name : `${name}#${count}`;
    const [next] = this.#recorded;
    if (next?.event.type === 'step:result' && next.event.key === key) {
      this.#pass();
      return next.event.result as Result;
    }
    if (next !== undefined) throw lost(`step:result ${key}`, next.event);
    this.signal.throwIfAborted();
    const result = await work(this.signal);
    this.signal.throwIfAborted();
    this.emit({ type: 'step:result', key, result });
    return result;
  }

  /** Whether the end of the recorded log has been reached and new events follow. */
  get isLive(): boolean {
    return this.#replayed === undefined;
  }

  /** Discards the recorded events that the turn has not reached. */
  abandon(): void {
    this.#recorded = [];
    this.#replayed = undefined;
  }

  /** Returns how many of the events are already in the log. */
  #replay(events: readonly SessionEvent[]): number {
    let count = 0;
    for (const event of events) {
      const [next] = this.#recorded;
      if (next === undefined) break;
      if (!isSameEvent(next.event, event)) throw lost(event.type, next.event);
      this.#pass();
      count++;
    }
    return count;
  }

  #pass(): void {
    const next = this.#recorded.shift();
    if (next !== undefined && this.#replayed !== undefined) this.#replayed = foldSession(this.#replayed, next);
    this.#passForeign();
  }

  /** Skips events that others wrote, which were applied before the turn continued. */
  #passForeign(): void {
    for (;;) {
      const [next] = this.#recorded;
      if (next === undefined) {
        this.#replayed = undefined;
        return;
      }
      if (next.turnId === this.turnId) return;
      this.#recorded.shift();
      if (this.#replayed !== undefined) this.#replayed = foldSession(this.#replayed, next);
    }
  }
}

/** Logs of earlier versions contain predictions without an act. */
function isSameEvent(recorded: SessionEvent, event: SessionEvent): boolean {
  const isEarlier = event.type === 'nlu:predicted' && recorded.type === event.type && recorded.act === undefined;
  const { act: _, ...rest } = isEarlier ? event : { act: undefined, ...event };
  return jsonEquals(
    recorded as unknown as JsonValue,
    JSON.parse(JSON.stringify(isEarlier ? rest : event)) as JsonValue,
  );
}

function lost(wanted: string, found: SessionEvent): EngineError {
  return new EngineError({
    code: turnLostCode,
    message: `The interrupted turn cannot be resumed: the log contains ${found.type} where ${wanted} was expected.`,
  });
}
