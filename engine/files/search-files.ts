/**
 * Looks for something in the texts of a workspace.
 */
import { Worker } from 'node:worker_threads';
import { type Clock, elapsedSince } from '../base/clock.ts';
import { EngineError, fromErrorRecord } from '../base/engine-error.ts';
import { type ComputingMeter, startMeter } from '../workers/computing-time.ts';
import { createLineSearch, type SearchMatch, type SearchQuery } from './search-text.ts';
import type { SearchOrder, SearchReport } from './search-worker.ts';
import { findFiles } from './walk-files.ts';
import { resolveInWorkspace } from './workspace-path.ts';

/** A text that is open and not saved: it is searched instead of what the disk holds under its path. */
interface UnsavedText {
  readonly path: string;
  readonly text: string;
}

export interface SearchRequest extends SearchQuery {
  readonly unsaved: readonly UnsavedText[];
}

export interface FoundFile {
  readonly path: string;
  /** In the order of the text; never empty. */
  readonly matches: readonly SearchMatch[];
}

export interface SearchAnswer {
  /** In the order of their paths. */
  readonly files: readonly FoundFile[];
  /**
   * `all`: everything was searched. `matches`: there are more than are told. `slow`: one file took too long (`slowPath`).
   * `time`: the whole search did.
   */
  readonly end: 'all' | 'matches' | 'slow' | 'time';
  readonly slowPath: string | null;
  /** Files that were left out because of their size. */
  readonly tooLarge: number;
  /** The workspace has more files than are looked at. */
  readonly isCut: boolean;
}

export interface SearchLimits {
  readonly maxMatches: number;
  readonly maxFileBytes: number;
  /** Milliseconds of computing for one file, and for all of them. */
  readonly fileMs: number;
  readonly totalMs: number;
}

export const searchLimits: SearchLimits = {
  maxMatches: 2_000,
  maxFileBytes: 2 * 1024 * 1024,
  fileMs: 2_000,
  totalMs: 20_000,
};

interface SearchOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Without them, those of the product. */
  readonly limits?: SearchLimits;
}

const watchMs = 100;
/** A search that waits for a disk may take this many times as long as one that computes. */
const slowDiskFactor = 6;
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/**
 * Searches the files that git does not ignore: see `FileEngine.searchFiles`. The work is done in a thread of its own, which
 * ends when it takes too long; what was found until then is told.
 * @param workspace absolute
 * @throws EngineError `files.bad-pattern` | `files.outside` for an unsaved text | `files.search-failed`; the signal's reason
 */
export async function searchFiles(
  workspace: string,
  request: SearchRequest,
  { clock, signal, limits = searchLimits }: SearchOptions,
): Promise<SearchAnswer> {
  // Says what is wrong with the pattern before anything else is done.
  createLineSearch(request);
  const { unsaved, ...query } = request;
  await Promise.all(unsaved.map(({ path }) => resolveInWorkspace(workspace, path)));
  const { paths, isCut } = await findFiles(workspace);
  const { code } = await import('virtual:search-worker');
  signal.throwIfAborted();
  const texts = new Map(unsaved.map(({ path, text }) => [path, text]));
  const { maxMatches, maxFileBytes } = limits;
  const order: SearchOrder = {
    root: workspace,
    query,
    paths: [...new Set([...paths, ...texts.keys()])].sort(),
    texts,
    maxMatches,
    maxFileBytes,
    progress: new SharedArrayBuffer(8),
  };
  const worker = new Worker(code, { eval: true, workerData: order, env: {}, argv: [], execArgv: [], resourceLimits });
  try {
    return { ...(await answerOf(worker, order, { clock, signal, limits })), isCut };
  } finally {
    await worker.terminate();
  }
}

type Watch = Required<SearchOptions>;

type ThreadAnswer = Omit<SearchAnswer, 'isCut'>;

/** Gathers what the thread says until it has done, takes too long, or nobody wants to know any more. */
function answerOf(worker: Worker, order: SearchOrder, { clock, signal, limits }: Watch): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const files: FoundFile[] = [];
    let endWatch = (): void => undefined;
    const stop = (): void => reject(signal.reason);
    const finish = (answer: Partial<ThreadAnswer> & Pick<ThreadAnswer, 'end'>): void =>
      resolve({ files, slowPath: null, tooLarge: 0, ...answer });
    const fail = (problem: string): void => reject(failed(problem));
    signal.addEventListener('abort', stop, { once: true });
    worker.once('online', () => {
      endWatch = watchThread(order, { clock, limits, onSlow: finish });
    });
    worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
    worker.once('exit', () => {
      endWatch();
      signal.removeEventListener('abort', stop);
      fail('its thread ended');
    });
    worker.on('message', (report: SearchReport) => {
      if (report.kind === 'file') files.push({ path: report.path, matches: report.matches });
      else if (report.kind === 'error') reject(fromErrorRecord(report.error));
      else finish({ end: report.isCut ? 'matches' : 'all', tooLarge: report.tooLarge });
    });
  });
}

interface ThreadWatch extends Pick<Watch, 'clock' | 'limits'> {
  readonly onSlow: (answer: Pick<ThreadAnswer, 'end' | 'slowPath'>) => void;
}

/** Looks now and then whether the thread gets on. Returns the end of that. */
function watchThread({ progress, paths }: SearchOrder, { clock, limits, onSlow }: ThreadWatch): () => void {
  const view = new Int32Array(progress);
  const began = clock.now();
  let meter: ComputingMeter | undefined;
  let last = { index: 0, at: 0 };
  let endTimer = (): void => undefined;
  const look = (): void => {
    const [index = 0, thread = 0] = [Atomics.load(view, 0), Atomics.load(view, 1)];
    if (thread !== 0) meter ??= startMeter(thread > 0 ? thread : undefined);
    const computed = meter?.read() ?? 0;
    if (index !== last.index) last = { index, at: computed };
    const isLate = elapsedSince(began, clock) >= limits.totalMs * slowDiskFactor;
    if (computed - last.at >= limits.fileMs) onSlow({ end: 'slow', slowPath: paths[index] ?? null });
    else if (isLate || computed >= limits.totalMs) onSlow({ end: 'time', slowPath: null });
    else endTimer = clock.setTimer(look, watchMs);
  };
  endTimer = clock.setTimer(look, watchMs);
  return () => endTimer();
}

function failed(problem: string): EngineError {
  return new EngineError({
    code: 'files.search-failed',
    message: `The search broke off: ${problem}. Search again, in fewer files.`,
  });
}
