/**
 * Answers to node requests on a host that can wait for them: the run stays open, and each request is a separate signal.
 */
import { Listeners } from '../../../base/listeners.ts';
import type { RunHost } from '../../kernel/capabilities/run-host.ts';
import type { AnswerSource, Ask, AskAnswer, ReceivedAnswer } from '../../kernel/requests/ask.ts';

export class HostAnswers implements AnswerSource {
  readonly #host: RunHost;
  readonly #onFailure: (thrown: unknown) => void;
  readonly #listeners = new Listeners<[]>();
  readonly #given: ReceivedAnswer[] = [];
  /** Requests with an awaited signal, by node. */
  readonly #expected = new Map<string, Set<string>>();

  /** @param onFailure receives the error if the host cannot wait for an answer */
  constructor(host: RunHost, onFailure: (thrown: unknown) => void) {
    this.#host = host;
    this.#onFailure = onFailure;
  }

  list(): readonly ReceivedAnswer[] {
    return this.#given;
  }

  listen(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Whether an answer to a request of the node or its child runs is pending. */
  expects(name: string): boolean {
    if (this.#expected.has(name)) return true;
    return [...this.#expected.keys()].some((other) => other.startsWith(`${name}/`));
  }

  /** Waits for the answer to one of the node's requests. */
  expect(name: string, { key, requestHash }: Ask): void {
    const id = JSON.stringify([key, requestHash]);
    const expected = this.#expected.get(name) ?? new Set();
    if (expected.has(id)) return;
    this.#expected.set(name, expected.add(id));
    this.#host.signal<AskAnswer>(`${name}?${key}`).then((answer) => {
      this.#given.push({ ...answer, name, key, requestHash });
      this.#listeners.tell(this.#onFailure);
    }, this.#onFailure);
  }
}
