/**
 * Pieces for the sentences on cards. They are made from files that are still being written, so nothing is taken for
 * granted.
 */
import { parseTemplate } from '../flowspec/binding-template.ts';
import { type JsonValue, textForm } from '../flowspec/json-value.ts';
import type { SummaryPart } from '../flowspec/node-type-spec.ts';

const longestText = 80;
const longestChip = 40;

/** A value as one chip; a lone binding shows its path. Undefined when there is nothing to show. */
export function chipOf(value: JsonValue | undefined): SummaryPart | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const words = typeof value === 'string' ? partsOf(value) : [textForm(value)];
  return { chip: shorten(words.map((part) => (typeof part === 'string' ? part : part.chip)).join(''), longestChip) };
}

/** Text as words with its bindings as chips: the first line, cut when it is long. */
export function wordsOf(value: JsonValue | undefined): readonly SummaryPart[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return [{ chip: shorten(textForm(value), longestChip) }];
  const shown: SummaryPart[] = [];
  let left = longestText;
  for (const part of partsOf(value)) {
    if (left <= 0) return [...shown, '…'];
    const text = shorten(typeof part === 'string' ? part : part.chip, left);
    shown.push(typeof part === 'string' ? text : { chip: text });
    left -= text.length;
  }
  return shown;
}

function partsOf(text: string): readonly SummaryPart[] {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return parseTemplate(line).parts.map((part) =>
    typeof part === 'string' ? part : { chip: shorten(part.path.join('.'), longestChip) },
  );
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
