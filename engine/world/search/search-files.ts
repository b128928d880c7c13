/**
 * Searches a workspace's text files.
 */
import { type Clock, elapsedSince } from '../../base/clock.ts';
import { EngineError, fromErrorRecord } from '../../base/engine-error.ts';
import { findFiles } from '../files/walk-files.ts';
import { resolveInWorkspace } from '../files/workspace-path.ts';
import type { ComputingMeter } from '../workers/computing-time.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import type { WorkerThread } from '../workers/worker-thread.ts';
import { createLineSearch, type SearchMatch, type SearchQuery } from './search-text.ts';
import type { SearchOrder, SearchReport } from './search-worker.ts';

/** Unsaved text, searched instead of the file on disk at its path. */
interface UnsavedText {
  readonly path: string;
  readonly text: string;
}

export interface SearchRequest extends SearchQuery {
  readonly unsaved: readonly UnsavedText[];
}

export interface FoundFile {
  readonly path: string;
  /** In text order; never empty. */
  readonly matches: readonly SearchMatch[];
}

export interface SearchAnswer {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /**
   * `all`: everything was searched. `matches`: there are more matches than returned. `slow`: one file took too long
   * (`slowPath`). `time`: the entire search took too long.
   */
  readonly end: 'all' | 'matches' | 'slow' | 'time';
  readonly slowPath: string | null;
  /** Number of files skipped because of their size. */
  readonly tooLarge: number;
  /** Whether the workspace has more files than the search covers. */
  readonly isCut: boolean;
}

export interface SearchLimits {
  readonly maxMatches: number;
  readonly maxFileBytes: number;
  /** Limit on CPU time for one file and for all files, in milliseconds. */
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
  /** Defaults to the product limits. */
  readonly limits?: SearchLimits;
}

const watchMs = 100;
/** A search that waits for the disk may take this many times longer than one that computes. */
const slowDiskFactor = 6;

const pool = new WorkerPool({
  name: 'search',
  loadProgram: () => import('virtual:search-worker'),
  resourceLimits: { maxOldGenerationSizeMb: 512 },
  size: Number.POSITIVE_INFINITY,
  kept: 0,
  failureOf: (error) => failed(error?.message ?? 'its thread ended'),
});

/**
 * Searches the files that Git does not ignore; see `FileEngine.searchFiles`. The search runs in a separate worker. If it takes too long,
 * the worker is terminated, and the matches found so far are returned.
 * @param workspace absolute
 * @throws EngineError `files.bad-pattern` | `files.outside` for unsaved text | `files.search-failed`; the signal's reason
 */
export async function searchFiles(
  workspace: string,
  request: SearchRequest,
  { clock, signal, limits = searchLimits }: SearchOptions,
): Promise<SearchAnswer> {
  // Validates the pattern before doing anything else.
  createLineSearch(request);
  const { unsaved, ...query } = request;
  await Promise.all(unsaved.map(({ path }) => resolveInWorkspace(workspace, path)));
  const { paths, isCut } = await findFiles(workspace);
  const texts = new Map(unsaved.map(({ path, text }) => [path, text]));
  const { maxMatches, maxFileBytes } = limits;
  const order: SearchOrder = {
    root: workspace,
    query,
    paths: [...new Set([...paths, ...texts.keys()])].sort(),
    texts,
    maxMatches,
    maxFileBytes,
    progress: new SharedArrayBuffer(4),
  };
  return { ...(await pool.run(signal, ({ worker }) => answerOf(worker, order, { clock, limits }))), isCut };
}

type ThreadAnswer = Omit<SearchAnswer, 'isCut'>;

/** Collects the worker's reports until it finishes or takes too long. */
async function answerOf(worker: WorkerThread, order: SearchOrder, limited: WatchOptions): Promise<ThreadAnswer> {
  const files: FoundFile[] = [];
  const searched = worker.run<SearchReport, SearchEnd>(order, (report, { end, fail }) => {
    if (report.kind === 'file') files.push({ path: report.path, matches: report.matches });
    else if (report.kind === 'error') fail(fromErrorRecord(report.error));
    else end({ end: report.isCut ? 'matches' : 'all', tooLarge: report.tooLarge });
  });
  const watch = watchWorker(worker.startMeter(), order, limited);
  try {
    return { files, slowPath: null, tooLarge: 0, ...(await Promise.race([searched, watch.whenSlow])) };
  } finally {
    watch.end();
  }
}

type SearchEnd = Pick<SearchAnswer, 'end'> & Partial<Pick<SearchAnswer, 'slowPath' | 'tooLarge'>>;

type WatchOptions = Pick<Required<SearchOptions>, 'clock' | 'limits'>;

interface WorkerWatch {
  /** Settles only when the search takes too long. */
  readonly whenSlow: Promise<SearchEnd>;
  end(): void;
}

/** Checks periodically whether the worker makes progress. */
function watchWorker(meter: ComputingMeter, { progress, paths }: SearchOrder, options: WatchOptions): WorkerWatch {
  const { clock, limits } = options;
  const view = new Int32Array(progress);
  const began = clock.now();
  let last = { index: 0, at: 0 };
  let end = (): void => undefined;
  const whenSlow = new Promise<SearchEnd>((resolve) => {
    const look = (): void => {
      const [index, computed] = [Atomics.load(view, 0), meter.read()];
      if (index !== last.index) last = { index, at: computed };
      const isLate = elapsedSince(began, clock) >= limits.totalMs * slowDiskFactor;
      if (computed - last.at >= limits.fileMs) resolve({ end: 'slow', slowPath: paths[index] ?? null });
      else if (isLate || computed >= limits.totalMs) resolve({ end: 'time' });
      else end = clock.setTimer(look, watchMs);
    };
    end = clock.setTimer(look, watchMs);
  });
  return { whenSlow, end: () => end() };
}

function failed(problem: string): EngineError {
  return new EngineError({
    code: 'files.search-failed',
    message: `The search failed: ${problem}. Search again in fewer files.`,
  });
}
