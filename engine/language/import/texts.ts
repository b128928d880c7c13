/** Writes bindings and plain text for fields in which braces have a meaning. */
import { pathText } from '../bindings/binding-path.ts';

/** Returns a binding that fails if there is no value. */
export function binding(path: readonly string[]): string {
  return `{{${pathText(path)}}}`;
}

/** Returns a binding that is empty if there is no value. */
export function optional(path: readonly string[]): string {
  return `{{?${pathText(path)}}}`;
}

/** Returns text in which nothing is a binding. */
export function plainText(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

const token = /\{\{([\s\S]*?)\}\}/g;

/**
 * Replaces each `{{expression}}`. What `replace` cannot translate stays as plain text, and is reported.
 * @param lost receives a sentence for each expression that stays
 */
export function replaceTokens(
  text: string,
  replace: (expression: string) => string | undefined,
  lost: string[],
): string {
  let end = 0;
  let result = '';
  for (const found of text.matchAll(token)) {
    const expression = (found[1] ?? '').trim();
    const translated = replace(expression);
    if (translated === undefined) lost.push(expressionLost(expression));
    result += plainText(text.slice(end, found.index)) + (translated ?? plainText(found[0]));
    end = found.index + found[0].length;
  }
  return result + plainText(text.slice(end));
}

const longestShown = 80;

function expressionLost(expression: string): string {
  return `The expression ${shorten(expression)} stays as text.`;
}

/** Returns text on one line, cut to a length that fits in a sentence. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line;
}
