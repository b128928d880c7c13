/**
 * Pieces for the sentences on cards. They are made from files that are still being written, so nothing is taken for
 * granted.
 */
import { pathText } from '../flowspec/binding-path.ts';
import { parseTemplate } from '../flowspec/binding-template.ts';
import { isJsonList, type JsonValue, textForm } from '../flowspec/json-value.ts';
import type { SummaryPart } from '../flowspec/node-type-spec.ts';
import { conditionText } from '../flowspec/when-text.ts';

const longestText = 80;
const longestChip = 40;
/** Characters of a text that are looked at; a prompt may be a whole book. */
const longestSource = 1000;

/** A value as one chip; a lone binding shows its path. Undefined when there is nothing to show. */
export function chipOf(value: JsonValue | undefined): SummaryPart | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const words = typeof value === 'string' ? partsOf(value) : [textForm(value)];
  return { chip: shorten(words.map((part) => (typeof part === 'string' ? part : part.chip)).join(''), longestChip) };
}

/** A text between quotation marks, anything else (and a lone binding) as a chip. Empty when there is nothing to show. */
export function quoteOf(value: JsonValue | undefined): readonly SummaryPart[] {
  const words = wordsOf(value);
  const isOneChip = words.length === 1 && typeof words[0] !== 'string';
  return words.length === 0 || isOneChip ? words : ['“', ...words, '”'];
}

/** Text as words with its bindings as chips: in one line, cut when it is long. */
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

/** What code does, as its card says: a comment that it begins with, else its first line. @param comment what begins one */
export function codeSummary(code: JsonValue | undefined, comment: string): readonly SummaryPart[] {
  const lines = typeof code === 'string' ? code.slice(0, longestSource).split('\n') : [];
  const [first] = lines.map((line) => line.trim()).filter((line) => line !== '' && line !== comment);
  if (first === undefined) return ['No code yet'];
  if (!first.startsWith(comment)) return [{ chip: shorten(first, longestChip) }];
  return [shorten(first.slice(comment.length).replace(/^[-/!\s]+/, ''), longestText)];
}

function partsOf(text: string): readonly SummaryPart[] {
  const line = text.trimStart().slice(0, longestSource).replace(/\s+/g, ' ').trimEnd();
  return parseTemplate(line).parts.map((part) =>
    typeof part === 'string' ? part : { chip: shorten(pathText(part.path), longestChip) },
  );
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The nodes of a body. */
export function nodesIn(body: JsonValue | undefined): SummaryPart {
  const ids = isJsonList(body) ? body.filter((id) => typeof id === 'string') : [];
  return chipOf(ids.join(', ')) ?? 'no node yet';
}

/** A condition; one that is still being written as it stands there. */
export function conditionChip(condition: JsonValue | undefined): SummaryPart {
  const words = conditionText(condition) ?? (condition === undefined ? 'nothing yet' : textForm(condition));
  return { chip: shorten(words, longestText) };
}
