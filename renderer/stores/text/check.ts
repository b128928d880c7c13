/**
 * The text of a file together with the results of the engine's own parser and validation.
 */
import {
  type CatalogueDoc,
  type CompiledGraph,
  checkFlow,
  type Diagnostic,
  type FlowDoc,
  isWrittenAlike,
  type JsonMap,
  parseAgent,
  parseCatalogue,
  type RunKind,
  type TextRange,
} from '../../../engine/isomorphic.ts';
import { type LoopBodyNesting, loopNesting, noNesting } from '../flow/loop-bodies.ts';
import { nodeTypes } from '../flow/node-types.ts';
import { ownChanges } from '../flow/own-changes.ts';

/**
 * `dialogue` is a conversation catalog. `file` is any other text, which can be edited but is neither validated nor run.
 */
export type DocumentKind = RunKind | 'dialogue' | 'file';

/** The results of checking one text. Plain data that can be sent between threads. */
export interface DocumentCheck {
  /** Null if the text cannot be parsed as a flow, and for all other kinds. */
  readonly doc: FlowDoc | null;
  /** Null if the text cannot be parsed as a catalog, and for all other kinds. */
  readonly catalogue: CatalogueDoc | null;
  /**
   * Ids of the nodes of `doc`. In start order with each body after its loop if the flow can run, or else in file order.
   */
  readonly order: readonly string[];
  readonly nesting: LoopBodyNesting;
  readonly diagnostics: readonly Diagnostic[];
  /** The position in the text of each node of `doc`, or of each flow of `catalogue`. */
  readonly nodeRanges: ReadonlyMap<string, TextRange>;
}

export interface CheckedText extends DocumentCheck {
  readonly text: string;
  /** Whether the check is of an earlier version of `text`, and another check is pending. */
  readonly isCheckStale: boolean;
  /**
   * Whether `doc` or `catalogue` is from an earlier version of the text, because the last checked version cannot be
   * parsed.
   */
  readonly isDocStale: boolean;
}

/** The check of a text that is not a flow and has no problems. */
export const emptyCheck: DocumentCheck = {
  doc: null,
  catalogue: null,
  order: [],
  nesting: noNesting,
  diagnostics: [],
  nodeRanges: new Map(),
};

/** The check of an empty text. */
export const uncheckedText: CheckedText = { ...emptyCheck, text: '', isCheckStale: true, isDocStale: false };

/** Checks a text. Plain files have nothing to check. */
export function checkDocument(kind: DocumentKind, text: string): DocumentCheck {
  if (kind === 'flow') return checkFlowText(text);
  if (kind === 'dialogue') return checkCatalogueText(text);
  return kind === 'agent' ? { ...emptyCheck, diagnostics: parseAgent(text).diagnostics } : emptyCheck;
}

/** The first of two flows with the same name is used. */
function checkCatalogueText(text: string): DocumentCheck {
  const { doc, diagnostics, places } = parseCatalogue(text);
  const ranges = (doc?.flows ?? []).map(({ name }, index): [string, TextRange] => [
    name,
    places().valueRange(['flows', index]),
  ]);
  return { ...emptyCheck, catalogue: doc, diagnostics, nodeRanges: new Map(ranges.reverse()) };
}

function checkFlowText(text: string): DocumentCheck {
  const { parsed, diagnostics, flow } = checkFlow(text, nodeTypes);
  const { doc, nodeRange } = parsed;
  if (doc === null) return { ...emptyCheck, diagnostics };
  const ranges = doc.nodes.flatMap(({ id }): [string, TextRange][] => {
    const range = nodeRange(id);
    return range === undefined ? [] : [[id, range]];
  });
  return {
    catalogue: null,
    doc,
    order: flow === null ? doc.nodes.map(({ id }) => id) : startOrder(flow),
    nesting: loopNesting(doc),
    diagnostics,
    nodeRanges: new Map(ranges),
  };
}

function startOrder({ nodes }: CompiledGraph): readonly string[] {
  return nodes.flatMap(({ id, body }) => (body === undefined ? [id] : [id, ...startOrder(body)]));
}

/**
 * Returns a text with its check. A text that cannot be parsed keeps the document of `former`, without the positions of
 * its nodes.
 */
export function withCheck(text: string, check: DocumentCheck, former: CheckedText | null): CheckedText {
  const fresh = { text, isCheckStale: false };
  const isKnown = check.doc !== null || check.catalogue !== null;
  if (isKnown || former === null || (former.doc === null && former.catalogue === null))
    return { ...check, ...fresh, isDocStale: false };
  const { doc, catalogue, order, nesting } = former;
  return { ...check, ...fresh, doc, catalogue, order, nesting, isDocStale: true };
}

/** Checks a text synchronously on the calling thread. */
export function checkText(text: string, kind: DocumentKind = 'flow'): CheckedText {
  return withCheck(text, checkDocument(kind, text), null);
}

/** A new item, or the index of an item in the previous list. */
type ChangedList<Item extends object> = readonly (Item | number)[];

interface ChangedDoc {
  readonly flow: FlowDoc['flow'];
  readonly nodes: ChangedList<FlowDoc['nodes'][number]>;
  readonly edges: ChangedList<FlowDoc['edges'][number]>;
  /** Undefined if it is unchanged. */
  readonly layout?: { readonly now: FlowDoc['layout'] };
  /** Undefined if they are unchanged. */
  readonly steps?: { readonly now: FlowDoc['steps'] };
}

