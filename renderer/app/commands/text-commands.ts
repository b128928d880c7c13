/**
 * Commands of the text editor that have to be in the list of shortcuts.
 */
import type { FlowChange } from '../../../engine/isomorphic.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { switchTabKey } from '../../text-view/text-action.ts';
import { activeFlow } from './active-flow.ts';
import type { Command, CommandContext } from './command.ts';

function showsText({ stores }: CommandContext, path: string): boolean {
  return (stores.selection.getState().views.get(path)?.mode ?? 'canvas') !== 'canvas';
}

type Format = Extract<FlowChange, { do: 'format' }>;

/** @param part what is to be formatted of a flow; undefined = there is no such thing */
function formatCommand(part: (context: CommandContext, path: string) => Format | undefined) {
  const wish = (context: CommandContext): { path: string; change: Format } | undefined => {
    const file = activeFlow(context);
    if (file?.kind !== 'flow' || file.status !== 'ready' || file.readOnlyReason !== null) return undefined;
    const change = part(context, file.path);
    return change && { path: file.path, change };
  };
  return {
    isAvailable: (context: CommandContext) => wish(context) !== undefined,
    run(context: CommandContext) {
      const found = wish(context);
      if (found !== undefined) void context.stores.edits.change(found.path, found.change);
    },
  };
}

/** The lines that are marked in the text, as long as that is on screen. */
function markedLines(context: CommandContext, path: string): Format | undefined {
  const lines = context.stores.cursors.getState().marked.get(path);
  return lines !== undefined && showsText(context, path) ? { do: 'format', lines } : undefined;
}

function onlyNode({ stores }: CommandContext, path: string): Format | undefined {
  const { nodeId, chosen } = stores.selection.getState().views.get(path) ?? initialFlowView;
  return nodeId !== null && chosen.nodes.size <= 1 ? { do: 'format', node: nodeId } : undefined;
}

export const textCommands = [
  {
    id: 'text.tabKey',
    title: 'Tab key in texts: indent, or move on',
    group: 'Edit',
    shortcut: 'Ctrl+M',
    isAvailable(context) {
      const file = activeFlow(context);
      return file !== undefined && (file.kind !== 'flow' || showsText(context, file.path));
    },
    run: () => void switchTabKey(),
  },
  {
    id: 'format.file',
    title: 'Format file',
    group: 'Edit',
    shortcut: 'Shift+Alt+F',
    ...formatCommand(() => ({ do: 'format' })),
  },
  { id: 'format.selection', title: 'Format selection', group: 'Edit', ...formatCommand(markedLines) },
  { id: 'format.node', title: 'Format node', group: 'Edit', ...formatCommand(onlyNode) },
] as const satisfies readonly Command[];
