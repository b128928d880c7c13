/**
 * Creates windows. A window is a sandboxed page that shows at most one workspace and is connected to its engine.
 */
import path from 'node:path';
import { app, BrowserWindow, dialog, type MessagePortMain, nativeTheme, screen } from 'electron';
import { enginePortChannel, pushChannel } from '../../ipc/channels.ts';
import type { mainPushes, ThingToOpen } from '../../ipc/contracts/main-contract.ts';
import { EngineError } from '../../ipc/engine-base.ts';
import { createPushSender } from '../../ipc/pushes.ts';
import type { DraftUser } from '../drafts/workspace-drafts.ts';
import type { EngineProcesses, EngineProcessLink } from '../engine/engine-processes.ts';
import { preloadFile } from '../program-paths.ts';
import type { WindowBounds } from '../settings-store.ts';
import { text } from '../text.ts';
import type { WindowWorkspace } from '../workspace-folder.ts';
import type { ShowMessage } from './leave-guard.ts';
import { minWindowSize, placeWindow } from './window-bounds.ts';

export interface AppWindow {
  readonly browserWindow: BrowserWindow;
  readonly content: WindowWorkspace;
  readonly push: ReturnType<typeof createPushSender<typeof mainPushes>>;
  /** The window as a user of unsaved text. */
  readonly draftUser: DraftUser;
  /** Loads the page again, with the same workspace. */
  reload(): void;
  /** Shows another workspace, or why there is none. The page reloads. */
  show(content: WindowWorkspace): void;
  /** Shows the window in front of all others. */
  bringToFront(): void;
  /**
   * Asks the page to open items, now or as soon as it is listening. With `next`, only the page that is being loaded
   * opens them, and not the current one, which is about to end.
   */
  offer(things: readonly ThingToOpen[], page?: 'next'): void;
  /** Returns the items that the page has not opened yet, and clears them. */
  takeOffer(): readonly ThingToOpen[];
  /** Returns the number of runs that end if this window leaves its workspace. */
  runsAtStake(): number;
  /** Called when the page starts listening. Sends it a port and the state of its engine. */
  connectEngine(): void;
  /** Ends an engine host that does not respond and resumes its runs in another. */
  replaceSilentEngine(): void;
  /**
   * Makes calls to the window's engine host on behalf of the user. @throws EngineError `workspace.not-open` |
   * `engine.not-ready` | `engine.not-answering`, or the host's error
   */
  asPerson: EngineProcessLink['asPerson'];
}

interface WindowParts {
  /** The initial content of the window. */
  readonly content: WindowWorkspace;
  readonly pageUrl: string;
  readonly engines: EngineProcesses<MessagePortMain>;
  readonly rememberedBounds: WindowBounds | undefined;
  /** Whether the program runs in safe mode, which its windows show. */
  readonly isSafe: boolean;
  /** Returns the name of what a folder represents; undefined for a folder of the user. */
  readonly nameOf: (folder: string) => string | undefined;
}

/** Opens a window that shows the page. */
export function createAppWindow({
  content: first,
  pageUrl,
  engines,
  rememberedBounds,
  isSafe,
  nameOf,
}: WindowParts): AppWindow {
  const engineUser = {
    receivePort: (port: MessagePortMain) => webContents.postMessage(enginePortChannel, null, [port]),
    receiveState: (state: Parameters<typeof push<'engine.state'>>[1]) => push('engine.state', state),
  };
  const join = ({ workspace }: WindowWorkspace): EngineProcessLink | undefined =>
    workspace === null ? undefined : engines.join(workspace, engineUser);
  let content = first;
  // Joining before the window is created lets the host start in parallel.
  let link = join(first);
  const browserWindow = openBrowserWindow(rememberedBounds);
  const { webContents } = browserWindow;
  const push = createPushSender<typeof mainPushes>({ post: (message) => webContents.send(pushChannel, message) });
  let offered: readonly ThingToOpen[] = [];

  // Disconnects once another page has loaded, which requests its own port. `did-start-navigation` would also fire for a
  // refused navigation.
  webContents.on('did-navigate', () => link?.disconnect());
  webContents.on('render-process-gone', (_event, { reason }) => {
    link?.disconnect();
    if (reason !== 'clean-exit') void offerReload(browserWindow, reason);
  });
  browserWindow.on('closed', () => link?.leave());

  const load = (): void => {
    const title = windowTitle(content, nameOf);
    browserWindow.setTitle(isSafe ? text().window.safeMode({ title }) : title);
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
      // Leave only after joining, so that the host keeps running if the folder is the same.
      formerLink?.leave();
      load();
    },
    bringToFront() {
      if (browserWindow.isMinimized()) browserWindow.restore();
      browserWindow.focus();
    },
    offer(things, page) {
      offered = [...offered, ...things];
      if (page !== 'next') push('open.offered', {});
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
    // The page's header contains frequent commands, and Alt shows the menu. On macOS the menu is outside the window.
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      ...pagePreferences(),
      // Caches compiled code from the first start instead of the third.
      v8CacheOptions: 'bypassHeatCheck',
    },
  });
  if (rememberedBounds?.isMaximized) browserWindow.maximize();
  browserWindow.on('page-title-updated', (event) => event.preventDefault());
  return browserWindow;
}

/** Returns the settings that keep every page away from Node and the system. */
export function pagePreferences(): Electron.WebPreferences {
  return {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    devTools: !app.isPackaged,
    spellcheck: false,
  };
}

/**
 * Returns the page's background color (`--app` of its tokens), so that a window does not flash before the page is
 * drawn.
 */
export function windowBackground(): string {
  return nativeTheme.shouldUseDarkColors ? '#131313' : '#f3f3f2';
}

/** Returns the window bounds to store: the bounds when not maximized, and whether the window is maximized. */
export function boundsOf(browserWindow: BrowserWindow): WindowBounds {
  return { ...browserWindow.getNormalBounds(), isMaximized: browserWindow.isMaximized() };
}

function windowTitle({ workspace }: WindowWorkspace, nameOf: WindowParts['nameOf']): string {
  if (workspace === null) return 'Millrace';
  return `${nameOf(workspace) ?? (path.basename(workspace) || workspace)} - Millrace`;
}

async function offerReload(browserWindow: BrowserWindow, reason: string): Promise<void> {
  const words = text().window;
  const { response } = await dialog.showMessageBox(browserWindow, {
    type: 'error',
    message: words.crashed,
    detail: words.crashedDetail({ reason }),
    buttons: [words.reload, words.close],
  });
  if (browserWindow.isDestroyed()) return;
  if (response === 0) browserWindow.reload();
  else browserWindow.close();
}

/** Shows a message in front of a window, or of none. */
export const showMessage: ShowMessage<AppWindow> = (options, window) =>
  window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window.browserWindow, options);
