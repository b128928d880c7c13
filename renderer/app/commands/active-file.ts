/**
 * The file that commands act on, and the selection in it.
 */
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { LoopBodyNesting } from '../../stores/flow/loop-bodies.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import type { Command, CommandContext } from './command.ts';

/** Returns the file of the visible tab. */
export function activeFile({ stores }: CommandContext): OpenFile | undefined {
  const { files, activePath } = stores.openFiles.getState();
  return activePath === null ? undefined : files.get(activePath);
}

/** Returns a command action on the active file; does nothing while no file is open. */
export function onActiveFile(run: (context: CommandContext, path: string) => void): Command['run'] {
  return (context) => {
    const path = activeFile(context)?.path;
    if (path !== undefined) run(context, path);
  };
}

/** The active flow and its selection, for dialogs and commands about nodes. */
export interface EditableFlow {
  readonly path: string;
  readonly doc: FlowDoc;
  readonly nesting: LoopBodyNesting;
  /** The selected node; null if there is none, or the file does not contain it. */
  readonly nodeId: string | null;
  /** All selected nodes that the file contains. */
  readonly nodeIds: ReadonlySet<string>;
}

/** Returns undefined if the active file is not a flow, or is invalid or read-only. */
export function editableFlow(context: CommandContext): EditableFlow | undefined {
  const flow = activeFile(context);
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
