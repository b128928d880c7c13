/**
 * Reads a condition that is written as one line, in the form in which `whenText` shows it: `route.kind is "minor"`.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { WhenExpr } from '../flow/flow-doc.ts';
import { readExactJson } from '../json/exact-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { pathText, readPath } from './binding-path.ts';
import type { ComparisonOp } from './when.ts';

/** Words and signs between a path and a value. Longer ones come before those that they start with. */
const comparisons: readonly (readonly [word: string, op: ComparisonOp, isNegated?: true])[] = [
  ['is not', 'equals', true],
  ['is', 'equals'],
  ['==', 'equals'],
  ['!=', 'equals', true],
  ['<=', 'lte'],
  ['≤', 'lte'],
  ['<', 'lt'],
  ['>=', 'gte'],
  ['≥', 'gte'],
  ['>', 'gt'],
  ['contains', 'contains'],
  ['in', 'in'],
];

/** A JSON text or number, or the start of a list or map. */
const scalar = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

/** Maximum number of groups inside each other. */
const mostGroups = 50;

/**
 * Parses a condition.
 * @throws EngineError `condition.invalid` with the offset of the problem as `details.offset`
 */
export function parseWhen(text: string): WhenExpr {
  return new WhenParser(text).whole();
}

class WhenParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): WhenExpr {
    const expr = this.#either();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#problem('expected "and", "or" or the end of the condition');
    return expr;
  }

  #either(): WhenExpr {
    const parts = [this.#both()];
    while (this.#takes('or')) parts.push(this.#both());
    return parts.length === 1 ? (parts[0] as WhenExpr) : { or: parts };
  }

  #both(): WhenExpr {
    const parts = [this.#single()];
    while (this.#takes('and')) parts.push(this.#single());
    return parts.length === 1 ? (parts[0] as WhenExpr) : { and: parts };
  }

  #single(): WhenExpr {
    if (this.#depth++ > mostGroups) throw this.#problem(`more than ${mostGroups} groups inside each other`);
    try {
      if (this.#takes('not')) return { not: this.#single() };
      if (!this.#takes('(')) return this.#comparison();
      const inner = this.#either();
      if (!this.#takes(')')) throw this.#problem('expected ")"');
      return inner;
    } finally {
      this.#depth--;
    }
  }

  #comparison(): WhenExpr {
    this.#skipSpace();
    const path = readPath(this.#text, this.#at);
    if (path === undefined) throw this.#problem('expected a path such as node.field, "not" or "("');
    this.#at = path.end;
    const name = pathText(path.segments);
    if (this.#takes('exists')) return { exists: name };
    if (this.#takes('is missing')) return { not: { exists: name } };
    const found = comparisons.find(([word]) => this.#takes(word));
    if (found === undefined)
      throw this.#problem('expected is, is not, <, <=, >, >=, contains, in, exists or is missing');
    const [, op, isNegated] = found;
    const comparison = { [op]: { var: name, value: this.#value() } } as unknown as WhenExpr;
    return isNegated === true ? { not: comparison } : comparison;
  }

  #value(): JsonValue {
    this.#skipSpace();
    const start = this.#at;
    const first = this.#text[start];
    const end = first === '[' || first === '{' ? this.#endOfGroup() : this.#endOfScalar();
    const read = end === undefined ? undefined : readExactJson(this.#text.slice(start, end));
    if (end === undefined || read?.kind !== 'value')
      throw this.#problem('expected a JSON value: text in double quotes, a number, true, false, null or a list');
    this.#at = end;
    return read.value;
  }

  #endOfScalar(): number | undefined {
    scalar.lastIndex = this.#at;
    const found = scalar.exec(this.#text);
    return found === null ? undefined : this.#at + found[0].length;
  }

  #endOfGroup(): number | undefined {
    let open = 0;
    let isInText = false;
    for (let at = this.#at; at < this.#text.length; at++) {
      const sign = this.#text[at];
      if (isInText && sign === '\\') at++;
      else if (sign === '"') isInText = !isInText;
      else if (!isInText && (sign === '[' || sign === '{')) open++;
      else if (!isInText && (sign === ']' || sign === '}') && --open === 0) return at + 1;
    }
    return undefined;
  }

  /** Moves past a word or a sign, if it is next. The words of a phrase may have any space between them. */
  #takes(phrase: string): boolean {
    this.#skipSpace();
    const pattern = new RegExp(
      phrase.split(' ').map(escaped).join('\\s+') + (/\w$/u.test(phrase) ? '(?![\\w.[-])' : ''),
      'y',
    );
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#at += found[0].length;
    return true;
  }

  #skipSpace(): void {
    while (/\s/u.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #problem(what: string): EngineError {
    const at = this.#at;
    const rest = this.#text.slice(at).trim();
    const place = rest === '' ? 'at the end' : `at character ${at + 1} ("${rest.slice(0, 20)}")`;
    const message = `The condition is not valid ${place}: ${what}. Example: route.kind is "minor" and input.total > 100`;
    return new EngineError({ code: 'condition.invalid', message, details: { offset: at } });
  }
}

function escaped(word: string): string {
  return word.replace(/[()<>=!]/gu, '\\$&');
}
