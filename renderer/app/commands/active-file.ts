/**
 * The file that commands are about, and what is selected in it.
 */
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { LoopNesting } from '../../stores/flow/loop-bodies.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import type { Command, CommandContext } from './command.ts';

/** The file of the tab that is shown. */
export function activeFile({ stores }: CommandContext): OpenFile | undefined {
  const { files, activePath } = stores.openFiles.getState();
  return activePath === null ? undefined : files.get(activePath);
}

/** What a command does to the active file; nothing while no file is open. */
export function onActiveFile(run: (context: CommandContext, path: string) => void): Command['run'] {
  return (context) => {
    const path = activeFile(context)?.path;
    if (path !== undefined) run(context, path);
  };
}

/** The active flow, and the selection in it: what dialogs and commands about nodes work on. */
export interface EditableFlow {
  readonly path: string;
  readonly doc: FlowDoc;
  readonly nesting: LoopNesting;
  /** The selected node; null = none, or one that the file does not have. */
  readonly nodeId: string | null;
  /** All selected nodes that the file has. */
  readonly nodeIds: ReadonlySet<string>;
}

/** Undefined while the active file is no flow, or one that cannot be read or changed. */
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
