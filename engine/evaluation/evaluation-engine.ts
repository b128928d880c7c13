/**
 * What an engine does with test files.
 */
import type { RunId } from '../base/ids.ts';
import type { TextEdit } from '../base/text-edit.ts';
import type { CaseId, CaseReport, CaseResult, CaseSummary, ListedCaseFile } from '../language/cases/case-result.ts';
import type { CaseChange } from '../language/cases/edit-cases.ts';
import type { FlowEstimate } from '../runtime/flow/estimate-flow.ts';
import type { RecordMode } from './case-player.ts';
import type { SavedTest, SaveTest, TestProposal } from './saved-test.ts';

/** Which tests to run, and how. */
export interface RunTests {
  /** Paths of test files, relative to the workspace; all of the workspace if absent. */
  readonly files?: readonly string[];
  /** Only these cases. A case with a row is one row of its dataset; without, all rows. */
  readonly cases?: readonly CaseId[];
  /** Calls that are made and recorded: `none` (default), those without a recording, or all. */
  readonly record?: RecordMode;
  /** Writes the new values of failing checks to the test files. */
  readonly isUpdate?: boolean;
  /** Keeps the runs in the history. */
  readonly isKept?: boolean;
  /** Unsaved texts by path, which replace the files: flows, and test files. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Whether `texts` are a proposal that no person has accepted, so that they may do no more than the present files. */
  readonly isProposal?: boolean;
  /**
   * The flows to test instead of the files: a branch, tag or commit of Git, or `run:` and the number of a run for what
   * that run executed.
   */
  readonly version?: string;
  /** A model that all nodes and agents with a model use instead. */
  readonly model?: string;
}

/** A proposed text of a flow. */
export interface ProposedText {
  /** Path of the flow, relative to the workspace. */
  readonly path: string;
  /** Texts by path, which replace the files: that of the flow, and unsaved ones of other files. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The tests of a flow, and their results with a text that no person has accepted. */
export interface TestedText {
  /** Test files of the flow, including invalid ones. */
  readonly files: readonly ListedCaseFile[];
  readonly results: readonly CaseResult[];
}

/** What recording costs at most, estimated from earlier runs of the same flows. */
export interface RecordingEstimate {
  /** Number of cases. */
  readonly cases: number;
  /** US dollars for all cases; absent if no earlier run says anything. */
  readonly usd?: FlowEstimate['usd'];
}

/** Runs test files, and creates them from runs. */
export interface EvaluationEngine {
  /** Lists the test files of the workspace by path, including invalid ones. @param texts as in `RunTests` */
  listTests(request?: Pick<RunTests, 'files' | 'texts'>): Promise<readonly ListedCaseFile[]>;
  /**
   * Runs cases one after another. Nothing outside is called unless calls are recorded, and written files are discarded.
   * Results are reported to `watchTests` while it runs, and to `report`.
   * @throws EngineError `test.not-found` for a file that does not exist; `test.unseen` if calls of a proposal would be
   * recorded; `files.unseen` if calls would be recorded with a file that a run has written and no person has seen;
   * `git.*`; `run.not-found`; the signal's reason
   */
  runTests(request?: RunTests, signal?: AbortSignal, report?: (report: CaseReport) => void): Promise<CaseSummary>;
  /**
   * Runs the tests of a flow with a proposed text, as `runTests` does with `isProposal`. They are not reported to
   * `watchTests`, and their runs cannot be read.
   * @throws EngineError the signal's reason
   */
  testProposal(proposed: ProposedText, signal?: AbortSignal): Promise<TestedText>;
  /**
   * Calls the listener with the results of all tests that run, except those of `testProposal`. Returns a function that
   * unsubscribes.
   */
  watchTests(listener: (report: CaseReport) => void): () => void;
  /** Estimates what recording costs at most: all calls of the cases. A changed flow makes other calls than recorded. */
  estimateRecording(request: RunTests): Promise<RecordingEstimate>;
  /** Returns what a test of a run would contain. @throws EngineError `run.not-found` | `test.not-testable` */
  proposeTest(runId: RunId): Promise<TestProposal>;
  /**
   * Adds a case for a run to a test file, with a recording of its calls.
   * @throws EngineError as `proposeTest`; `test.file-changed` | `files.*` | `edit.refused`
   */
  saveTest(request: SaveTest): Promise<SavedTest>;
  /** Returns the edits for changes of a test file's text. @throws EngineError `edit.refused` */
  editTest(request: { readonly text: string; readonly changes: readonly CaseChange[] }): Promise<readonly TextEdit[]>;
}
