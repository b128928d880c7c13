/**
 * Replaces the expressions of Nunjucks templates, as far as they name variables.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { binding } from '../texts.ts';

/** Fills in one template. Undefined if the expression cannot be translated. */
type Translate = (path: readonly string[], filters: readonly string[]) => string | undefined;

/** Fills in the templates of a test. */
export interface TemplateFilling {
  /** @param lost receives a sentence for each expression that stays */
  text(template: string, lost: Set<string>): string;
  /** Returns a filled-in text for the prompt of a judge, in which double braces are bindings. */
  forJudge(text: string): string;
}

const expression = /\{\{-?\s*([\s\S]*?)\s*-?\}\}/g;
const pathAndFilters = /^([A-Za-z_]\w*(?:\.\w+)*)((?:\s*\|\s*\w+)*)$/;

/** Returns text in which nothing is a binding of a judge's prompt, which has no escape. */
const withoutBindings = (text: string): string => text.replaceAll('{{', '{ {');

/**
 * Replaces each expression. Everything else of Nunjucks is kept as text, and reported.
 * @param keep returns how to write an expression that stays
 */
export function fillTemplate(
  template: string,
  translate: Translate,
  { lost, keep }: { readonly lost: Set<string>; readonly keep: (expression: string) => string },
): string {
  if (/\{%|\{#/.test(template)) lost.add('Nunjucks statements ({% … %}) are not evaluated.');
  return template.replace(expression, (whole, inner: string) => {
    const [, path, filters = ''] = pathAndFilters.exec(inner) ?? [];
    const names = filters.split('|').map((name) => name.trim());
    const filled = path === undefined ? undefined : translate(path.split('.'), names.filter(Boolean));
    if (filled === undefined) lost.add(`The expression {{ ${inner} }} is kept as text.`);
    return filled ?? keep(whole);
  });
}

/** Filters that do not change a text. */
const plainFilters: ReadonlySet<string> = new Set(['safe', 'string']);

export function arePlain(filters: readonly string[]): boolean {
  return filters.every((name) => plainFilters.has(name));
}

const filterFunctions: ReadonlyMap<string, (text: string) => string> = new Map(
  Object.entries({
    safe: (text: string) => text,
    string: (text: string) => text,
    trim: (text: string) => text.trim(),
    upper: (text: string) => text.toUpperCase(),
    lower: (text: string) => text.toLowerCase(),
  }),
);

/** Names that promptfoo sets itself. */
const ownNames: ReadonlySet<string> = new Set(['env', 'output', '_conversation']);

/** Fills in the variables of one test. */
export function fillingOf(vars: JsonMap): TemplateFilling {
  const translate =
    (lost: Set<string>): Translate =>
    (path, filters) => {
      const [root = ''] = path;
      if (!Object.hasOwn(vars, root) && ownNames.has(root)) return undefined;
      const value = valueIn(vars, path);
      if (value === undefined) lost.add(`{{${path.join('.')}}} has no value, so it is empty, as in promptfoo.`);
      if (filters.length === 1 && filters[0] === 'dump') return JSON.stringify(value ?? null);
      const functions = filters.map((name) => filterFunctions.get(name));
      if (functions.includes(undefined)) return undefined;
      return functions.reduce((text, apply) => apply?.(text) ?? text, textOf(value));
    };
  return {
    text: (template, lost) => fillTemplate(template, translate(lost), { lost, keep: (whole) => whole }),
    forJudge: withoutBindings,
  };
}

/** Fills in bindings to the columns of a dataset's row, and the values that all rows share. */
export function rowFilling(columns: ReadonlySet<string>, shared: JsonMap): TemplateFilling {
  const others = fillingOf(shared);
  const isColumn = (path: readonly string[]): boolean => path.length === 1 && columns.has(path[0] ?? '');
  return {
    text: (template, lost) =>
      fillTemplate(
        template,
        (path, filters) => {
          if (isColumn(path)) return arePlain(filters) ? binding(['row', ...path]) : undefined;
          return others.text(`{{${[path.join('.'), ...filters].join('|')}}}`, lost);
        },
        { lost, keep: withoutBindings },
      ),
    forJudge: (text) => text,
  };
}

function valueIn(vars: JsonMap, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = vars;
  for (const name of path)
    value = isJsonMap(value ?? null) && Object.hasOwn(value as JsonMap, name) ? (value as JsonMap)[name] : undefined;
  return value;
}

/** Returns a value as text, in the way of templates. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}
