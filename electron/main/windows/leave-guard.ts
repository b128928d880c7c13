/**
 * Asks the user before a window closes or leaves its folder, and before the program quits, if this would end active
 * runs or lose unsaved text.
 */
import type { BrowserWindow, MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import { text } from '../text.ts';

/** The action that the user is about to take. */
export type LeaveAction = 'closeWindow' | 'openFolder' | 'quit';

/** The window members that the questions use. */
export interface LeavingWindow {
  readonly browserWindow: Pick<BrowserWindow, 'isDestroyed' | 'destroy'> & { on: BrowserWindow['on'] };
}

/** One question. `window` is the window that closes; null if the whole program quits. */
export interface LeaveQuestion<Window> {
  /** Returns whether the question needs to be asked. */
  isAtStake(window: Window | null): boolean;
  /** Asks the user and acts on the answer. Resolves to whether the window or program may end. */
  ask(ending: LeaveAction, window: Window | null): Promise<boolean>;
}

/** Shows a question. Without a window, it belongs to the program. */
export type ShowMessage<Window> = (options: MessageBoxOptions, window: Window | null) => Promise<MessageBoxReturnValue>;

/** The members of Electron's `app` used here. */
interface QuittableApp {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

export class LeaveGuard<Window extends LeavingWindow> {
  readonly #app: QuittableApp;
  readonly #questions: readonly LeaveQuestion<Window>[];
  #isAsking = false;
  #mayQuit = false;

  /**
   * @param questions in the order in which they are asked; each is only asked if the earlier ones were answered with
   * yes
   */
  constructor(app: QuittableApp, questions: readonly LeaveQuestion<Window>[]) {
    this.#app = app;
    this.#questions = questions;
  }

  /** Returns whether a window may leave its workspace. Asks the user if runs or unsaved text would be lost. */
  async mayLeave(window: Window, ending: LeaveAction): Promise<boolean> {
    return this.#mayQuit || (await this.#ask(ending, window));
  }

  /** Keeps a window open until nothing is at stake or the user has agreed. */
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

  /**
   * Keeps the program running until nothing is at stake or the user has agreed. The system may still end it
   * immediately.
   */
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

  /** Asks one question at a time. A second caller is refused and can try again later. */
  async #ask(ending: LeaveAction, window: Window | null): Promise<boolean> {
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

interface RunningWindow {
  /** Returns the number of runs that end if this window leaves its workspace. */
  runsAtStake(): number;
}

/**
 * Asks before runs are canceled. They end with the engine of their workspace, which ends with its last window.
 * @param runsUnderWay returns the number of active runs in the whole program
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

function messageOf(ending: LeaveAction, count: number): MessageBoxOptions {
  const words = text().leave;
  const buttons = { closeWindow: words.cancelAndClose, openFolder: words.cancelAndOpen, quit: words.cancelAndQuit };
  return {
    type: 'warning',
    message: words.runs({ count }),
    detail: words[ending]({ count }),
    buttons: [buttons[ending]({ count }), words.keepRunning],
    defaultId: 1,
    cancelId: 1,
  };
}
