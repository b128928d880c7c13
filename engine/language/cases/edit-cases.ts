/**
 * Finds the smallest text edits that change a test file, preserving comments and style.
 */
import type { TextEdit } from '../../base/text-edit.ts';
import { isFlatList, mannerOfList } from '../edit/flow-manner.ts';
import { refused } from '../edit/raw-flow.ts';
import { findEdits, notPossible, readMapText, shiftedEdits, type WrittenForm } from '../edit/yaml/edit-text.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';

/** A change of a test file. Paths are those in the document, with a list of cases. */
export type CaseChange =
  /** Replaces a value, or adds it. */
  | { readonly do: 'set'; readonly path: ValuePath; readonly value: JsonValue }
  | { readonly do: 'add-case'; readonly value: JsonMap };

/**
 * Returns the edits of all changes together; empty if they change nothing.
 * @throws EngineError `edit.refused` for invalid YAML, and where the way the file is written does not allow the change
 */
export function editCases(text: string, changes: readonly CaseChange[]): readonly TextEdit[] {
  return shiftedEdits(text, (source) => {
    const file = readMapText(source, 'The file is not a test file: it is not a map with the keys target and cases.');
    const root = changes.reduce(changed, file.value);
    if (root === file.value) return [];
    const edits = findEdits(file, root, form);
    if (edits === undefined) throw notPossible(file, root);
    return edits;
  });
}

const form: WrittenForm = {
  mannerOf: (text, mayKeepLines) =>
    mannerOfList(text, 'cases', mayKeepLines, (_, path, value) => prefersInline(path, value)),
  renamed: new Map(),
  mayBecome: (_, { before, after }) =>
    isJsonMap(before) && isJsonMap(after)
      ? (before['name'] ?? before['from']) === (after['name'] ?? after['from'])
      : true,
  respell: () => undefined,
  isWhole: (path, isWholeWay) => isWholeWay && path.length === 2,
};

/** Cases and expectations are written on lines of their own; what is in them, on one line. */
function prefersInline(path: ValuePath, value: JsonValue): boolean {
  return path.length > 4 || (path.length > 2 && isFlatList(value));
}

function changed(root: JsonMap, change: CaseChange): JsonMap {
  if (change.do === 'set') return setAt(root, inFile(root, change.path), change.value) as JsonMap;
  const cases = root['cases'];
  const list = isJsonList(cases) ? cases : cases === undefined || cases === null ? [] : [cases];
  return { ...root, cases: [...list, change.value] };
}

/** A single dataset is not in a list. */
function inFile(root: JsonMap, path: ValuePath): ValuePath {
  const [first, , ...rest] = path;
  return first === 'cases' && isJsonMap(root['cases']) ? ['cases', ...rest] : path;
}

function setAt(value: JsonValue | undefined, [key, ...rest]: ValuePath, wanted: JsonValue): JsonValue {
  if (key === undefined) return wanted;
  if (typeof key === 'number') {
    if (!isJsonList(value) || key >= value.length)
      throw refused('The case is no longer in the file. Run the tests again.');
    return value.map((item, index) => (index === key ? setAt(item, rest, wanted) : item));
  }
  const map = isJsonMap(value ?? null) ? (value as JsonMap) : {};
  return { ...map, [key]: setAt(Object.hasOwn(map, key) ? map[key] : undefined, rest, wanted) };
}
