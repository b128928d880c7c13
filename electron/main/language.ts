/**
 * The language of menus, dialogs and notifications, which is that of the windows. Tables of text are in `text.ts` (English) and
 * `text.de.ts` of the folders. Messages of errors with a code, output on the command line and the log are English.
 */
import type { Preferences } from '../ipc/contracts/main-contract.ts';

type Language = Preferences['language'];

/** English until the settings are read. */
let readLanguage = (): Language => 'en';

/** @param read returns the language of the moment, which the user may change while the program runs */
export function followLanguage(read: () => Language): void {
  readLanguage = read;
}

/** Returns a function that returns the table in the language of the moment. */
export function inLanguage<Table>(english: Table, german: Table): () => Table {
  return () => (readLanguage() === 'de' ? german : english);
}

/** Returns the text for a count of one, or for all other counts. The rule is the same in English and German. */
export function plural(count: number, { one, other }: { readonly one: string; readonly other: string }): string {
  return count === 1 ? one : other;
}
