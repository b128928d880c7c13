/**
 * Visits every path in a flow file together with its reader.
 */
import { applyEdits, type TextEdit } from '../../../base/text-edit.ts';
import type { EdgeDoc, NodeDoc } from '../../flow/flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { changeBindings, changeCondition, changeInput, mapEntries, type PathPlace } from '../node-paths.ts';
import { listAt, withKey, withList } from '../raw-flow.ts';
import type { FlowLevels, LoopLevel } from './flow-levels.ts';

/** A path's reader. */
export interface PathReader {
  /** The graph whose values it can read. */
  readonly level: LoopLevel;
  /** The node that reads the path, or the edge's source; undefined if it is evaluated after all nodes. */
  readonly node: string | undefined;
  /** Whether `node` itself has settled by then, as for an edge condition. */
  readonly isBehind: boolean;
  /** Whether it always reads the value and ends the run if the value is missing. */
  readonly isSure: boolean;
}

/** A visitor that returns edits for the text around a path. */
export type PathVisit = (place: PathPlace, reader: PathReader) => readonly TextEdit[];

/** Returns the known edits that change one text to another. */
export type Respell = (before: string, after: string) => readonly TextEdit[] | undefined;

interface Visits {
  node(node: NodeDoc): PathVisit;
  edge(edge: EdgeDoc): PathVisit;
  readonly outputs: PathVisit;
  /** Whether a node always runs and ends the run when it fails. */
  isSure(node: NodeDoc): boolean;
}

export class PathReading {
  readonly #levels: FlowLevels;
  readonly #visits: Visits;
  readonly #respellings = new Map<string, readonly TextEdit[]>();

  constructor(levels: FlowLevels, visits: Visits) {
    this.#levels = levels;
    this.#visits = visits;
  }

  /** Visits the flow's nodes, edges and outputs, and returns the file with the edits applied. */
  through(root: JsonMap): JsonMap {
    const nodes = listAt(root, 'nodes').map((node) => this.#node(node as JsonMap));
    const edges = listAt(root, 'edges').map((edge) => this.#edge(edge as JsonMap));
    const changed = withList(withList(root, 'nodes', nodes), 'edges', edges);
    const flow = changed['flow'];
    if (!isJsonMap(flow) || flow['outputs'] === undefined) return changed;
    const reader: PathReader = { level: undefined, node: undefined, isBehind: true, isSure: true };
    const outputs = this.#noted(reader, this.#visits.outputs, (edits) =>
      changeBindings(flow['outputs'] ?? null, edits),
    );
    return withKey(changed, { key: 'flow', value: withKey(flow, { key: 'outputs', value: outputs }) });
  }

  readonly respell: Respell = (before, after) => this.#respellings.get(`${before}\0${after}`);

  #node(node: JsonMap): JsonMap {
    const doc = node as unknown as NodeDoc;
    const visit = this.#visits.node(doc);
    const reader: PathReader = {
      level: this.#levels.levelOf(doc.id),
      node: doc.id,
      isBehind: false,
      isSure: this.#visits.isSure(doc),
    };
    const inBody: PathReader = { level: doc.id, node: doc.id, isBehind: true, isSure: false };
    return mapEntries(node, (key, value) => {
      if (key === 'when') return this.#noted(reader, visit, (edits) => changeCondition(value, edits));
      if (key !== 'input') return value;
      return this.#noted(reader, visit, (edits) =>
        this.#noted(inBody, visit, (bodyEdits) =>
          changeInput(doc.type, value, edits, (sees) => (sees === 'body' ? bodyEdits : edits)),
        ),
      );
    });
  }

  #edge(edge: JsonMap): JsonMap {
    const doc = edge as unknown as EdgeDoc;
    const { from } = doc;
    const reader: PathReader = { level: this.#levels.levelOf(from), node: from, isBehind: true, isSure: false };
    return mapEntries(edge, (key, value) =>
      key === 'when' ? this.#noted(reader, this.#visits.edge(doc), (edits) => changeCondition(value, edits)) : value,
    );
  }

  /** Records the edits in each string, so that only these parts are rewritten. */
  #noted(
    reader: PathReader,
    visit: PathVisit,
    change: (edits: (place: PathPlace) => readonly TextEdit[]) => JsonValue,
  ): JsonValue {
    const found = new Map<string, Map<number, TextEdit>>();
    const changed = change((place) => {
      const edits = visit(place, reader);
      const known = found.get(place.text) ?? new Map<number, TextEdit>();
      for (const edit of edits) known.set(edit.start, edit);
      if (known.size > 0) found.set(place.text, known);
      return edits;
    });
    for (const [text, edits] of found) {
      const sorted = [...edits.values()].sort((a, b) => a.start - b.start);
      this.#respellings.set(`${text}\0${applyEdits(text, sorted)}`, sorted);
    }
    return changed;
  }
}
