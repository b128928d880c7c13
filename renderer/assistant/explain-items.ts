/**
 * Explains what happened to the items of loops: one sentence for all items with the same cause.
 */
import {
  baseNodeId,
  type FlowDoc,
  isInBody,
  isLoop,
  loopStepsOf,
  type NodeState,
  type WhenTrace,
} from '../../engine/isomorphic.ts';
import { linesOfTrace } from '../inspector/run/why-not.tsx';
import type { FactSentence } from '../stores/assistant/talk.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { nodeDurationMs } from '../stores/runs/live/run-time.ts';
import { durationText } from '../ui/quantity-text.ts';
import { about, itemLink, itemList, quoted, sentence } from './fact-sentence.ts';
import { text } from './text.ts';

const words = text.facts;

/** Items in a sentence about many of them. */
export const mostItems = 5;
/** Items in a sentence about the slowest ones. */
const mostSlow = 8;
/** Different failures of one node. */
const mostFailures = 3;
/** An item is slow if it takes this many times as long as half of the items. */
const slowFactor = 4;
/** An item that is this many times as fast as the slowest one is not slow. */
const slowSpread = 10;
const leastMs = 1000;

/** Puts values with the same key together, in the order of the first of each. */
export function grouped<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups;
}

/** Returns the nodes in loop bodies with this status, by their IDs in the file, in the order of the items. */
function itemsWith({ state }: LiveRun, status: NodeState['status']): readonly (readonly NodeState[])[] {
  const inBodies = [...state.nodes.values()].filter((node) => node.status === status && isInBody(node.nodeId));
  return [...grouped(inBodies, ({ nodeId }) => baseNodeId(nodeId)).values()].map((states) =>
    states.toSorted(compareItems),
  );
}

