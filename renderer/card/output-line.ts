/**
 * What a node gave, in one line of its card.
 */
import { isJsonMap, isValueHandle, type JsonValue, type ValueHandle } from '../../engine/isomorphic.ts';
import { byteText, pluralText } from '../ui/quantity-text.ts';
import { scalarPairs } from '../ui/value-parts.ts';

export interface OutputLine {
  /** One line; empty for a picture alone. */
  readonly text: string;
  /** A picture to show small, as a `data:` address; null = none. */
  readonly picture: string | null;
  /** A picture to show small that is a file, by its path; null = none, or not one by its name. */
  readonly pictureFile: string | null;
}

/** Letters that a card has room for, and a few more for its hint. */
const mostLetters = 200;
const pictureNames = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;
const pictures = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml|avif)[;,]/;

/** Null for a node that gave nothing to say. */
export function outputLine(output: JsonValue): OutputLine | null {
  const picture = pictureIn(output);
  const text = textOf(output);
  const path = isJsonMap(output) ? output['path'] : undefined;
  const pictureFile = picture === null && typeof path === 'string' && pictureNames.test(path) ? path : null;
  return picture === null && text === '' ? null : { text, picture, pictureFile };
}

/** A picture that the value is, or has as one of its fields. */
function pictureIn(value: JsonValue): string | null {
  const candidates = isJsonMap(value) ? Object.values(value) : [value];
  return candidates.find((one): one is string => typeof one === 'string' && pictures.test(one)) ?? null;
}

function textOf(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return pictures.test(value) ? '' : firstLine(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return pluralText(value.length, 'item');
  if (isValueHandle(value)) return largeText(value);
  return isJsonMap(value) ? mapText(value) : '';
}

/** The value that was read from its text, else its lists by their length, its text, the file that it is about, its short fields. */
function mapText(map: Readonly<Record<string, JsonValue>>): string {
  if (map['value'] !== undefined && typeof map['text'] === 'string') return answerText(map['value']);
  if (typeof map['at'] === 'number' && map['by'] !== undefined) return personText(map);
  const lists = Object.entries(map).filter((entry): entry is [string, JsonValue[]] => Array.isArray(entry[1]));
  const [[name, items] = ['', []]] = lists;
  if (lists.length === 1 && name === 'items') return pluralText(items.length, 'item');
  if (lists.length > 0) return lists.map(([key, list]) => `${key}: ${pluralText(list.length, 'item')}`).join(', ');
  const { text } = map;
  if (text !== undefined && text !== null && text !== '') return textOf(text);
  return firstLine(scalarPairs(map));
}

/** The short fields of a model's answer before the others. */
function answerText(value: JsonValue): string {
  return (isJsonMap(value) && firstLine(scalarPairs(value))) || textOf(value);
}

/** What a person has answered, and not who or when, which the view of the answer says. */
function personText({ values, route, comment }: Readonly<Record<string, JsonValue>>): string {
  const filled = isJsonMap(values) ? firstLine(scalarPairs(values)) : '';
  return [route, filled, comment].filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/** Of a value that is kept elsewhere: its text as far as it is known, else how large it is. */
function largeText({ bytes, preview, type }: ValueHandle): string {
  // Of a string that itself, of all else the JSON text.
  const text = type === 'string' ? preview : textField(preview);
  return text === undefined || pictures.test(text) ? byteText(bytes) : firstLine(text);
}

/** The field `text` of a map whose JSON text begins so. */
function textField(json: string): string | undefined {
  const [, written] = /^\{"text":"((?:[^"\\]|\\.)*)/.exec(json) ?? [];
  return written?.replaceAll(/\\[nrt]/g, '\n').replaceAll(/\\(.)/g, '$1');
}

function firstLine(text: string): string {
  const line = text.split('\n', 20).find((one) => one.trim() !== '') ?? '';
  return line.trim().slice(0, mostLetters);
}
