/**
 * Arranges a map for display: its text first, then values that fit on a line, then the rest.
 */
import { byteText, fullDateTimeText } from './quantity-text.ts';

/** A reference to a value that is too large to be sent with every event. */
export interface LargeValue {
  readonly $value: string;
  readonly bytes: number;
  readonly preview: string;
}

export function isLargeValue(value: unknown): value is LargeValue {
  return isRecord(value) && typeof value['$value'] === 'string' && typeof value['bytes'] === 'number';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const pictures = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml|avif)[;,]/;
const pictureNames = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

/** Returns whether a text is a picture as a `data:` URL. */
export function isPicture(text: string): boolean {
  return pictures.test(text);
}

/** Returns whether the name of a file is that of a picture. */
export function isPictureName(name: string): boolean {
  return pictureNames.test(name);
}

interface ValueParts {
  /** The field `text`, which contains the main result of most nodes. Undefined if there is none. */
  readonly lead: string | LargeValue | undefined;
  readonly rows: readonly (readonly [key: string, text: string])[];
  readonly blocks: readonly (readonly [key: string, value: unknown])[];
}

const longestRowText = 60;
const mostPairsInRow = 3;

/** Groups the fields of a map. Rows and blocks keep the order of the map. */
export function valueParts(value: Readonly<Record<string, unknown>>): ValueParts {
  const { text, ...others } = value;
  const isLead = typeof text === 'string' || isLargeValue(text);
  const rows: [string, string][] = [];
  const blocks: [string, unknown][] = [];
  for (const [key, field] of Object.entries(isLead ? others : value)) {
    const rowText = isRecord(field) && !isLargeValue(field) ? pairsText(field) : fieldText(key, field);
    if (rowText === undefined) blocks.push([key, field]);
    else rows.push([key, rowText]);
  }
  return { lead: isLead ? text : undefined, rows, blocks };
}

/** Names of fields that contain a time. */
const momentName = /^(?:at|since|until|time|timestamp)$|(?:[a-z\d]At|_at|[a-z\d]Until|_until|Timestamp|_timestamp)$/;

/** From 2001 to 2100, in epoch milliseconds. Other numbers under such a name have another meaning. */
function isMoment(key: string, value: unknown): value is number {
  return typeof value === 'number' && momentName.test(key) && value >= 1e12 && value < 4.2e12;
}

/** Returns a field as text. Undefined if it does not fit on a line. */
function fieldText(key: string, value: unknown): string | undefined {
  return isMoment(key, value) ? fullDateTimeText(value) : scalarText(value);
}

function scalarText(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  const isShort = typeof value === 'string' && value.length <= longestRowText && !value.includes('\n');
  return isShort ? value : undefined;
}

/** Returns a small map of numbers and words as text, such as `promptTokens 12, completionTokens 3`. */
function pairsText(map: Readonly<Record<string, unknown>>): string | undefined {
  const pairs = Object.entries(map).map(([key, value]) => [key, fieldText(key, value)] as const);
  const isSmall = pairs.length > 0 && pairs.length <= mostPairsInRow && pairs.every(([, text]) => text !== undefined);
  return isSmall ? scalarPairs(map) : undefined;
}

/** Fields that contain the size of a file in bytes. */
const sizes: readonly string[] = ['sizeBytes', 'bytes', 'byteLength', 'size'];

/**
 * Returns the short fields of a map in one line, such as `status 200, ok true`. For a map about a file, its name and
 * size come first: `out.md, 88 B`. Empty if there are none.
 */
export function scalarPairs(map: Readonly<Record<string, unknown>>): string {
  const { path, ...rest } = map;
  if (typeof path !== 'string' || path === '') return pairsOf(map);
  const sizeName = sizes.find((name) => typeof rest[name] === 'number');
  const others = pairsOf(Object.fromEntries(Object.entries(rest).filter(([name]) => name !== sizeName)));
  const size = sizeName === undefined ? '' : byteText(Number(rest[sizeName]));
  return [path, size, others].filter((part) => part !== '').join(', ');
}

/** Puts a text with white space at its ends in quotes. */
function delimited(text: string): string {
  return text === text.trim() ? text : `"${text}"`;
}

function pairsOf(map: Readonly<Record<string, unknown>>): string {
  return Object.entries(map)
    .flatMap(([key, value]) => {
      const text = fieldText(key, value);
      return text === undefined || text === '' ? [] : `${key} ${delimited(text)}`;
    })
    .join(', ');
}
