/**
 * Controls what happens outside of pages: the application menu, system dialogs, and processes that crash.
 */
import { type ElectronApplication, expect } from '@playwright/test';
import type { RunningProgram } from './program.ts';

/**
 * Chooses an entry of the application menu by its labels, for the focused window (`&` marks an access key and is
 * omitted).
 */
export async function chooseInMenu(app: ElectronApplication, ...labels: readonly string[]): Promise<void> {
  await app.evaluate(({ BrowserWindow, Menu }, wanted) => {
    const [window] = BrowserWindow.getAllWindows();
    let menu = Menu.getApplicationMenu();
    let entry: Electron.MenuItem | undefined;
    for (const label of wanted) {
      entry = menu?.items.find((item) => item.label.replace('&', '') === label);
      if (entry === undefined) throw new Error(`The menu has no entry ${label}.`);
      menu = entry.submenu ?? null;
    }
    entry?.click(undefined, window, window?.webContents);
  }, labels);
}

/**
 * Answers every later dialog with the first of its buttons that is named (or with the last one if there is none).
 * @returns a function that reads the questions asked since
 */
export async function answerQuestions(
  app: ElectronApplication,
  ...named: readonly string[]
): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }, wanted) => {
    const asked: string[] = [];
    Reflect.set(globalThis, 'askedQuestions', asked);
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail, buttons = [] } = args.at(-1) as Electron.MessageBoxOptions;
      asked.push(`${message} ${detail}`);
      return { response: buttons.findIndex((button) => wanted.includes(button)), checkboxChecked: false };
    };
  }, named);
  return () => app.evaluate(() => Reflect.get(globalThis, 'askedQuestions') as string[]);
}

/** Suppresses the system's error boxes. @returns a function that reads their messages since */
export async function collectErrorBoxes(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }) => {
    const shown: string[] = [];
    Reflect.set(globalThis, 'shownErrors', shown);
    dialog.showErrorBox = (title, content) => void shown.push(`${title}: ${content}`);
  });
  return () => app.evaluate(() => Reflect.get(globalThis, 'shownErrors') as string[]);
}

/**
 * Waits for an engine host that was not killed before.
 * @returns its process id
 */
export async function livingHost(app: ElectronApplication, killed: readonly number[] = []): Promise<number> {
  const findLiving = () =>
    app.evaluate(({ app: electronApp }, dead) => {
      const hosts = electronApp
        .getAppMetrics()
        .filter(({ type, name }) => type === 'Utility' && /engine/i.test(name ?? ''));
      return hosts.find(({ pid }) => !dead.includes(pid))?.pid ?? 0;
    }, killed);
  let pid = 0;
  await expect.poll(async () => (pid = await findLiving())).not.toBe(0);
  return pid;
}

const killedHosts = new WeakMap<ElectronApplication, number[]>();

/** Kills the engine host as the system would. Waits first for one that is not already exiting. */
export async function killEngine(app: ElectronApplication): Promise<void> {
  const killed = killedHosts.get(app) ?? [];
  const pid = await livingHost(app, killed);
  killedHosts.set(app, [...killed, pid]);
  process.kill(pid, 'SIGKILL');
}

/** Kills the engine host and waits until the window uses its replacement. */
export async function replaceEngine({ app, page }: RunningProgram): Promise<void> {
  await killEngine(app);
  // The window learns of the exit before another host starts, so a later "ready" refers to the new one.
  await livingHost(app, killedHosts.get(app) ?? []);
  await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
}
