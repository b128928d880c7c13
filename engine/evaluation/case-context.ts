/**
 * What the cases of a test file share.
 */
import type { CaseFileDoc } from '../language/cases/case-doc.ts';
import type { Bench } from './bench.ts';
import type { EarlierVersions } from './renamed-nodes.ts';
import type { TestTarget } from './run-target.ts';

export interface CaseContext {
  readonly bench: Bench;
  readonly file: CaseFileDoc;
  readonly target: TestTarget;
  /** Reads the current text of a file, relative to the workspace. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** A model to use instead of those in the flow. */
  readonly model: string | undefined;
  /** Where earlier versions of the flow are found. */
  readonly versions: EarlierVersions;
  readonly now: () => number;
  readonly signal: AbortSignal | undefined;
}
