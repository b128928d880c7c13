/**
 * The signals that a run waits for, and the messages that answer them.
 */
import { parseMessage, valueOfSignal } from './run-message.ts';

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
  /** IDs of messages, which may be delivered more than once. */
  readonly #seen = new Set<string>();

  /** Name of the signal that has been awaited longest. */
  get oldest(): string | undefined {
    const [oldest] = this.#waiting.keys();
    return oldest;
  }

  wait(name: string): Promise<unknown> {
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
    return { at, isCancel: false, answered };
  }
}
