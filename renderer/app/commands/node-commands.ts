/**
 * Commands that do by keyboard what is drawn with the pointer elsewhere, and those that lead from pane to pane.
 */
import type { Command, CommandContext } from './command.ts';
import { editableFlow, type EditableFlow } from './active-file.ts';
import { focusPane } from './view-commands.ts';
import type { MadeChange } from '../../outline/outline-changes.ts';
import { bodyMove, loopOf, loopsToJoin, orderMove, outsideOf } from '../../outline/outline-moves.ts';

/**
 * Moves the selected nodes in the file, without a canvas.
 */

async function make({ stores }: CommandContext, { path, nodeId }: EditableFlow, made: MadeChange): Promise<void> {
  if (await stores.edits.change(path, made.change)) {
    stores.selection.getState().choose(path, { nodes: made.ids }, nodeId);
  }
}

/** Past the neighbours in the outline. */
export function moveInFile(context: CommandContext, step: 'up' | 'down'): void {
  const flow = editableFlow(context);
  const made = flow === undefined ? null : orderMove(flow, flow.nodeIds, step);
  if (flow !== undefined && made !== null) void make(context, flow, made);
}

function hasLoopToJoin(context: CommandContext): boolean {
  const flow = editableFlow(context);
  return flow !== undefined && flow.nodeIds.size > 0 && loopsToJoin(flow, flow.nodeIds).length > 0;
}

export function standsInLoop(context: CommandContext): boolean {
  const flow = editableFlow(context);
  return flow !== undefined && flow.nodeIds.size > 0 && typeof loopOf(flow, flow.nodeIds) === 'string';
}

/** To the outside of the loop around them; what is in the way is told. */
export function takeOutOfLoop(context: CommandContext): void {
  const flow = editableFlow(context);
  if (flow === undefined) return;
  const made = bodyMove(flow, flow.nodeIds, outsideOf(flow, flow.nodeIds));
  if (typeof made !== 'string') void make(context, flow, made);
  else context.stores.notices.getState().add({ tone: 'info', title: 'Nothing was moved', detail: made });
}

function hasNode(context: CommandContext): boolean {
  return editableFlow(context)?.nodeId != null;
}

function hasNodes(context: CommandContext): boolean {
  return (editableFlow(context)?.nodeIds.size ?? 0) > 0;
}

/** About a second: a flow that was just opened has to be read and checked before its outline is there. */
const framesToWait = 60;

function focusOutline(frames: number): void {
  const tree = document.querySelector<HTMLElement>('.outline [role="tree"], .agent-outline button');
  if (tree !== null) tree.focus();
  else if (frames > 0) requestAnimationFrame(() => focusOutline(frames - 1));
}

export const outlineCommands = [
  {
    id: 'edit.connectTo',
    title: 'Connect to…',
    group: 'Edit',
    shortcut: 'C',
    where: 'canvas',
    isAvailable: hasNode,
    run: ({ dialogs }) => dialogs.getState().show('connect'),
  },
  {
    id: 'edit.disconnect',
    title: 'Take away an edge…',
    group: 'Edit',
    shortcut: 'Shift+C',
    where: 'canvas',
    isAvailable: hasNode,
    run: ({ dialogs }) => dialogs.getState().show('disconnect'),
  },
  {
    id: 'edit.moveUp',
    title: 'Move up in the file',
    group: 'Edit',
    where: 'canvas',
    repeats: true,
    isAvailable: hasNodes,
    run: (context) => moveInFile(context, 'up'),
  },
  {
    id: 'edit.moveDown',
    title: 'Move down in the file',
    group: 'Edit',
    where: 'canvas',
    repeats: true,
    isAvailable: hasNodes,
    run: (context) => moveInFile(context, 'down'),
  },
  {
    id: 'edit.moveIntoLoop',
    title: 'Move into loop…',
    group: 'Edit',
    where: 'canvas',
    isAvailable: hasLoopToJoin,
    run: ({ dialogs }) => dialogs.getState().show('move-into-loop'),
  },
  {
    id: 'edit.takeOutOfLoop',
    title: 'Take out of loop',
    group: 'Edit',
    where: 'canvas',
    isAvailable: standsInLoop,
    run: takeOutOfLoop,
  },
  {
    id: 'edit.addByName',
    title: 'Add a node by name…',
    group: 'Edit',
    shortcut: 'Shift+N',
    where: 'canvas',
    isAvailable: (context) => editableFlow(context) !== undefined,
    run: ({ dialogs }) => dialogs.getState().show('add-node'),
  },
  {
    id: 'view.outline',
    title: 'Go to the outline',
    group: 'View',
    shortcut: 'Mod+Shift+O',
    run({ stores }) {
      const { isOpen, sideView, chooseSideView } = stores.panes.getState();
      if (!isOpen.side || sideView !== 'flows') chooseSideView('flows');
      focusOutline(framesToWait);
    },
  },
  {
    id: 'view.nextPane',
    title: 'Next pane',
    group: 'View',
    shortcut: 'F6',
    aliases: ['Mod+F6'],
    run: () => focusPane(1),
  },
  {
    id: 'view.previousPane',
    title: 'Previous pane',
    group: 'View',
    shortcut: 'Shift+F6',
    aliases: ['Mod+Shift+F6'],
    run: () => focusPane(-1),
  },
] as const satisfies readonly Command[];
