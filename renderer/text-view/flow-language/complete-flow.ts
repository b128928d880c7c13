/**
 * Completions in a flow file.
 */

import type { JsonMap, NodeTypeCatalog } from '../../../engine/isomorphic.ts';
import type { CandidateContext } from '../../stores/flow/binding-candidates.ts';
import { type KnownKey, knownKeys } from '../../stores/flow/schema-fields.ts';
import { text as words } from '../text.ts';
import { completePath, openBinding } from './complete-path.ts';
import { entryPath, scalarAt, type YamlEntry } from './entry.ts';
import { type FlowIndex, nodeAt } from './flow-index.ts';
import { describe, knownValues, schemasOf, shapeOf } from './schema-walk.ts';
import type { CompletionSuggestion } from './suggestion.ts';
import { type Cursor, cursorAt } from './yaml-cursor.ts';

export interface FlowKnowledge extends CandidateContext {
  /** JSON schema of flow files. */
  readonly schema: JsonMap;
  readonly catalog: NodeTypeCatalog;
}

/** Returns all completions at an offset, most likely first. Empty if nothing is known. */
export function completeFlow(
  index: FlowIndex,
  offset: number,
  knowledge: FlowKnowledge,
): readonly CompletionSuggestion[] {
  const cursor = cursorAt(index.root, index.text, offset);
  if (cursor === undefined) return [];
  const path = completePath(index, offset, { cursor, ...knowledge });
  if (path !== undefined) return path;
  if (cursor.role === 'key') return keySuggestions(index.text, cursor, knowledge.schema);
  const named = nodeSuggestions(index, offset, cursor);
  if (named !== undefined) return named;
  return completeBySchema(index.text, cursor, knowledge.schema);
}

/** Returns the keys and values that a schema defines for a place. */
export function completeBySchema(text: string, cursor: Cursor, schema: JsonMap): readonly CompletionSuggestion[] {
  const values = cursor.role === 'key' ? [] : valueSuggestions(cursor, schema);
  return cursor.role === 'value' ? values : [...values, ...keySuggestions(text, cursor, schema)];
}

/**
 * Returns whether there can be completions at the end of a line: several words in a row are neither a key nor a name.
 * Much cheaper than computing them, and called on every keystroke.
 */
export function mayComplete(lineBefore: string): boolean {
  if (openBinding.test(lineBefore)) return true;
  const word = lineBefore.replace(/^.*(?:[{[,]|:\s|-\s)/, '').trimStart();
  return !/\s/.test(word);
}

/** Returns IDs of nodes where an edge or a loop refers to one, or undefined elsewhere. */
function nodeSuggestions(
  index: FlowIndex,
  offset: number,
  { entry, word }: Cursor,
): readonly CompletionSuggestion[] | undefined {
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

/** A loop contains neither itself nor any node twice. */
function takenIds(index: FlowIndex, offset: number, entry: YamlEntry): readonly (string | undefined)[] {
  const list = entry.key?.text === 'body' ? entry : entry.parent;
  const others = list?.children.filter((child) => child !== entry).map(({ value }) => value?.text) ?? [];
  return [nodeAt(index, offset)?.id, ...others];
}

function valueSuggestions({ entry, word }: Cursor, schema: JsonMap): readonly CompletionSuggestion[] {
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

function keySuggestions(text: string, cursor: Cursor, schema: JsonMap): readonly CompletionSuggestion[] {
  const { entry, word, hasColon } = cursor;
  const schemas = schemasOf(schema, entry);
  const present = new Set(entry.children.filter(({ key }) => key?.start !== word.start).map(({ key }) => key?.text));
  return knownKeys(schemas)
    .filter(({ name }) => !present.has(name))
    .map((known) => ({
      label: known.name,
      kind: 'key',
      detail: known.isRequired ? words.completions.required : '',
      description: describe([known.schema]),
      insert: hasColon ? known.name : newKey(text, cursor, known),
      start: word.start,
      end: word.end,
    }));
}

/** Returns a key with its colon and the beginning of its value. */
function newKey(text: string, { entry, word }: Cursor, { name, schema }: KnownKey): string {
  const shape = shapeOf(schema);
  if (shape === 'scalar' || entry.inline !== null) return `${name}: `;
  const lineStart = text.lastIndexOf('\n', word.start - 1) + 1;
  const indent = /^[ ]*/.exec(text.slice(lineStart, word.start))?.[0].length ?? 0;
  const deeper = ' '.repeat(word.start - lineStart - indent + 2);
  return `${name}:\n${deeper}${shape === 'list' ? '- ' : ''}`;
}
