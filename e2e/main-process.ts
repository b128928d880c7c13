/**
 * What a person does outside of pages: the application menu, and questions that the system shows.
 */
import type { ElectronApplication } from '@playwright/test';

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
