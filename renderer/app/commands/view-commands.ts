/**
 * Commands that choose what the window shows: the view of the active file and the panes around it.
 */
import { text as caseText } from '../../case-view/text.ts';
import { text as tableText } from '../../run-view/table/text.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import type { SideView } from '../../stores/window/panes.ts';
import { initialFlowView, type ViewMode } from '../../stores/window/selection.ts';
import { text as windowText } from '../../stores/window/text.ts';
import { nextFrame } from '../../ui/next-frame.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

/** @param kind kind of files that have the view; all if undefined */
function viewCommand(mode: ViewMode, title: string, kind?: OpenFile['kind']): Command {
  return {
    id: `view.${mode}`,
    title,
    group: text.groups.view,
    isAvailable(context) {
      const file = activeFile(context);
      return file !== undefined && (kind === undefined || file.kind === kind);
    },
    run: onActiveFile((context, path) => showView(context, path, mode)),
  };
}

/** Shows a view of a file and focuses it. */
function showView(context: CommandContext, path: string, mode: ViewMode): void {
  context.stores.selection.getState().setMode(path, mode);
  if (mode === 'split' || mode === 'text') goToText(context, path);
  else focusWhenThere(viewPanes[mode], framesToWait);
}

/** Selectors of the views that do not show text. */
const viewPanes = {
  canvas: '.flow-canvas, .agent-run-view, .empty-canvas, .catalogue-canvas',
  chat: '.conversation-chat',
  runs: '.runs-table',
} as const satisfies Partial<Record<ViewMode, string>>;

/** Moves the cursor to the selected node, or else to its last position. */
function goToText(context: CommandContext, path: string): void {
  const { selection, cursors } = context.stores;
  const nodeId = selection.getState().views.get(path)?.nodeId ?? null;
  const range = nodeId === null ? undefined : activeFile(context)?.nodeRanges.get(nodeId);
  const place = range === undefined ? cursors.getState().places.get(path) : { line: range.line, column: 1 };
  selection.getState().revealText(path, place ?? { line: 1, column: 1 });
}

/** About one second: a flow that was just opened must be read and validated before its outline appears. */
const framesToWait = 60;

function focusWhenThere(pane: string, frames: number): void {
  const shown = document.querySelector(pane);
  // Focuses the canvas itself, because its cards may not be drawn yet.
  const canvas = shown?.querySelector<HTMLElement>('[role="application"]') ?? null;
  const entry = canvas ?? (shown === null ? null : entryOf(shown));
  if (entry !== null) entry.focus();
  else if (frames > 0) requestAnimationFrame(() => focusWhenThere(pane, frames - 1));
}

export const viewCommands = [
  viewCommand('canvas', text.view.canvas),
  viewCommand('split', text.view.split),
  viewCommand('text', text.view.text),
  viewCommand('chat', text.view.chat, 'dialogue'),
  {
    ...viewCommand('runs', tableText.show),
    id: 'view.runsTable',
    isAvailable(context) {
      const kind = activeFile(context)?.kind;
      return kind === 'flow' || kind === 'agent';
    },
  },
  {
    id: 'view.toggleText',
    title: text.view.toggleText,
    words: text.view.toggleTextWords,
    group: text.groups.view,
    shortcut: 'F4',
    isAvailable(context) {
      const file = activeFile(context);
      return file !== undefined && file.kind !== 'file';
    },
    run: onActiveFile((context, path) => {
      const { mode } = context.stores.selection.getState().views.get(path) ?? initialFlowView;
      showView(context, path, mode === 'text' ? 'canvas' : 'text');
    }),
  },
  {
    id: 'view.toggleSide',
    title: text.view.toggleSide,
    group: text.groups.view,
    shortcut: 'Mod+B',
    run: ({ stores }) => stores.panes.getState().toggle('side'),
  },
  {
    id: 'view.toggleInspector',
    title: text.view.toggleInspector,
    group: text.groups.view,
    shortcut: 'Mod+Alt+B',
    run: ({ stores }) => stores.panes.getState().toggle('inspector'),
  },
  {
    id: 'view.toggleInspectorWidth',
    title: windowText.inspectorWidth,
    words: windowText.inspectorWidthWords,
    group: text.groups.view,
    run: ({ stores }) => stores.panes.getState().toggleInspectorWidth(),
  },
  {
    id: 'view.toggleDock',
    title: text.view.toggleDock,
    group: text.groups.view,
    shortcut: 'Mod+J',
    run: ({ stores }) => stores.panes.getState().toggle('dock'),
  },
  {
    id: 'view.problems',
    title: text.view.problems,
    group: text.groups.view,
    shortcut: 'Mod+Shift+M',
    run: ({ stores }) => stores.panes.getState().showDock('problems'),
  },
] as const satisfies readonly Command[];

/** Side panel, outline, canvas and text, inspector, dock, in keyboard order. */
const paneSelectors = [
  '.workspace-tree, .side-content, .search-panel, .tests-panel',
  '.outline-panel',
  viewPanes.canvas,
  '.text-view',
  '.inspector',
  '.assistant-panel',
  '.run-dock',
] as const;

/**
 * The element of a pane that receives the focus first: a tree, a selected card, the editor, or else the first control.
 */
const firstInPane = [
  '[role="tree"][tabindex]',
  '[data-flow][tabindex="0"]',
  '.react-flow__node.selected [tabindex="0"]',
  '.monaco-editor textarea',
  '[tabindex="0"], button:not(:disabled), input, select, textarea, a[href]',
] as const;

