/**
 * Determines the facts that are certain when a node runs: true conditions, nodes that have run, and paths that exist.
 * They are derived from the node's own condition and from the facts common to all paths to it.
 */
import { parsePath } from '../bindings/binding-path.ts';
import { comparisonOf } from '../bindings/when.ts';
import type { EdgeDoc, FlowDoc, NodeDoc, WhenExpr } from '../flow/flow-doc.ts';
import type { LoopNesting } from '../flow/loops.ts';

interface RanBeforeFacts {
  /** True conditions, as JSON text. */
  readonly holds: ReadonlySet<string>;
  /** Paths that exist. */
  readonly paths: readonly (readonly string[])[];
}

const noFacts: RanBeforeFacts = { holds: new Set(), paths: [] };

/** Maximum number of nodes to search backward. */
const furthest = 20;

export class RanBefore {
  readonly #nodes: ReadonlyMap<string, NodeDoc>;
  readonly #nesting: LoopNesting;
  readonly #incoming = new Map<string, EdgeDoc[]>();
  readonly #known = new Map<string, RanBeforeFacts>();

  constructor({ nodes, edges }: FlowDoc, nesting: LoopNesting) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#nesting = nesting;
    for (const edge of edges) {
      const others = this.#incoming.get(edge.to);
      if (others === undefined) this.#incoming.set(edge.to, [edge]);
      else others.push(edge);
    }
  }

  /**
   * Returns, for display, why the node may have been skipped when the reader runs; undefined if it cannot have been.
   */
  whySkipped(id: string, readerId: string | undefined): string | undefined {
    const node = this.#nodes.get(id);
    if (node === undefined) return undefined;
    if (node.disabled === true) return 'it is disabled';
    const ways = this.#incoming.get(id) ?? [];
    const isReachedAnyway = ways.length === 0 || hasSafeWay(ways);
    if (node.when === undefined && isReachedAnyway) return undefined;
    const { holds, paths } = readerId === undefined ? noFacts : this.#factsOf(readerId, furthest);
    if (paths.some(([root, field]) => root === id && field !== 'skipped' && field !== 'reason')) return undefined;
    const isHeld = (when: WhenExpr | undefined): boolean => partsOf(when).every((part) => holds.has(textOf(part)));
    const isReached = isReachedAnyway || ways.some(({ when }) => isHeld(when));
    if (isReached && isHeld(node.when)) return undefined;
    return isReached ? 'it has a condition' : 'every edge to it has a condition';
  }

  /** Whether a path definitely exists when the reader runs. */
  isThere(path: readonly string[], readerId: string | undefined): boolean {
    if (readerId === undefined) return false;
    const { paths } = this.#factsOf(readerId, furthest);
    return paths.some((known) => path.every((segment, index) => known[index] === segment));
  }

  #factsOf(id: string, left: number): RanBeforeFacts {
    const known = this.#known.get(id);
    if (known !== undefined || left === 0) return known ?? noFacts;
    // A cycle of edges proves nothing about itself.
    this.#known.set(id, noFacts);
    const ways = (this.#incoming.get(id) ?? []).map(({ when }) => this.#factsIn(when, left - 1));
    const loop = this.#nesting.loopOf.get(id);
    const around = loop === undefined ? noFacts : this.#factsOf(loop.id, left - 1);
    const facts = joined([this.#factsIn(this.#nodes.get(id)?.when, left - 1), common(ways), around]);
    this.#known.set(id, facts);
    return facts;
  }

  /** Returns the facts that are certain if a condition is true. */
  #factsIn(when: WhenExpr | undefined, left: number): RanBeforeFacts {
    const parts = partsOf(when);
    const own = { holds: new Set(parts.map(textOf)), paths: parts.flatMap(seenPath) };
    const roots = new Set(own.paths.map(([root = '']) => root));
    // A node with an output has run, so its own facts also apply.
    return joined([
      own,
      ...[...roots].filter((root) => this.#nodes.has(root)).map((root) => this.#factsOf(root, left)),
    ]);
  }
}

/** Several conditions on one node's output may cover all cases, as with an approval. */
function hasSafeWay(ways: readonly EdgeDoc[]): boolean {
  const sources = ways.map(({ from }) => from);
  return ways.some(({ when }) => when === undefined) || new Set(sources).size < sources.length;
}

/** Returns the conditions that must all be true. */
function partsOf(when: WhenExpr | undefined): readonly WhenExpr[] {
  if (when === undefined) return [];
  return 'and' in when ? when.and.flatMap(partsOf) : [when];
}

function pathOf(part: WhenExpr): string | undefined {
  if ('not' in part || 'and' in part || 'or' in part) return undefined;
  return 'exists' in part ? part.exists : comparisonOf(part)[1].var;
}

function seenPath(part: WhenExpr): readonly (readonly string[])[] {
  const path = parsePath(pathOf(part) ?? '');
  return path === undefined ? [] : [path];
}

function textOf(when: WhenExpr): string {
  return JSON.stringify(when);
}

function joined(all: readonly RanBeforeFacts[]): RanBeforeFacts {
  const [only, ...others] = all.filter(({ holds, paths }) => holds.size > 0 || paths.length > 0);
  if (only === undefined || others.length === 0) return only ?? noFacts;
  return {
    holds: new Set([only, ...others].flatMap(({ holds }) => [...holds])),
    paths: [only, ...others].flatMap(({ paths }) => paths),
  };
}

/** Returns the facts that are certain on every path. */
function common([first, ...others]: readonly RanBeforeFacts[]): RanBeforeFacts {
  if (first === undefined) return noFacts;
  const holds = [...first.holds].filter((text) => others.every((other) => other.holds.has(text)));
  const paths = first.paths.filter((path) => others.every((other) => other.paths.some((one) => startsWith(one, path))));
  return { holds: new Set(holds), paths };
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((segment, index) => path[index] === segment);
}
