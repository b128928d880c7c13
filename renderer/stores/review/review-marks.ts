/**
 * What a review marks: nodes, edges, triggers and the rest of a file, by the differences about them.
 */
import type { DifferencePart, FlowDifference } from '../../../engine/isomorphic.ts';
import { type Review, type ReviewVerdict, verdictOf } from './review.ts';

/** `layout` changes only positions, order, comments or formatting. */
export type MarkKind = 'added' | 'removed' | 'changed' | 'layout';

/** The differences of one node, edge or trigger. */
export interface ReviewMark {
  readonly kind: MarkKind;
  /** Keys of the differences. The main one comes first. */
  readonly keys: readonly string[];
  readonly verdict: ReviewVerdict;
}

export interface ReviewMarks {
  /** By ID, as in the text on screen, or as in the other texts for nodes that it does not have. */
  readonly nodes: ReadonlyMap<string, ReviewMark>;
  /** By the name of the edge in runs. */
  readonly edges: ReadonlyMap<string, ReviewMark>;
  /** By ID. */
  readonly triggers: ReadonlyMap<string, ReviewMark>;
}

const layoutParts: ReadonlySet<DifferencePart['what']> = new Set([
  'node-moved',
  'edges-moved',
  'layout-changed',
  'text-changed',
]);

/** Returns what a part does with the place that it is about. */
function kindOfPart(part: DifferencePart): MarkKind {
  const { what } = part;
  if (part.what === 'flow-changed' && triggerOfPart(part) !== undefined)
    return part.before === undefined ? 'added' : part.after === undefined ? 'removed' : 'changed';
  if (what === 'node-added' || what === 'edge-added') return 'added';
  if (what === 'node-removed' || what === 'edge-removed') return 'removed';
  return layoutParts.has(what) ? 'layout' : 'changed';
}

function triggerOfPart(part: DifferencePart): string | undefined {
  if (part.what !== 'flow-changed' || part.path[1] !== 'triggers') return undefined;
  const [, , id] = part.path;
  return typeof id === 'string' ? id : undefined;
}

/** Returns the ID of the trigger that a difference adds, removes or changes; undefined for other differences. */
export function triggerOf({ parts: [main] }: FlowDifference): string | undefined {
  return main === undefined ? undefined : triggerOfPart(main);
}

export function kindOf({ parts: [main] }: FlowDifference): MarkKind {
  return main === undefined ? 'layout' : kindOfPart(main);
}

/** Returns the node that a difference is mainly about: its own, or the end of its edge. Null if there is none. */
export function nodeOf(review: Review, { parts: [main] }: FlowDifference): string | null {
  if (main === undefined) return null;
  if ('id' in main) return namesIn(review)(main.id);
  return 'to' in main ? namesIn(review)(main.to) : null;
}

const strength: Readonly<Record<MarkKind, number>> = { added: 3, removed: 3, changed: 2, layout: 1 };

class MarkList {
  readonly #marks = new Map<string, { kind: MarkKind; keys: string[] }>();

  add(name: string, kind: MarkKind, key: string): void {
    const known = this.#marks.get(name);
    if (known === undefined) this.#marks.set(name, { kind, keys: [key] });
    else if (!known.keys.includes(key)) {
      if (strength[kind] > strength[known.kind]) {
        known.kind = kind;
        known.keys.unshift(key);
      } else known.keys.push(key);
    }
  }

  result(review: Review): ReadonlyMap<string, ReviewMark> {
    return new Map(
      [...this.#marks].map(([name, mark]) => [name, { ...mark, verdict: commonVerdict(review, mark.keys) }]),
    );
  }
}

/** Returns `open` if a difference is open, and the verdict of the main one otherwise. */
function commonVerdict(review: Review, keys: readonly string[]): ReviewVerdict {
  const verdicts = keys.map((key) => verdictOf(review, key));
  return verdicts.find((verdict) => verdict === 'open') ?? verdicts[0] ?? 'open';
}

const known = new WeakMap<Review, ReviewMarks>();

/** Returns the marks of a review. The same object for the same review. */
export function marksOf(review: Review): ReviewMarks {
  const made = known.get(review) ?? makeMarks(review);
  known.set(review, made);
  return made;
}

function makeMarks(review: Review): ReviewMarks {
  const [nodes, edges, triggers] = [new MarkList(), new MarkList(), new MarkList()];
  const nameOf = namesIn(review);
  for (const { key, parts } of review.differences) {
    for (const part of parts) {
      const kind = kindOfPart(part);
      for (const id of nodesOf(part)) nodes.add(nameOf(id), kind, key);
      if ('name' in part) edges.add(part.name, kind, key);
      const trigger = triggerOfPart(part);
      if (trigger !== undefined) triggers.add(trigger, kind, key);
    }
  }
  return { nodes: nodes.result(review), edges: edges.result(review), triggers: triggers.result(review) };
}

/** Returns the names of nodes in the text on screen, for those in the second text. */
function namesIn({ taken, differences }: Review): (id: string) => string {
  const former = new Map<string, string>();
  for (const { key, parts } of differences) {
    const [main] = parts;
    if (main?.what === 'node-renamed' && !taken.has(key)) former.set(main.id, main.from);
  }
  return (id) => former.get(id) ?? id;
}

/** Returns the nodes that a part changes or moves. */
function nodesOf(part: DifferencePart): readonly string[] {
  if ('id' in part) return [part.id];
  if (part.what !== 'layout-changed' || part.path[1] !== 'nodes') return [];
  const [own, other] = [placesIn(part.before), placesIn(part.after)];
  return Object.keys({ ...own, ...other }).filter((id) => JSON.stringify(own[id]) !== JSON.stringify(other[id]));
}

function placesIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
