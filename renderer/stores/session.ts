/**
 * The state of a window that is saved for its next start: tabs, panes, views and viewports. Text is not included,
 * because it is in the files and their journals.
 */
import { z } from 'zod';
import type { StoreApi } from 'zustand/vanilla';
import type { MainClient } from '../bridge/main-client.ts';
import { openFirstFlow } from './first-look.ts';
import type { AnswerDraft, AnswerDrafts } from './runs/requests/ask-answers.ts';
import { isUnfound } from './text/file.ts';
import type { OpenFiles } from './text/files.ts';
import { kindOfPath } from './text/paths.ts';
import type { CanvasViews } from './window/canvases.ts';
import { dockTabs, type Panes, sideViews } from './window/panes.ts';
import { initialFlowView, type Selection } from './window/selection.ts';
import type { FileTree } from './workspace/file-tree.ts';
import type { Workspace } from './workspace/workspace.ts';

const viewport = z.object({ x: z.number(), y: z.number(), zoom: z.number().positive() });

const sessionSchema = z.object({
  tabs: z
    .array(
      z.object({
        path: z.string().min(1).max(4096),
        kind: z.enum(['flow', 'agent', 'dialogue', 'file']),
        mode: z.enum(['canvas', 'split', 'text', 'chat', 'runs']),
        nodeId: z.string().nullable(),
        viewport: viewport.nullable(),
      }),
    )
    .max(200),
  activePath: z.string().nullable(),
  /** Expanded folders in the file tree. */
  expanded: z.array(z.string().min(1).max(4096)).max(1000).default([]),
  /** Unsent answers to requests, by request. The most recently edited one is last. */
  answers: z
    .array(z.tuple([z.string(), z.object({ fields: z.record(z.string(), z.string()), comment: z.string() })]))
    .max(100)
    .default([]),
  panes: z.object({
    isOpen: z.object({ side: z.boolean(), inspector: z.boolean(), dock: z.boolean() }),
    sideView: z.enum(sideViews),
    dockTab: z.enum(dockTabs),
  }),
});

type WindowSessionState = z.output<typeof sessionSchema>;

export interface WindowSession {
  /**
   * Restores the open files, including those with unsaved edits. Resolves as soon as the tabs exist, to whether there
   * are any.
   */
  restore(): Promise<boolean>;
  /** Saves the current state immediately. */
  keep(): void;
  /** Saves the state shortly after each change. Returns a function that stops it. */
  follow(): () => void;
}

/** The stores with state that a session saves. */
interface KeptStores {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly selection: StoreApi<Selection>;
  readonly panes: StoreApi<Panes>;
  readonly canvasViews: CanvasViews;
  readonly fileTree: StoreApi<FileTree>;
  readonly answerDrafts: StoreApi<AnswerDrafts>;
  readonly workspace: StoreApi<Workspace>;
}

const keepDelayMs = 400;

/** Maximum number of characters of answers to save. Main accepts at most 1 MiB for the whole state of a window. */
const mostAnswerText = 500_000;

/** Returns the most recently edited answers that fit. */
function keptAnswers(drafts: AnswerDrafts['drafts']): [string, AnswerDraft][] {
  let room = mostAnswerText;
  const kept: [string, AnswerDraft][] = [];
  for (const entry of [...drafts].toReversed().slice(0, 100)) {
    room -= JSON.stringify(entry).length;
    if (room < 0) break;
    kept.unshift(entry);
  }
  return kept;
}

function stateOf({ openFiles, selection, panes, canvasViews, fileTree, answerDrafts }: KeptStores): WindowSessionState {
  const { tabs, activePath, files } = openFiles.getState();
  const { isOpen, sideView, dockTab } = panes.getState();
  return {
    tabs: tabs.map((path) => {
      const { mode, nodeId } = selection.getState().views.get(path) ?? initialFlowView;
      const looked = canvasViews.get(path);
      const own = looked?.look === 'own' ? looked.viewport : null;
      return { path, kind: files.get(path)?.kind ?? 'flow', mode, nodeId, viewport: own };
    }),
    activePath,
    expanded: [...fileTree.getState().expanded].slice(0, 1000),
    answers: keptAnswers(answerDrafts.getState().drafts),
    // Comparisons are not open at the next start.
    panes: { isOpen, sideView, dockTab: isCompareTab(dockTab) ? 'timeline' : dockTab },
  };
}

