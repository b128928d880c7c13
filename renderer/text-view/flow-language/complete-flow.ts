/**
 * What may be written at a place of a flow file.
 */

import { type JsonMap, type NodeTypeCatalog, pathText, readPath } from '../../../engine/isomorphic.ts';
import {
  type BindingFlow,
  type BindingPlace,
  firstSteps,
  nodesBefore,
  type PathStep,
  stepsBelow,
} from '../../stores/flow/binding-candidates.ts';
import { type KnownKey, knownKeys } from '../../stores/flow/schema-fields.ts';
import { type Entry, entryAt, entryPath, scalarAt } from './entry.ts';
import { edgeAt, type FlowIndex, nodeAt } from './flow-index.ts';
import { describe, knownValues, schemasOf, shapeOf } from './schema-walk.ts';
import { type Cursor, cursorAt } from './yaml-cursor.ts';

/** Something that may be written. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'node' | 'field';
  /** Few words beside the label. */
  readonly detail: string;
  readonly description: string;
  /** Written in place of the characters from `start` to `end`. Further lines are indented from the beginning of the line. */
  readonly insert: string;
  /** What is compared with the text in its place; the label when absent. */
  readonly filter?: string;
  readonly start: number;
  readonly end: number;
}

export interface FlowKnowledge {
  /** JSON schema of flow files. */
  readonly schema: JsonMap;
  readonly catalog: NodeTypeCatalog;
}

/** Everything that may be written at an offset, the likeliest first; empty where nothing is known. */
export function completeFlow(index: FlowIndex, offset: number, knowledge: FlowKnowledge): readonly Suggestion[] {
  const cursor = cursorAt(index.root, index.text, offset);
  if (cursor === undefined) return [];
  const path = pathBefore(index.text, offset, cursor);
  if (path !== undefined) return pathSuggestions(index, offset, { path, catalog: knowledge.catalog });
  if (cursor.role === 'key') return keySuggestions(index.text, cursor, knowledge.schema);
  const named = nodeSuggestions(index, offset, cursor);
  if (named !== undefined) return named;
  const values = valueSuggestions(cursor, knowledge.schema);
  return cursor.role === 'value' ? values : [...values, ...keySuggestions(index.text, cursor, knowledge.schema)];
}

