/**
 * What happens outside of pages: the application menu, questions of the system, and processes that die.
 */
import { type ElectronApplication, expect } from '@playwright/test';
import type { RunningProgram } from './program.ts';

/** Chooses an entry of the application menu by its labels, for the window in front (`&` marks a key and is left out). */
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
 * Answers every question from now on with the button of that name (the last one when there is none).
 * @returns reads what was asked since
 */
export async function answerQuestions(app: ElectronApplication, button: string): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }, wanted) => {
    const asked: string[] = [];
    Reflect.set(globalThis, 'askedQuestions', asked);
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail, buttons = [] } = args.at(-1) as Electron.MessageBoxOptions;
      asked.push(`${message} ${detail}`);
      return { response: buttons.indexOf(wanted), checkboxChecked: false };
    };
  }, button);
  return () => app.evaluate(() => Reflect.get(globalThis, 'askedQuestions') as string[]);
}

/** Keeps the system's error boxes from being shown. @returns reads what they would have said since */
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

/** Kills the engine host as the system would, and waits for one that is not dying already. */
export async function killEngine(app: ElectronApplication): Promise<void> {
  const killed = killedHosts.get(app) ?? [];
  const pid = await livingHost(app, killed);
  killedHosts.set(app, [...killed, pid]);
  process.kill(pid, 'SIGKILL');
}

/** Kills the engine host and waits until the window has the one that follows. */
export async function replaceEngine({ app, page }: RunningProgram): Promise<void> {
  await killEngine(app);
  // Before another is started, the window is told of the end; from then on it says "ready" of the other only.
  await livingHost(app, killedHosts.get(app) ?? []);
  await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
}
