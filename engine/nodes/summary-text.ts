/**
 * Pieces for the sentences on cards. They are made from files that are still being written, so nothing is taken for
 * granted.
 */

import { type JsonValue, textForm } from '../flowspec/json-value.ts';
import type { SummaryPart } from '../flowspec/node-type-spec.ts';

const tokenPattern = /\{\{\s*\??\s*([^{}|]*?)\s*(?:\|[^{}]*)?\}\}/g;
const longestText = 80;
const longestChip = 40;

/** A value as one chip; a lone binding shows its path. Undefined when there is nothing to show. */
export function chipOf(value: JsonValue | undefined): SummaryPart | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = textForm(value).trim().replace(tokenPattern, '$1');
  return { chip: shorten(text, longestChip) };
}

/** Text as words with its bindings as chips: the first line, cut when it is long. */
export function wordsOf(value: JsonValue | undefined): readonly SummaryPart[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return [{ chip: shorten(textForm(value), longestChip) }];
  const line = value.trim().split('\n', 1)[0] ?? '';
  const parts: SummaryPart[] = [];
  let position = 0;
  for (const match of shorten(line, longestText).matchAll(tokenPattern)) {
    if (match.index > position) parts.push(line.slice(position, match.index));
    parts.push({ chip: match[1] ?? '' });
    position = match.index + match[0].length;
  }
  const rest = shorten(line, longestText).slice(position);
  return rest === '' ? parts : [...parts, rest];
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
