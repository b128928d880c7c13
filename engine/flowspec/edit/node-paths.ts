/**
 * The paths in a flow file: in bindings of inputs and outputs, and in conditions, wherever they stand.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import { parseTemplate } from '../binding-template.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import { inputConditions } from '../when.ts';

/** A path in a text. */
export interface PathPlace {
  readonly text: string;
  /** Where the path begins. */
  readonly offset: number;
  /** Whether nothing can stand in for a value that is missing there: `{{path}}`. */
  readonly isStrict: boolean;
}

/** What changes in a path: edits of the text that it stands in. */
export type PathEdits = (place: PathPlace) => readonly TextEdit[];

/** Changes the paths of bindings in a value, at any depth. What does not change stays the same object. */
export function changeBindings(value: JsonValue, edits: PathEdits): JsonValue {
  return mapTexts(value, (text) => (text.includes('{{') ? applyEdits(text, templateEdits(text, edits)) : text));
}

/** Changes every text in a value, at any depth. What does not change stays the same object. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (isJsonList(value)) return mapItems(value, (item) => mapTexts(item, change));
  return isJsonMap(value) ? mapEntries(value, (_, item) => mapTexts(item, change)) : value;
}

/** Changes the paths of a condition. */
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

/** Changes the paths in the input of a node. @param conditionEdits for conditions in it that see more than the node does */
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

/** The edits of a text with bindings that change its paths. */
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

/** Behind a faulty token, as the parser reads it. */
function behindToken(text: string, open: number): number {
  const close = text.indexOf('}}', open);
  return close === -1 ? text.length : close + 2;
}

/** The same map when no value changes. */
export function mapEntries(map: JsonMap, change: (key: string, value: JsonValue) => JsonValue): JsonMap {
  let isSame = true;
  const entries = Object.entries(map).map(([key, value]) => {
    const changed = change(key, value);
    if (changed !== value) isSame = false;
    return [key, changed] as const;
  });
  return isSame ? map : Object.fromEntries(entries);
}

/** The same list when no item changes. */
export function mapItems(list: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
