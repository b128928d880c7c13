/**
 * Commands that do by keyboard what is drawn with the pointer elsewhere, and those that lead from pane to pane.
 */
import type { Command, CommandContext } from './command.ts';
import { flowInFront } from './flow-parts.ts';
import { focusPane } from './focus-pane.ts';
import { hasLoopToJoin, moveInFile, standsInLoop, takeOutOfLoop } from './move-nodes.ts';

function hasNode(context: CommandContext): boolean {
  return flowInFront(context)?.nodeId != null;
}

function hasNodes(context: CommandContext): boolean {
  return (flowInFront(context)?.nodeIds.size ?? 0) > 0;
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
    isAvailable: (context) => flowInFront(context) !== undefined,
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
