/**
 * The results of tests, as hosts show them.
 */
import type { RunId } from '../../base/ids.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ExpectDoc } from './case-doc.ts';
import type { MatcherName } from './matcher-doc.ts';

/** A check of a case, and what it found. */
export interface CheckResult {
  readonly isOk: boolean;
  /** The part of `expect`. */
  readonly kind: keyof ExpectDoc | 'turn' | 'answers' | 'recording';
  /** What is checked: a binding, a node, a path or a turn. Absent for the status and for ceilings. */
  readonly subject?: string;
  /** The condition, for values. */
  readonly matcher?: MatcherName;
  /** Full name of the node to which it belongs. */
  readonly nodeId?: string;
  readonly expected?: JsonValue;
  /** Absent if there is no value. Long texts and values are cut for display. */
  readonly got?: JsonValue;
  /** Whether it fails only because a call has no recording, which another check reports. */
  readonly isFollowUp?: true;
  /** For people: `draft.text contains "by Friday"`. */
  readonly label: string;
  /** Why it fails, as a sentence; absent if it holds. */
  readonly message?: string;
  /** For a judge: its score, and its reason. */
  readonly score?: number;
  readonly reason?: string;
  /** Path of the expected value in the case, if a new value can be accepted: `['expect', 'outputs', 'draft.text']`. */
  readonly path?: readonly (string | number)[];
}

/** What a case calls outside, and what that has cost. */
export interface CaseUse {
  /** Calls answered from the recording, and calls that were made and recorded now. */
  readonly replayed: number;
  readonly recorded: number;
  readonly tokens: number;
  /** US dollars; absent without model calls with known prices. */
  readonly costUsd?: number;
}

/** Identifies a case: its test file, and its name. Rows of a dataset have the index of their entry and of the row. */
export interface CaseId {
  /** Path of the test file, relative to the workspace. */
  readonly file: string;
  readonly name: string;
  /** Index of its entry in `cases`. */
  readonly entry: number;
  /** Index of the row in the dataset. */
  readonly row?: number;
}

/** A case in a list, before it has run. */
export interface ListedCase extends CaseId {
  /** Line in the test file. */
  readonly line: number;
  /** For a row: the file with the rows, as the test file names it. */
  readonly dataset?: string;
  /** Differs after a change of the case: of its entry, its row, or what the file sets for all cases. */
  readonly hash: string;
}

/** A test file in a list. */
export interface ListedCaseFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Path of the tested flow, agent or catalog, relative to the workspace; a pack reference for agents of packs. */
  readonly target: string;
  readonly cases: readonly ListedCase[];
  /** Problems of the file, each as `line:column message`; it then has no cases. */
  readonly problems: readonly string[];
}

/** The result of a case. */
export interface CaseResult extends CaseId {
  readonly line: number;
  readonly target: string;
  readonly isOk: boolean;
  /** Why it could not run, as a sentence. It then has no checks. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly checks: readonly CheckResult[];
  readonly durationMs: number;
  /** Average of the judges' scores. */
  readonly score?: number;
  readonly use: CaseUse;
  /** The run, which `TestEngine.readTestRun` reads; absent if none started. */
  readonly runId?: RunId;
  /** New names of nodes, by the names in the test file. The new ones were used. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Full names of the nodes that ran or were pinned, without items of loops: `each.draft`. */
  readonly covered: readonly string[];
  /** Files of the workspace that the case used, besides its target and its test file. Sorted. */
  readonly files?: readonly string[];
}

/** What is reported while tests run. */
export type CaseReport =
  | { readonly type: 'start'; readonly files: readonly ListedCaseFile[] }
  | { readonly type: 'case'; readonly result: CaseResult }
  | { readonly type: 'end'; readonly summary: CaseSummary };

export interface CaseSummary {
  readonly passed: number;
  readonly failed: number;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly costUsd?: number;
  readonly recorded: number;
  /** What was written to test files: new values, and how many of the failed cases have no other problems. */
  readonly updated?: { readonly values: number; readonly cases: number };
}
