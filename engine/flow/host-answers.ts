/**
 * Answers to what nodes ask, where the host can wait for them: the run stays open, and each question is a signal of its own.
 */
import { Listeners } from '../base/listeners.ts';
import type { AnswerSource, Ask, AskAnswer, GivenAnswer } from '../kernel/ask.ts';
import type { RunHost } from '../kernel/run-host.ts';

export class HostAnswers implements AnswerSource {
  readonly #host: RunHost;
  readonly #onFailure: (thrown: unknown) => void;
  readonly #listeners = new Listeners<[]>();
  readonly #given: GivenAnswer[] = [];
  /** By node: the questions that signals were asked for. */
  readonly #expected = new Map<string, Set<string>>();

  /** @param onFailure gets why the host does not wait for an answer */
  constructor(host: RunHost, onFailure: (thrown: unknown) => void) {
    this.#host = host;
    this.#onFailure = onFailure;
  }

  list(): readonly GivenAnswer[] {
    return this.#given;
  }

  listen(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Whether an answer to something that the node has asked is still to come. */
  expects(name: string): boolean {
    return this.#expected.has(name);
  }

  /** The node has asked. */
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
