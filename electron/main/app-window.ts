/**
 * One window: a sandboxed page on at most one workspace, with a line to that workspace's engine.
 */
import path from 'node:path';
import { app, BrowserWindow, dialog, type MessagePortMain, nativeTheme, screen } from 'electron';
import { enginePortChannel, pushChannel } from '../ipc/channels.ts';
import { EngineError } from '../ipc/engine-base.ts';
import type { mainPushes, ThingToOpen } from '../ipc/main-contract.ts';
import { createPushSender } from '../ipc/pushes.ts';
import type { DraftUser } from './drafts/workspace-drafts.ts';
import type { EngineLink, EngineProcesses } from './engine-processes.ts';
import { preloadFile } from './program-paths.ts';
import type { WindowBounds } from './settings-store.ts';
import { minWindowSize, placeWindow } from './window-bounds.ts';
import type { WindowWorkspace } from './workspace-folder.ts';

export interface AppWindow {
  readonly browserWindow: BrowserWindow;
  readonly content: WindowWorkspace;
  readonly push: ReturnType<typeof createPushSender<typeof mainPushes>>;
  /** The window as unsaved texts see it. */
  readonly draftUser: DraftUser;
  /** Loads the page again, with the same workspace. */
  reload(): void;
  /** Shows another workspace, or why there is none; the page loads anew. */
  show(content: WindowWorkspace): void;
  /** Brings it before all others. */
  bringToFront(): void;
  /** Has the page open something, now or as soon as it listens. */
  offer(things: readonly ThingToOpen[]): void;
  /** What the page has not opened yet; once. */
  takeOffer(): readonly ThingToOpen[];
  /** How many runs end when this window gives up its workspace. */
  runsAtStake(): number;
  /** The page listens: sends it the state of its engine, and a port. */
  connectEngine(): void;
  /** Ends an engine host that does not answer, and lets its runs go on in another. */
  replaceSilentEngine(): void;
  /**
   * Makes calls of the window's engine host on behalf of the person. @throws EngineError `workspace.not-open` |
   * `engine.not-ready` | `engine.not-answering`, or what the host answers
   */
  asPerson: EngineLink['asPerson'];
}

interface WindowParts {
  /** What it shows at first. */
  readonly content: WindowWorkspace;
  readonly pageUrl: string;
  readonly engines: EngineProcesses<MessagePortMain>;
  readonly rememberedBounds: WindowBounds | undefined;
  /** Whether the program does without what is the person's own; its windows say so. */
  readonly isSafe: boolean;
}

/** Opens a window that shows the page. */
export function createAppWindow({
  content: first,
  pageUrl,
  engines,
  rememberedBounds,
  isSafe,
}: WindowParts): AppWindow {
  const engineUser = {
    receivePort: (port: MessagePortMain) => webContents.postMessage(enginePortChannel, null, [port]),
    receiveState: (state: Parameters<typeof push<'engine.state'>>[1]) => push('engine.state', state),
  };
  const join = ({ workspace }: WindowWorkspace): EngineLink | undefined =>
    workspace === null ? undefined : engines.join(workspace, engineUser);
  let content = first;
  // Before the window is made, which takes the host's first steps to do.
  let link = join(first);
  const browserWindow = openBrowserWindow(rememberedBounds);
  const { webContents } = browserWindow;
  const push = createPushSender<typeof mainPushes>({ post: (message) => webContents.send(pushChannel, message) });
  let offered: readonly ThingToOpen[] = [];

  // When a page has taken the place of another; it will ask for its own port. A refused navigation starts, too.
  webContents.on('did-navigate', () => link?.disconnect());
  webContents.on('render-process-gone', (_event, { reason }) => {
    link?.disconnect();
    if (reason !== 'clean-exit') void offerReload(browserWindow, reason);
  });
  browserWindow.on('closed', () => link?.leave());

  const load = (): void => {
    browserWindow.setTitle(isSafe ? `${windowTitle(content)} (safe mode)` : windowTitle(content));
    void browserWindow.loadURL(pageUrl);
  };
  load();

  return {
    ...{ browserWindow, push, reload: load },
    draftUser: {
      stepped: (change) => push('draft.stepped', change),
      moved: (change) => push('draft.moved', change),
    },
    get content() {
      return content;
    },
    show(next) {
      const formerLink = link;
      content = next;
      link = join(next);
      // Only now, so that the host lives on when the folder is the same.
      formerLink?.leave();
      load();
    },
    bringToFront() {
      if (browserWindow.isMinimized()) browserWindow.restore();
      browserWindow.focus();
    },
    offer(things) {
      offered = [...offered, ...things];
      push('open.offered', {});
    },
    takeOffer() {
      const taken = offered;
      offered = [];
      return taken;
    },
    runsAtStake: () => link?.runsAtStake() ?? 0,
    connectEngine: () => link?.connect(),
    replaceSilentEngine: () => link?.replaceSilent(),
    async asPerson(act, limitMs) {
      if (link === undefined) throw notOpen();
      return await link.asPerson(act, limitMs);
    },
  };
}

function notOpen(): EngineError {
  return new EngineError({
    code: 'workspace.not-open',
    message: 'No folder is open. Choose one with File > Open Folder.',
  });
}

function openBrowserWindow(rememberedBounds: WindowBounds | undefined): BrowserWindow {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const browserWindow = new BrowserWindow({
    ...placeWindow(rememberedBounds, {
      workAreas: [primary, ...others].map(({ workArea }) => workArea),
      openWindows: BrowserWindow.getAllWindows().length,
    }),
    minWidth: minWindowSize.width,
    minHeight: minWindowSize.height,
    backgroundColor: windowBackground(),
    // The page's own header has what is used daily; Alt shows the menu. On macOS it is no part of the window.
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: !app.isPackaged,
      spellcheck: false,
      // Keeps compiled code from the first start on, not from the third.
      v8CacheOptions: 'bypassHeatCheck',
    },
  });
  if (rememberedBounds?.isMaximized) browserWindow.maximize();
  browserWindow.on('page-title-updated', (event) => event.preventDefault());
  return browserWindow;
}

/** The page's own ground colour (`--app` of its tokens), so that a window does not flash before the page is there. */
export function windowBackground(): string {
  return nativeTheme.shouldUseDarkColors ? '#131313' : '#f3f3f2';
}

/** Where a window is, to be remembered: its size while it is not maximized, and whether it is. */
export function boundsOf(browserWindow: BrowserWindow): WindowBounds {
  return { ...browserWindow.getNormalBounds(), isMaximized: browserWindow.isMaximized() };
}

function windowTitle({ workspace }: WindowWorkspace): string {
  return workspace === null ? 'Millrace' : `${path.basename(workspace) || workspace} - Millrace`;
}

async function offerReload(browserWindow: BrowserWindow, reason: string): Promise<void> {
  const { response } = await dialog.showMessageBox(browserWindow, {
    type: 'error',
    message: 'The page of this window has ended unexpectedly.',
    detail: `Reason: ${reason}. Runs go on in the engine and are kept; load the page again to see them.`,
    buttons: ['Reload', 'Close Window'],
  });
  if (browserWindow.isDestroyed()) return;
  if (response === 0) browserWindow.reload();
  else browserWindow.close();
}
