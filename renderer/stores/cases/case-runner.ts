/**
 * Lists the tests of the workspace and runs them in the engine.
 */
import type { StoreApi } from 'zustand/vanilla';
import {
  type CaseReport,
  type CaseResult,
  isCaseFile,
  type ListedCase,
  type RunId,
} from '../../../engine/isomorphic.ts';
import { unsavedTexts } from '../workspace/text-search.ts';
import { affectedCases, type LastRun, testedFiles } from './affected-cases.ts';
import { caseKey, idOf } from './case-list.ts';
import {
  type Cases,
  type CasesContext,
  type CasesEnd,
  type CaseVariant,
  openResult,
  type RecordChoice,
} from './cases.ts';
import { text } from './text.ts';

/** Milliseconds after an edit before the affected cases are determined again. */
const affectedDelayMs = 150;

/** A request to run tests. */
interface Work {
  readonly abort: AbortController;
  /** Resolves when the engine has reported all results. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  readonly texts: LastRun['texts'];
  readonly variant: CaseVariant | undefined;
}

function newWork(texts: LastRun['texts'], variant: CaseVariant | undefined): Work {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { abort: new AbortController(), ended, end, texts, variant };
}

/** Whether a file may contain cases or their rows. */
function hasCases(path: string): boolean {
  return isCaseFile(path) || /\.(?:csv|jsonl)$/i.test(path);
}

/** Collects the results of running tests, so that the window is updated once per frame however many arrive. */
class TakenResults {
  readonly #nextFrame: CasesContext['nextFrame'];
  readonly #apply: (results: readonly CaseResult[]) => void;
  #results: CaseResult[] = [];
  #cancel: (() => void) | undefined;

  constructor(nextFrame: CasesContext['nextFrame'], apply: (results: readonly CaseResult[]) => void) {
    this.#nextFrame = nextFrame;
    this.#apply = apply;
  }

  add(result: CaseResult): void {
    this.#results.push(result);
    this.#cancel ??= this.#nextFrame(() => this.flush());
  }

  /** Applies what has arrived without waiting for a frame. */
  flush(): void {
    const results = this.#results;
    this.drop();
    if (results.length > 0) this.#apply(results);
  }

  /** Forgets what has arrived and was not applied. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#results = [];
  }
}

export class CaseRunner {
  readonly #context: CasesContext;
  readonly #store: StoreApi<Cases>;
  readonly #ends: (() => void)[] = [];
  readonly #lastRuns = new Map<string, LastRun>();
  readonly #touched = new Map<string, number>();
  /** By key of a case: its hash when it was requested. */
  readonly #hashes = new Map<string, string>();
  /** Runs of the latest tests. The engine forgets those of earlier ones. */
  readonly #readable = new Set<RunId>();
  readonly #taken: TakenResults;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: Work | null = null;
  /** Counts changes on disk and runs, in their order. */
  #number = 0;
  #reads = 0;
  /** Whether the text of a test file on screen has changed since the list was read. */
  #isListStale = false;

  constructor(context: CasesContext, store: StoreApi<Cases>) {
    this.#context = context;
    this.#store = store;
    this.#taken = new TakenResults(context.nextFrame, (results) => this.#apply(results));
  }

  /** Whether the engine still has the events of a run. */
  isReadable(runId: RunId): boolean {
    return this.#readable.has(runId);
  }

