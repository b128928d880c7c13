/**
 * A map as people read it: its text first, then what fits on a line, then the rest.
 */
import { byteText, fullMomentText } from './quantity-text.ts';

/** What stands for a value too large to travel with every event. */
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

interface ValueParts {
  /** The field `text`, which most nodes have for what they are there for; undefined when there is none. */
  readonly lead: string | LargeValue | undefined;
  readonly rows: readonly (readonly [key: string, text: string])[];
  readonly blocks: readonly (readonly [key: string, value: unknown])[];
}

const longestRowText = 60;
const mostPairsInRow = 3;

/** Sorts the fields of a map; rows and blocks stay in the order of the map. */
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

/** Names of fields that say when something was. */
const momentName = /^(?:at|since|until|time|timestamp)$|(?:[a-z\d]At|_at|[a-z\d]Until|_until|Timestamp|_timestamp)$/;

/** From 2001 to 2100, in epoch milliseconds: other numbers under such a name mean something else. */
function isMoment(key: string, value: unknown): value is number {
  return typeof value === 'number' && momentName.test(key) && value >= 1e12 && value < 4.2e12;
}

/** A field in words; undefined when it does not fit on a line. */
function fieldText(key: string, value: unknown): string | undefined {
  return isMoment(key, value) ? fullMomentText(value) : scalarText(value);
}

function scalarText(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  const isShort = typeof value === 'string' && value.length <= longestRowText && !value.includes('\n');
  return isShort ? value : undefined;
}

/** A small map of numbers and words, such as `promptTokens 12, completionTokens 3`. */
function pairsText(map: Readonly<Record<string, unknown>>): string | undefined {
  const pairs = Object.entries(map).map(([key, value]) => [key, fieldText(key, value)] as const);
  const isSmall = pairs.length > 0 && pairs.length <= mostPairsInRow && pairs.every(([, text]) => text !== undefined);
  return isSmall ? scalarPairs(map) : undefined;
}

/** Fields that say how many bytes a file has. */
const sizes: readonly string[] = ['sizeBytes', 'bytes', 'byteLength', 'size'];

/**
 * The short fields of a map in a line, such as `status 200, ok true`; of one that is about a file that and its size first:
 * `out.md, 88 B`. Empty when it has none.
 */
export function scalarPairs(map: Readonly<Record<string, unknown>>): string {
  const { path, ...rest } = map;
  if (typeof path !== 'string' || path === '') return pairsOf(map);
  const sizeName = sizes.find((name) => typeof rest[name] === 'number');
  const others = pairsOf(Object.fromEntries(Object.entries(rest).filter(([name]) => name !== sizeName)));
  const size = sizeName === undefined ? '' : byteText(Number(rest[sizeName]));
  return [path, size, others].filter((part) => part !== '').join(', ');
}

function pairsOf(map: Readonly<Record<string, unknown>>): string {
  return Object.entries(map)
    .flatMap(([key, value]) => {
      const text = fieldText(key, value);
      return text === undefined || text === '' ? [] : `${key} ${text}`;
    })
    .join(', ');
}
