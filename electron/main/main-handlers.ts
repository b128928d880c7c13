/**
 * All that the main process answers to a page.
 */
import { app, dialog } from 'electron';
import type { mainContract } from '../ipc/main-contract.ts';
import { type Preferences, preferencesSchema } from '../ipc/main-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import type { AppWindow } from './app-window.ts';
import { createDraftHandlers, type Drafts } from './drafts/drafts.ts';

import { saveImage } from './save-image.ts';
import type { SecretVault } from './secret-vault.ts';
import type { SettingsStore, Theme } from './settings-store.ts';
import type { WindowWorkspace } from './workspace-folder.ts';
import type { ZoomWish } from './zoom.ts';

/** What a page may do with the program as a whole. */
export interface ProgramActions {
  readonly settings: SettingsStore;
  readonly vault: SecretVault;
  readonly drafts: Drafts;
  /** Brings the vault's keys to all engine hosts; resolves when they have them. */
  deliverKeys(): Promise<void>;
  openWindow(content: WindowWorkspace): void;
  openWorkspace(window: AppWindow, folder: string): Promise<boolean>;
  setTheme(theme: Theme): void;
  setPreferences(preferences: Preferences): void;
  /** Draws all windows in another size, for good. @returns the factor that holds now; 1 = 100 % */
  setZoom(wish: ZoomWish): number;
}

/** The handlers of one window. */
export function createMainHandlers(program: ProgramActions, window: AppWindow): Handlers<typeof mainContract> {
  return {
    ...createDraftHandlers(program.drafts, { workspace: () => window.content.workspace, user: window.draftUser }),
    'app.info': () => infoOf(program, window),
    'image.save': (picture) => saveImage(picture, (options) => dialog.showSaveDialog(window.browserWindow, options)),
    'engine.connect': () => window.connectEngine(),
    'preferences.read': () => ({ preferences: program.settings.settings.preferences ?? preferencesSchema.parse({}) }),
    'preferences.write': ({ preferences }) => program.setPreferences(preferences),
    'zoom.set': (wish) => ({ factor: program.setZoom(wish) }),
    'settings.setTheme': ({ theme }) => program.setTheme(theme),
    'vault.list': () => ({ variables: program.vault.variables(), problem: program.vault.problem() }),
    'vault.set': async ({ variable, value }) => {
      program.vault.set(variable, value);
      await program.deliverKeys();
    },
    'vault.remove': async ({ variable }) => {
      program.vault.remove(variable);
      await program.deliverKeys();
    },
    'window.openNew': () => program.openWindow(window.content),
    'workspace.choose': async () => {
      const folder = await chooseFolder(window);
      return { opened: folder !== undefined && (await program.openWorkspace(window, folder)) };
    },
    'workspace.open': async ({ path }) => ({ opened: await program.openWorkspace(window, path) }),
  };
}

function infoOf({ settings }: ProgramActions, { content: { workspace, problem } }: AppWindow) {
  return {
    version: app.getVersion(),
    workspace,
    ...(problem === undefined ? {} : { workspaceProblem: problem }),
    theme: settings.settings.theme,
    recentWorkspaces: settings.recentWorkspaces(),
  };
}

/** Undefined when the dialog was closed without a choice. */
async function chooseFolder({ browserWindow, content: { workspace } }: AppWindow): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog(browserWindow, {
    title: 'Open Folder',
    properties: ['openDirectory', 'createDirectory'],
    ...(workspace === null ? {} : { defaultPath: workspace }),
  });
  return filePaths[0];
}
