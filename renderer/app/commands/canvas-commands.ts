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
import { text } from './text.ts';

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
  const { nodes, edges, notes, groups, triggers } = doc === null ? chosen : withoutDeletedElements(doc, chosen);
  return {
    nodes: nodes.size,
    edges: edges.size,
    groups: groups.size,
    all: nodes.size + edges.size + notes.size + groups.size + triggers.size,
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
    group: id.startsWith('edit.') ? text.groups.edit : text.groups.canvas,
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
    title: text.canvas.next[direction],
    shortcut: arrows[direction],
    repeats: true,
    ask: { do: 'move', direction },
  });
}

function nudgeCommand<To extends Direction>(direction: To) {
  return canvasCommand(`edit.nudge-${direction}`, {
    title: text.arrange.move[direction],
    shortcut: `Alt+${arrows[direction]}`,
    repeats: true,
    needs: 'something',
    ask: { do: 'nudge', direction, steps: 1 },
  });
}

function farNudgeCommand<To extends Direction>(direction: To) {
  return canvasCommand(`edit.nudge-far-${direction}`, {
    title: text.arrange.moveFar[direction],
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
    title: text.edit.addNode,
    shortcut: 'N',
    aliases: ['/'],
    ask: { do: 'quick-add' },
  }),
  canvasCommand('canvas.palette', { title: text.canvas.palette, ask: { do: 'toggle-palette' } }),
  canvasCommand('edit.rename', { title: text.edit.rename, shortcut: 'F2', needs: 'something', ask: { do: 'rename' } }),
  canvasCommand('edit.toggleDisabled', {
    title: text.edit.toggleDisabled,
    shortcut: 'D',
    needs: 'node',
    ask: { do: 'toggle-disabled' },
  }),
  canvasCommand('edit.cut', { title: text.edit.cut, shortcut: 'Mod+X', needs: 'nothingMarked', ask: { do: 'cut' } }),
  canvasCommand('edit.copy', { title: text.edit.copy, shortcut: 'Mod+C', needs: 'nothingMarked', ask: { do: 'copy' } }),
  canvasCommand('edit.duplicate', {
    title: text.edit.duplicate,
    shortcut: 'Mod+D',
    needs: 'something',
    ask: { do: 'duplicate' },
  }),
  canvasCommand('edit.delete', {
    title: text.edit.delete,
    shortcut: 'Delete',
    aliases: ['Backspace'],
    needs: 'something',
    ask: { do: 'remove', heal: false },
  }),
  canvasCommand('edit.deleteAndHeal', {
    title: text.edit.deleteAndHeal,
    shortcut: 'Mod+Backspace',
    aliases: ['Mod+Delete'],
    needs: 'node',
    ask: { do: 'remove', heal: true },
  }),
  canvasCommand('edit.note', { title: text.edit.addNote, shortcut: 'Shift+S', ask: { do: 'add-note' } }),
  canvasCommand('edit.addTrigger', {
    title: text.edit.addTrigger,
    shortcut: 'Shift+T',
    ask: { do: 'add-trigger' },
  }),
  canvasCommand('edit.group', { title: text.edit.group, shortcut: 'Mod+G', needs: 'node', ask: { do: 'group' } }),
  canvasCommand('edit.ungroup', {
    title: text.edit.ungroup,
    shortcut: 'Mod+Shift+G',
    needs: 'something',
    ask: { do: 'ungroup' },
  }),
  canvasCommand('canvas.collapse', {
    title: text.canvas.collapse,
    shortcut: 'Alt+G',
    needs: 'something',
    ask: { do: 'toggle-collapsed' },
  }),
  canvasCommand('canvas.collapseAll', {
    title: text.canvas.collapseAll,
    shortcut: 'Shift+Alt+G',
    ask: { do: 'toggle-all-collapsed' },
  }),
  canvasCommand('canvas.notes', { title: text.canvas.notes, ask: { do: 'toggle-notes' } }),
  canvasCommand('canvas.layout', {
    title: text.canvas.layOut,
    shortcut: 'Shift+Alt+T',
    aliases: ['Shift+L'],
    ask: { do: 'lay-out' },
  }),
  canvasCommand('canvas.direction', { title: text.canvas.direction, ask: { do: 'toggle-direction' } }),
  canvasCommand('edit.align', {
    title: text.arrange.align,
    shortcut: 'Alt+A',
    needs: 'nodes',
    ask: { do: 'ask-alignment' },
  }),
  alignCommand('left', text.arrange.alignLeft),
  alignCommand('right', text.arrange.alignRight),
  alignCommand('top', text.arrange.alignTop),
  alignCommand('bottom', text.arrange.alignBottom),
  alignCommand('centre', text.arrange.alignCenters),
  alignCommand('middle', text.arrange.alignMiddles),
  alignCommand('spread-across', text.arrange.distributeAcross),
  alignCommand('spread-down', text.arrange.distributeDown),
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
  canvasCommand('canvas.selectAll', { title: text.canvas.selectAll, shortcut: 'Mod+A', ask: { do: 'select-all' } }),
  canvasCommand('canvas.selectNone', {
    title: text.canvas.selectNone,
    shortcut: 'Escape',
    needs: 'something',
    ask: { do: 'select-none' },
  }),
  canvasCommand('canvas.selectUpstream', {
    title: text.canvas.selectUpstream,
    shortcut: 'Shift+ArrowLeft',
    needs: 'node',
    ask: { do: 'select-way', direction: 'left' },
  }),
  canvasCommand('canvas.selectDownstream', {
    title: text.canvas.selectDownstream,
    shortcut: 'Shift+ArrowRight',
    needs: 'node',
    ask: { do: 'select-way', direction: 'right' },
  }),
  canvasCommand('canvas.edgeStart', {
    title: text.canvas.edgeStart,
    needs: 'edge',
    ask: { do: 'go-to-end', end: 'from' },
  }),
  canvasCommand('canvas.edgeEnd', {
    title: text.canvas.edgeEnd,
    needs: 'edge',
    ask: { do: 'go-to-end', end: 'to' },
  }),
  canvasCommand('canvas.inspect', {
    title: text.canvas.inspect,
    shortcut: 'Enter',
    needs: 'something',
    ask: { do: 'inspect' },
  }),
  canvasCommand('canvas.find', { title: text.canvas.find, shortcut: 'Mod+F', ask: { do: 'find' } }),
  canvasCommand('canvas.findNext', { title: text.canvas.findNext, shortcut: 'F3', ask: { do: 'find-next' } }),
  canvasCommand('canvas.findPrevious', {
    title: text.canvas.findPrevious,
    shortcut: 'Shift+F3',
    ask: { do: 'find-previous' },
  }),
  canvasCommand('edit.replace', { title: text.edit.replace, shortcut: 'Mod+H', ask: { do: 'replace' } }),
  canvasCommand('canvas.zoomIn', {
    title: text.canvas.zoomIn,
    shortcut: 'Plus',
    aliases: ['Mod+Plus'],
    repeats: true,
    ask: { do: 'zoom-in' },
  }),
  canvasCommand('canvas.zoomOut', {
    title: text.canvas.zoomOut,
    shortcut: 'Minus',
    aliases: ['Mod+Minus'],
    repeats: true,
    ask: { do: 'zoom-out' },
  }),
  canvasCommand('canvas.zoom100', {
    title: text.canvas.zoom100,
    shortcut: '0',
    aliases: ['Mod+0'],
    ask: { do: 'zoom-100' },
  }),
  canvasCommand('canvas.fit', { title: text.canvas.fit, shortcut: '1', aliases: ['Mod+1'], ask: { do: 'fit' } }),
  canvasCommand('canvas.fitSelection', {
    title: text.canvas.fitSelection,
    shortcut: '2',
    aliases: ['.', 'Mod+2'],
    ask: { do: 'fit-selection' },
  }),
  canvasCommand('canvas.minimap', {
    title: text.canvas.minimap,
    shortcut: 'M',
    ask: { do: 'toggle-minimap' },
  }),
  canvasCommand('canvas.exportPng', {
    title: text.canvas.exportPng,
    words: text.canvas.exportWords,
    ask: { do: 'save-picture', format: 'png' },
  }),
  canvasCommand('canvas.exportSvg', {
    title: text.canvas.exportSvg,
    words: text.canvas.exportWords,
    ask: { do: 'save-picture', format: 'svg' },
  }),
  canvasCommand('canvas.copyPicture', { title: text.canvas.copyPicture, ask: { do: 'copy-picture' } }),
] as const satisfies readonly Command[];
