/**
 * Parts of the summaries on cards. They are computed from files that may be unfinished, so every value is checked.
 */
import { pathText } from '../../language/bindings/binding-path.ts';
import { parseTemplate } from '../../language/bindings/binding-template.ts';
import { conditionText } from '../../language/bindings/when-text.ts';
import { isJsonList, type JsonValue, textForm } from '../../language/json/json-value.ts';
import type { SummaryPart } from '../../language/types/node-type-spec.ts';

const longestText = 80;
const longestChip = 40;
/** Maximum number of characters read, because a prompt may be as long as a book. */
const longestSource = 1000;

/** Returns a value as one chip; a lone binding shows its path. Returns undefined if there is nothing to show. */
export function chipOf(value: JsonValue | undefined): SummaryPart | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const words = typeof value === 'string' ? partsOf(value) : [textForm(value)];
  return { chip: shorten(words.map((part) => (typeof part === 'string' ? part : part.chip)).join(''), longestChip) };
}

/** Returns text in quotation marks; other values and lone bindings as a chip. Empty if there is nothing to show. */
export function quoteOf(value: JsonValue | undefined): readonly SummaryPart[] {
  const words = wordsOf(value);
  const isOneChip = words.length === 1 && typeof words[0] !== 'string';
  return words.length === 0 || isOneChip ? words : ['“', ...words, '”'];
}

/** Returns text on one line, truncated, with its bindings as chips. */
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

/**
 * Returns code's card summary: its leading comment or, without one, its first line. @param comment start of a comment
 */
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

/** Returns a chip for a body's nodes. */
export function nodesIn(body: JsonValue | undefined): SummaryPart {
  const ids = isJsonList(body) ? body.filter((id) => typeof id === 'string') : [];
  return chipOf(ids.join(', ')) ?? 'no node yet';
}

/** Returns a chip for a condition. An unfinished condition is shown as written. */
export function conditionChip(condition: JsonValue | undefined): SummaryPart {
  const words = conditionText(condition) ?? (condition === undefined ? 'nothing yet' : textForm(condition));
  return { chip: shorten(words, longestText) };
}
