/**
 * Summarizes the output of a node in one line for its card.
 */
import { isJsonMap, isValueHandle, type JsonValue, type ValueHandle } from '../../engine/isomorphic.ts';
import { byteText } from '../ui/quantity-text.ts';
import { isPicture, isPictureName, scalarPairs } from '../ui/value-parts.ts';
import { text as cardText } from './text.ts';

export interface OutputLine {
  /** A single line. Empty for a picture alone. */
  readonly text: string;
  /** A thumbnail as a `data:` URL, or null. */
  readonly picture: string | null;
  /** The path of a picture file for a thumbnail. Null if there is none or its extension is not that of a picture. */
  readonly pictureFile: string | null;
}

/** The number of characters that fit on a card, plus some more for the tooltip. */
const mostLetters = 200;

/** Returns null if the output contains nothing to show. */
export function outputLine(output: JsonValue): OutputLine | null {
  const picture = pictureIn(output);
  const text = textOf(output);
  const path = isJsonMap(output) ? output['path'] : undefined;
  const pictureFile = picture === null && typeof path === 'string' && isPictureName(path) ? path : null;
  return picture === null && text === '' ? null : { text, picture, pictureFile };
}

/** Returns a picture that is the value itself or one of its fields. */
function pictureIn(value: JsonValue): string | null {
  const candidates = isJsonMap(value) ? Object.values(value) : [value];
  return candidates.find((one): one is string => typeof one === 'string' && isPicture(one)) ?? null;
}

function textOf(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return isPicture(value) ? '' : firstLine(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return cardText.output.items({ count: value.length });
  if (isValueHandle(value)) return largeText(value);
  return isJsonMap(value) ? mapText(value) : '';
}

/**
 * Returns the value parsed from its text, or else the lengths of its lists, its text, its file, or its short fields.
 */
function mapText(map: Readonly<Record<string, JsonValue>>): string {
  if (map['value'] !== undefined && typeof map['text'] === 'string') return answerText(map['value']);
  if (typeof map['at'] === 'number' && map['by'] !== undefined) return personText(map);
  const lists = Object.entries(map).filter((entry): entry is [string, JsonValue[]] => Array.isArray(entry[1]));
  const [[name, items] = ['', []]] = lists;
  if (lists.length === 1 && name === 'items') return cardText.output.items({ count: items.length });
  if (lists.length > 0)
    return lists.map(([key, list]) => cardText.output.list({ name: key, count: list.length })).join(', ');
  const { text } = map;
  if (text !== undefined && text !== null && text !== '') return textOf(text);
  return firstLine(scalarPairs(map));
}

/** Puts the short fields of a model's response first. */
function answerText(value: JsonValue): string {
  return (isJsonMap(value) && firstLine(scalarPairs(value))) || textOf(value);
}

/** Returns a person's answer without its author and time, which the answer view shows. */
function personText({ values, route, comment }: Readonly<Record<string, JsonValue>>): string {
  const filled = isJsonMap(values) ? firstLine(scalarPairs(values)) : '';
  return [route, filled, comment].filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/** Summarizes a value that is stored separately: its text as far as it is known, or else its size. */
function largeText({ bytes, preview, type }: ValueHandle): string {
  // The preview is the text of a string, and JSON for any other value.
  const text = type === 'string' ? preview : textField(preview);
  return text === undefined || isPicture(text) ? byteText(bytes) : firstLine(text);
}

/** Returns the field `text` of a map from the beginning of its JSON text. */
function textField(json: string): string | undefined {
  const [, written] = /^\{"text":"((?:[^"\\]|\\.)*)/.exec(json) ?? [];
  return written?.replaceAll(/\\[nrt]/g, '\n').replaceAll(/\\(.)/g, '$1');
}

/** White space at the ends of a single line is part of the value. */
function firstLine(text: string): string {
  const lines = text.split('\n', 20);
  const line = lines.find((one) => one.trim() !== '') ?? '';
  return (lines.length === 1 ? line : line.trim()).slice(0, mostLetters);
}
