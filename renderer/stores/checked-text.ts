/**
 * The text of a flow or an agent together with what the engine's own parser and checks say about it.
 */
import {
  type CompiledGraph,
  checkFlow,
  type Diagnostic,
  type FlowDoc,
  parseAgent,
  type TextRange,
} from '../../engine/isomorphic.ts';
import { type LoopNesting, loopNesting, noNesting } from './loop-nesting.ts';
import { nodeTypes } from './node-types.ts';

export interface CheckedText {
  readonly text: string;
  /** The document of this text, or of the last text that could be read as one; null when there was none yet, and of agents. */
  readonly doc: FlowDoc | null;
  /** Ids of the nodes of `doc`: in start order, each body behind its loop, when the flow can run; else as in the file. */
  readonly order: readonly string[];
  /** Of `doc`. */
  readonly nesting: LoopNesting;
  /** Whether `doc` belongs to an earlier text than `text`. */
  readonly isDocStale: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Where a node stands in `text`; undefined when it does not. */
  nodeRange(nodeId: string): TextRange | undefined;
}

/** Checks a text; while it cannot be read as a flow the document of `former` stays. */
export function checkText(text: string, former: CheckedText | null): CheckedText {
  const { parsed, diagnostics, flow } = checkFlow(text, nodeTypes);
  const own = { text, diagnostics, nodeRange: parsed.nodeRange };
  if (parsed.doc === null) {
    const { doc = null, order = [], nesting = noNesting } = former ?? {};
    return { ...own, doc, order, nesting, isDocStale: doc !== null };
  }
  const order = flow === null ? parsed.doc.nodes.map(({ id }) => id) : startOrder(flow);
  return { ...own, doc: parsed.doc, order, nesting: loopNesting(parsed.doc), isDocStale: false };
}

/** Checks the text of an agent file, which has no nodes. */
export function checkAgentText(text: string): CheckedText {
  const { diagnostics } = parseAgent(text);
  return { text, diagnostics, doc: null, order: [], nesting: noNesting, isDocStale: false, nodeRange: () => undefined };
}

function startOrder({ nodes }: CompiledGraph): readonly string[] {
  return nodes.flatMap(({ id, body }) => (body === undefined ? [id] : [id, ...startOrder(body)]));
}
