/**
 * Commands of the Help menu for troubleshooting: copying diagnostics, opening the logs, starting in safe mode, and
 * resetting settings.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { arch, release } from 'node:os';
import path from 'node:path';
import { app, type BrowserWindow, clipboard, dialog, shell } from 'electron';
import type { SecretVault } from '../consent/secret-vault.ts';
import { thirdPartyLicenses } from '../program-paths.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { HelpMenuAction } from '../windows/app-menu.ts';
import type { DiagnosticLog } from './log-file.ts';
import { diagnosticsText } from './report.ts';

/** Runs the command that the user chose in the menu of a window; undefined if no window is focused. */
export type Help = (wish: HelpMenuAction, window: BrowserWindow | undefined) => Promise<void>;

/** Flag that starts the program without the user's packs, trust and settings. */
export const safeModeFlag = '--safe-mode';

interface HelpParts {
  readonly log: DiagnosticLog;
  readonly redact: (text: string) => string;
  readonly settings: SettingsStore;
  readonly vault: SecretVault;
  readonly isSafe: boolean;
  /** Applies the reset settings to all windows. */
  applyDefaults(): void;
}

const logLines = 200;

export function createHelp(parts: HelpParts): Help {
  return async (wish, window) => {
    const show = (options: Electron.MessageBoxOptions) =>
      window === undefined ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options);
    const acts: Record<HelpMenuAction, () => Promise<unknown>> = {
      licenses: () => open(thirdPartyLicenses()),
      showLogs: () => {
        mkdirSync(parts.log.folder, { recursive: true });
        return open(parts.log.folder);
      },
      copyDiagnostics: () => copyDiagnostics(parts, show),
      resetSettings: () => resetSettings(parts, show),
      restartInSafeMode: async () => {
        app.relaunch({ args: [...process.argv.slice(1).filter((arg) => arg !== safeModeFlag), safeModeFlag] });
        app.quit();
      },
    };
    await acts[wish]();
  };
}

type Show = (options: Electron.MessageBoxOptions) => Promise<Electron.MessageBoxReturnValue>;

/** Opens a file or folder in the system's default program, or shows its path if there is none. */
async function open(place: string): Promise<void> {
  const problem = await shell.openPath(place);
  if (problem !== '') dialog.showErrorBox('The system does not show it', `${problem}\n\nIt lies at ${place}`);
}

async function copyDiagnostics({ log, redact, settings, vault, isSafe }: HelpParts, show: Show): Promise<void> {
  const { electron, chrome, node } = process.versions;
  const text = diagnosticsText({
    version: app.getVersion(),
    versions: { electron, chrome, node },
    packageType: packageType(),
    system: `${process.platform} ${release()} ${arch()}`,
    isSafe,
    settings: settings.settings,
    keys: vault.variables().length,
    log: log.tail(logLines),
    redact,
  });
  clipboard.writeText(text);
  await show({
    type: 'info',
    message: 'The diagnostics are copied.',
    detail: `Versions, the system, settings and the last lines of the log, without keys and the name of your home folder. Paste them where you ask for help, and look them over before: what flows and agents wrote into the log may be yours alone.\n\nNothing was sent. Logs and crash reports lie in ${log.folder}`,
  });
}

/** Returns how the program was installed, as stated in its package. */
function packageType(): string {
  if (!app.isPackaged) return 'from a clone';
  try {
    return readFileSync(path.join(process.resourcesPath, 'package-type'), 'utf8');
  } catch {
    return 'unknown';
  }
}

async function resetSettings({ settings, applyDefaults }: HelpParts, show: Show): Promise<void> {
  const { response } = await show({
    type: 'warning',
    message: 'Reset all settings of the program?',
    detail:
      'Theme, size, keys, the editor and the list of recent folders are as at the first start. Flows, packs, models, keys of models and trusted folders stay. A copy of the settings is kept.',
    buttons: ['Reset Settings', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return;
  try {
    const copy = settings.reset();
    applyDefaults();
    if (copy !== null)
      await show({ type: 'info', message: 'The settings are reset.', detail: `Their copy is ${copy}` });
  } catch (error) {
    dialog.showErrorBox('The settings were not reset', error instanceof Error ? error.message : String(error));
  }
}

/** Asks after failed starts. Resolves to whether the user wants safe mode. */
export async function offerSafeMode(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: 'Millrace did not start well the last times. Start in safe mode?',
    detail:
      'In safe mode the program does without your packs, trusted folders, models and settings; all of them stay as they are. Whether one of them is at fault, you see by whether it starts.',
    buttons: ['Safe Mode', 'Start as Usual'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