function entryOf(pane: Element): HTMLElement | null {
  for (const entry of firstInPane) {
    const found = [...pane.querySelectorAll<HTMLElement>(entry)].find((element) => element.offsetParent !== null);
    if (found !== undefined) return found;
  }
  return null;
}

/** Focuses the next or previous pane on screen. */
function focusPane(step: 1 | -1): void {
  const shown = paneSelectors.flatMap((selector) => {
    const pane = document.querySelector(selector);
    const entry = pane === null ? null : entryOf(pane);
    return pane === null || entry === null ? [] : [{ pane, entry }];
  });
  const current = shown.findIndex(({ pane }) => pane.contains(document.activeElement));
  const next = current === -1 ? (step === 1 ? 0 : shown.length - 1) : (current + step + shown.length) % shown.length;
  shown[next]?.entry.focus();
}

/** The element that receives the focus first in each view of the side panel. */
const entries: Readonly<Record<SideView, string>> = {
  flows: '.workspace-tree [role="tree"]',
  search: '.search-input',
  runs: '.side-content [data-roving][tabindex="0"], .side-content button',
  waiting: '.side-content [data-roving][tabindex="0"]',
  tests: '.tests-panel :is([role="tree"], button)',
  packs: '.side-content :is(button, input, [tabindex="0"])',
};

function focusEntry(view: SideView): void {
  nextFrame(() => {
    const entry = document.querySelector<HTMLElement>(`.side-panel :is(${entries[view]})`);
    entry?.focus();
    if (entry instanceof HTMLInputElement) entry.select();
  });
}

/** Returns the elements from which toggling closes a view: anywhere in the panel, but for the search only its field. */
function places(view: SideView): string {
  return view === 'search' ? '.search-input, .rail' : '.side-panel, .rail';
}

/** Shows a view and focuses it. Collapses the panel if the focus is already in it or on its button. */
function toggleView({ stores }: CommandContext, view: SideView): void {
  const { isOpen, sideView, chooseSideView } = stores.panes.getState();
  const isShown = isOpen.side && sideView === view;
  const isThere = document.activeElement?.closest(places(view)) != null;
  if (isShown && !isThere) {
    focusEntry(view);
    return;
  }
  chooseSideView(view);
  if (!isShown) focusEntry(view);
}

/** Shows the runs of the active file. Unlike the other views, a second call does not collapse the list. */
function showRunsOfFile({ stores }: CommandContext): void {
  const { isOpen, sideView, chooseSideView } = stores.panes.getState();
  stores.runHistory.getState().setScope('this');
  if (!isOpen.side || sideView !== 'runs') chooseSideView('runs');
  focusEntry('runs');
}

/** Shows the queue of all flows in the list of runs. */
function showQueue({ stores }: CommandContext): void {
  const { isOpen, sideView, chooseSideView } = stores.panes.getState();
  stores.runHistory.getState().setScope('queue');
  if (!isOpen.side || sideView !== 'runs') chooseSideView('runs');
  focusEntry('runs');
}

function sideCommand<Id extends string>(
  id: Id,
  view: SideView,
  { title, shortcut }: Pick<Command, 'title' | 'shortcut'>,
) {
  return {
    id,
    title,
    group: text.groups.view,
    ...(shortcut === undefined ? {} : { shortcut }),
    isAvailable: ({ stores }: CommandContext) => stores.workspace.getState().folder !== null,
    run: (context: CommandContext) => toggleView(context, view),
  } as const;
}

export const paneCommands = [
  {
    id: 'view.outline',
    title: text.view.outline,
    group: text.groups.view,
    shortcut: 'Mod+Shift+O',
    run({ stores }) {
      const { isOpen, sideView, chooseSideView } = stores.panes.getState();
      if (!isOpen.side || sideView !== 'flows') chooseSideView('flows');
      focusWhenThere('.outline, .agent-outline', framesToWait);
    },
  },
  {
    id: 'view.nextPane',
    title: text.view.nextPane,
    group: text.groups.view,
    shortcut: 'F6',
    aliases: ['Mod+F6'],
    run: () => focusPane(1),
  },
  {
    id: 'view.previousPane',
    title: text.view.previousPane,
    group: text.groups.view,
    shortcut: 'Shift+F6',
    aliases: ['Mod+Shift+F6'],
    run: () => focusPane(-1),
  },
  sideCommand('view.files', 'flows', { title: text.view.files, shortcut: 'Mod+Shift+E' }),
  sideCommand('view.search', 'search', { title: text.view.search, shortcut: 'Mod+Shift+F' }),
  sideCommand('view.runs', 'runs', { title: text.view.runs, shortcut: 'Mod+Shift+H' }),
  {
    id: 'view.runsOfFile',
    title: text.view.runsOfFile,
    group: text.groups.view,
    isAvailable(context) {
      const kind = activeFile(context)?.kind;
      return kind === 'flow' || kind === 'agent';
    },
    run: showRunsOfFile,
  },
  {
    id: 'view.queue',
    title: text.view.queue,
    group: text.groups.view,
    isAvailable: ({ stores }) => stores.workspace.getState().folder !== null,
    run: showQueue,
  } as const satisfies Command,
  sideCommand('view.tests', 'tests', { title: caseText.commands.show }),
  sideCommand('view.waiting', 'waiting', { title: text.view.inbox, shortcut: 'Mod+Shift+Y' }),
  sideCommand('view.packs', 'packs', { title: text.view.packs, shortcut: 'Mod+Shift+X' }),
] as const satisfies readonly Command[];
