/**
 * Finds problems and notes about a flow that depend on its location in a workspace, in addition to those in its text.
 */

import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { type FlowWithPath, findProductProblems } from '../../packs/product/product-findings.ts';
import { findRiskyTools } from '../../packs/product/tool-risks.ts';
import type { FindToolProblems } from '../executor/flow-definitions.ts';

/** The text of a flow, and its current or future location. */
export interface FlowInPlace {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface FlowPlace {
  /** Absolute path. */
  readonly workspace: string;
  /** Returns the problems that would prevent the flow from running. */
  readonly findProblems: FindToolProblems;
}

/** Returns the diagnostics sorted by line; empty for text that is not a flow. */
export async function checkFlowInPlace(
  { path, text }: FlowInPlace,
  { workspace, findProblems }: FlowPlace,
): Promise<readonly Diagnostic[]> {
  const parsed = parseFlow(text);
  if (parsed.doc === null) return [];
  const found = await Promise.all([
    findProblems({ doc: parsed.doc, text, path }),
    productWarnings({ doc: parsed.doc, text, path }, workspace),
    findRiskyTools(parsed, { workspace, path }),
  ]);
  return found.flat().sort((one, other) => one.range.line - other.range.line);
}

/** Returns warnings about products, which do not prevent a run. */
async function productWarnings(flow: FlowWithPath, workspace: string): Promise<readonly Diagnostic[]> {
  return (await findProductProblems(flow, workspace)).filter(({ severity }) => severity !== 'error');
}
