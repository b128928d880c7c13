/**
 * What is wrong with a flow at its place in a workspace, or worth knowing of it there, beside what its text alone says.
 */
import type { FindToolProblems } from '../executor/flow-definitions.ts';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';
import { findProductProblems, type PlacedFlow } from '../product/product-findings.ts';
import { findRiskyTools } from './tool-risks.ts';

/** The text of a flow, and where it stands or will stand. */
export interface FlowInPlace {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface FlowPlace {
  /** Absolute. */
  readonly workspace: string;
  /** Finds what would keep the flow from running. */
  readonly findProblems: FindToolProblems;
}

/** In the order of their lines; of a text that is no flow there are none. */
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

/** What products have to remark that keeps no flow from running. */
async function productWarnings(flow: PlacedFlow, workspace: string): Promise<readonly Diagnostic[]> {
  return (await findProductProblems(flow, workspace)).filter(({ severity }) => severity !== 'error');
}
