/**
 * Asks before a window is closed or leaves its folder, and before the program ends, if something would be lost by it: runs
 * that are cut short, text that was not saved.
 */
import type { BrowserWindow, MessageBoxOptions, MessageBoxReturnValue } from 'electron';

/** What the person is about to do. */
export type Ending = 'closeWindow' | 'openFolder' | 'quit';

/** A window as far as the questions need it. */
export interface LeavingWindow {
  readonly browserWindow: Pick<BrowserWindow, 'isDestroyed' | 'destroy'> & { on: BrowserWindow['on'] };
}

/** One thing to be asked about. `window` is the one that ends; null = all do, with the program. */
export interface LeaveQuestion<Window> {
  /** Whether there is something to ask at all. */
  isAtStake(window: Window | null): boolean;
  /** Asks, and does what was answered. Resolves to whether it may end. */
  ask(ending: Ending, window: Window | null): Promise<boolean>;
}

/** Shows a question; one without a window belongs to the program. */
export type ShowMessage<Window> = (options: MessageBoxOptions, window: Window | null) => Promise<MessageBoxReturnValue>;

/** The part of Electron's `app` that is used here. */
interface QuittableApp {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

export class LeaveGuard<Window extends LeavingWindow> {
  readonly #app: QuittableApp;
  readonly #questions: readonly LeaveQuestion<Window>[];
  #isAsking = false;
  #mayQuit = false;

  /** @param questions in the order in which they are asked; what the later ones do happens when the earlier ones said yes */
  constructor(app: QuittableApp, questions: readonly LeaveQuestion<Window>[]) {
    this.#app = app;
    this.#questions = questions;
  }

  /** Whether a window may give up its workspace: asks when that would cost something. */
  async mayLeave(window: Window, ending: Ending): Promise<boolean> {
    return this.#mayQuit || (await this.#ask(ending, window));
  }

  /** Keeps a window open until nothing is at stake or the person has agreed. */
  watchClosing(window: Window): void {
    const { browserWindow } = window;
    browserWindow.on('close', (event) => {
      if (this.#mayQuit || !this.#isAtStake(window)) return;
      event.preventDefault();
      void this.mayLeave(window, 'closeWindow').then((mayLeave) => {
        if (mayLeave && !browserWindow.isDestroyed()) browserWindow.destroy();
      });
    });
  }

  /** Keeps the program until nothing is at stake or the person has agreed. The system may end it at once. */
  watchQuitting(): void {
    this.#app.on('before-quit', (event) => {
      if (this.#mayQuit || !this.#isAtStake(null)) return;
      event.preventDefault();
      void this.#ask('quit', null).then((mayQuit) => {
        if (mayQuit) this.#quit();
      });
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#quit());
  }

  #quit(): void {
    this.#mayQuit = true;
    this.#app.quit();
  }

  #isAtStake(window: Window | null): boolean {
    return this.#questions.some((question) => question.isAtStake(window));
  }

  /** One question at a time: whoever asks while one is open gets a no, and can ask again. */
  async #ask(ending: Ending, window: Window | null): Promise<boolean> {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    try {
      for (const question of this.#questions) {
        if (question.isAtStake(window) && !(await question.ask(ending, window))) return false;
      }
      return true;
    } finally {
      this.#isAsking = false;
    }
  }
}

const endings: Readonly<Record<Ending, { readonly what: string; readonly button: string }>> = {
  closeWindow: { what: 'Closing this window', button: 'Close' },
  openFolder: { what: 'Opening another folder in this window', button: 'Open' },
  quit: { what: 'Quitting', button: 'Quit' },
};

interface RunningWindow {
  /** How many runs end when this window gives up its workspace. */
  runsAtStake(): number;
}

/**
 * Asks before runs are cut short: they end with the engine of their workspace, and that ends with its last window.
 * @param runsUnderWay how many runs go on in the whole program
 */
export function createRunQuestion<Window extends RunningWindow>(
  runsUnderWay: () => number,
  show: ShowMessage<Window>,
): LeaveQuestion<Window> {
  const runsOf = (window: Window | null): number => (window === null ? runsUnderWay() : window.runsAtStake());
  return {
    isAtStake: (window) => runsOf(window) > 0,
    ask: async (ending, window) => (await show(messageOf(ending, runsOf(window)), window)).response === 0,
  };
}

function messageOf(ending: Ending, runs: number): MessageBoxOptions {
  const { what, button } = endings[ending];
  const [subject, object] = runs === 1 ? ['A run is', 'it'] : [`${runs} runs are`, 'them'];
  return {
    type: 'warning',
    message: `${subject} still under way.`,
    detail: `${what} cancels ${object}. What was done until then is kept in the history.`,
    buttons: [`Cancel ${runs === 1 ? 'Run' : 'Runs'} and ${button}`, 'Go On'],
    defaultId: 1,
    cancelId: 1,
  };
}