function isCompareTab(tab: Panes['dockTab']): tab is Extract<Panes['dockTab'], `compare-${string}`> {
  return tab.startsWith('compare-');
}

/**
 * Reopens a tab. Closes it if its file does not exist and no unsaved edits are stored: the file was deleted, or an
 * earlier version saved the tabs of another folder here.
 */
async function reopenTab(
  openFiles: StoreApi<OpenFiles>,
  { path, kind }: Pick<WindowSessionState['tabs'][number], 'path' | 'kind'>,
): Promise<void> {
  await openFiles.getState().open(path, kind);
  const file = openFiles.getState().files.get(path);
  if (file !== undefined && isUnfound(file)) openFiles.getState().close(path);
}

/** Calls `keep` shortly after each change of the saved state. Returns a function that stops it. */
function followChanges(
  { openFiles, selection, panes, fileTree, answerDrafts }: KeptStores,
  keep: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keepSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, keepDelayMs);
  };
  const ends = [
    openFiles.subscribe(
      (now, before) => (now.tabs !== before.tabs || now.activePath !== before.activePath) && keepSoon(),
    ),
    selection.subscribe(keepSoon),
    panes.subscribe(keepSoon),
    answerDrafts.subscribe(keepSoon),
    fileTree.subscribe((now, before) => now.expanded !== before.expanded && keepSoon()),
    () => clearTimeout(timer),
  ];
  return () => {
    for (const end of ends) end();
  };
}

export function createSession(main: MainClient, stores: KeptStores): WindowSession {
  const { openFiles, selection, panes, canvasViews, fileTree, answerDrafts } = stores;
  /** The folder that this page shows. When the page ends, its window may already show another folder. */
  let workspace: string | null = null;
  const keep = (): void => {
    if (workspace === null) return;
    // The next change tries again. No work is lost, only the saved layout.
    void main.call('session.write', { workspace, state: stateOf(stores) }).catch(() => undefined);
  };

  const read = async (): Promise<WindowSessionState | null> => {
    try {
      const { state, workspace: folder } = await main.call('session.read');
      workspace = folder;
      return sessionSchema.safeParse(state).data ?? null;
    } catch {
      return null;
    }
  };

  /** Returns the files with unsaved edits. */
  const readUnsaved = async (): Promise<readonly string[]> => {
    try {
      const { files } = await main.call('draft.unsaved');
      return files.map(({ path }) => path);
    } catch {
      return [];
    }
  };

  const reopen = (state: WindowSessionState): void => {
    panes.setState(state.panes);
    answerDrafts.setState({ drafts: new Map(state.answers) });
    for (const folder of state.expanded) fileTree.getState().setExpanded(folder, true);
    for (const { path, mode, nodeId, viewport: place } of state.tabs) {
      selection.getState().setMode(path, mode);
      selection.getState().selectNode(path, nodeId);
      if (place !== null) canvasViews.set(path, { viewport: place, look: 'own' });
    }
    void Promise.all(state.tabs.map((tab) => reopenTab(openFiles, tab))).then(() => {
      if (state.tabs.length > 0 && openFiles.getState().tabs.length === 0) openFirstFlow(stores.workspace, openFiles);
    });
  };

  return {
    keep,
    async restore() {
      const [state, allUnsaved] = await Promise.all([read(), readUnsaved()]);
      if (state !== null) reopen(state);
      // Files without a tab, such as after a crash shortly after one was opened.
      const unsaved = allUnsaved.filter((path) => !openFiles.getState().tabs.includes(path));
      for (const path of unsaved) void openFiles.getState().open(path, kindOfPath(path));
      if (state !== null && state.activePath !== null) openFiles.getState().activate(state.activePath);
      return (state?.tabs.length ?? 0) + unsaved.length > 0;
    },
    follow: () => followChanges(stores, keep),
  };
}
