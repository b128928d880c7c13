/**
 * The running program: its windows, settings and menu, and actions on them.
 */
import { app, BrowserWindow, dialog, Menu, type MessagePortMain, nativeTheme } from 'electron';
import { pageUrl } from '../ipc/channels.ts';
import type { BackgroundState } from '../ipc/contracts/background-contract.ts';
import type { DeliveryState } from '../ipc/contracts/delivery-contract.ts';
import { mainContract, type Preferences, preferencesSchema, type Theme } from '../ipc/contracts/main-contract.ts';
import type { Updates } from '../ipc/contracts/update-contract.ts';
import { systemClock } from '../ipc/engine-base.ts';
import { createDispatcher, type Dispatcher } from '../ipc/rpc-server.ts';
import type { Background } from './background/background.ts';
import type { SecretVault } from './consent/secret-vault.ts';
import type { Delivery } from './delivery/delivery.ts';
import type { DesktopInbox } from './desktop-inbox.ts';
import type { Help } from './diagnostics/help.ts';
import type { Drafts } from './drafts/drafts.ts';
import { createUnsavedQuestion } from './drafts/unsaved-question.ts';
import type { DraftUser } from './drafts/workspace-drafts.ts';
import type { EngineProcesses } from './engine/engine-processes.ts';
import { loadLanguage } from './language.ts';
import { createMainHandlers } from './main-handlers.ts';
import { remember } from './own-file.ts';
import type { RemoteConnections } from './remote/remote-connections.ts';
import type { SettingsStore } from './settings-store.ts';
import { text } from './text.ts';
import type { Updater } from './updates/updater.ts';
import { createMenuTemplate } from './windows/app-menu.ts';
import { type AppWindow, boundsOf, createAppWindow, showMessage, windowBackground } from './windows/app-window.ts';
import { createDocsWindow } from './windows/docs-window.ts';
import { createRunQuestion, LeaveGuard } from './windows/leave-guard.ts';
import { nextZoom, type ZoomAction } from './windows/zoom.ts';
import { resolveWorkspace, type WindowWorkspace } from './workspace-folder.ts';

interface OpenWindow {
  readonly window: AppWindow;
  readonly dispatch: Dispatcher;
}

interface ProgramParts {
  readonly settings: SettingsStore;
  readonly engines: EngineProcesses<MessagePortMain>;
  readonly vault: SecretVault;
  readonly drafts: Drafts;
  readonly makeExamples: () => Promise<string>;
  readonly deliverKeys: () => Promise<void>;
  readonly help: Help;
  readonly updater: Updater;
  readonly inbox: DesktopInbox;
  readonly delivery: Delivery;
  readonly remotes: RemoteConnections;
  readonly background: Background;
  /** Called when a window is usable. */
  readonly onUsable: () => void;
  readonly isSafe: boolean;
}

/** The desktop program. Created once, when the app is ready. */
export class DesktopProgram {
  readonly settings: SettingsStore;
  readonly vault: SecretVault;
  readonly drafts: Drafts;
  readonly makeExamples: () => Promise<string>;
  readonly deliverKeys: () => Promise<void>;
  readonly onUsable: () => void;
  readonly updater: Updater;
  readonly inbox: DesktopInbox;
  readonly delivery: Delivery;
  readonly remotes: RemoteConnections;
  readonly background: Background;
  readonly #help: Help;
  readonly #isSafe: boolean;
  readonly #engines: EngineProcesses<MessagePortMain>;
  readonly #guard: LeaveGuard<AppWindow>;
  /** Windows by the id of the page's web contents. */
  readonly #windows = new Map<number, OpenWindow>();
  readonly #docs = createDocsWindow(() => this.#zoom());
  #updates: Updates | undefined;

