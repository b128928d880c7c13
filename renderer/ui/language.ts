/**
 * The language of the window, and the tables of text in it. Each area has a `text.ts` with its English text, and may have a
 * `text.de.ts` with the same keys in German. Main serves the page with the language on its root element, so it is known before
 * any other module runs. A choice of another language reloads the page.
 */

/** `pseudo` is English with accents and extra length, for tests. */
export type Language = 'en' | 'de' | 'pseudo';

/** The value of `lang` on the page's root element for each language. */
const tags: Readonly<Record<Language, string>> = { en: 'en', de: 'de', pseudo: 'en-x-pseudo' };

/** Whole sentences, or functions from named values to whole sentences. */
export interface TextTable {
  readonly [key: string]: string | ((...values: never[]) => string) | TextTable;
}

/** A table in another language: the same keys, each optional. A missing text appears in English. */
export type Translation<Table> = {
  readonly [Key in keyof Table]?: Table[Key] extends string
    ? string
    : Table[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translation<Table[Key]>;
};

/** The language of this page; English outside of a page, such as in a worker. */
export const language: Language = languageOf(globalThis.document?.documentElement?.lang ?? '');

const translations = new Map<string, Translation<TextTable>>();

function languageOf(tag: string): Language {
  const known = Object.keys(tags) as Language[];
  return known.find((one) => tags[one] === tag) ?? 'en';
}

/** The locale of numbers and plurals. Dates in an English window use the locale of the system. */
const locale = language === 'de' ? 'de' : 'en';

/** Created at the first use, because each takes milliseconds. */
let numbers: Intl.NumberFormat | undefined;
let plurals: Intl.PluralRules | undefined;

/** Formats a whole number or a fraction in the language of the window: `12,345`. */
export function numberText(value: number): string {
  numbers ??= new Intl.NumberFormat(locale);
  return numbers.format(value);
}

/** Whole texts for a count of one, for all other counts, and for none if that needs another sentence. */
export interface PluralForms {
  readonly zero?: string;
  readonly one: string;
  readonly other: string;
}

/** Returns the form for a count: `plural(count, { one: 'Delete 1 run?', other: `Delete ${numberText(count)} runs?` })`. */
export function plural(count: number, { zero, one, other }: PluralForms): string {
  if (count === 0 && zero !== undefined) return zero;
  plurals ??= new Intl.PluralRules(locale);
  return plurals.select(count) === 'one' ? one : other;
}

/** Adds the translation of an area. Must run before the module with the English text of the area. */
export function addTranslation<Table extends TextTable>(area: string, table: Translation<Table>): void {
  translations.set(area, table);
}

/**
 * Returns the text of an area in the language of the window.
 * @param area the folder of the area, as `german.ts` names it
 */
export function inLanguage<Table extends TextTable>(area: string, english: Table): Table {
  if (language === 'pseudo') return mapTable(english, pseudoText) as Table;
  const translation = translations.get(area);
  return translation === undefined ? english : (mergeTables(english, translation) as Table);
}

function mergeTables(english: TextTable, translation: Translation<TextTable>): TextTable {
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => {
      const translated = translation[key];
      const isNested = typeof text === 'object' && typeof translated === 'object';
      return [key, isNested ? mergeTables(text, translated) : (translated ?? text)];
    }),
  ) as TextTable;
}

function mapTable(table: TextTable, change: (text: string) => string): TextTable {
  return Object.fromEntries(
    Object.entries(table).map(([key, text]) => {
      if (typeof text === 'string') return [key, change(text)];
      if (typeof text !== 'function') return [key, mapTable(text, change)];
      return [key, (...values: never[]) => change(text(...values))];
    }),
  );
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ö',
  u: 'ü',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ö',
  U: 'Ü',
};

/** Adds accents and a third of the length, which is about what German needs. Names in braces stay; see `withParts`. */
function pseudoText(text: string): string {
  const accented = text.replace(/\{\w+\}|[aeiou]/gi, (match) => accents[match] ?? match);
  return `${accented}${'~'.repeat(Math.ceil(text.length / 3))}`;
}
