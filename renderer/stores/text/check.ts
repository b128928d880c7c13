/**
 * The text of a file together with what the engine's own parser and checks say about it.
 */
import {
  type CompiledGraph,
  checkFlow,
  type Diagnostic,
  type FlowDoc,
  parseAgent,
  type RunKind,
  type TextRange,
} from '../../../engine/isomorphic.ts';
import { type LoopNesting, loopNesting, noNesting } from '../flow/loop-bodies.ts';
import { nodeTypes } from '../flow/node-types.ts';

/** `file`: any text that is neither a flow nor an agent: it is edited, and neither checked nor run. */
export type DocumentKind = RunKind | 'file';

/** What a check finds in one text; plain data, which can go from thread to thread. */
export interface DocumentCheck {
  /** Null when the text cannot be read as a flow, and of all that is no flow. */
  readonly doc: FlowDoc | null;
  /** Ids of the nodes of `doc`: in start order, each body behind its loop, when the flow can run; else as in the file. */
  readonly order: readonly string[];
  readonly nesting: LoopNesting;
  readonly diagnostics: readonly Diagnostic[];
  /** Where each node of `doc` stands in the text. */
  readonly nodeRanges: ReadonlyMap<string, TextRange>;
}

export interface CheckedText extends DocumentCheck {
  readonly text: string;
  /** The check belongs to an earlier text than `text`; another one is under way. */
  readonly isCheckStale: boolean;
  /** `doc` belongs to an earlier text, because what was checked last cannot be read as a flow. */
  readonly isDocStale: boolean;
}

/** What is found in a text that is neither a flow nor has problems. */
export const emptyCheck: DocumentCheck = {
  doc: null,
  order: [],
  nesting: noNesting,
  diagnostics: [],
  nodeRanges: new Map(),
};

/** The check of no text at all. */
export const uncheckedText: CheckedText = { ...emptyCheck, text: '', isCheckStale: true, isDocStale: false };

/** Checks a text. Plain files have nothing to check. */
export function checkDocument(kind: DocumentKind, text: string): DocumentCheck {
  if (kind === 'flow') return checkFlowText(text);
  return kind === 'agent' ? { ...emptyCheck, diagnostics: parseAgent(text).diagnostics } : emptyCheck;
}

function checkFlowText(text: string): DocumentCheck {
  const { parsed, diagnostics, flow } = checkFlow(text, nodeTypes);
  const { doc, nodeRange } = parsed;
  if (doc === null) return { ...emptyCheck, diagnostics };
  const ranges = doc.nodes.flatMap(({ id }): [string, TextRange][] => {
    const range = nodeRange(id);
    return range === undefined ? [] : [[id, range]];
  });
  return {
    doc,
    order: flow === null ? doc.nodes.map(({ id }) => id) : startOrder(flow),
    nesting: loopNesting(doc),
    diagnostics,
    nodeRanges: new Map(ranges),
  };
}

function startOrder({ nodes }: CompiledGraph): readonly string[] {
  return nodes.flatMap(({ id, body }) => (body === undefined ? [id] : [id, ...startOrder(body)]));
}

/** A text with its check; a text that is no flow keeps the document of `former`, whose nodes have no places in it. */
export function withCheck(text: string, check: DocumentCheck, former: CheckedText | null): CheckedText {
  const fresh = { text, isCheckStale: false };
  if (check.doc !== null || former === null || former.doc === null) return { ...check, ...fresh, isDocStale: false };
  const { doc, order, nesting } = former;
  return { ...check, ...fresh, doc, order, nesting, isDocStale: true };
}

/** Checks a text at once, on the calling thread. */
export function checkText(text: string, kind: DocumentKind = 'flow'): CheckedText {
  return withCheck(text, checkDocument(kind, text), null);
}
