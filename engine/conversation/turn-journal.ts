/**
 * What a turn has decided and done, as the log has it. A turn is a function of the state that it began with and of what its steps
 * gave: one that was cut is taken again from its start, and as far as the log goes its steps are not done but read.
 */
import { EngineError } from '../base/engine-error.ts';
import type { SessionId } from '../base/ids.ts';
import { foldSession } from '../dialogue/fold-session.ts';
import type { Outcome } from '../dialogue/operation.ts';
import type { SessionEnvelope, SessionEvent } from '../dialogue/session-event.ts';
import type { SessionState } from '../dialogue/session-state.ts';
import { type JsonValue, jsonEquals } from '../flowspec/json-value.ts';
import type { SessionLog } from './session-log.ts';

/** The turn cannot be taken up: what it would do now is not what the log says that it did. */
const turnLostCode = 'turn.lost';
/** An operation was refused that the turn relies on. */
const refusedCode = 'turn.refused';
/** A person has ended the turn. */
const cancelledCode = 'turn.cancelled';

/** The reason of a turn's signal when a person ends it. */
export function turnCancelled(): EngineError {
  return new EngineError({ code: cancelledCode, message: 'The turn was cancelled.' });
}

/** Whether a turn was ended by a person, and not because the program ends. @param reason why it has stopped */
export function isTurnCancelled(reason: unknown): boolean {
  return EngineError.is(reason) && reason.code === cancelledCode;
}

export class TurnJournal {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly #log: SessionLog;
  /** What the log has and the turn has not come to yet. */
  #recorded: SessionEnvelope[];
  #replayed: SessionState | undefined;
  readonly #keys = new Map<string, number>();
  readonly #told: SessionEvent[] = [];

  /** @param options.isCut an earlier process has begun the turn; `signal` ends it */
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

  /** What this turn has told so far, also before it was cut; what others tell meanwhile is not among it. */
  get told(): readonly SessionEvent[] {
    return this.#told;
  }

  get state(): SessionState {
    return this.#replayed ?? this.#log.state;
  }

  /** Makes what an operation gives facts. @throws EngineError when it was refused */
  take<Told extends object>(outcome: Outcome<Told>): { readonly events: readonly SessionEvent[] } & Told {
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
   * Gives what the step gave when it was done, or does it now and notes what it gives.
   * @param name of the step; the same name again is the next step of that name
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

  /** Whether the log was left behind: what follows is new. */
  get isLive(): boolean {
    return this.#replayed === undefined;
  }

  /** Lets go of what the log has of the turn and was not come to. */
  abandon(): void {
    this.#recorded = [];
    this.#replayed = undefined;
  }

  /** How many of the events the log has already. */
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

  /** What others have written meanwhile was there before the turn went on. */
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

/** Logs of earlier versions have predictions without an act. */
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
    message: `The turn cannot go on where it was cut: the log has ${found.type} where it would do ${wanted}.`,
  });
}
