/**
 * Finds the loop items that do not have to run again, because an earlier run had the same item and none of its
 * dependencies has changed.
 */

import { resolveBindingPath } from '../../language/bindings/binding-path.ts';
import type { SkipReason } from '../../language/bindings/markers.ts';
import type { CompiledNode } from '../../language/flow/compiled-flow.ts';
import { itemLoop } from '../../language/flow/loops.ts';
import { isJsonList, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { ReusedItem, StartingLoop } from '../../runtime/flow/run-scope.ts';
import type { NodeState } from '../../runtime/kernel/events/run-state.ts';
import { bodyText, callsWhatIsBound, type EarlierResults } from './earlier-results.ts';
import { nodesIn } from './earlier-run.ts';
import { type ItemReads, itemNameOf, itemReads } from './node-dependencies.ts';

/** Returns the items of the list that a loop iterates over. */
export function itemsIn({ resolvedInput }: Pick<StartingLoop, 'resolvedInput'>): readonly JsonValue[] {
  const items = resolvedInput['items'];
  return isJsonList(items) ? items : [];
}

/**
 * Finds the items to reuse, by index. Each earlier item is used once, because a list may contain the same value twice
 * on purpose.
 * @param runs in order of preference
 * @param isWanted returns whether the item at a path may be reused
 */
export function reusableItems(
  loop: StartingLoop,
  runs: Iterable<EarlierResults>,
  isWanted: (place: string) => boolean,
): ReadonlyMap<number, ReusedItem> {
  const { node, name } = loop;
  const found = new Map<number, ReusedItem>();
  const items = itemsIn(loop);
  if (node.type !== itemLoop || node.body === undefined || nodesIn(node).some(callsWhatIsBound)) return found;
  const left = new Set(items.keys());
  for (const index of items.keys()) if (!isWanted(`${name}[${index}]`)) left.delete(index);
  const reads = itemReads(node);
  for (const results of runs) {
    if (left.size === 0) break;
    const former = formerItems(loop, results, reads);
    if (former === undefined) continue;
    // Items at an unchanged index are matched first, so that no other item takes their result.
    for (const places of ['same', 'any'] as const) {
      for (const [index, item] of takenBy(former, { left, items, places })) {
        found.set(index, item);
        left.delete(index);
      }
    }
  }
  return found;
}

function takenBy(
  former: FormerItems,
  { left, items, places }: { left: Iterable<number>; items: readonly JsonValue[]; places: 'same' | 'any' },
): readonly (readonly [number, ReusedItem])[] {
  return [...left].flatMap((index) => {
    const item = former.take(items[index] ?? null, index, places);
    return item === undefined ? [] : [[index, item] as const];
  });
}

/** Returns the items of an earlier run; undefined if a dependency that all items share has changed. */
function formerItems(
  { node, name, context }: StartingLoop,
  results: EarlierResults,
  reads: ItemReads,
): FormerItems | undefined {
  const former = results.formerNode(node.id);
  if (former?.type !== itemLoop || former.body === undefined || node.body === undefined) return undefined;
  if (itemNameOf(former) !== itemNameOf(node)) return undefined;
  if (JSON.stringify(bodyText(former.body)) !== JSON.stringify(bodyText(node.body))) return undefined;
  const { id } = node;
  if (!node.body.nodes.every((inner) => results.hasSameSettings(inner))) return undefined;
  const items = results.itemsAt(name);
  if (items === undefined || !isInItemsOnly(name, results)) return undefined;
  const seen = results.contextOf(name);
  const isSame = reads.outside.every((path) =>
    jsonEquals(resolveBindingPath(path, context) ?? null, resolveBindingPath(path, seen) ?? null),
  );
  return isSame ? new FormerItems({ name, id, body: node.body, items }, results, reads.index) : undefined;
}

/**
 * Returns whether a node is only inside loops over items. The iterations of a `control.loop` build on each other, so no
 * node inside one can be reused separately.
 */
function isInItemsOnly(name: string, results: EarlierResults): boolean {
  const around = name.split(/\[\d+\]\.?/).slice(0, -1);
  return around.every((id) => results.formerNode(id)?.type === itemLoop);
}

interface FormerLoop {
  readonly name: string;
  readonly id: string;
  readonly body: NonNullable<CompiledNode['body']>;
  readonly items: readonly JsonValue[];
}

class FormerItems {
  readonly #loop: FormerLoop;
  readonly #results: EarlierResults;
  readonly #isBoundToIndex: boolean;
  /** Indexes of items in which a node did not complete. */
  readonly #spoiled: ReadonlySet<number>;
  readonly #used = new Set<number>();
  #byText: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(loop: FormerLoop, results: EarlierResults, isBoundToIndex: boolean) {
    this.#loop = loop;
    this.#results = results;
    this.#isBoundToIndex = isBoundToIndex;
    this.#spoiled = spoiledItems(loop.name, results);
  }

  /** Returns an unused item with the same value, either at the same index or at any index. */
  take(item: JsonValue, index: number, places: 'same' | 'any'): ReusedItem | undefined {
    if (places === 'any' && this.#isBoundToIndex) return undefined;
    const former = (places === 'same' ? [index] : this.#alike(item)).find((at) => this.#isFree(at, item));
    if (former === undefined) return undefined;
    this.#used.add(former);
    const { run } = this.#results;
    const from = `${this.#loop.name}[${former}]`;
    return {
      fromRunId: run.runId,
      from,
      outputOf(id) {
        const { status, output } = run.nodes.get(`${from}.${id}`) ?? {};
        return output === undefined || status === 'skipped' ? undefined : run.whole(output);
      },
    };
  }

  #alike(item: JsonValue): readonly number[] {
    this.#byText ??= groupByText(this.#loop.items);
    return this.#byText.get(JSON.stringify(item)) ?? [];
  }

  #isFree(at: number, item: JsonValue): boolean {
    const { items, name, body } = this.#loop;
    const former = items[at];
    if (former === undefined || this.#used.has(at) || this.#spoiled.has(at) || !jsonEquals(former, item)) return false;
    const { run } = this.#results;
    return body.nodes.every(({ id }) => {
      const state = run.nodes.get(`${name}[${at}].${id}`);
      return hasEndedWell(state) && !run.isLost(state?.output);
    });
  }
}

function groupByText(items: readonly JsonValue[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item);
    const alike = found.get(text);
    if (alike === undefined) found.set(text, [index]);
    else alike.push(index);
  }
  return found;
}

/** Returns the items with a node, at any depth, that failed, was interrupted, asked a person or was only suggested. */
function spoiledItems(loop: string, { run }: EarlierResults): ReadonlySet<number> {
  const spoiled = new Set<number>();
  const start = `${loop}[`;
  const note = (name: string): void => {
    spoiled.add(Number.parseInt(name.slice(start.length), 10));
  };
  for (const [name, state] of run.nodes) if (name.startsWith(start) && !hasEndedWell(state)) note(name);
  for (const name of run.asked) if (name.startsWith(start)) note(name);
  return spoiled;
}

/** Reasons for skipping a node that may not apply in a new run. */
const notForGood: ReadonlySet<SkipReason> = new Set(['autonomy', 'suggested', 'directive']);

function hasEndedWell(state: NodeState | undefined): boolean {
  if (state?.status === 'skipped') return state.skip === undefined || !notForGood.has(state.skip.reason);
  return state?.status === 'completed' || state?.status === 'reused';
}
