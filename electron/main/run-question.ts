/**
 * Asks before runs are cut short: they end with the engine of their workspace, and that ends with its last window.
 */
import type { MessageBoxOptions } from 'electron';
import type { Ending, LeaveQuestion, ShowMessage } from './leave-guard.ts';

const endings: Readonly<Record<Ending, { readonly what: string; readonly button: string }>> = {
  closeWindow: { what: 'Closing this window', button: 'Close' },
  openFolder: { what: 'Opening another folder in this window', button: 'Open' },
  quit: { what: 'Quitting', button: 'Quit' },
};

interface RunningWindow {
  /** How many runs end when this window gives up its workspace. */
  runsAtStake(): number;
}

/** @param runsUnderWay how many runs go on in the whole program */
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
