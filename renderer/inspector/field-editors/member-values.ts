/**
 * Changes of lists and maps, as new values.
 */
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import type { FormField } from '../form-fields.ts';

/** What a new member of a list or a map begins with. */
export function firstValue({ kind, default: fallback, options, limits, parts }: FormField): JsonValue {
  if (fallback !== undefined) return fallback;
  switch (kind) {
    case 'number':
    case 'slider':
    case 'duration':
      return limits.min ?? 0;
    case 'boolean':
      return false;
    case 'list':
    case 'nodes':
      return [];
    case 'map':
    case 'condition':
      return {};
    case 'group':
      // What must be chosen is chosen.
      return Object.fromEntries(
        parts
          .filter((part) => part.isRequired && part.kind === 'enum')
          .map((part) => [part.path.at(-1), firstValue(part)]),
      );
    case 'enum':
      return options[0] ?? '';
    default:
      return '';
  }
}

/** The list with a member at another place. */
export function withMoved<Member>(list: readonly Member[], from: number, to: number): readonly Member[] {
  const member = list[from];
  return member === undefined || to < 0 || to >= list.length ? list : list.toSpliced(from, 1).toSpliced(to, 0, member);
}

/** The map with another name for a key, at the same place; an own key of the new name gives way. */
export function withRenamed(map: JsonMap, key: string, name: string): JsonMap {
  return Object.fromEntries(
    Object.entries(map).flatMap(([own, value]) => {
      if (own === key) return [[name, value]];
      return own === name ? [] : [[own, value]];
    }),
  );
}

/** The map with a value; undefined takes the key away. */
export function withKey(map: JsonMap, key: string, value: JsonValue | undefined): JsonMap {
  if (value === undefined) return Object.fromEntries(Object.entries(map).filter(([own]) => own !== key));
  return { ...map, [key]: value };
}
