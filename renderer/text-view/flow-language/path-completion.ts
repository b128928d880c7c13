/**
 * Paths of values, as bindings and conditions write them: what may stand next in a text that is being written.
 */
import type { NodeTypeCatalog } from '../../../engine/isomorphic.ts';
import {
  type BindingFlow,
  type BindingPlace,
  firstSteps,
  nodesBefore,
  type PathStep,
  stepsBelow,
} from '../../stores/flow/binding-candidates.ts';
import { entryAt, scalarAt } from './entry.ts';
import { edgeAt, type FlowIndex, nodeAt } from './flow-index.ts';

/** As much of an input's value as fits beside its name. */
const longestDetail = 40;

/** The steps that may come behind `path`, for what stands at an offset. */
export function stepsAfter(
  index: FlowIndex,
  offset: number,
  { path, catalog }: { path: readonly string[]; catalog: NodeTypeCatalog },
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
