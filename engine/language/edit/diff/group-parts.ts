/**
 * Groups the parts of a comparison into differences: what makes sense only together is accepted together, and what
 * refers to a new node needs that node.
 */
import { readPath } from '../../bindings/binding-path.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { changeBindings, changeCondition, changeInput, type PathEdits } from '../node-paths.ts';
import { textAt } from '../raw-flow.ts';
import { type DifferencePart, keyOf } from './flow-difference.ts';
import { namedEdges, namedNodes } from './named-parts.ts';

/** A difference without its line and text. */
export interface GroupedParts {
  readonly key: string;
  readonly parts: readonly DifferencePart[];
  readonly needs: readonly string[];
}

type EdgePart = Extract<DifferencePart, { what: 'edge-added' | 'edge-removed' }>;

/** @param before the first version with the names of the second one */
export function groupParts(
  parts: readonly DifferencePart[],
  { before, after }: { readonly before: JsonMap; readonly after: JsonMap },
): readonly GroupedParts[] {
  return new Grouping(parts, { before, after }).grouped();
}

class Grouping {
  readonly #parts: readonly DifferencePart[];
  readonly #nodes: ReadonlyMap<string, JsonMap>;
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();
  /** Edges of each version between a node that it alone has and others, by the start. */
  readonly #addedWays = new Map<string, string[]>();
  readonly #removedWays = new Map<string, string[]>();
  /** Parts of each difference, by its key. */
  readonly #groups = new Map<string, DifferencePart[]>();
  readonly #keys = new Map<DifferencePart, string>();
  readonly #needs = new Map<string, Set<string>>();

