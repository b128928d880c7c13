/**
 * Tests proposals while they are reviewed: with the accepted and the undecided changes, and without any.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type FlowTexts, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { openKeys, type Review } from '../review/review.ts';
import type { Reviews } from '../review/reviews.ts';
import type { OpenFiles } from '../text/files.ts';
import { unsavedTexts } from '../workspace/text-search.ts';
import { type ChangeEffect, compareResults, type FlowResults } from './compare-results.ts';

/** The tests of a proposal. `failed` with the reason in a sentence. */
export type ProposalTest =
  | { readonly state: 'running' | 'stopped'; readonly total: number }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'done'; readonly effect: ChangeEffect };

export interface ProposalTests {
  /** By path of the reviewed flow. Only flows that have tests. */
  readonly tests: ReadonlyMap<string, ProposalTest>;
  /** Runs the tests of the reviewed text again. */
  run(path: string): void;
  stop(path: string): void;
}

interface ProposalTestsContext {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly reviews: StoreApi<Reviews>;
}

/** Milliseconds after a decision or an edit before tests run. */
const delayMs = 250;

/** The tests of one review. */
interface ReviewWork {
  timer: ReturnType<typeof setTimeout> | undefined;
  abort: AbortController;
  /** What is tested. Null before the first test. */
  texts: FlowTexts | null;
  /** Results by text of the flow. */
  readonly known: Map<string, FlowResults>;
}

/** Also returns a function that ends all work. */
export function createProposalTests(context: ProposalTestsContext): readonly [StoreApi<ProposalTests>, () => void] {
  const store = createStore<ProposalTests>()(() => ({
    tests: new Map(),
    run: (path) => tester.run(path),
    stop: (path) => tester.stop(path),
  }));
  const tester = new ProposalTester(context, store);
  const unsubscribe = context.reviews.subscribe(({ reviews }, { reviews: former }) => {
    if (reviews !== former) tester.follow(reviews, former);
  });
  return [
    store,
    () => {
      unsubscribe();
      tester.end();
    },
  ];
}

class ProposalTester {
  readonly #context: ProposalTestsContext;
  readonly #store: StoreApi<ProposalTests>;
  readonly #work = new Map<string, ReviewWork>();

  constructor(context: ProposalTestsContext, store: StoreApi<ProposalTests>) {
    this.#context = context;
    this.#store = store;
  }

  follow(reviews: Reviews['reviews'], former: Reviews['reviews']): void {
    for (const path of former.keys()) if (!isTested(reviews.get(path))) this.#remove(path);
    for (const [path, review] of reviews) {
      const before = former.get(path);
      if (!isTested(review) || review.isBehind || (before !== undefined && haveSameTexts(review, before))) continue;
      if (before !== undefined && (before.at !== review.at || before.proposalId !== review.proposalId))
        this.#remove(path);
      this.#testSoon(path, delayMs);
    }
  }

  run(path: string): void {
    const work = this.#work.get(path);
    if (work === undefined) return;
    work.known.clear();
    work.texts = null;
    this.#testSoon(path, 0);
  }

  stop(path: string): void {
    const shown = this.#store.getState().tests.get(path);
    if (shown?.state !== 'running') return;
    this.#work.get(path)?.abort.abort();
    this.#show(path, { ...shown, state: 'stopped' });
  }

  end(): void {
    for (const path of [...this.#work.keys()]) this.#remove(path);
  }

  #testSoon(path: string, delay: number): void {
    const work: ReviewWork = this.#work.get(path) ?? {
      ...{ timer: undefined, abort: new AbortController(), texts: null },
      known: new Map(),
    };
    this.#work.set(path, work);
    clearTimeout(work.timer);
    work.timer = setTimeout(() => void this.#test(path, work), delay);
  }

  async #test(path: string, work: ReviewWork): Promise<void> {
    const review = this.#context.reviews.getState().reviews.get(path);
    const texts = review === undefined ? null : await this.#textsOf(review);
    if (texts === null || this.#work.get(path) !== work) return;
    if (texts.before === work.texts?.before && texts.after === work.texts.after) return;
    work.abort.abort();
    const abort = new AbortController();
    Object.assign(work, { texts, abort });
    try {
      const test = await this.#effectOf(path, work, texts);
      if (!abort.signal.aborted) this.#show(path, test);
    } catch (error) {
      if (!abort.signal.aborted) this.#show(path, { state: 'failed', reason: toErrorRecord(error).message });
    }
  }

  /** Returns the text without the changes, and the text with those that are accepted or undecided. */
  async #textsOf(review: Review): Promise<FlowTexts | null> {
    const { before } = review.texts;
    if (openKeys(review).length === 0) return { before, after: review.text };
    const undecided = await this.#context.reviews.getState().undecidedTexts(review.path);
    return undecided === null ? null : { before, after: undecided.after };
  }

  async #effectOf(
    path: string,
    { known, abort }: ReviewWork,
    { before, after }: FlowTexts,
  ): Promise<ProposalTest | null> {
    const { engine, openFiles } = this.#context;
    const { signal } = abort;
    if (before === after) return null;
    const unsaved = unsavedTexts(openFiles.getState()).map((file) => [file.path, file.text] as const);
    const textsWith = (text: string) => ({ ...Object.fromEntries(unsaved), [path]: text });
    if (!known.has(after)) {
      const total = await this.#countTests(path, textsWith(after));
      if (signal.aborted) return null;
      this.#show(path, total === 0 ? null : { state: 'running', total });
    }
    const results = async (text: string): Promise<FlowResults> => {
      const tested = known.get(text) ?? (await engine.call('testProposal', { path, texts: textsWith(text) }, signal));
      known.set(text, tested);
      return tested;
    };
    const tested = await results(after);
    if (tested.results.length + tested.files.length === 0) return null;
    const effect = compareResults(await results(before), tested);
    return effect === null ? null : { state: 'done', effect };
  }

  async #countTests(path: string, texts: Readonly<Record<string, string>>): Promise<number> {
    const files = await this.#context.engine.call('listTests', { texts });
    return files.filter(({ target }) => target === path).flatMap(({ cases }) => cases).length;
  }

  #show(path: string, test: ProposalTest | null): void {
    const tests = new Map(this.#store.getState().tests);
    if (test === null) tests.delete(path);
    else tests.set(path, test);
    this.#store.setState({ tests });
  }

  #remove(path: string): void {
    const work = this.#work.get(path);
    if (work === undefined) return;
    clearTimeout(work.timer);
    work.abort.abort();
    this.#work.delete(path);
    this.#show(path, null);
  }
}

/** Only what others propose is tested. */
function isTested(review: Review | undefined): review is Review {
  return review?.source === 'proposal' || review?.source === 'assistant';
}

function haveSameTexts(one: Review, other: Review): boolean {
  const isSame = one.texts === other.texts && one.taken === other.taken && one.decided === other.decided;
  return isSame && one.isBehind === other.isBehind;
}
