/**
 * Tests that are created from runs.
 */
import type { RunId } from '../base/ids.ts';
import type { CaseDoc, ExpectedValue } from '../language/cases/case-doc.ts';

/** An expectation that a person can choose. */
export interface ProposedCheck {
  /** Identifies it in `SaveTest.checks`. */
  readonly id: string;
  /** For people: `draft.text is "Dear Ann"`. */
  readonly label: string;
  /** Whether it is chosen unless the person decides otherwise. */
  readonly isChosen: boolean;
  /** Whether it holds when the test is replayed. Without a missing call, it may not. */
  readonly isHeld: boolean;
  readonly kind: 'status' | 'fails' | 'outputs' | 'ran' | 'skipped' | 'files';
  /** Binding, node or path. */
  readonly subject?: string;
  readonly expected?: ExpectedValue;
}

/** What a test of a run would contain. */
export interface TestProposal {
  /** Proposed path of the test file, relative to the workspace. */
  readonly file: string;
  /** Whether that file exists, so that a case is added to it. */
  readonly isExisting: boolean;
  /** Proposed name of the case, unused in that file. */
  readonly name: string;
  /** The case without expectations. */
  readonly caseDoc: Pick<CaseDoc, 'input' | 'answers' | 'pins'>;
  readonly checks: readonly ProposedCheck[];
  /** Calls of models, HTTP, programs and tools in the recording. */
  readonly calls: number;
  /** Calls that are not in the history and have to be recorded, as sentences. */
  readonly missing: readonly string[];
  /** How many secrets and other private values are masked. */
  readonly masked: number;
  /** What a person should know, as sentences: private values that stay, changes of the flow since the run. */
  readonly notes: readonly string[];
}

/** What to save. */
export interface SaveTest {
  readonly runId: RunId;
  /** Relative to the workspace. */
  readonly file?: string;
  readonly name?: string;
  /** The chosen expectations; the proposed ones if absent. */
  readonly checks?: readonly string[];
}

/** A test that was saved. */
export interface SavedTest {
  /** Relative to the workspace. */
  readonly file: string;
  readonly name: string;
  /** Path of the recording, relative to the workspace; absent without calls. */
  readonly cassette?: string;
  readonly calls: number;
  /** As in the proposal. */
  readonly missing: readonly string[];
  readonly masked: number;
  readonly notes: readonly string[];
}
