/**
 * Updates and downgrades this program on this machine.
 */
import path from 'node:path';
import { app, autoUpdater, dialog } from 'electron';
import type { Updates } from '../../ipc/contracts/update-contract.ts';
import { systemClock } from '../../ipc/engine-base.ts';
import { currentTeam } from '../consent/current-team.ts';
import type { SettingsStore } from '../settings-store.ts';
import { type InstallPackage, installerOf, type Restart } from './install-package.ts';
import { StoredUpdatePackages } from './kept-packages.ts';
import { installOnMac } from './mac-updater.ts';
import { text } from './text.ts';
import { readUpdateSource, type UpdateSource } from './update-source.ts';
import { type TeamUpdates, Updater } from './updater.ts';
import { findUpdateRollback, type UpdateRollback } from './way-back.ts';

interface OwnInstallation {
  readonly version: string;
  readonly source: UpdateSource;
  readonly kept: StoredUpdatePackages;
  readonly install: InstallPackage | undefined;
}

function ownInstallation(): OwnInstallation {
  const source = readUpdateSource(app.isPackaged ? process.resourcesPath : undefined);
  const { platform, env, execPath } = process;
  const machine = { platform, env, programFolder: path.dirname(execPath), installOnMac };
  return {
    source,
    version: app.getVersion(),
    kept: new StoredUpdatePackages(path.join(app.getPath('userData'), 'updates')),
    install: source.kind === undefined ? undefined : installerOf(source.kind, machine),
  };
}

/**
 * Creates the updater.
 * @param onChange called when the updater's state has changed
 */
export function createUpdater(settings: SettingsStore, onChange: (updates: Updates) => void): Updater {
  return new Updater({
    ...ownInstallation(),
    arch: process.arch,
    clock: systemClock,
    settings: settings.settings.updates ?? { isAutomatic: true, channel: 'stable', checkedAt: null },
    team: teamUpdates,
    keepSettings: (updates) => {
      try {
        settings.update({ updates });
      } catch (error) {
        process.stderr.write(`millrace: not kept for the next start: ${error}\n`);
      }
    },
    onChange,
    restart,
  });
}

async function teamUpdates(): Promise<TeamUpdates | undefined> {
  const team = await currentTeam();
  const updates = team?.rules.updates;
  return team === undefined || updates === undefined ? undefined : { ...updates, lockedBy: team.lockedBy };
}

function restart(next: Restart | null): void {
  if (process.platform === 'darwin') {
    // The system's updater starts the new version.
    autoUpdater.quitAndInstall();
    return;
  }
  app.once('will-quit', () => relaunch(next));
  app.quit();
}

function relaunch(next: Restart | null): void {
  if (next === null) return;
  app.relaunch(next.program === null ? {} : { execPath: next.program });
}

/**
 * Asks after failed starts whether to go back to the previous version, if its package is stored. Resolves to whether
 * this program exits to do so.
 */
export async function offerRollback(): Promise<boolean> {
  const installation = ownInstallation();
  const wayBack = findUpdateRollback(installation);
  if (wayBack === undefined) return false;
  const words = text();
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: words.rollback({ version: installation.version, former: wayBack.version }),
    detail: words.rollbackDetail,
    buttons: [words.goBack({ version: wayBack.version }), words.startNormally],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0 && (await goBack(wayBack));
}

async function goBack(wayBack: UpdateRollback): Promise<boolean> {
  try {
    const ended = await wayBack.go();
    if (ended.is === 'by-hand') {
      await dialog.showMessageBox({
        type: 'info',
        message: ended.why,
        detail: text().byHand({ command: ended.command }),
      });
    }
    if (ended.is !== 'done' && ended.is !== 'when-ended') return false;
    restart(ended.is === 'done' ? ended.restart : null);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    dialog.showErrorBox(text().installFailed({ version: wayBack.version }), message);
    return false;
  }
}
