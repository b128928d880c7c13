/**
 * Edits lists and maps by returning new values.
 */
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import type { FormField } from '../fields/form-fields.ts';

/** Returns the initial value of a new member of a list or a map. */
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
      // Required parts get an initial value.
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

/** Returns the list with a member moved to another index. */
export function withMoved<Member>(list: readonly Member[], from: number, to: number): readonly Member[] {
  const member = list[from];
  return member === undefined || to < 0 || to >= list.length ? list : list.toSpliced(from, 1).toSpliced(to, 0, member);
}

/** Returns the map with a key renamed at the same position. An existing entry with the new name is removed. */
export function withRenamed(map: JsonMap, key: string, name: string): JsonMap {
  return Object.fromEntries(
    Object.entries(map).flatMap(([own, value]) => {
      if (own === key) return [[name, value]];
      return own === name ? [] : [[own, value]];
    }),
  );
}

/** Returns the map with a value set. Undefined removes the key. */
export function withKey(map: JsonMap, key: string, value: JsonValue | undefined): JsonMap {
  if (value === undefined) return Object.fromEntries(Object.entries(map).filter(([own]) => own !== key));
  return { ...map, [key]: value };
}
