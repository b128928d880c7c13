/**
 * Selects the language of menus, dialogs and notifications, which is the windows' language. Each folder's text is in
 * `text.ts` (English) and `text.de.ts`. Error messages with a code, command line output and the log are in English.
 */
import type { Preferences } from '../ipc/contracts/main-contract.ts';

type Language = Preferences['language'];

/** The tables of one language, by area. Each has the type of the area's English table. */
export type Translations = Readonly<Record<string, unknown>>;

interface LanguageSource {
  /** Returns the current language, which the user may change while the program runs. */
  readonly read: () => Language;
  /** Loads the German tables, which an English program never needs. */
  readonly loadGerman: () => Promise<Translations>;
}

/** English until the settings are read. */
let source: LanguageSource = { read: () => 'en', loadGerman: async () => ({}) };
let german: Translations = {};

/** Sets where the language and its tables come from. Call `loadLanguage` next. */
export function followLanguage(from: LanguageSource): void {
  source = from;
}

/** Loads the tables of the current language. Until then, text is in English. */
export async function loadLanguage(): Promise<void> {
  if (source.read() === 'de') german = await source.loadGerman();
}

/** Returns a function that returns the area's table in the current language. @param area as in `german.ts` */
export function inLanguage<Table>(area: string, english: Table): () => Table {
  return () => (source.read() === 'de' ? ((german[area] as Table | undefined) ?? english) : english);
}

/** Returns the singular text for a count of one, otherwise the plural. The rule is the same in English and German. */
export function plural(count: number, { one, other }: { readonly one: string; readonly other: string }): string {
  return count === 1 ? one : other;
}