/** Braces, and as much of a path as stands behind them; its last part may be one that was begun in brackets. */
const openBinding =
  /(?<!\\)\{\{\s*\??\s*((?:[^\s|{}[\]"']|\[(?:\d+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\])*(?:\[(?:\d*|"[^"]*|'[^']*))?)$/;

/**
 * Whether there can be anything to suggest behind a part of a line: words after each other are neither key nor name. Much cheaper
 * than to look, and asked with every keystroke.
 */
export function mayComplete(lineBefore: string): boolean {
  if (openBinding.test(lineBefore)) return true;
  const word = lineBefore.replace(/^.*(?:[{[,]|:\s|-\s)/, '').trimStart();
  return !/\s/.test(word);
}

/** The path that is being written in a binding or a condition; undefined when none is. */
function pathBefore(text: string, offset: number, { entry, role, word }: Cursor): string | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const binding = openBinding.exec(text.slice(lineStart, offset));
  if (binding !== null) return binding[1] ?? '';
  const isCondition = role === 'value' && (entry.key?.text === 'var' || entry.key?.text === 'exists');
  if (!isCondition || !entryPath(entry).includes('when')) return undefined;
  return text.slice(word.start, offset).replace(/^["']/, '');
}

interface PathWish {
  readonly path: string;
  readonly catalog: NodeTypeCatalog;
}

function pathSuggestions(index: FlowIndex, offset: number, { path, catalog }: PathWish): readonly Suggestion[] {
  const { steps, begun, isBracketed } = begunPath(path);
  const before = index.text.slice(0, offset);
  const rest = (isBracketed ? /^[^\n\]}]*\]?/ : /^[\w$@-]*/).exec(index.text.slice(offset))?.[0] ?? '';
  return stepsAfter(index, offset, steps, catalog).map(({ name, detail, description }) => {
    const step = pathText(['', name]);
    const isPlain = step.startsWith('.') && !isBracketed;
    // A key in brackets takes the place of the dot as well.
    const start = offset - begun.length - (isPlain || isBracketed || steps.length === 0 ? 0 : 1);
    return {
      label: name,
      kind: steps.length === 0 ? ('node' as const) : ('field' as const),
      detail,
      description,
      insert: isPlain || steps.length === 0 ? name : keyInBrackets(name, before),
      filter: index.text.slice(start, offset - begun.replace(/^\[["']?/, '').length) + name,
      start,
      end: offset + rest.length,
    };
  });
}

/** What a path that is being written goes through, and what is written of its last step. */
function begunPath(path: string): { steps: readonly string[]; begun: string; isBracketed: boolean } {
  const { segments, spans, end } = readPath(path, 0) ?? { segments: [], spans: [], end: 0 };
  const rest = path.slice(end);
  if (rest.startsWith('[')) return { steps: segments, begun: rest, isBracketed: true };
  if (rest !== '' || path.endsWith(']')) return { steps: segments, begun: rest.replace(/^\./, ''), isBracketed: false };
  const [start = 0] = spans.at(-1) ?? [];
  return { steps: segments.slice(0, -1), begun: path.slice(start), isBracketed: false };
}

/** With quotes that can stand in the quotes of the text around it. */
function keyInBrackets(key: string, before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const around = line.replace(/\[["'][^\]]*(?:\]|$)|\\./g, '');
  const isQuoted = around.split('"').length % 2 === 0;
  return isQuoted && !/['\\]/.test(key) ? `['${key}']` : `[${JSON.stringify(key)}]`;
}

/** Ids of nodes, where an edge or a loop names one; undefined elsewhere. */
function nodeSuggestions(index: FlowIndex, offset: number, { entry, word }: Cursor): readonly Suggestion[] | undefined {
  const path = entryPath(entry);
  const isEnd = path[0] === 'edges' && path.length === 3 && (path[2] === 'from' || path[2] === 'to');
  const isBody = path[0] === 'nodes' && path[2] === 'input' && path[3] === 'body' && path.length <= 5;
  if (!isEnd && !isBody) return undefined;
  const other = path[2] === 'from' ? 'to' : 'from';
  const taken = isEnd
    ? [entry.parent === null ? undefined : scalarAt(entry.parent, other)]
    : takenIds(index, offset, entry);
  return index.nodes
    .filter(({ id }) => id !== '' && !taken.includes(id))
    .map(({ id, type, entry: node }) => ({
      label: id,
      kind: 'node',
      detail: type,
      description: scalarAt(node, 'name') ?? '',
      insert: id,
      start: word.start,
      end: word.end,
    }));
}

/** A loop holds neither itself nor a node twice. */
function takenIds(index: FlowIndex, offset: number, entry: Entry): readonly (string | undefined)[] {
  const list = entry.key?.text === 'body' ? entry : entry.parent;
  const others = list?.children.filter((child) => child !== entry).map(({ value }) => value?.text) ?? [];
  return [nodeAt(index, offset)?.id, ...others];
}

function valueSuggestions({ entry, word }: Cursor, schema: JsonMap): readonly Suggestion[] {
  return knownValues(schemasOf(schema, entry)).map(({ text, title, description }) => ({
    label: text,
    kind: 'value',
    detail: title,
    description,
    insert: text,
    start: word.start,
    end: word.end,
  }));
}

function keySuggestions(text: string, cursor: Cursor, schema: JsonMap): readonly Suggestion[] {
  const { entry, word, hasColon } = cursor;
  const schemas = schemasOf(schema, entry);
  const present = new Set(entry.children.filter(({ key }) => key?.start !== word.start).map(({ key }) => key?.text));
  return knownKeys(schemas)
    .filter(({ name }) => !present.has(name))
    .map((known) => ({
      label: known.name,
      kind: 'key',
      detail: known.isRequired ? 'required' : '',
      description: describe([known.schema]),
      insert: hasColon ? known.name : newKey(text, cursor, known),
      start: word.start,
      end: word.end,
    }));
}

/** A key with its colon, and the beginning of what its value is. */
function newKey(text: string, { entry, word }: Cursor, { name, schema }: KnownKey): string {
  const shape = shapeOf(schema);
  if (shape === 'scalar' || entry.inline !== null) return `${name}: `;
  const lineStart = text.lastIndexOf('\n', word.start - 1) + 1;
  const indent = /^[ ]*/.exec(text.slice(lineStart, word.start))?.[0].length ?? 0;
  const deeper = ' '.repeat(word.start - lineStart - indent + 2);
  return `${name}:\n${deeper}${shape === 'list' ? '- ' : ''}`;
}

/** As much of an input's value as fits beside its name. */
const longestDetail = 40;

/** The steps that may come behind `path`, for what stands at an offset. */
function stepsAfter(
  index: FlowIndex,
  offset: number,
  path: readonly string[],
  catalog: NodeTypeCatalog,
): readonly PathStep[] {
  const flow = bindingFlowOf(index);
  if (path.length > 0) return stepsBelow(flow, path, catalog);
  const place = placeAt(index, offset);
  const steps = firstSteps(flow, place, catalog);
  if (place === null || nodesBefore(flow, place).length > 0) return steps;
  // Edges come last in a file: a node that has none yet may become anybody's neighbour.
  const own = 'node' in place ? place.node : place.edgeFrom;
  const all = firstSteps(flow, null, catalog).filter(({ name, kind }) => kind === 'node' && name !== own);
  return [...steps.slice(0, -1), ...all, ...steps.slice(-1)];
}

function placeAt(index: FlowIndex, offset: number): BindingPlace {
  const node = nodeAt(index, offset)?.id;
  if (node !== undefined) return { node };
  const edgeFrom = edgeAt(index, offset)?.from;
  return edgeFrom === undefined ? null : { edgeFrom };
}

function bindingFlowOf({ root, nodes, edges, loopOf }: FlowIndex): BindingFlow {
  return {
    nodes: nodes
      .filter(({ id }) => id !== '')
      .map(({ id, type, entry }) => ({
        id,
        type,
        name: scalarAt(entry, 'name'),
        itemName: scalarAt(entryAt(entry, ['input']) ?? entry, 'as'),
      })),
    edges,
    ownerOf: new Map([...loopOf].map(([id, loop]) => [id, loop.id])),
    inputsAt(path) {
      const found = entryAt(root, ['flow', 'input', ...path]);
      const entries = found?.kind === 'map' ? found.children : [];
      return entries.flatMap(({ key, value }) =>
        key === null ? [] : { name: key.text, detail: value?.text.slice(0, longestDetail) ?? '' },
      );
    },
  };
}
