/**
 * Detects how a flow file is written, so that new parts look like the rest.
 */
import { isCollection, isMap, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { isJsonList, isJsonMap, type JsonValue } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import { columnOf } from './yaml/source-lines.ts';
import { type Manner, writeInline } from './yaml/write-value.ts';
import {
  blankLinesBefore,
  blockStart,
  introEnd,
  itemTokens,
  pairsByKey,
  type YamlPair,
  type YamlText,
} from './yaml/yaml-text.ts';

/** Maximum length of a value on one line. */
const longestInline = 100;

/** Detects a file's style. Aspects that the file does not show follow the examples in the documentation. */
export function mannerOf(text: YamlText, mayKeepLines: boolean): Manner {
  const nodes = nodesOf(text);
  const edges = sectionOf(text, 'edges');
  const habits = { node: lastStyle(nodes), edge: lastStyle(edges), inNode: stylesByKey(nodes) };
  return withHabits({ ...writtenAs(text, [nodes, edges]), mayKeepLines }, habits);
}

/** How list items are written: the last item as a whole, and lists and maps in items by their key. */
export interface ListHabits {
  readonly item: Style;
  readonly inItem: ReadonlyMap<string, Style>;
}

/**
 * Detects the style of a file that mainly consists of one list.
 * @param prefersInline returns whether a short value is written in flow style
 */
export function mannerOfList(
  text: YamlText,
  key: string,
  mayKeepLines: boolean,
  prefersInline: (habits: ListHabits, path: ValuePath, value: JsonValue) => boolean,
): Manner {
  const list = sectionOf(text, key);
  const habits: ListHabits = { item: lastStyle(list), inItem: stylesByKey(list) };
  const manner = { ...writtenAs(text, [list]), mayKeepLines };
  return whereShort(manner, (path, value) => prefersInline(habits, path, value));
}

function writtenAs(
  text: YamlText,
  lists: readonly (YamlPair | undefined)[],
): Omit<Manner, 'isInline' | 'mayKeepLines'> {
  const brackets = findBrackets(text.root, {});
  return {
    step: stepOf(text, lists) ?? 2,
    dashStep: lists.map((section) => dashStepOf(text, section)).find((step) => step !== undefined) ?? 2,
    dashWidth: 2,
    isMapPadded: isPadded(text, brackets.map) ?? true,
    isListPadded: isPadded(text, brackets.list) ?? false,
    isJson: isJsonText(text),
    sectionGap: sectionGapOf(text),
  };
}

/** Returns the style of text that starts with new content. */
export function newManner(): Manner {
  const manner = { step: 2, dashStep: 2, dashWidth: 2, sectionGap: 0 };
  const brackets = { isMapPadded: true, isListPadded: false, isJson: false };
  const habits: Habits = { node: undefined, edge: undefined, inNode: new Map() };
  return withHabits({ ...manner, ...brackets, mayKeepLines: false }, habits);
}

function withHabits(manner: Omit<Manner, 'isInline'>, habits: Habits): Manner {
  return whereShort(manner, (path, value) => prefersInline(habits, path, value));
}

function whereShort(manner: Omit<Manner, 'isInline'>, prefers: (path: ValuePath, value: JsonValue) => boolean): Manner {
  const isShort = (value: JsonValue): boolean => {
    const inline = writeInline(value, { ...manner, isInline: () => true });
    return inline.length <= longestInline && !inline.includes('\\n');
  };
  return { ...manner, isInline: (path, value) => prefers(path, value) && isShort(value) };
}

type Style = 'inline' | 'block' | undefined;

interface Habits {
  readonly node: Style;
  readonly edge: Style;
  /** Styles of lists and maps in nodes, by key. */
  readonly inNode: ReadonlyMap<string, Style>;
}

function prefersInline(habits: Habits, path: ValuePath, value: JsonValue): boolean {
  const [section, , key] = path;
  if (path.length === 1) return false;
  if (section === 'nodes' || section === 'steps') return prefersInlineInNode(habits, path, value);
  if (section === 'edges') {
    if (key !== undefined) return true;
    // A condition makes a line long, so it is written inline only where edges already are.
    const isSimple = !isJsonMap(value) || value['when'] === undefined;
    return isSimple ? habits.edge !== 'block' : habits.edge === 'inline';
  }
  if (section === 'layout') return path.length > 2;
  return isFlatList(value);
}

function prefersInlineInNode({ node, inNode }: Habits, path: ValuePath, value: JsonValue): boolean {
  const [, , key, inner] = path;
  if (key === undefined) return node === 'inline';
  if (key === 'when' || key === 'retry' || inner === 'retry' || path.includes('when')) return true;
  if (path.length === 3 && inNode.get(String(key)) === 'inline') return true;
  return isFlatList(value);
}

/** Returns whether a value is a list without nested lists and maps. */
export function isFlatList(value: JsonValue): boolean {
  return isJsonList(value) && value.every((item) => typeof item !== 'object' || item === null);
}

function sectionOf({ root }: YamlText, key: string): YamlPair | undefined {
  return isMap(root) ? pairsByKey(root).get(key) : undefined;
}

/** Returns the list of nodes or steps. */
function nodesOf(text: YamlText): YamlPair | undefined {
  return sectionOf(text, 'nodes') ?? sectionOf(text, 'steps');
}

function itemsOf(section: YamlPair | undefined): readonly (ParsedNode | null)[] {
  return isSeq(section?.value) ? (section.value.items as readonly (ParsedNode | null)[]) : [];
}

function styleOf(node: unknown): Style {
  if (!isCollection(node) || node.items.length === 0) return undefined;
  return node.flow === true ? 'inline' : 'block';
}

function lastStyle(section: YamlPair | undefined): Style {
  return styleOf(itemsOf(section).at(-1));
}

/** Later values take precedence. */
function stylesByKey(nodes: YamlPair | undefined): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>();
  for (const node of itemsOf(nodes)) {
    if (!isMap(node) || node.flow === true) continue;
    for (const [key, { value }] of pairsByKey(node as YAMLMap)) {
      const style = styleOf(value);
      if (style !== undefined) styles.set(key, style);
    }
  }
  return styles;
}

