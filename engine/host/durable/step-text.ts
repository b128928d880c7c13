/**
 * The text of a step's result in the journal. Large results are stored in the history, and the journal has only their
 * hash.
 */
import type { RunId } from '../../base/ids.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { untilReachable } from './until-reachable.ts';

/** Results with a longer text, in UTF-16 units, are stored in the history. */
const mostText = 2 ** 20;

/** The result of a step. */
interface StepOutcome {
  /** When the step ended, in epoch milliseconds. */
  readonly at: number;
  /** JSON. */
  readonly value?: unknown;
  /** Message of the error that the step has thrown, which is a bug. */
  readonly bug?: string;
}

/** Converts the results of one run's steps. */
export class StepTexts {
  readonly #runId: RunId;
  readonly #history: Pick<SharedHistory, 'keepText' | 'readText'>;

  constructor(runId: RunId, history: Pick<SharedHistory, 'keepText' | 'readText'>) {
    this.#runId = runId;
    this.#history = history;
  }

  /** Returns the text for the journal. Waits while the history is away, so that the step is not done again. */
  async write(outcome: StepOutcome): Promise<string> {
    const text = JSON.stringify(outcome);
    if (text.length <= mostText) return text;
    const hash = await untilReachable(() => this.#history.keepText(this.#runId, text));
    return JSON.stringify({ hash });
  }

  async read(text: string): Promise<StepOutcome> {
    const outcome: StepOutcome & { readonly hash?: string } = JSON.parse(text);
    const { hash } = outcome;
    if (hash === undefined) return outcome;
    const stored = await untilReachable(() => this.#history.readText(hash));
    if (stored === undefined) throw new Error(`The history has lost the result ${hash} of a step.`);
    return JSON.parse(stored);
  }
}
