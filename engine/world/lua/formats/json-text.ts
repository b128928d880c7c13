/**
 * Writes script values as JSON text. 64-bit integers keep their digits, and floats without a fraction are written with
 * one.
 */
import type { LuaData, LuaValue } from '../api-module.ts';
import { isLuaNumber } from '../lua-number.ts';

/**
 * Returns a value as JSON; nil is null.
 * @param indent number of spaces per level; 0 writes a single line
 */
export function jsonText(value: LuaValue, indent = 0): string {
  const data = value ?? null;
  try {
    return JSON.stringify(data, null, indent);
  } catch {
    // The built-in writer handles most values and throws for the others.
    return written(data, {
      indent: ' '.repeat(indent),
      before: indent === 0 ? '' : '\n',
      colon: indent === 0 ? ':' : ': ',
    });
  }
}

interface Layout {
  /** Indentation added by each level. */
  readonly indent: string;
  /** Text before an item of the enclosing level: a line end with spaces, or empty. */
  readonly before: string;
  readonly colon: string;
}

function written(data: LuaData, layout: Layout): string {
  if (isLuaNumber(data)) return String(data);
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const inner = { ...layout, before: layout.before + layout.indent };
  if (Array.isArray(data))
    return enclosed(
      '[',
      data.map((item) => written(item, inner)),
      ']',
      layout,
    );
  const entries = Object.entries(data).map(([key, item]) => JSON.stringify(key) + layout.colon + written(item, inner));
  return enclosed('{', entries, '}', layout);
}

function enclosed(open: string, items: readonly string[], close: string, { before, indent }: Layout): string {
  if (items.length === 0) return open + close;
  const start = before + indent;
  return `${open}${start}${items.join(`,${start}`)}${before}${close}`;
}
