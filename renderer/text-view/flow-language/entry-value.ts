/**
 * Entries of a YAML text as JSON.
 */
import type { JsonValue } from '../../../engine/isomorphic.ts';
import type { YamlEntry } from './entry.ts';

/** Returns the parts of an entry's value that determine its type. A block text is only known to be a text. */
export function jsonAt({ kind, value, children }: YamlEntry): JsonValue {
  if (kind === 'list') return children.map(jsonAt);
  if (kind === 'map') return Object.fromEntries(children.map((child) => [child.key?.text ?? '', jsonAt(child)]));
  if (kind === 'empty' || value === null) return null;
  const isQuoted = value.end - value.start > value.text.length;
  if (kind === 'text' || isQuoted) return value.text;
  if (value.text === 'true' || value.text === 'false') return value.text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(value.text) ? Number(value.text) : value.text;
}
