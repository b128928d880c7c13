/**
 * Names of the nodes, inputs and stages that wait for a person.
 */
import { baseNodeId, type FlowDoc, type WaitingRequest } from '../../../../engine/isomorphic.ts';
import { itemText } from '../../flow/node-places.ts';
import { text } from '../text.ts';

/** Loops by their paths in a run, as far as needed to name their items. */
type Loops = NonNullable<Parameters<typeof itemText>[1]>;

/** Returns the loops of a flow. The number of items is known only in the run. */
export function loopsIn(doc: FlowDoc | null): Loops {
  const names = new Map(doc?.nodes.map(({ id, input }) => [id, input['as']]));
  return {
    get(loop) {
      const as = names.get(baseNodeId(loop));
      return typeof as === 'string' ? { as, total: null, mostPasses: null } : undefined;
    },
  };
}

const stageNames: Readonly<Record<string, string>> = {
  BeforeAll: text.requests.beforeAll,
  AfterAll: text.requests.afterAll,
};

/** Returns the name of what has made a request. */
export function shownName({ name, run }: WaitingRequest, names: ReadonlyMap<string, string>, loops: Loops): string {
  if (run.kind !== 'agent') return nameOf(name, names, loops);
  const end = name.lastIndexOf('/');
  const task = name.slice(end + 1);
  const own =
    stageNames[task] ??
    run.nodes.get(task)?.label ??
    text.requests.inputNumber({ number: Number(task.slice(task.indexOf(':') + 1)) + 1 });
  return end === -1 ? own : text.requests.inNode({ node: nameOf(name.slice(0, end), names, loops), name: own });
}

/** Returns the name of a node with its item. */
export function nameOf(nodeId: string, names: ReadonlyMap<string, string>, loops: Loops): string {
  const id = baseNodeId(nodeId);
  const name = names.get(id) ?? id;
  const item = itemText(nodeId, loops);
  return item === '' ? name : `${name}, ${item}`;
}

/**
 * Returns the name of the node, input or stage that a paused run starts next. @param names the names of the run's own
 * nodes, by ID
 */
export function nextNodeName(place: string, names: ReadonlyMap<string, string>, loops: Loops): string {
  const [outer = place, ...inner] = place.split('/');
  const last = inner.at(-1) ?? outer;
  const index = /^input:(\d+)$/.exec(last)?.[1];
  const ofAgent = index === undefined ? stageNames[last] : text.requests.inputNumber({ number: Number(index) + 1 });
  if (inner.length === 0) return ofAgent ?? nameOf(outer, names, loops);
  const name = ofAgent ?? nameOf(last, new Map(), loops);
  return text.requests.inNode({ node: nameOf(outer, names, loops), name });
}