  async refresh(): Promise<void> {
    const { engine, notices } = this.#context;
    this.#follow();
    this.#isListStale = false;
    this.#reads += 1;
    const read = this.#reads;
    try {
      const files = await engine.call('listTests', { texts: this.#unsaved() });
      if (read !== this.#reads) return;
      this.#store.setState({ files });
      this.#findAffected();
    } catch (error) {
      if (read === this.#reads) notices.getState().addError(text.listFailed, error);
    }
  }

  async run(cases: readonly ListedCase[] | undefined, record: RecordChoice, variant?: CaseVariant): Promise<CasesEnd> {
    if (this.#work !== null) return 'stopped';
    if (cases?.length === 0) return 'done';
    const { openFiles, notices } = this.#context;
    const own = newWork(testedFiles(openFiles.getState().files), variant);
    const onScreen = variant === undefined ? this.#onScreen() : [];
    this.#work = own;
    this.#store.setState({ isRunning: true, isRecording: record !== 'none' });
    try {
      this.#follow();
      if (this.#store.getState().files === null) await this.refresh();
      const summary = await this.#request(cases, record, own);
      if (summary === null) return 'stopped';
      // Main answers on another connection than the engine, which may still report results.
      await own.ended;
      if (variant === undefined) this.#store.setState({ summary });
      await this.#showNewRuns(onScreen);
      return 'done';
    } catch (error) {
      if (own.abort.signal.aborted) return 'stopped';
      notices.getState().addError(text.runFailed, error);
      return 'failed';
    } finally {
      this.#taken.flush();
      this.#work = null;
      this.#store.setState({ isRunning: false, isRecording: false, waiting: new Set() });
      this.#findAffected();
    }
  }

  stop(): void {
    if (this.#store.getState().isRecording) void this.#context.main.call('tests.stopRecording');
    this.#work?.abort.abort();
  }

  end(): void {
    this.#work?.abort.abort();
    this.#taken.drop();
    for (const end of this.#ends) end();
  }

  /** Returns the paths of files over which the run of an open test is shown. */
  #onScreen(): readonly string[] {
    const { shown } = this.#context.liveRuns.getState();
    const state = this.#store.getState();
    return [...state.opened.keys()].filter((path) => openResult(state, shown.get(path)?.runId, path) !== undefined);
  }

  /** Replaces the runs of open tests by those of their new results. */
  async #showNewRuns(paths: readonly string[]): Promise<void> {
    const { liveRuns, follower } = this.#context;
    for (const path of paths) {
      const { opened, results } = this.#store.getState();
      const runId = results.get(opened.get(path) ?? '')?.runId;
      if (runId === undefined || liveRuns.getState().shown.get(path)?.runId === runId) continue;
      liveRuns.getState().choose(path, runId);
      await follower.follow(runId);
    }
  }

  async #request(cases: readonly ListedCase[] | undefined, record: RecordChoice, { abort, variant }: Work) {
    const { engine, main } = this.#context;
    const which = cases === undefined ? {} : { cases: cases.map(idOf) };
    const chosen = { texts: this.#unsaved(), ...which, ...variant?.source };
    if (record === 'none') return await engine.call('runTests', { ...chosen, record }, abort.signal);
    return await main.call('tests.record', { ...chosen, record });
  }

  #unsaved(): Record<string, string> {
    const unsaved = unsavedTexts(this.#context.openFiles.getState());
    return Object.fromEntries(unsaved.map((file) => [file.path, file.text]));
  }

  /** Begins with the first request, because most windows run no tests. */
  #follow(): void {
    const { engine, openFiles } = this.#context;
    if (this.#ends.length > 0) return;
    this.#ends.push(
      engine.stream('watchTests', (report) => this.#take(report)),
      engine.stream('watchFiles', ({ paths }) => this.#noteChanges(paths)),
      engine.onConnected(() => {
        this.#readable.clear();
        if (this.#store.getState().files !== null) void this.refresh();
      }),
      openFiles.subscribe(({ files }, former) => {
        if (files === former.files) return;
        for (const [path, { text }] of files)
          if (hasCases(path) && former.files.get(path)?.text !== text) this.#isListStale = true;
        this.#findAffectedSoon();
      }),
      () => clearTimeout(this.#timer),
    );
  }

  #noteChanges(paths: readonly string[]): void {
    this.#number += 1;
    for (const path of paths) this.#touched.set(path, this.#number);
    // Changes from before file watching started have no paths.
    if (paths.length === 0 || paths.some(hasCases)) void this.refresh();
    this.#findAffectedSoon();
  }

  #take(report: CaseReport): void {
    // The engine keeps only the runs of the latest request, also if it came from another window.
    if (report.type === 'start') this.#readable.clear();
    if (this.#work === null) return;
    if (report.type === 'end') {
      this.#taken.flush();
      this.#work.end();
    } else if (report.type === 'start') {
      this.#taken.flush();
      this.#number += 1;
      const cases = report.files.flatMap((file) => file.cases);
      for (const one of cases) this.#hashes.set(caseKey(one), one.hash);
      this.#store.setState({ waiting: new Set(cases.map(caseKey)) });
    } else {
      const { result } = report;
      if (result.runId !== undefined) this.#readable.add(result.runId);
      this.#taken.add(result);
    }
  }

  /** Shows the results of a frame. */
  #apply(taken: readonly CaseResult[]): void {
    if (this.#work === null) return;
    const { variant, texts } = this.#work;
    const waiting = new Set(this.#store.getState().waiting);
    for (const result of taken) waiting.delete(caseKey(result));
    if (variant !== undefined) {
      variant.take(taken);
      this.#store.setState({ waiting });
      return;
    }
    const results = new Map(this.#store.getState().results);
    for (const result of taken) {
      const key = caseKey(result);
      this.#lastRuns.set(key, { number: this.#number, texts, hash: this.#hashes.get(key) });
      results.set(key, result);
    }
    this.#store.setState({ results, waiting });
  }

  #findAffectedSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#isListStale) void this.refresh();
      else this.#findAffected();
    }, affectedDelayMs);
  }

  #findAffected(): void {
    const { files, results, affected: former } = this.#store.getState();
    if (files === null) return;
    const now = { files: this.#context.openFiles.getState().files, runs: this.#lastRuns, touched: this.#touched };
    const affected = affectedCases(files, results, now);
    const isSame = affected.map(caseKey).join('\n') === former.map(caseKey).join('\n');
    if (!isSame) this.#store.setState({ affected });
  }
}