/** Plain data that can be sent between threads. */
export interface CheckChanges {
  readonly doc: ChangedDoc | null;
  /** Undefined if it is unchanged. */
  readonly catalogue?: { readonly now: CatalogueDoc | null };
  /** Null if it is unchanged. */
  readonly order: readonly string[] | null;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Line, column, end line and end column of each node in the document. A line of 0 means that the position is not
   * known. Null if all positions are unchanged.
   */
  readonly places: Int32Array | null;
}

/**
 * Compares parsed values deeply, or undefined. The order of keys is significant, except for the top-level keys of an
 * item, because a text with errors is parsed into a different order.
 */
function isSame(left: object | undefined, right: object | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => {
      const [one, other] = [left, right].map((thing) => (thing as JsonMap)[key]);
      return one !== undefined && other !== undefined && isWrittenAlike(one, other);
    })
  );
}

function changedList<Item extends object>(before: readonly Item[], now: readonly Item[]): ChangedList<Item> {
  // Items keep their distance from one end or the other, unless several places were changed at once.
  const shift = before.length - now.length;
  return now.map((item, index) => {
    if (isSame(before[index], item)) return index;
    return isSame(before[index + shift], item) ? index + shift : item;
  });
}

function list<Item extends object>(before: readonly Item[], changes: ChangedList<Item>): readonly Item[] {
  if (before.length === changes.length && changes.every((item, index) => item === index)) return before;
  return changes.flatMap((item) => (typeof item === 'number' ? (before[item] ?? []) : item));
}

/** Returns the names of everything with a position, in the order in which positions are sent between threads. */
function placedNames({ doc, catalogue }: Pick<DocumentCheck, 'doc' | 'catalogue'>): readonly string[] {
  return doc?.nodes.map(({ id }) => id) ?? catalogue?.flows.map(({ name }) => name) ?? [];
}

function placesOf(check: DocumentCheck): Int32Array {
  const numbers = placedNames(check).flatMap((name) => {
    const range = check.nodeRanges.get(name);
    return range === undefined ? [0, 0, 0, 0] : [range.line, range.column, range.endLine, range.endColumn];
  });
  return Int32Array.from(numbers);
}

function rangesOf(names: readonly string[], places: Int32Array): ReadonlyMap<string, TextRange> {
  const ranges = new Map<string, TextRange>();
  for (const [index, name] of names.entries()) {
    const [line = 0, column = 0, endLine = 0, endColumn = 0] = places.subarray(index * 4, index * 4 + 4);
    if (line > 0) ranges.set(name, { line, column, endLine, endColumn });
  }
  return ranges;
}

/** Returns the differences between `now` and the previous check. */
export function changesSince(before: DocumentCheck, now: DocumentCheck): CheckChanges {
  const { doc, catalogue, order, diagnostics } = now;
  return {
    doc: doc === null ? null : changedDoc(before.doc, doc),
    ...(isSame(before.catalogue ?? undefined, catalogue ?? undefined) ? {} : { catalogue: { now: catalogue } }),
    order: isSame(before.order, order) ? null : order,
    diagnostics,
    places: isSame([...before.nodeRanges], [...now.nodeRanges]) ? null : placesOf(now),
  };
}

function changedDoc(before: FlowDoc | null, { flow, nodes, edges, layout, steps }: FlowDoc): ChangedDoc {
  const changes = {
    flow,
    nodes: changedList(before?.nodes ?? [], nodes),
    edges: changedList(before?.edges ?? [], edges),
  };
  return {
    ...changes,
    ...(isSame(before?.layout, layout) ? {} : { layout: { now: layout } }),
    ...(isSame(before?.steps, steps) ? {} : { steps: { now: steps } }),
  };
}

/**
 * Returns the check described by `changesSince`. Unchanged parts, down to single nodes, are the objects of `before`.
 */
export function withChanges(before: DocumentCheck, changes: CheckChanges): DocumentCheck {
  const doc = changes.doc === null ? null : docWith(before.doc, changes.doc);
  const { now: catalogue } = changes.catalogue ?? { now: before.catalogue };
  return {
    doc,
    catalogue,
    order: changes.order ?? before.order,
    nesting: nestingOf(doc, before),
    diagnostics: isSame(before.diagnostics, changes.diagnostics) ? before.diagnostics : changes.diagnostics,
    nodeRanges: changes.places === null ? before.nodeRanges : rangesOf(placedNames({ doc, catalogue }), changes.places),
  };
}

function nestingOf(doc: FlowDoc | null, { doc: docBefore, nesting: before }: DocumentCheck): LoopBodyNesting {
  if (doc === docBefore) return before;
  if (doc !== null && docBefore !== null && ownChanges(docBefore, doc) !== null) return before;
  const now = doc === null ? noNesting : loopNesting(doc);
  const isAsBefore = isSame([...before.ownerOf], [...now.ownerOf]) && isSame([...before.bodyOf], [...now.bodyOf]);
  return isAsBefore ? before : now;
}

function docWith(before: FlowDoc | null, changes: ChangedDoc): FlowDoc {
  const nodes = list(before?.nodes ?? [], changes.nodes);
  const edges = list(before?.edges ?? [], changes.edges);
  const { now: layout } = changes.layout ?? { now: before?.layout };
  const { now: steps } = changes.steps ?? { now: before?.steps };
  const flow = before !== null && isSame(before.flow, changes.flow) ? before.flow : changes.flow;
  const isAsBefore =
    before !== null &&
    nodes === before.nodes &&
    edges === before.edges &&
    layout === before.layout &&
    steps === before.steps &&
    flow === before.flow;
  if (isAsBefore) return before;
  return {
    flow,
    nodes,
    edges,
    ...(layout === undefined ? {} : { layout }),
    ...(steps === undefined ? {} : { steps }),
  };
}
