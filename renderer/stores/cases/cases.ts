/**
 * The tests of the workspace, their results, and the tests that are open over their flows.
 */
import type { StoreApi } from 'zustand/vanilla';
import type {
  CaseResult,
  CaseSummary,
  CheckResult,
  ListedCase,
  ListedCaseFile,
  RunId,
} from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { LiveRuns } from '../runs/live/live-runs.ts';
import type { RunFollower } from '../runs/live/run-follower.ts';
import type { WindowRunActions } from '../runs/run-actions.ts';
import type { FileEdits } from '../text/edits.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { KnownResults } from './case-list.ts';
import type { ColumnSource } from './dataset-columns.ts';

/** Which calls are made and recorded instead of replayed: none, or those without a recording. */
export type RecordChoice = 'none' | 'missing';

/** How a request to run tests ended. `stopped` if the person has stopped it or declined to record. */
export type CasesEnd = 'done' | 'failed' | 'stopped';

/** A version or model to use instead of the flow on screen and its own models. */
export interface CaseVariant {
  readonly source: ColumnSource;
  /** Takes the results of a frame. */
  readonly take: (results: readonly CaseResult[]) => void;
}

export interface Cases extends KnownResults {
  /** Sorted by path. Null until they have been read. */
  readonly files: readonly ListedCaseFile[] | null;
  /** Whether tests run now, and whether their calls are recorded. */
  readonly isRunning: boolean;
  readonly isRecording: boolean;
  /** The result of the last completed request. Null before that. */
  readonly summary: CaseSummary | null;
  /** Cases that edits since their last run may affect. */
  readonly affected: readonly ListedCase[];
  /** By path of the tested file: the key of the case that is open over it. */
  readonly opened: ReadonlyMap<string, string>;
  /** Paths of collapsed test files. */
  readonly folded: ReadonlySet<string>;
  /** Index of the shown check of the open case. Null for the first that fails. */
  readonly shownCheck: number | null;
  /** Reads the list of tests, and follows their files from then on. */
  refresh(): Promise<void>;
  /** Runs these cases, or all. Resolves when they have ended. */
  run(cases?: readonly ListedCase[], record?: RecordChoice): Promise<CasesEnd>;
  /** Like `run`, but with another version or model. The results are not those of the list. */
  runVariant(cases: readonly ListedCase[], record: RecordChoice, variant: CaseVariant): Promise<CasesEnd>;
  /** Returns whether the engine still has the events of a run of a test. */
  isReadable(runId: RunId): boolean;
  stop(): void;
  /** Shows a case over its flow. Runs it first if its run cannot be read anymore. */
  open(one: ListedCase): Promise<void>;
  /** Runs an open case again and shows the new run. */
  runAgain(path: string, record?: RecordChoice): Promise<void>;
  close(path: string): void;
  /** Opens the next case that fails. */
  openNextFailure(activePath: string | null): Promise<void>;
  /** Writes what a check of the open case found to the test file as an edit, and runs the case again. */
  accept(path: string, checks: readonly CheckResult[]): Promise<void>;
  setFolded(file: string, isFolded: boolean): void;
  showCheck(index: number | null): void;
}

export interface CasesContext {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly edits: Pick<FileEdits, 'replace'>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly panes: StoreApi<Panes>;
  readonly runs: Pick<WindowRunActions, 'openRun'>;
  readonly follower: Pick<RunFollower, 'follow'>;
  /** Calls back once in the next frame for updates. Returns a function that cancels the callback. */
  readonly nextFrame: (callback: () => void) => () => void;
}

/**
 * Returns the result of the case that is open over a file, if its run is on screen or it has none.
 * @param shownRun the run that is shown over the file
 */
export function openResult(
  { opened, results }: Pick<Cases, 'opened' | 'results'>,
  shownRun: string | undefined,
  path: string,
): CaseResult | undefined {
  const key = opened.get(path);
  const result = key === undefined ? undefined : results.get(key);
  if (result === undefined || result.runId === undefined) return result;
  return shownRun === result.runId ? result : undefined;
}
