/**
 * What dialogs and commands about nodes work on: the flow in front, and the node that is meant.
 */
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { LoopNesting } from '../../stores/flow/loop-bodies.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { activeFlow } from './active-flow.ts';
import type { CommandContext } from './command.ts';

export interface FlowInFront {
  readonly path: string;
  readonly doc: FlowDoc;
  readonly nesting: LoopNesting;
  /** The selected node; null = none, or one that the file does not have. */
  readonly nodeId: string | null;
  /** All selected nodes that the file has. */
  readonly nodeIds: ReadonlySet<string>;
}

/** Undefined while no flow is in front that can be read and changed. */
export function flowInFront(context: CommandContext): FlowInFront | undefined {
  const flow = activeFlow(context);
  if (flow?.kind !== 'flow' || flow.doc === null || flow.readOnlyReason !== null) return undefined;
  const { path, doc, nesting } = flow;
  const { nodeId, chosen } = context.stores.selection.getState().views.get(path) ?? initialFlowView;
  const known = new Set(doc.nodes.map(({ id }) => id));
  return {
    path,
    doc,
    nesting,
    nodeId: nodeId !== null && known.has(nodeId) ? nodeId : null,
    nodeIds: new Set([...chosen.nodes].filter((id) => known.has(id))),
  };
}
