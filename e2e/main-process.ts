/**
 * What happens outside of pages: the application menu, questions of the system, and processes that die.
 */
import { type ElectronApplication, expect } from '@playwright/test';

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

/** Kills the engine host as the system would, and waits for one that is not dying already. */
export async function killEngine(app: ElectronApplication): Promise<void> {
  const killLivingHost = () =>
    app.evaluate(({ app: electronApp }) => {
      const killed: Set<number> = Reflect.get(globalThis, 'killedHosts') ?? new Set();
      Reflect.set(globalThis, 'killedHosts', killed);
      const hosts = electronApp
        .getAppMetrics()
        .filter(({ type, name }) => type === 'Utility' && /engine/i.test(name ?? ''));
      const living = hosts.find(({ pid }) => !killed.has(pid));
      if (living === undefined) return false;
      killed.add(living.pid);
      return process.kill(living.pid, 'SIGKILL');
    });
  await expect.poll(killLivingHost).toBe(true);
}
