/**
 * The signals that a run waits for, the messages that answer them, and the events that show the wait.
 */
import type { WaitedTime } from '../../runtime/kernel/capabilities/run-host.ts';
import type { RunEvent, SuspendReason } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { RunPause } from '../../runtime/kernel/hub/run-pause.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import { nodeOfSignal, parseMessage, type StartHold, valueOfSignal } from './run-message.ts';

/** What a message means for the run. */
interface RunNews {
  /** When it was delivered, in epoch milliseconds. */
  readonly at: number;
  readonly isCancel: boolean;
  readonly hold?: StartHold;
  /** Functions that resolve the answered signals. */
  readonly answered: readonly (() => void)[];
}

export class RunSignals {
  /** Functions that resolve signals, oldest first. */
  readonly #waiting = new Map<string, (value: unknown) => void>();
  /** Decisions about interrupted work that nothing has waited for yet, oldest first. */
  #early: ReceivedAnswer[] = [];
  /** IDs of messages, which may be delivered more than once. */
  readonly #seen = new Set<string>();

  /** Full name of the node that has waited for its signal longest. */
  get oldestNode(): string | undefined {
    const [oldest] = this.#waiting.keys();
    return oldest === undefined ? undefined : nodeOfSignal(oldest);
  }

  wait(name: string): Promise<unknown> {
    for (const answer of this.#early) {
      const value = valueOfSignal(name, answer);
      if (value === undefined) continue;
      this.#early = this.#early.filter((one) => one !== answer);
      return Promise.resolve(value);
    }
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  /** Reads a message. Undefined if it is invalid or has been read before. */
  read(text: string): RunNews | undefined {
    const message = parseMessage(text);
    if (message === undefined || this.#seen.has(message.id)) return undefined;
    this.#seen.add(message.id);
    if ('hold' in message) return { at: message.hold.at, isCancel: false, hold: message.hold, answered: [] };
    const { at, answer } = message;
    if (answer === undefined) return { at, isCancel: true, answered: [] };
    const answered = [...this.#waiting].flatMap(([name, resolve]) => {
      const value = valueOfSignal(name, answer);
      return value === undefined ? [] : [() => this.#waiting.delete(name) && resolve(value)];
    });
    // Several inputs of an agent may be interrupted, and it waits for one decision after the other.
    if (answered.length === 0 && answer.key === '') this.#early.push(answer);
    return { at, isCancel: false, answered };
  }
}

/**
 * Emits the events that show a run as suspended while it only waits for people, or is paused. A durable host keeps such a
 * run open, but people see the same as with a local run.
 */
export class RunWaits {
  readonly #emit: (event: RunEvent) => void;
  readonly #pause: RunPause;
  /** Why nodes wait, by their names without those of callers. */
  readonly #reasons = new Map<string, SuspendReason>();
  #isSuspended = false;

  constructor(pause: RunPause, emit: (event: RunEvent) => void) {
    this.#pause = pause;
    this.#emit = emit;
  }

  /** Notes why nodes wait. */
  readonly note: RunListener = (events) => {
    for (const { event } of events)
      if (event.type === 'node:suspended') this.#reasons.set(event.nodeId, event.request.reason);
  };

  /** @param waitsFor full name of the node that the run waits for; undefined if it continues without people */
  update(waitsFor: string | undefined): void {
    if (waitsFor === undefined || this.#isSuspended) return;
    this.#isSuspended = true;
    const { name: nodeId, reason } = this.#pause.firstHeld ?? { name: waitsFor, reason: this.#reasonOf(waitsFor) };
    this.#emit({ type: 'run:suspended', reason, nodeId });
  }

  /** Must be called before the run continues. @param hold what a person has decided about a paused run */
  resume({ kind, by }: Partial<StartHold> = {}): void {
    const decided = kind === 'continue' || kind === 'step' ? { action: kind, ...(by === undefined ? {} : { by }) } : {};
    if (this.#isSuspended) this.#emit({ type: 'run:resumed', ...decided });
    this.#isSuspended = false;
  }

  #reasonOf(name: string): SuspendReason {
    return this.#reasons.get(name.slice(name.lastIndexOf('/') + 1)) ?? 'operator';
  }
}

/** Measures the time during which a run only waits for people. */
export class SessionWaits implements WaitedTime {
  readonly #now: () => number;
  #since: number | undefined;
  #beforeMs = 0;
  #listeners: (() => void)[] = [];

  /** @param now returns the time of the run in epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get ms(): number {
    return this.#beforeMs + (this.#since === undefined ? 0 : this.#now() - this.#since);
  }

  whenOver(listener: () => void): void {
    if (this.#since === undefined) listener();
    else this.#listeners.push(listener);
  }

  /** Must be called when the run only waits; may be called again during the wait. */
  begin(): void {
    this.#since ??= this.#now();
  }

  /** Must be called when the run continues, after its time has advanced. */
  end(): void {
    this.#beforeMs = this.ms;
    this.#since = undefined;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const tell of listeners) tell();
  }
}
