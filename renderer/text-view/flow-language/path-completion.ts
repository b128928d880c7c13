/**
 * Paths of values, as bindings and conditions write them: what may stand next.
 */

import type { JsonMap } from '../../../engine/isomorphic.ts';
import { entryAt, scalarAt } from './entry.ts';
import { edgeAt, type FlowIndex, loopsAround, nodeAt, nodesBefore } from './flow-index.ts';
import { fieldsAt } from './schema-walk.ts';

/** What of node types is asked for. */
export interface KnownTypes {
  /** Title of a type; undefined for an unknown one. */
  titleOf(type: string): string | undefined;
  /** Schema of its output; undefined for an unknown one. */
  outputOf(type: string): JsonMap | undefined;
}

/** One step that a path can take. */
export interface PathStep {
  readonly name: string;
  /** Few words on what it is. */
  readonly detail: string;
  readonly description: string;
}

/** The steps that may come behind `path`, for what stands at an offset. */
export function stepsAfter(
  index: FlowIndex,
  offset: number,
  { path, types }: { path: readonly string[]; types: KnownTypes },
): readonly PathStep[] {
  const [root, ...inner] = path;
  if (root === undefined) return rootsAt(index, offset, types);
  if (root === 'flow') return flowSteps(index, inner);
  const node = index.nodes.find(({ id }) => id === root);
  const output = node === undefined ? undefined : types.outputOf(node.type);
  if (output !== undefined) return fieldsAt(output, inner).map(({ name, schema }) => stepOf(name, schema));
  return root === 'loop' && inner.length === 0
    ? [{ name: 'index', detail: 'number', description: 'Place in the list, from 0.' }]
    : [];
}

/** The fields of a node's output. */
export function outputFields(type: string, types: KnownTypes): readonly PathStep[] {
  const output = types.outputOf(type);
  return output === undefined ? [] : fieldsAt(output, []).map(({ name, schema }) => stepOf(name, schema));
}

function stepOf(name: string, schema: JsonMap): PathStep {
  const { type, description } = schema;
  return {
    name,
    detail: typeof type === 'string' ? type : '',
    description: typeof description === 'string' ? description : '',
  };
}

function rootsAt(index: FlowIndex, offset: number, types: KnownTypes): readonly PathStep[] {
  const edge = edgeAt(index, offset);
  const place = nodeAt(index, offset)?.id ?? edge?.from;
  const own = edge === undefined ? [] : [edge.from];
  const before = place === undefined ? [] : [...own, ...nodesBefore(index, place)];
  // Edges come last in a file: a node that has none yet may become anybody's neighbour.
  const ids = before.length > 0 ? before : index.nodes.map(({ id }) => id).filter((id) => id !== '' && id !== place);
  const loops = place === undefined ? [] : loopsAround(index, place);
  const items = loops.map(({ id, entry }) => ({
    name: scalarAt(entryAt(entry, ['input']) ?? entry, 'as') ?? 'item',
    detail: 'item',
    description: `What the loop "${id}" is at.`,
  }));
  const loop =
    loops.length === 0 ? [] : [{ name: 'loop', detail: 'loop', description: 'Where the loop around it is.' }];
  const typeOf = new Map(index.nodes.map(({ id, type }) => [id, type]));
  const nodes = [...new Set(ids)].map((id) => ({
    name: id,
    detail: types.titleOf(typeOf.get(id) ?? '') ?? '',
    description: '',
  }));
  return [
    ...items,
    ...loop,
    ...nodes,
    { name: 'flow', detail: 'inputs', description: 'Inputs of the run: `flow.input.<key>`.' },
  ];
}

function flowSteps({ root }: FlowIndex, inner: readonly string[]): readonly PathStep[] {
  if (inner.length === 0) return [{ name: 'input', detail: 'inputs', description: 'Inputs of the run.' }];
  const found = entryAt(root, ['flow', ...inner]);
  const entries = found?.kind === 'map' ? found.children : [];
  return entries.flatMap(({ key, value }) =>
    key === null ? [] : { name: key.text, detail: value?.text.slice(0, 40) ?? '', description: '' },
  );
}