  constructor(
    parts: readonly DifferencePart[],
    { before, after }: { readonly before: JsonMap; readonly after: JsonMap },
  ) {
    this.#parts = parts;
    this.#nodes = namedNodes(after['nodes'] ?? after['steps']) ?? new Map();
    for (const part of parts) {
      if (part.what === 'node-added') this.#added.add(part.id);
      if (part.what === 'node-removed') this.#removed.add(part.id);
    }
    noteWays(this.#addedWays, after['edges']);
    noteWays(this.#removedWays, before['edges']);
  }

  grouped(): readonly GroupedParts[] {
    for (const part of this.#parts) if (!isEdge(part)) this.#add(keyOf(part), part);
    for (const part of this.#parts) if (isEdge(part)) this.#placeEdge(part);
    for (const part of this.#parts) this.#noteReferences(part);
    return [...this.#groups].map(([key, parts]) => ({ key, parts, needs: [...(this.#needs.get(key) ?? [])] }));
  }

  #placeEdge(part: EdgePart): void {
    const keys = this.#endsOf(part);
    if (keys.length === 0) {
      this.#placeReplaced(part);
      return;
    }
    const [key = '', other] = keys;
    this.#add(key, part);
    if (other === undefined) return;
    if (part.what === 'edge-added') this.#need(key, other);
    else this.#need(other, key);
  }

  /** Returns the keys of the ends that are added or removed with the edge. */
  #endsOf({ what, from, to }: EdgePart): readonly string[] {
    const [nodes, word] = what === 'edge-added' ? [this.#added, 'node-added'] : [this.#removed, 'node-removed'];
    return [to, from].flatMap((id) => (nodes.has(id) ? [`${word} ${id}`] : []));
  }

  /** An edge between nodes of both versions may be replaced by new nodes, or replace removed ones. */
  #placeReplaced(part: EdgePart): void {
    const isAdded = part.what === 'edge-added';
    const nodes = this.#wayThrough(part, isAdded ? this.#removed : this.#added);
    const keys = nodes.map((id) => `${isAdded ? 'node-removed' : 'node-added'} ${id}`);
    this.#add(keys[0] ?? keyOf(part), part);
    // Nodes on such a way are useless without each other.
    for (const [index, key] of keys.entries()) this.#need(key, keys[(index + 1) % keys.length] ?? key);
  }

  /** Returns the nodes on the other version's way from one end of an edge to the other, if it has only these nodes. */
  #wayThrough({ from, to }: EdgePart, nodes: ReadonlySet<string>): readonly string[] {
    const ways = nodes === this.#added ? this.#addedWays : this.#removedWays;
    const former = new Map<string, string>();
    const queue = [from];
    for (const id of queue) {
      for (const next of ways.get(id) ?? []) {
        if (next === to && id !== from) return pathTo(id, former);
        if (!nodes.has(next) || former.has(next)) continue;
        former.set(next, id);
        queue.push(next);
      }
    }
    return [];
  }

  /** New references need the new node. Removing a node needs that references to it are gone. */
  #noteReferences(part: DifferencePart): void {
    const { now, former } = this.#referencesOf(part);
    const key = this.#keys.get(part) ?? keyOf(part);
    for (const id of now) if (this.#added.has(id)) this.#need(key, `node-added ${id}`);
    for (const id of former) if (this.#removed.has(id) && !now.has(id)) this.#need(`node-removed ${id}`, key);
  }

  #referencesOf(part: DifferencePart): { readonly now: ReadonlySet<string>; readonly former: ReadonlySet<string> } {
    const none = new Set<string>();
    switch (part.what) {
      case 'node-added':
        return { now: new Set([...referencesOfNode(part.node), ...bodyOf(part.node)]), former: none };
      case 'node-changed': {
        const type = textAt(this.#nodes.get(part.id), 'type') ?? '';
        const read = (value: JsonValue | undefined): ReadonlySet<string> =>
          value === undefined ? none : referencesOfNode(nested(value, type, part.path));
        return { now: read(part.after), former: read(part.before) };
      }
      case 'edge-added':
        return { now: conditionOf(part.edge), former: none };
      case 'edge-changed':
        return { now: edgeReferences(part.after), former: edgeReferences(part.before) };
      case 'flow-changed':
        return {
          now: part.after === undefined ? none : referencesIn(part.after),
          former: part.before === undefined ? none : referencesIn(part.before),
        };
      case 'layout-changed':
        return { now: namesAt(part.after, 'nodes'), former: none };
      default:
        return { now: none, former: none };
    }
  }

  #add(key: string, part: DifferencePart): void {
    this.#keys.set(part, key);
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, [part]);
    else group.push(part);
  }

  #need(key: string, other: string): void {
    if (key === other) return;
    const needs = this.#needs.get(key) ?? new Set();
    this.#needs.set(key, needs.add(other));
  }
}

function isEdge(part: DifferencePart): part is EdgePart {
  return part.what === 'edge-added' || part.what === 'edge-removed';
}

function noteWays(ways: Map<string, string[]>, edges: JsonValue | undefined): void {
  for (const edge of namedEdges(edges)?.values() ?? []) {
    const [from, to] = [textAt(edge, 'from') ?? '', textAt(edge, 'to') ?? ''];
    const known = ways.get(from);
    if (known === undefined) ways.set(from, [to]);
    else known.push(to);
  }
}

function pathTo(id: string, former: ReadonlyMap<string, string>): readonly string[] {
  const path: string[] = [];
  for (let one: string | undefined = id; one !== undefined && former.has(one); one = former.get(one)) path.unshift(one);
  return path;
}

/** Returns a node with only this value. */
function nested(value: JsonValue, type: string, path: readonly (string | number)[]): JsonValue {
  if (path.length === 0) return value;
  const inner = path.reduceRight<JsonValue>((within, key) => ({ [key]: within }), value);
  return isJsonMap(inner) ? { type, ...inner } : inner;
}

/** Returns the nodes in the body of a loop. */
function bodyOf(node: JsonMap): ReadonlySet<string> {
  return namesAt(node['input'], 'body');
}

function namesAt(value: JsonValue | undefined, key: string): ReadonlySet<string> {
  const list = isJsonMap(value) ? value[key] : undefined;
  return new Set(isJsonList(list) ? list.filter((one) => typeof one === 'string') : []);
}

function conditionOf(edge: JsonMap): ReadonlySet<string> {
  const when = edge['when'];
  return when === undefined ? new Set() : referencesOfNode({ when });
}

function edgeReferences(edge: JsonMap): ReadonlySet<string> {
  return new Set([...conditionOf(edge), textAt(edge, 'from') ?? '', textAt(edge, 'to') ?? '']);
}

/** Keys after which a path names a node: `previous.draft`, `each.iterations.0.outputs.draft`, `polish.last.draft`. */
const namingKeys: ReadonlySet<string> = new Set(['previous', 'outputs', 'last']);

/** Returns the names of nodes in the bindings and conditions of a node or step. */
function referencesOfNode(node: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  if (!isJsonMap(node)) return names;
  const collect = collectorOf(names);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'when') changeCondition(value, collect);
    else if (key === 'input') changeInput(textAt(node, 'type') ?? '', value, collect);
    else changeBindings(value, collect);
  }
  return names;
}

/** Returns the names of nodes in any bindings of a value. */
function referencesIn(value: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  changeBindings(value, collectorOf(names));
  return names;
}

/** Adds names and changes nothing. */
function collectorOf(names: Set<string>): PathEdits {
  return ({ text, offset }) => {
    const { segments } = readPath(text, offset) ?? { segments: [] };
    for (const [index, name] of segments.entries())
      if (index === 0 || namingKeys.has(segments[index - 1] ?? '')) names.add(name);
    return [];
  };
}
