/**
 * Asks before runs are cut short: they end with the engine of their workspace, and that ends with its last window.
 */
import { app, type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import type { AppWindow } from './app-window.ts';

const endings = {
  closeWindow: { what: 'Closing this window', button: 'Close' },
  openFolder: { what: 'Opening another folder in this window', button: 'Open' },
  quit: { what: 'Quitting', button: 'Quit' },
} as const;

type Ending = keyof typeof endings;

export class RunGuard {
  readonly #runsUnderWay: () => number;
  #isAsking = false;
  #mayQuit = false;

  /** @param runsUnderWay how many runs go on in the whole program */
  constructor(runsUnderWay: () => number) {
    this.#runsUnderWay = runsUnderWay;
  }

  /** Whether a window may give up its workspace: asks when that would end runs. */
  async mayLeave({ browserWindow, runsAtStake }: AppWindow, ending: Ending): Promise<boolean> {
    const runs = runsAtStake();
    return this.#mayQuit || runs === 0 || (await this.#ask({ runs, ending, browserWindow }));
  }

  /** Keeps a window open until its runs have ended or the person gives them up. */
  watchClosing(window: AppWindow): void {
    const { browserWindow } = window;
    browserWindow.on('close', (event) => {
      if (this.#mayQuit || window.runsAtStake() === 0) return;
      event.preventDefault();
      void this.mayLeave(window, 'closeWindow').then((mayLeave) => {
        if (mayLeave && !browserWindow.isDestroyed()) browserWindow.destroy();
      });
    });
  }

  /** Keeps the program until its runs have ended or the person gives them up. The system's wish to end it is heeded at once. */
  watchQuitting(): void {
    app.on('before-quit', (event) => {
      const runs = this.#runsUnderWay();
      if (this.#mayQuit || runs === 0) return;
      event.preventDefault();
      void this.#ask({ runs, ending: 'quit' }).then((mayQuit) => {
        if (mayQuit) this.#quit();
      });
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#quit());
  }

  #quit(): void {
    this.#mayQuit = true;
    app.quit();
  }

  /** One question at a time: whoever asks while it is open gets a no, and can ask again. */
  async #ask(question: Question): Promise<boolean> {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    try {
      return await askToCancel(question);
    } finally {
      this.#isAsking = false;
    }
  }
}

interface Question {
  readonly runs: number;
  readonly ending: Ending;
  /** The window that the question belongs to; without it, it belongs to the program. */
  readonly browserWindow?: BrowserWindow;
}

async function askToCancel({ runs, ending, browserWindow }: Question): Promise<boolean> {
  const { what, button } = endings[ending];
  const [subject, object] = runs === 1 ? ['A run is', 'it'] : [`${runs} runs are`, 'them'];
  const options: MessageBoxOptions = {
    type: 'warning',
    message: `${subject} still under way.`,
    detail: `${what} cancels ${object}. What was done until then is kept in the history.`,
    buttons: [`Cancel ${runs === 1 ? 'Run' : 'Runs'} and ${button}`, 'Go On'],
    defaultId: 1,
    cancelId: 1,
  };
  const asked =
    browserWindow === undefined ? dialog.showMessageBox(options) : dialog.showMessageBox(browserWindow, options);
  return (await asked).response === 0;
}
