/**
 * Completions in a conversation catalog: keys and values from its schema, and names from the file.
 */
import { catalogueJsonSchema, type JsonMap, slotTypeNames, universalIntents } from '../../../engine/isomorphic.ts';
import { text } from '../text.ts';
import { keysAt } from './catalogue-index.ts';
import { completeBySchema } from './complete-flow.ts';
import { entryPath } from './entry.ts';
import type { FlowIndex } from './flow-index.ts';
import type { CompletionSuggestion } from './suggestion.ts';
import { type Cursor, cursorAt } from './yaml-cursor.ts';

let schema: JsonMap | undefined;

/** The JSON Schema of catalogs, created on first use. */
export function catalogueSchema(): JsonMap {
  schema ??= catalogueJsonSchema();
  return schema;
}

/** Returns all completions at an offset, most likely first. Empty if nothing is known. */
export function completeCatalogue(index: FlowIndex, offset: number): readonly CompletionSuggestion[] {
  const cursor = cursorAt(index.root, index.text, offset);
  if (cursor === undefined) return [];
  const names = cursor.role === 'key' ? undefined : namesAt(index, cursor);
  if (names === undefined) return completeBySchema(index.text, cursor, catalogueSchema());
  const { start, end } = cursor.word;
  return names.map(({ name, detail }) => ({
    label: name,
    kind: 'value',
    detail,
    description: '',
    insert: name,
    start,
    end,
  }));
}

interface Name {
  readonly name: string;
  readonly detail: string;
}

/** Returns the names that can be used at a place, or undefined if none can. */
function namesAt({ root, nodes }: FlowIndex, { entry }: Cursor): readonly Name[] | undefined {
  const words = text.completions;
  const path = entryPath(entry);
  const [list, place, key] = path;
  const last = path.at(-1);
  const isFlow = list === 'flows' && path.length === 3;
  if (isFlow && key === 'intent')
    return named([...new Set([...keysAt(root, 'intents'), ...universalIntents])], words.intent);
  const isInternal = (type: string): boolean => type === 'Internal';
  if ((isFlow && key === 'fallback') || (list === 'flows' && key === 'dependsOn')) {
    const own = typeof place === 'number' ? nodes[place] : undefined;
    const others = nodes.filter(
      ({ id, type }) => id !== '' && id !== own?.id && isInternal(type) === (key === 'dependsOn'),
    );
    return others.map(({ id, type }) => ({ name: id, detail: type }));
  }
  if (list === 'flows' && key === 'slots' && path.length === 5 && last === 'type')
    return [...named(keysAt(root, 'slotTypes'), words.ofThisFile), ...named(slotTypeNames, words.type)];
  return list === 'slotTypes' && path.length === 3 && last === 'base' ? named(slotTypeNames, words.type) : undefined;
}

function named(names: readonly string[], detail: string): readonly Name[] {
  return names.map((name) => ({ name, detail }));
}
