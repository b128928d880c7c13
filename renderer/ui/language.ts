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

/** The language of this page; English outside a page, such as in a worker. */
export const language: Language = languageOf(globalThis.document?.documentElement?.lang ?? '');

const translations = new Map<string, Translation<TextTable>>();

function languageOf(tag: string): Language {
  const known = Object.keys(tags) as Language[];
  return known.find((one) => tags[one] === tag) ?? 'en';
}

/** The locale of numbers and plurals. */
const locale = language === 'de' ? 'de' : 'en';

/** The locale of dates and times. In an English window it is the locale of the system. */
export const dateLocale = language === 'de' ? 'de' : undefined;

/** Created at the first use, because each takes milliseconds. */
let numbers: Intl.NumberFormat | undefined;
const decimals = new Map<number, Intl.NumberFormat>();
const dollars = new Map<number, Intl.NumberFormat>();
let plurals: Intl.PluralRules | undefined;

/** Formats a whole number or a fraction in the language of the window: `12,345`. */
export function numberText(value: number): string {
  numbers ??= new Intl.NumberFormat(locale);
  return numbers.format(value);
}

/** Formats a number with this many digits after the decimal sign: `0.2`, in German `0,2`. */
export function decimalText(value: number, digits: number): string {
  return formatOf(decimals, digits, { useGrouping: false }).format(value);
}

/** Formats US dollars with this many digits after the decimal sign: `$0.018`, in German `0,018 $`. */
export function dollarText(value: number, digits: number): string {
  return formatOf(dollars, digits, { style: 'currency', currency: 'USD' }).format(value);
}

function formatOf(
  formats: Map<number, Intl.NumberFormat>,
  digits: number,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const known = formats.get(digits);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, {
    ...options,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(digits, made);
  return made;
}

/** The commonest parameters of texts. */
export interface Counted {
  readonly count: number;
}
export interface Named {
  readonly name: string;
}
export interface Labeled {
  readonly label: string;
}
export interface Numbered {
  readonly number: number;
}

/** Complete text for a count of one, for all other counts, and for zero if that needs a different sentence. */
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
