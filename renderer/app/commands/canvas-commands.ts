/**
 * Canvas commands, with keys known from other graph editors.
 */

import {
  type Alignment,
  type CanvasCommand,
  type CanvasHandle,
  type Direction,
  isForSteps,
  outlineHandle,
} from '../../stores/window/canvases.ts';
import { initialFlowView, withoutDeletedElements } from '../../stores/window/selection.ts';
import { activeFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';

/**
 * Returns the canvas of the active flow; undefined if none is visible. While the focus is in the outline, or there is
 * no canvas, returns the outline instead.
 */
export function activeCanvas(context: CommandContext): CanvasHandle | undefined {
  const path = activeFile(context)?.path;
  if (path === undefined) return undefined;
  const { handles } = context.stores.canvases.getState();
  const [canvas, outline] = [handles.get(path), handles.get(outlineHandle(path))];
  const isInOutline = document.activeElement?.closest('[data-outline]') != null;
  return isInOutline ? (outline ?? canvas) : (canvas ?? outline);
}

/** Returns how many of each kind are selected. */
function countsOf(context: CommandContext): { nodes: number; edges: number; all: number; groups: number } {
  const { path = '', doc = null } = activeFile(context) ?? {};
  const { chosen } = context.stores.selection.getState().views.get(path) ?? initialFlowView;
  const { nodes, edges, notes, groups } = doc === null ? chosen : withoutDeletedElements(doc, chosen);
  return {
    nodes: nodes.size,
    edges: edges.size,
    groups: groups.size,
    all: nodes.size + edges.size + notes.size + groups.size,
  };
}

const needs = {
  nothing: () => true,
  node: (context: CommandContext) => countsOf(context).nodes > 0,
  nodes: (context: CommandContext) => countsOf(context).nodes > 1,
  threeNodes: (context: CommandContext) => countsOf(context).nodes > 2,
  group: (context: CommandContext) => countsOf(context).groups > 0,
  edge: (context: CommandContext) => countsOf(context).edges === 1,
  nodeOrEdge: (context: CommandContext) => countsOf(context).nodes + countsOf(context).edges > 0,
  something: (context: CommandContext) => countsOf(context).all > 0,
  /** If text on the page is selected, it is copied instead. */
  nothingMarked: (context: CommandContext) =>
    countsOf(context).nodes + countsOf(context).all > 0 && (getSelection()?.isCollapsed ?? true),
} as const;

interface CanvasCommandSpec extends Pick<Command, 'title' | 'words' | 'shortcut' | 'aliases' | 'repeats'> {
  readonly ask: CanvasCommand;
  readonly needs?: keyof typeof needs;
}

/** Returns a command that the canvas, or the outline in its place, executes. */
export function canvasCommand<Id extends string>(id: Id, spec: CanvasCommandSpec) {
  const { ask, needs: need = 'nothing', ...rest } = spec;
  return {
    id,
    group: id.startsWith('edit.') ? 'Edit' : 'Canvas',
    where: 'canvas',
    isForSteps: isForSteps(ask),
    ...rest,
    isAvailable(context: CommandContext) {
      const canvas = activeCanvas(context);
      return canvas !== undefined && canvas.can?.(ask) !== false && needs[need](context);
    },
    run: (context: CommandContext) => activeCanvas(context)?.run(ask),
  } as const;
}

const arrows: Readonly<Record<Direction, string>> = {
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
};

function moveCommand<To extends Direction>(direction: To) {
  return canvasCommand(`canvas.move-${direction}`, {
    title: `Next node: ${direction}`,
    shortcut: arrows[direction],
    repeats: true,
    ask: { do: 'move', direction },
  });
}

function nudgeCommand<To extends Direction>(direction: To) {
  return canvasCommand(`edit.nudge-${direction}`, {
    title: `Move the selection: ${direction}`,
    shortcut: `Alt+${arrows[direction]}`,
    repeats: true,
    needs: 'something',
    ask: { do: 'nudge', direction, steps: 1 },
  });
}

function farNudgeCommand<To extends Direction>(direction: To) {
  return canvasCommand(`edit.nudge-far-${direction}`, {
    title: `Move the selection far: ${direction}`,
    shortcut: `Shift+Alt+${arrows[direction]}`,
    repeats: true,
    needs: 'something',
    ask: { do: 'nudge', direction, steps: 5 },
  });
}

function alignCommand<To extends Alignment>(to: To, title: string) {
  const need = to.startsWith('spread') ? 'threeNodes' : 'nodes';
  return canvasCommand(`edit.align-${to}`, { title, needs: need, ask: { do: 'align', to } });
}

export const canvasCommands = [
  canvasCommand('edit.addNode', {
    title: 'Add a node…',
    shortcut: 'N',
    aliases: ['/'],
    ask: { do: 'quick-add' },
  }),
  canvasCommand('canvas.palette', { title: 'Show or hide the node palette', ask: { do: 'toggle-palette' } }),
  canvasCommand('edit.rename', {
    title: 'Rename',
    shortcut: 'F2',
    needs: 'something',
    ask: { do: 'rename' },
  }),
  canvasCommand('edit.toggleDisabled', {
    title: 'Enable or disable',
    shortcut: 'D',
    needs: 'node',
    ask: { do: 'toggle-disabled' },
  }),
  canvasCommand('edit.cut', { title: 'Cut', shortcut: 'Mod+X', needs: 'nothingMarked', ask: { do: 'cut' } }),
  canvasCommand('edit.copy', { title: 'Copy', shortcut: 'Mod+C', needs: 'nothingMarked', ask: { do: 'copy' } }),
  canvasCommand('edit.duplicate', {
    title: 'Duplicate',
    shortcut: 'Mod+D',
    needs: 'something',
    ask: { do: 'duplicate' },
  }),
  canvasCommand('edit.delete', {
    title: 'Delete',
    shortcut: 'Delete',
    aliases: ['Backspace'],
    needs: 'something',
    ask: { do: 'remove', heal: false },
  }),
  canvasCommand('edit.deleteAndHeal', {
    title: 'Delete and reconnect',
    shortcut: 'Mod+Backspace',
    aliases: ['Mod+Delete'],
    needs: 'node',
    ask: { do: 'remove', heal: true },
  }),
  canvasCommand('edit.note', { title: 'Add a note', shortcut: 'Shift+S', ask: { do: 'add-note' } }),
  canvasCommand('edit.group', { title: 'Group', shortcut: 'Mod+G', needs: 'node', ask: { do: 'group' } }),
  canvasCommand('edit.ungroup', {
    title: 'Ungroup',
    shortcut: 'Mod+Shift+G',
    needs: 'something',
    ask: { do: 'ungroup' },
  }),
  canvasCommand('canvas.collapse', {
    title: 'Collapse or expand the group',
    shortcut: 'Alt+G',
    needs: 'something',
    ask: { do: 'toggle-collapsed' },
  }),
  canvasCommand('canvas.collapseAll', {
    title: 'Collapse or expand all groups',
    shortcut: 'Shift+Alt+G',
    ask: { do: 'toggle-all-collapsed' },
  }),
  canvasCommand('canvas.notes', { title: 'Show or hide all notes', ask: { do: 'toggle-notes' } }),
  canvasCommand('canvas.layout', {
    title: 'Lay out automatically',
    shortcut: 'Shift+Alt+T',
    aliases: ['Shift+L'],
    ask: { do: 'lay-out' },
  }),
  canvasCommand('canvas.direction', {
    title: 'Direction: to the right, or down',
    ask: { do: 'toggle-direction' },
  }),
  canvasCommand('edit.align', {
    title: 'Align or distribute…',
    shortcut: 'Alt+A',
    needs: 'nodes',
    ask: { do: 'ask-alignment' },
  }),
  alignCommand('left', 'Align left'),
  alignCommand('right', 'Align right'),
  alignCommand('top', 'Align top'),
  alignCommand('bottom', 'Align bottom'),
  alignCommand('centre', 'Align centres, one below the other'),
  alignCommand('middle', 'Align middles, side by side'),
  alignCommand('spread-across', 'Distribute across'),
  alignCommand('spread-down', 'Distribute down'),
  nudgeCommand('left'),
  nudgeCommand('right'),
  nudgeCommand('up'),
  nudgeCommand('down'),
  farNudgeCommand('left'),
  farNudgeCommand('right'),
  farNudgeCommand('up'),
  farNudgeCommand('down'),
  moveCommand('left'),
  moveCommand('right'),
  moveCommand('up'),
  moveCommand('down'),
  canvasCommand('canvas.selectAll', { title: 'Select all', shortcut: 'Mod+A', ask: { do: 'select-all' } }),
  canvasCommand('canvas.selectNone', { title: 'Clear the selection', shortcut: 'Escape', ask: { do: 'select-none' } }),
  canvasCommand('canvas.selectUpstream', {
    title: 'Select what comes before',
    shortcut: 'Shift+ArrowLeft',
    needs: 'node',
    ask: { do: 'select-way', direction: 'left' },
  }),
  canvasCommand('canvas.selectDownstream', {
    title: 'Select what comes after',
    shortcut: 'Shift+ArrowRight',
    needs: 'node',
    ask: { do: 'select-way', direction: 'right' },
  }),
  canvasCommand('canvas.edgeStart', {
    title: 'Go to where the selected edge begins',
    needs: 'edge',
    ask: { do: 'go-to-end', end: 'from' },
  }),
  canvasCommand('canvas.edgeEnd', {
    title: 'Go to where the selected edge ends',
    needs: 'edge',
    ask: { do: 'go-to-end', end: 'to' },
  }),
  canvasCommand('canvas.inspect', {
    title: 'Go to the inspector of what is selected',
    shortcut: 'Enter',
    needs: 'something',
    ask: { do: 'inspect' },
  }),
  canvasCommand('canvas.find', { title: 'Find in the flow', shortcut: 'Mod+F', ask: { do: 'find' } }),
  canvasCommand('canvas.findNext', { title: 'Find next', shortcut: 'F3', ask: { do: 'find-next' } }),
  canvasCommand('canvas.findPrevious', {
    title: 'Find previous',
    shortcut: 'Shift+F3',
    ask: { do: 'find-previous' },
  }),
  canvasCommand('edit.replace', { title: 'Replace in the flow', shortcut: 'Mod+H', ask: { do: 'replace' } }),
  canvasCommand('canvas.zoomIn', {
    title: 'Zoom in',
    shortcut: 'Plus',
    aliases: ['Mod+Plus'],
    repeats: true,
    ask: { do: 'zoom-in' },
  }),
  canvasCommand('canvas.zoomOut', {
    title: 'Zoom out',
    shortcut: 'Minus',
    aliases: ['Mod+Minus'],
    repeats: true,
    ask: { do: 'zoom-out' },
  }),
  canvasCommand('canvas.zoom100', {
    title: 'Zoom to 100 %',
    shortcut: '0',
    aliases: ['Mod+0'],
    ask: { do: 'zoom-100' },
  }),
  canvasCommand('canvas.fit', {
    title: 'Fit the flow in view',
    shortcut: '1',
    aliases: ['Mod+1'],
    ask: { do: 'fit' },
  }),
  canvasCommand('canvas.fitSelection', {
    title: 'Fit the selection in view',
    shortcut: '2',
    aliases: ['.', 'Mod+2'],
    ask: { do: 'fit-selection' },
  }),
  canvasCommand('canvas.minimap', {
    title: 'Show or hide the overview map',
    shortcut: 'M',
    ask: { do: 'toggle-minimap' },
  }),
  canvasCommand('canvas.exportPng', {
    title: 'Save the canvas as a picture (PNG)…',
    words: 'export image',
    ask: { do: 'save-picture', format: 'png' },
  }),
  canvasCommand('canvas.exportSvg', {
    title: 'Save the canvas as a picture (SVG)…',
    words: 'export image',
    ask: { do: 'save-picture', format: 'svg' },
  }),
  canvasCommand('canvas.copyPicture', { title: 'Copy the canvas as a picture', ask: { do: 'copy-picture' } }),
] as const satisfies readonly Command[];
