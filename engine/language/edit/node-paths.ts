/**
 * Finds the paths in a flow file: in bindings of inputs and outputs, and in conditions.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import { parseTemplate } from '../bindings/binding-template.ts';
import { inputConditions } from '../bindings/when.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';

/** A path in a string. */
export interface PathPlace {
  readonly text: string;
  /** Offset of the path. */
  readonly offset: number;
  /** Whether a missing value is an error there: `{{path}}`. */
  readonly isStrict: boolean;
}

/** Returns a string's edits that change a path in it. */
export type PathEdits = (place: PathPlace) => readonly TextEdit[];

/** Changes binding paths in a value, at any depth. Unchanged parts remain the same objects. */
export function changeBindings(value: JsonValue, edits: PathEdits): JsonValue {
  return mapTexts(value, (text) => (text.includes('{{') ? applyEdits(text, templateEdits(text, edits)) : text));
}

/** Changes every string in a value, at any depth. Unchanged parts remain the same objects. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (isJsonList(value)) return mapItems(value, (item) => mapTexts(item, change));
  return isJsonMap(value) ? mapEntries(value, (_, item) => mapTexts(item, change)) : value;
}

/** Changes the paths in a condition. */
export function changeCondition(when: JsonValue, edits: PathEdits): JsonValue {
  if (isJsonList(when)) return mapItems(when, (part) => changeCondition(part, edits));
  if (!isJsonMap(when)) return when;
  return mapEntries(when, (key, value) => {
    if (key === 'not' || key === 'and' || key === 'or') return changeCondition(value, edits);
    if (key === 'exists') return changePath(value, edits);
    if (!isJsonMap(value)) return value;
    return mapEntries(value, (name, inner) => (name === 'var' ? changePath(inner, edits) : inner));
  });
}

function changePath(path: JsonValue, edits: PathEdits): JsonValue {
  return typeof path === 'string' ? applyEdits(path, edits({ text: path, offset: 0, isStrict: false })) : path;
}

/** Changes the paths in a node's input. @param conditionEdits for conditions in it that read more than the node does */
export function changeInput(
  type: string,
  input: JsonValue,
  edits: PathEdits,
  conditionEdits: (sees: 'node' | 'body') => PathEdits = () => edits,
): JsonValue {
  const bound = changeBindings(input, edits);
  if (!isJsonMap(bound)) return bound;
  const conditions = new Map(inputConditions({ type, input: bound }).map(({ key, sees }) => [key, sees]));
  return mapEntries(bound, (key, part) => {
    const sees = conditions.get(key);
    return sees === undefined ? part : changeCondition(part, conditionEdits(sees));
  });
}

/** Returns the edits that change paths in a string with bindings. */
export function templateEdits(text: string, edits: PathEdits): TextEdit[] {
  const bindings = parseTemplate(text).parts.filter((part) => typeof part !== 'string');
  const found: TextEdit[] = [];
  let next = 0;
  let position = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', position)) {
    const binding = bindings[next];
    const isEscaped = open > position && text[open - 1] === '\\';
    if (binding === undefined || isEscaped || !text.startsWith(binding.source, open)) {
      position = isEscaped ? open + 2 : behindToken(text, open);
      continue;
    }
    const head = /^\{\{\s*\??\s*/.exec(binding.source)?.[0].length ?? 2;
    const isStrict = !binding.isOptional && binding.default === undefined;
    found.push(...edits({ text, offset: open + head, isStrict }));
    position = open + binding.source.length;
    next++;
  }
  return found;
}

/** Returns the end of an invalid token, as the parser determines it. */
function behindToken(text: string, open: number): number {
  const close = text.indexOf('}}', open);
  return close === -1 ? text.length : close + 2;
}

/** Maps the values of a map. Returns the same map if no value changes. */
export function mapEntries(map: JsonMap, change: (key: string, value: JsonValue) => JsonValue): JsonMap {
  let isSame = true;
  const entries = Object.entries(map).map(([key, value]) => {
    const changed = change(key, value);
    if (changed !== value) isSame = false;
    return [key, changed] as const;
  });
  return isSame ? map : Object.fromEntries(entries);
}

/** Maps the items of a list. Returns the same list if no item changes. */
export function mapItems(list: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
