/**
 * Handles the Help menu's troubleshooting commands: copying diagnostics, opening the logs, starting in safe mode, and
 * resetting settings.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { arch, release } from 'node:os';
import path from 'node:path';
import { app, type BrowserWindow, clipboard, dialog, shell } from 'electron';
import type { SecretVault } from '../consent/secret-vault.ts';
import { thirdPartyLicenses } from '../program-paths.ts';
import type { SettingsStore } from '../settings-store.ts';
import { text } from '../text.ts';
import type { HelpMenuAction } from '../windows/app-menu.ts';
import type { DiagnosticLog } from './log-file.ts';
import { diagnosticsText } from './report.ts';

/** Runs a command that the user chose in a window's menu. The window is undefined if none is focused. */
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
  if (problem !== '') dialog.showErrorBox(text().help.showFailed, text().help.showFailedDetail({ problem, place }));
}

async function copyDiagnostics({ log, redact, settings, vault, isSafe }: HelpParts, show: Show): Promise<void> {
  const { electron, chrome, node } = process.versions;
  const report = diagnosticsText({
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
  clipboard.writeText(report);
  await show({
    type: 'info',
    message: text().help.copied,
    detail: text().help.copiedDetail({ folder: log.folder }),
  });
}

/** Returns the program's package type, as stated in its package. */
function packageType(): string {
  if (!app.isPackaged) return 'from a clone';
  try {
    return readFileSync(path.join(process.resourcesPath, 'package-type'), 'utf8');
  } catch {
    return 'unknown';
  }
}

async function resetSettings({ settings, applyDefaults }: HelpParts, show: Show): Promise<void> {
  const words = text().help;
  const { response } = await show({
    type: 'warning',
    message: words.reset,
    detail: words.resetDetail,
    buttons: [words.resetButton, words.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return;
  try {
    const copy = settings.reset();
    applyDefaults();
    if (copy !== null) await show({ type: 'info', message: words.resetDone, detail: words.resetCopy({ file: copy }) });
  } catch (error) {
    dialog.showErrorBox(words.resetFailed, error instanceof Error ? error.message : String(error));
  }
}

/** Asks after failed starts. Resolves to whether the user wants safe mode. */
export async function offerSafeMode(): Promise<boolean> {
  const words = text().help;
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: words.safeMode,
    detail: words.safeModeDetail,
    buttons: [words.safeModeButton, words.startNormally],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