  constructor({ settings, engines, vault, drafts, makeExamples, deliverKeys, help, ...more }: ProgramParts) {
    const { onUsable, isSafe, updater, inbox, delivery, remotes, background } = more;
    this.inbox = inbox;
    this.delivery = delivery;
    this.remotes = remotes;
    this.background = background;
    this.updater = updater;
    this.#isSafe = isSafe;
    this.#help = help;
    this.onUsable = onUsable;
    this.settings = settings;
    this.vault = vault;
    this.drafts = drafts;
    this.makeExamples = makeExamples;
    this.deliverKeys = deliverKeys;
    this.#engines = engines;
    this.#guard = new LeaveGuard(app, [
      createRunQuestion(engines.runsUnderWay, showMessage),
      createUnsavedQuestion({
        drafts,
        clock: systemClock,
        show: showMessage,
        askToSave: (user) => this.#askToSave(user),
      }),
    ]);
    this.#guard.watchQuitting();
    nativeTheme.themeSource = settings.settings.theme;
    nativeTheme.on('updated', () => this.#repaintGrounds());
    this.#refreshMenu();
  }

  /** Opens a window that shows a folder, or one that explains why no folder is open. */
  openWindow(content: WindowWorkspace): AppWindow {
    const { windowBounds } = this.settings.settings;
    const window = createAppWindow({
      ...{ content, pageUrl, engines: this.#engines, isSafe: this.#isSafe },
      rememberedBounds: windowBounds,
      nameOf: (folder) => this.remotes.nameOf(folder),
    });
    const { browserWindow } = window;
    const { id } = browserWindow.webContents;
    this.#guard.watchClosing(window);
    this.#windows.set(id, { window, dispatch: createDispatcher(mainContract, createMainHandlers(this, window)) });
    browserWindow.on('close', () => remember(() => this.settings.update({ windowBounds: boundsOf(browserWindow) })));
    browserWindow.on('closed', () => {
      this.#windows.delete(id);
      // The program ends with its last window.
      if (this.#windows.size === 0) this.#docs.close();
    });
    this.#watchPage(window);
    this.#rememberWorkspace(content);
    return window;
  }

  get hasWindows(): boolean {
    return this.#windows.size > 0;
  }

  /**
   * Returns a window that shows a folder, preferably the focused one. Without a folder, returns any window that shows
   * one.
   */
  findWindow(workspace?: string): AppWindow | undefined {
    const focused = this.#focusedWindow();
    const all = [...this.#windows.values()].map(({ window }) => window);
    const shows = ({ content }: AppWindow): boolean =>
      workspace === undefined ? content.workspace !== null : content.workspace === workspace;
    return focused !== undefined && shows(focused) ? focused : all.find(shows);
  }

  /**
   * Opens a folder in a window, unless the user chooses to keep the window's runs. Returns whether the folder was
   * opened.
   * @param mayOpen asks the user about a folder they did not choose; receives its path with symbolic links resolved
   * @throws EngineError `workspace.not-found` | `workspace.not-a-folder`
   */
  async openWorkspace(
    window: AppWindow,
    folder: string,
    mayOpen?: (folder: string) => Promise<boolean>,
  ): Promise<boolean> {
    const workspace = await resolveWorkspace(folder);
    const isSame = workspace === window.content.workspace;
    if (!isSame && mayOpen !== undefined && !(await mayOpen(workspace))) return false;
    if (!isSame && !(await this.#guard.mayLeave(window, 'openFolder'))) return false;
    this.#rememberWorkspace({ workspace });
    window.show({ workspace });
    return true;
  }

  /** Applies the default settings to all windows. */
  applyDefaults(): void {
    const { theme, preferences } = this.settings.settings;
    this.setTheme(theme);
    this.setPreferences(preferences ?? preferencesSchema.parse({}));
    this.setZoom({ change: 'reset' });
  }

  /** Shows the update state in all current and future windows. */
  showUpdates(updates: Updates): void {
    this.#updates = updates;
    this.#push('updates.changed', updates);
  }

  /** Shows in all windows and in the menu whether triggers run without them. */
  showBackground(background: BackgroundState): void {
    this.#push('background.changed', background);
    this.#refreshMenu();
  }

  /** Shows in all windows how messages about open requests are delivered. */
  readonly showDelivery = (delivery: DeliveryState): void => this.#push('delivery.changed', delivery);

  readonly #push: AppWindow['push'] = (name, payload) => {
    for (const { window } of this.#windows.values()) window.push(name, payload);
  };

  /** Sets and stores the theme of all windows. */
  setTheme(theme: Theme): void {
    remember(() => this.settings.update({ theme }));
    nativeTheme.themeSource = theme;
    this.#push('settings.changed', { theme });
    this.#refreshMenu();
  }

  /** Applies the editor preferences to all windows and stores them. A changed language reloads the windows. */
  setPreferences(preferences: Preferences): void {
    const isOtherLanguage = preferences.language !== (this.settings.settings.preferences?.language ?? 'en');
    remember(() => this.settings.update({ preferences }));
    if (isOtherLanguage) void loadLanguage().then(() => this.#refreshMenu());
    if (isOtherLanguage) for (const { window } of this.#windows.values()) window.reload();
    this.#push('preferences.changed', { preferences });
  }

  /** Shows the documentation. @param page path, such as `nodes/prompt.html`; the index if absent */
  openDocs(page?: string): void {
    this.#docs.open(page);
  }

  /** Sets and stores the zoom of all windows. @returns the new factor; 1 = 100 % */
  setZoom(wish: ZoomAction): number {
    const zoom = nextZoom(this.#zoom(), wish);
    remember(() => this.settings.update({ zoom }));
    for (const { window } of this.#windows.values()) window.browserWindow.webContents.setZoomFactor(zoom);
    this.#docs.setZoom(zoom);
    return zoom;
  }

  /** Returns the dispatcher for calls from a window's page. */
  dispatcherOf(webContentsId: number): Dispatcher | undefined {
    return this.#windows.get(webContentsId)?.dispatch;
  }

  #zoom(): number {
    return this.settings.settings.zoom ?? 1;
  }

  /** Releases a page's files when it ends, and applies the stored zoom to a new page. */
  #watchPage(window: AppWindow): void {
    const { browserWindow, draftUser, push } = window;
    const { webContents } = browserWindow;
    const leave = (): void => {
      remember(() => this.drafts.leave(draftUser));
      this.inbox.leave(window);
    };
    webContents.on('did-navigate', () => {
      leave();
      webContents.setZoomFactor(this.#zoom());
    });
    webContents.on('did-finish-load', () => {
      if (this.#updates !== undefined) push('updates.changed', this.#updates);
      push('background.changed', this.background.state);
    });
    webContents.on('render-process-gone', leave);
    browserWindow.on('closed', leave);
  }

  /** Stores the folder for the next start and for the menu. */
  #rememberWorkspace({ workspace }: WindowWorkspace): void {
    if (workspace === null || this.remotes.sent.find(workspace) !== undefined) return;
    remember(() => this.settings.rememberWorkspace(workspace));
    this.#refreshMenu();
  }

  #askToSave(user: DraftUser): void {
    const open = [...this.#windows.values()].find(({ window }) => window.draftUser === user);
    open?.window.push('command.invoke', { id: 'file.saveAll' });
  }

  #focusedWindow(): AppWindow | undefined {
    const focused = BrowserWindow.getFocusedWindow();
    return focused === null ? undefined : this.#windows.get(focused.webContents.id)?.window;
  }

  #refreshMenu(): void {
    const state = {
      isMac: process.platform === 'darwin',
      isDevelopment: !app.isPackaged,
      recentWorkspaces: this.settings.recentWorkspaces(),
      theme: this.settings.settings.theme,
      keepsRunning: this.settings.settings.keepsRunning,
    };
    const template = createMenuTemplate(state, {
      invokeCommand: (id) => this.#focusedWindow()?.push('command.invoke', { id }),
      openWorkspace: (folder) => void this.#openFromMenu(folder),
      openNewWindow: () => this.openWindow(this.#focusedWindow()?.content ?? { workspace: null }),
      setTheme: (theme) => this.setTheme(theme),
      setKeepsRunning: (isOn) => this.background.set(isOn),
      openDocs: () => this.openDocs(),
      help: (wish) => void this.#help(wish, this.#focusedWindow()?.browserWindow),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  async #openFromMenu(folder: string): Promise<void> {
    try {
      const window = this.#focusedWindow();
      if (window === undefined) this.openWindow({ workspace: await resolveWorkspace(folder) });
      else await this.openWorkspace(window, folder);
    } catch (error) {
      // The folder was deleted after the menu was created and before the click.
      dialog.showErrorBox(text().files.openFailed, error instanceof Error ? error.message : String(error));
    }
  }

  #repaintGrounds(): void {
    for (const { window } of this.#windows.values()) window.browserWindow.setBackgroundColor(windowBackground());
    this.#docs.repaintGround();
  }
}