/** Returns the indentation of the first map below a key. */
function stepOf(text: YamlText, [list]: readonly (YamlPair | undefined)[]): number | undefined {
  if (!isMap(text.root)) return undefined;
  const maps = [text.root, ...itemsOf(list)].filter((node) => isMap(node));
  for (const { items } of maps) {
    for (const { key, value } of items as YamlPair[]) {
      if (!isMap(value) || value.flow === true || value.items.length === 0) continue;
      const step = columnOf(text.source, value.range[0]) - columnOf(text.source, key.range[0]);
      if (step > 0) return step;
    }
  }
  return undefined;
}

function dashStepOf(text: YamlText, section: YamlPair | undefined): number | undefined {
  const list = section?.value;
  if (section === undefined || !isSeq(list) || list.flow === true) return undefined;
  const dash = introEnd(itemTokens(list)[0]?.start, false);
  return dash === undefined ? undefined : columnOf(text.source, dash - 1) - columnOf(text.source, section.key.range[0]);
}

function isJsonText({ source, root }: YamlText): boolean {
  if (!isMap(root) || root.flow !== true) return false;
  return (root.items as YamlPair[]).every(({ key }) => source[key.range[0]] === '"');
}

/** Returns the number of blank lines before the file's last key. */
function sectionGapOf(text: YamlText): number {
  const last =
    isMap(text.root) && text.root.flow !== true ? (text.root.items.at(-1) as YamlPair | undefined) : undefined;
  return last === undefined ? 0 : blankLinesBefore(text, blockStart(text, last.key.range[0]));
}

interface Brackets {
  map?: ParsedNode;
  list?: ParsedNode;
}

/** Returns the first non-empty list and map in flow style. */
function findBrackets(node: ParsedNode | null, found: Brackets): Brackets {
  if (!isCollection(node) || (found.map !== undefined && found.list !== undefined)) return found;
  if (node.flow === true && node.items.length > 0) {
    if (isMap(node)) found.map ??= node as ParsedNode;
    else found.list ??= node as ParsedNode;
  }
  for (const item of node.items as (ParsedNode | YamlPair | null)[]) {
    findBrackets(item !== null && 'key' in item ? item.value : (item as ParsedNode | null), found);
  }
  return found;
}

/** Whether a space follows the opening bracket; undefined for values on several lines. */
function isPadded({ source }: YamlText, node: ParsedNode | undefined): boolean | undefined {
  if (node === undefined) return undefined;
  const sign = source[node.range[0] + 1];
  return sign === '\n' || sign === '\r' ? undefined : sign === ' ';
}
