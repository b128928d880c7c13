/**
 * The signals that a run waits for, the messages that answer them, and the events that show the wait.
 */
import type { WaitedTime } from '../../runtime/kernel/capabilities/run-host.ts';
import type { RunEvent, SuspendReason } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import { nodeOfSignal, parseMessage, valueOfSignal } from './run-message.ts';

/** What a message means for the run. */
interface RunNews {
  /** When it was delivered, in epoch milliseconds. */
  readonly at: number;
  readonly isCancel: boolean;
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

  /** Name of the signal that has been awaited longest. */
  get oldest(): string | undefined {
    const [oldest] = this.#waiting.keys();
    return oldest;
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
    const { id, at, answer } = message;
    this.#seen.add(id);
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
 * Emits the events that show a run as suspended while it only waits for people. A durable host keeps such a run open, but
 * people see the same as with a local run.
 */
export class RunWaits {
  readonly #emit: (event: RunEvent) => void;
  /** Why nodes wait, by their names without those of callers. */
  readonly #reasons = new Map<string, SuspendReason>();
  #isSuspended = false;

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit;
  }

  /** Notes why nodes wait. */
  readonly note: RunListener = (events) => {
    for (const { event } of events)
      if (event.type === 'node:suspended') this.#reasons.set(event.nodeId, event.request.reason);
  };

  /** @param signal the signal that the run waits for; undefined if it continues without people */
  update(signal: string | undefined): void {
    if (signal === undefined || this.#isSuspended) return;
    this.#isSuspended = true;
    const nodeId = nodeOfSignal(signal);
    const reason = this.#reasons.get(nodeId.slice(nodeId.lastIndexOf('/') + 1)) ?? 'operator';
    this.#emit({ type: 'run:suspended', reason, nodeId });
  }

  /** Must be called before the run continues. */
  resume(): void {
    if (this.#isSuspended) this.#emit({ type: 'run:resumed' });
    this.#isSuspended = false;
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
