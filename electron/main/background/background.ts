/**
 * Runs the triggers of all workspaces while the program has no window: the command line's `serve` in a utility process,
 * and an icon in the system's tray.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { app, BrowserWindow, Menu, type MenuItemConstructorOptions, nativeImage, Tray, utilityProcess } from 'electron';
import { baseFolderOf } from '../../../engine/packs/pack/pack-folders.ts';
import type { BackgroundState } from '../../ipc/contracts/background-contract.ts';
import { systemClock } from '../../ipc/engine-base.ts';
import { fromHostMessage } from '../../ipc/host-messages.ts';
import type { KeyDelivery } from '../consent/key-delivery.ts';
import type { DiagnosticLog } from '../diagnostics/log-file.ts';
import { recordStream } from '../diagnostics/record.ts';
import { builtInPacks, cliHostFile, trayIcon } from '../program-paths.ts';
import type { SettingsStore } from '../settings-store.ts';
import { text } from '../text.ts';
import { BackgroundService, type ServiceProcess } from './background-service.ts';
import { readSwitchedOn } from './switched-on.ts';

interface BackgroundParts {
  readonly settings: SettingsStore;
  /** An empty folder to use instead of the user's base folder; undefined to use the user's own. */
  readonly baseFolder: string | undefined;
  readonly delivery: KeyDelivery;
  readonly log: DiagnosticLog;
  readonly onChange: (state: BackgroundState) => void;
}

/** Runs `millrace serve install`, `uninstall` or `status` for a workspace. */
export type RunServe = (
  action: 'install' | 'uninstall' | 'status',
  workspace: string,
) => Promise<{
  readonly code: number;
  readonly out: string;
  /** Without the program's name. */
  readonly error: string;
}>;

/** What the program does without a window. */
export interface Background {
  /** Undefined on systems that never have systemd, and if the program is not packaged. */
  readonly runServe: RunServe | undefined;
  readonly state: BackgroundState;
  /** Starts the service if the user has chosen so. Called after the first window has opened. */
  start(): void;
  /** Starts or ends the service, and stores the choice. */
  set(isOn: boolean): void;
  /** Ends the service before the program quits. */
  close(): Promise<void>;
}

/** Longer than any run: the program decides how long it waits. */
const drainSeconds = 86_400;

/** Changes within this time, in milliseconds, are read together. */
const gatherMs = 200;

/** Creates the service. It starts nothing by itself. */
export function createBackground({ settings, baseFolder, delivery, log, onChange }: BackgroundParts): Background {
  const switchedOn = readSwitchedOn(baseFolder ?? baseFolderOf(process.env));
  const showTray = createTray();
  const service = new BackgroundService({
    ...{ clock: systemClock, ...switchedOn },
    fork: (workspaces) => forkService(workspaces, { delivery, log }),
    onChange(state) {
      showTray(state);
      onChange(state);
    },
  });
  let endTimer: (() => void) | undefined;
  const refreshSoon = (): void => {
    endTimer?.();
    endTimer = systemClock.setTimer(() => service.refresh(), gatherMs);
  };
  return {
    runServe: process.platform === 'linux' && existsSync(script) ? runServe : undefined,
    get state() {
      return service.state;
    },
    start() {
      switchedOn.watch(refreshSoon);
      if (settings.settings.keepsRunning) service.set(true);
    },
    set(isOn) {
      settings.update({ keepsRunning: isOn });
      service.set(isOn);
    },
    async close() {
      endTimer?.();
      await service.close();
    },
  };
}

/** Starts the command line's `serve` with the keys of the vault, which it keeps only in memory. */
function forkService(
  workspaces: readonly string[],
  { delivery, log }: Pick<BackgroundParts, 'delivery' | 'log'>,
): ServiceProcess {
  const folders = workspaces.flatMap((workspace) => ['--workspace', workspace]);
  const command = ['serve', '--json', '--drain', String(drainSeconds), ...folders];
  const child = utilityProcess.fork(cliHostFile, ['service', builtInPacks(), app.getPath('userData'), ...command], {
    serviceName: 'Millrace Service',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.stderr !== null) recordStream(log, 'service', child.stderr);
  const keys = delivery.attach((message) => child.postMessage(message));
  child.on('message', (data) => {
    const message = fromHostMessage.parse(data);
    if (message.type === 'keys-taken') keys.took(message.delivery);
  });
  child.once('exit', keys.leave);
  const onLineOf = (stream: NodeJS.ReadableStream | null, listener: (line: string) => void): void => {
    if (stream !== null) createInterface({ input: stream }).on('line', listener);
  };
  return {
    end: () => child.postMessage({ type: 'shutdown' }),
    kill() {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    },
    onLine: (listener) => onLineOf(child.stdout, listener),
    onNote: (listener) => onLineOf(child.stderr, (line) => listener(line.replace(/^(?:note|millrace): /, ''))),
    onExit: (listener) => child.once('exit', listener),
  };
}

/** The script of the packaged program: a utility process loses output that is unread when it exits. */
const script = path.join(path.dirname(process.execPath), 'bin', 'millrace');

const runServe: RunServe = async (action, workspace) =>
  await new Promise((resolve) => {
    execFile(script, ['serve', action, '--workspace', workspace], (failure, out, error) => {
      const code = failure === null ? 0 : 1;
      resolve({ code, out, error: error.trim().replace(/^millrace: /, '') || (failure?.message ?? '') });
    });
  });

/** Returns a function that shows the state in the system's tray, with an icon only while the service is on. */
function createTray(): (state: BackgroundState) => void {
  let tray: Tray | undefined;
  return (state) => {
    if (!state.isOn) {
      tray?.destroy();
      tray = undefined;
      return;
    }
    if (tray === undefined) {
      const icon = nativeImage.createFromPath(trayIcon());
      icon.setTemplateImage(true);
      tray = new Tray(icon);
      tray.setToolTip('Millrace');
      tray.on('click', open);
    }
    // On Linux, a menu that was changed must be set again.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state)));
  };
}

/** Shows a window. Without one, the program opens one as if the user had activated it in the dock of macOS. */
function open(): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) app.emit('activate', {}, false);
  else window.show();
}

function trayMenu({ service, workspaces }: BackgroundState): MenuItemConstructorOptions[] {
  const words = text().background;
  const [next] = workspaces.flatMap((one) => one.next ?? []).sort((a, b) => a.at - b.at);
  const count = workspaces.reduce((sum, { running }) => sum + running, 0);
  const nextText = next === undefined ? words.noNext : words.next({ trigger: next.trigger, time: timeText(next.at) });
  return [
    { label: words.open, click: open },
    { type: 'separator' },
    { label: service === 'waiting' ? words.failed : nextText, enabled: false },
    { label: words.active({ count }), enabled: false },
    { type: 'separator' },
    { label: words.quit, role: 'quit' },
  ];
}

function timeText(time: number): string {
  return new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(time);
}
