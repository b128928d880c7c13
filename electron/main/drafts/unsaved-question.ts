/**
 * Asks the user about unsaved text when the last window that shows it closes, or when the program quits.
 */
import type { MessageBoxOptions } from 'electron';
import type { Clock } from '../../ipc/engine-base.ts';
import { text } from '../text.ts';
import type { LeaveQuestion, ShowMessage } from '../windows/leave-guard.ts';
import type { Drafts, UnsavedFile } from './drafts.ts';
import type { DraftUser } from './workspace-drafts.ts';

/** Time in milliseconds that pages have to save all files. */
const saveMs = 10_000;
/** Maximum number of files named in a question. */
const maxNames = 5;
const [saveAll, dontSave] = [0, 1];

interface EditingWindow {
  readonly draftUser: DraftUser;
}

interface UnsavedWorld<Window> {
  readonly drafts: Drafts;
  readonly clock: Clock;
  readonly show: ShowMessage<Window>;
  /** Asks a window's page to save all files that it shows. */
  askToSave(user: DraftUser): void;
}

/**
 * Creates the question about unsaved text. When a window closes, it covers the files that no other window shows. When
 * the program quits, it covers the files of all windows.
 */
export function createUnsavedQuestion<Window extends EditingWindow>(
  world: UnsavedWorld<Window>,
): LeaveQuestion<Window> {
  const atStake = (window: Window | null): UnsavedFile[] =>
    world.drafts.unsavedOnScreen().filter(({ users }) => window === null || isOnlyUser(window.draftUser, users));
  const saveFiles = async (window: Window | null): Promise<boolean> => {
    for (const user of window === null ? usersToSave(atStake(null)) : [window.draftUser]) world.askToSave(user);
    await allSaved(world, () => atStake(window).length === 0);
    const left = atStake(window);
    if (left.length === 0) return true;
    await world.show(leftoverMessage(left), window);
    return false;
  };
  return {
    isAtStake: (window) => atStake(window).length > 0,
    async ask(_ending, window) {
      const { response } = await world.show(questionAbout(atStake(window)), window);
      if (response === saveAll) return saveFiles(window);
      if (response !== dontSave) return false;
      for (const { drafts, path } of atStake(window)) drafts.discard([path]);
      return true;
    },
  };
}

function isOnlyUser(user: DraftUser, users: ReadonlySet<DraftUser>): boolean {
  return users.size === 1 && users.has(user);
}

/** Chooses one window per file, because two windows writing the same file would conflict. */
function usersToSave(files: readonly UnsavedFile[]): Set<DraftUser> {
  const chosen = new Set<DraftUser>();
  for (const { users } of files) {
    const [first] = users;
    if (first !== undefined && ![...users].some((user) => chosen.has(user))) chosen.add(first);
  }
  return chosen;
}

/** Resolves when all files are saved, or after the time limit. */
function allSaved(
  { drafts, clock }: Pick<UnsavedWorld<never>, 'drafts' | 'clock'>,
  isSo: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      endTimer();
      endListening();
      resolve();
    };
    const endListening = drafts.onChange(() => {
      if (isSo()) finish();
    });
    const endTimer = clock.setTimer(finish, saveMs);
    if (isSo()) finish();
  });
}

function questionAbout(files: readonly UnsavedFile[]): MessageBoxOptions {
  const words = text().unsaved;
  return {
    type: 'warning',
    message: words.files({ count: files.length }),
    detail: `${namesOf(files)}\n\n${words.detail}`,
    buttons: [words.saveAll, words.dontSave, words.cancel],
    defaultId: 0,
    cancelId: 2,
  };
}

function leftoverMessage(files: readonly UnsavedFile[]): MessageBoxOptions {
  const words = text().unsaved;
  return {
    type: 'warning',
    message: words.failed({ count: files.length }),
    detail: `${namesOf(files)}\n\n${words.failedDetail}`,
    buttons: [words.ok],
  };
}

function namesOf(files: readonly UnsavedFile[]): string {
  const names = files.slice(0, maxNames).map(({ path }) => path);
  const count = files.length - names.length;
  return [...names, ...(count > 0 ? [text().unsaved.more({ count })] : [])].join('\n');
}
