/**
 * Selects the language of menus, dialogs and notifications, which is the windows' language. Each folder's text is in
 * `text.ts` (English) and `text.de.ts`. Error messages with a code, command line output and the log are in English.
 */
import type { Preferences } from '../ipc/contracts/main-contract.ts';

type Language = Preferences['language'];

/** English until the settings are read. */
let readLanguage = (): Language => 'en';

/** @param read returns the current language, which the user may change while the program runs */
export function followLanguage(read: () => Language): void {
  readLanguage = read;
}

/** Load the German tables, which an English program never reads. */
const loaders: (() => Promise<void>)[] = [];

/**
 * Returns a function that returns the table in the current language.
 * @param loadGerman called by `loadLanguage`
 */
export function inLanguage<Table>(english: Table, loadGerman: () => Promise<Table>): () => Table {
  let german: Table | undefined;
  loaders.push(async () => {
    german ??= await loadGerman();
  });
  return () => (readLanguage() === 'de' ? (german ?? english) : english);
}

/** Loads the tables of the current language. Until then, text is in English. */
export async function loadLanguage(): Promise<void> {
  if (readLanguage() === 'de') await Promise.all(loaders.map((load) => load()));
}

/** Returns the singular text for a count of one, otherwise the plural. The rule is the same in English and German. */
export function plural(count: number, { one, other }: { readonly one: string; readonly other: string }): string {
  return count === 1 ? one : other;
}