/** Orders nodes in bodies by their items. */
export function compareItems(left: NodeState, right: NodeState): number {
  const others = loopStepsOf(right.nodeId);
  for (const [depth, { item }] of loopStepsOf(left.nodeId).entries()) {
    const difference = item - (others[depth]?.item ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns the number of items in all runs of the loop around a node. */
function totalAround({ state }: LiveRun, place: string): number {
  const loopId = baseNodeId(loopStepsOf(place).at(-1)?.loop ?? '');
  let total = 0;
  for (const [loop, { total: known, items }] of state.tallies.loops)
    if (baseNodeId(loop) === loopId) total += known ?? items.size;
  return total;
}

/** Returns the first false comparison of a condition. */
export function decidingLine(detail: WhenTrace | undefined): ReturnType<typeof linesOfTrace>[number] | undefined {
  if (detail === undefined) return undefined;
  return linesOfTrace(detail).find(({ variable, result }) => variable !== null && result === false);
}

/** Returns the name of the switch if a condition reads its route. */
function switchOf(variable: string, { nodes }: FlowDoc): string | undefined {
  const [id, field, ...rest] = variable.split('.');
  if (field !== 'route' || rest.length > 0) return undefined;
  const node = nodes.find((one) => one.id === id && one.type === 'control.switch');
  return node?.name ?? node?.id;
}

/** Returns why items were skipped. All of them have the same reason. */
function causeOf(states: readonly NodeState[], doc: FlowDoc): string {
  const [first] = states;
  const lines = states.map(({ skip }) => decidingLine(skip?.detail));
  const [line] = lines;
  if (line?.variable == null || line.actual === undefined) return words.because[first?.skip?.reason ?? 'edge'];
  const { variable, actual, value } = line;
  const isShared = (field: 'variable' | 'actual' | 'value' | 'word') =>
    lines.every((one) => one?.[field] === line[field]);
  const route = switchOf(variable, doc);
  if (isShared('variable') && isShared('actual'))
    return route === undefined
      ? words.wasValue({ variable, actual: quoted(actual) })
      : words.wasValue({ variable: quoted(route), actual: quoted(actual.replace(/^"(.*)"$/, '$1')) });
  if (!isShared('variable') || !isShared('value') || !isShared('word'))
    return words.because[first?.skip?.reason ?? 'edge'];
  return words.wasNotMet({ variable, word: line.word, value: quoted(value ?? '') });
}

/** Explains the skipped items, one sentence for each node and reason. */
export function skippedItems(run: LiveRun, doc: FlowDoc): readonly FactSentence[] {
  return itemsWith(run, 'skipped').flatMap((skipped) =>
    [...grouped(skipped, ({ skip }) => skip?.reason ?? '').values()].map((states) =>
      sentence((link) => {
        const [{ nodeId } = { nodeId: '' }] = states;
        const counts = { count: states.length, total: totalAround(run, nodeId) };
        const items = itemList(states, link, mostItems);
        return words.skippedItems({ node: link(baseNodeId(nodeId)), ...counts, because: causeOf(states, doc), items });
      }),
    ),
  );
}

/** Explains the failed items, by code and message. */
export function failedItems(run: LiveRun): readonly FactSentence[] {
  return itemsWith(run, 'failed').flatMap((failed) => {
    const groups = [...grouped(failed, ({ error }) => `${error?.code} ${error?.message}`).values()];
    const byCount = groups.toSorted((left, right) => right.length - left.length);
    const others = byCount.slice(mostFailures).flat();
    return [
      ...byCount.slice(0, mostFailures).map((states) => failedSentence(run, states)),
      ...(others.length === 0
        ? []
        : [
            sentence((link) => {
              const node = link(baseNodeId(others[0]?.nodeId ?? ''));
              return words.otherFailures({ node, count: others.length, items: itemList(others, link, mostItems) });
            }),
          ]),
    ];
  });
}

function failedSentence(run: LiveRun, states: readonly NodeState[]): FactSentence {
  const [first] = states;
  const place = first?.nodeId ?? '';
  return sentence((link) =>
    words.failedItems({
      node: link(baseNodeId(place)),
      count: states.length,
      total: totalAround(run, place),
      items: itemList(states, link, mostItems),
      message: quoted(first?.error?.message ?? ''),
    }),
  );
}

interface TimedPlace {
  readonly place: string;
  readonly ms: number;
}

function sumOf(timed: readonly TimedPlace[]): number {
  return timed.reduce((sum, { ms }) => sum + ms, 0);
}

/** The node that took longest, in all items together, if several nodes ran. */
export function slowestNode({ state }: LiveRun): readonly FactSentence[] {
  const timed = [...state.nodes.values()].flatMap((node): readonly TimedPlace[] => {
    const ms = node.status === 'completed' || node.status === 'failed' ? nodeDurationMs(node) : undefined;
    // The time of a loop is that of its body.
    return ms === undefined || isLoop(node.nodeType) ? [] : [{ place: node.nodeId, ms }];
  });
  const groups = [...grouped(timed, ({ place }) => baseNodeId(place))].map(([id, items]) => ({
    id,
    items,
    ms: sumOf(items),
  }));
  const [slowest] = groups.toSorted((left, right) => right.ms - left.ms);
  if (slowest === undefined || groups.length < 2 || slowest.ms < leastMs) return [];
  if (slowest.items.length > 1) return [slowItems(slowest, slowest.ms / sumOf(timed))];
  return [about(slowest.id, (node) => words.slowest({ node, time: durationText(slowest.ms) }))];
}

function slowItems(
  { id, items, ms }: { readonly id: string; readonly items: readonly TimedPlace[]; readonly ms: number },
  share: number,
): FactSentence {
  const sorted = items.toSorted((left, right) => right.ms - left.ms);
  const median = sorted[Math.floor(sorted.length / 2)]?.ms ?? 0;
  const least = Math.max(slowFactor * Math.max(1, median), (sorted[0]?.ms ?? 0) / slowSpread);
  const slow = sorted.filter((item) => item.ms > least).slice(0, mostSlow);
  const values = { time: durationText(ms), percent: Math.round(share * 100) };
  // A few items that take as long as others together do not explain the time.
  if (slow.length === 0 || sumOf(slow) * 2 < ms)
    return about(id, (node) =>
      words.slowInAll({ node, ...values, count: items.length, each: durationText(ms / items.length) }),
    );
  return sentence((link) => {
    const names = slow.map(({ place, ms: own }) =>
      words.itemTime({ item: itemLink(place, link), time: durationText(own) }),
    );
    const items = words.items({ names: names.join(', '), count: slow.length });
    return words.slowItems({ node: link(id), ...values, items });
  });
}
