/**
 * Commands that show and fold what stands at the side; the rail has a button for each.
 */
import type { SideView } from '../../stores/window/panes.ts';
import { nextFrame } from '../../ui/next-frame.ts';
import { activeFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';

/**
 * The panes of the window in the order in which the keyboard goes through them.
 */

/** Side panel, outline, canvas and text, inspector, dock. */
const paneSelectors = [
  '.workspace-tree, .side-content, .search-panel',
  '.outline-panel',
  '.flow-canvas, .agent-run-view, .empty-canvas',
  '.text-view',
  '.inspector',
  '.run-dock',
] as const;

/** What in a pane has the focus first: a tree, a selected card, the editor, else the first control. */
const firstInPane = [
  '[role="tree"]',
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

/** Puts the focus into the next pane that is on screen, or the one before. */
export function focusPane(step: 1 | -1): void {
  const shown = paneSelectors.flatMap((selector) => {
    const pane = document.querySelector(selector);
    const entry = pane === null ? null : entryOf(pane);
    return pane === null || entry === null ? [] : [{ pane, entry }];
  });
  const current = shown.findIndex(({ pane }) => pane.contains(document.activeElement));
  const next = current === -1 ? (step === 1 ? 0 : shown.length - 1) : (current + step + shown.length) % shown.length;
  shown[next]?.entry.focus();
}

/** What has the keyboard first in a view. */
const entries: Readonly<Record<SideView, string>> = {
  flows: '.workspace-tree [role="tree"]',
  search: '.search-input',
  runs: '.side-content [data-roving][tabindex="0"], .side-content button',
  waiting: '.side-content [data-roving][tabindex="0"]',
  packs: '.side-content :is(button, input, [tabindex="0"])',
};

function focusEntry(view: SideView): void {
  nextFrame(() => {
    const entry = document.querySelector<HTMLElement>(`.side-panel :is(${entries[view]})`);
    entry?.focus();
    if (entry instanceof HTMLInputElement) entry.select();
  });
}

/** Where a person is who has no more use for a view: anywhere in it, but of the search only in its field. */
function places(view: SideView): string {
  return view === 'search' ? '.search-input, .rail' : '.side-panel, .rail';
}

/** Shows a view and puts the keyboard there; folds the panel when the person is there, or at its button, already. */
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

/** The list of runs of the file in front; it is there to be looked at, so it stays when it is there. */
function showRunsOfFile({ stores }: CommandContext): void {
  const { isOpen, sideView, chooseSideView } = stores.panes.getState();
  stores.runHistory.getState().setScope('this');
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
    group: 'View',
    ...(shortcut === undefined ? {} : { shortcut }),
    isAvailable: ({ stores }: CommandContext) => stores.workspace.getState().folder !== null,
    run: (context: CommandContext) => toggleView(context, view),
  } as const;
}

export const sideCommands = [
  sideCommand('view.files', 'flows', { title: 'Show the files', shortcut: 'Mod+Shift+E' }),
  sideCommand('view.search', 'search', { title: 'Search in all files', shortcut: 'Mod+Shift+F' }),
  sideCommand('view.runs', 'runs', { title: 'Show the runs', shortcut: 'Mod+Shift+H' }),
  {
    id: 'view.runsOfFile',
    title: 'Show the runs of this file',
    group: 'View',
    isAvailable: (context) => (activeFile(context)?.kind ?? 'file') !== 'file',
    run: showRunsOfFile,
  },
  sideCommand('view.waiting', 'waiting', { title: 'Show what waits for you', shortcut: 'Mod+Shift+Y' }),
  sideCommand('view.packs', 'packs', { title: 'Show the packs', shortcut: 'Mod+Shift+X' }),
] as const satisfies readonly Command[];
