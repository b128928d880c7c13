/**
 * Suggests running nodes side by side that wait for each other without need. A hint opens a review and changes nothing.
 */
import { Lightbulb } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type EdgeDoc, type FlowChange, type FlowDoc, type NodeDoc, nameEdges } from '../../engine/isomorphic.ts';
import type { LoopBodyNesting } from '../stores/flow/loop-bodies.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { readOnlyReason } from './flow-form-scope.tsx';
import { text } from './text.ts';
import './flow-hint.css';

/** Larger flows are not examined, because every pair of nodes is compared. */
const mostNodes = 200;
/** Nodes that a hint lets run at the same time. */
const mostParallel = 8;
/** Types that decide, wait or call something else although they count as pure. */
const orderedTypes = /^(?:control\.|human_approval$|user_input$|plan_proposal$|flow$|agent$)/;

/** Nodes that could run side by side, and the change that allows it. */
interface SideBySide {
  readonly ids: readonly string[];
  readonly change: FlowChange;
}

/** Returns whether a node only reads: a request that gets something, a prompt without tools, or a pure type. */
function onlyReads({ type, input, config = {} }: NodeDoc): boolean {
  if (orderedTypes.test(type)) return false;
  if (type === 'http.request') return ['GET', 'HEAD'].includes(String(input['method'] ?? 'GET'));
  if (type === 'prompt') return config['tools'] === undefined;
  const effects = nodeTypes.get(type)?.effects;
  return effects === 'pure' || effects === 'idempotent';
}

function isSlow({ type }: NodeDoc): boolean {
  return type === 'prompt' || type === 'http.request';
}

function mayMove(node: NodeDoc, nesting: LoopBodyNesting): boolean {
  const isPlain = node.when === undefined && node.disabled !== true && node.policy?.continueOnError !== true;
  return isPlain && onlyReads(node) && !nesting.ownerOf.has(node.id);
}

/** Returns whether a node mentions another one anywhere. Too many mentions only suppress a hint. */
function mentions(node: NodeDoc, id: string): boolean {
  const used = JSON.stringify([node.input, node.config, node.policy]);
  return /^\w+$/.test(id) ? used.split(/\W+/).includes(id) : used.includes(id);
}

interface Neighbors {
  readonly before: readonly EdgeDoc[];
  readonly after: readonly EdgeDoc[];
}

function neighborsOf({ nodes, edges }: FlowDoc): ReadonlyMap<string, Neighbors> {
  return new Map(
    nodes.map(({ id }) => [
      id,
      { before: edges.filter(({ to }) => to === id), after: edges.filter(({ from }) => from === id) },
    ]),
  );
}

function isUnconditional(edges: readonly EdgeDoc[]): boolean {
  return edges.every(({ when }) => when === undefined);
}

/** Returns rows of nodes that are connected only one after the other, and do not use each other. */
function independentRows(doc: FlowDoc, nesting: LoopBodyNesting): readonly (readonly NodeDoc[])[] {
  const neighbors = neighborsOf(doc);
  const byId = new Map(doc.nodes.map((node) => [node.id, node]));
  const next = (node: NodeDoc): NodeDoc | undefined => {
    const { after = [] } = neighbors.get(node.id) ?? {};
    const following = byId.get(after[0]?.to ?? '');
    const isOnly = after.length === 1 && neighbors.get(following?.id ?? '')?.before.length === 1;
    return isOnly && isUnconditional(after) ? following : undefined;
  };
  const rows: NodeDoc[][] = [];
  const placed = new Set<string>();
  for (const start of doc.nodes) {
    let row: NodeDoc[] = [];
    for (let node: NodeDoc | undefined = start; node !== undefined && !placed.has(node.id); node = next(node)) {
      const one: NodeDoc = node;
      if (!mayMove(one, nesting)) break;
      if (row.some(({ id }) => mentions(one, id))) {
        rows.push(row);
        row = [];
      }
      placed.add(one.id);
      row.push(one);
    }
    rows.push(row);
  }
  return rows;
}

/** Returns the change that connects a row's nodes to what is before and after it; null if that changes the result. */
function rowChange(doc: FlowDoc, row: readonly NodeDoc[]): readonly FlowChange[] | null {
  const ids = row.map(({ id }) => id);
  const before = doc.edges.filter(({ to }) => to === ids[0]);
  const after = doc.edges.filter(({ from }) => from === ids.at(-1));
  // The outputs of the last nodes are the output of the flow.
  if (after.length === 0 || !isUnconditional([...before, ...after])) return null;
  const between = nameEdges(doc.edges).filter(
    ({ from, to }) => ids.indexOf(to) === ids.indexOf(from) + 1 && ids.includes(from),
  );
  const edges = [
    ...ids.slice(1).flatMap((to) => before.map(({ from }) => ({ from, to }))),
    ...ids.slice(0, -1).flatMap((from) => after.map(({ to }) => ({ from, to }))),
  ];
  return [
    { do: 'remove', nodes: [], edges: between.map(({ id }) => id) },
    { do: 'connect', edges },
  ];
}

/** Returns groups of nodes that have the same neighbors, and run one after the other only because of a limit. */
function sameNeighbors(doc: FlowDoc, nesting: LoopBodyNesting): readonly (readonly NodeDoc[])[] {
  const groups = new Map<string, NodeDoc[]>();
  const neighbors = neighborsOf(doc);
  for (const node of doc.nodes.filter((one) => mayMove(one, nesting))) {
    const { before = [], after = [] } = neighbors.get(node.id) ?? {};
    if (!isUnconditional([...before, ...after])) continue;
    const key = JSON.stringify([before.map(({ from }) => from).sort(), after.map(({ to }) => to).sort()]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()];
}

/** Returns whether nodes with effects are in order with all nodes that have effects or read something. */
function isOrderKept({ nodes, edges }: FlowDoc): boolean {
  const reached = new Map<string, Set<string>>();
  for (const { id } of nodes) {
    const found = new Set<string>();
    for (const queue = [id]; queue.length > 0; ) {
      const next = queue.pop();
      for (const { from, to } of edges) if (from === next && !found.has(to)) queue.push(found.add(to) && to);
    }
    reached.set(id, found);
  }
  const isPure = ({ type }: NodeDoc): boolean => nodeTypes.get(type)?.effects === 'pure' && !orderedTypes.test(type);
  const acting = nodes.filter((node) => !onlyReads(node));
  return acting.every((one) =>
    nodes.every(
      (other) =>
        one === other || isPure(other) || reached.get(one.id)?.has(other.id) || reached.get(other.id)?.has(one.id),
    ),
  );
}

/** Finds nodes that could run side by side; null if there are none. */
export function findSideBySide(doc: FlowDoc, nesting: LoopBodyNesting): SideBySide | null {
  if (isStepFlow(doc) || doc.nodes.length > mostNodes) return null;
  const limit = doc.flow.policy?.maxParallel ?? 1;
  if (limit === 1 && !isOrderKept(doc)) return null;
  const isWorth = (nodes: readonly NodeDoc[]): boolean => nodes.filter(isSlow).length > 1;
  const largest = (groups: readonly (readonly NodeDoc[])[]) => {
    return groups.filter(isWorth).toSorted((left, right) => right.length - left.length)[0];
  };
  const raised = (count: number): readonly FlowChange[] =>
    limit > 1 ? [] : [{ do: 'set-flow', path: ['policy', 'maxParallel'], value: Math.min(count, mostParallel) }];
  const row = largest(independentRows(doc, nesting));
  const edges = row === undefined ? null : rowChange(doc, row);
  const group = edges === null && limit === 1 ? largest(sameNeighbors(doc, nesting)) : row;
  if (group === undefined || (edges === null && limit > 1)) return null;
  const changes = [...(edges ?? []), ...raised(group.length)];
  return { ids: group.map(({ id }) => id), change: { do: 'all', changes, label: text.flow.sideBySide.title } };
}

function dismissalKey(folder: string | null, path: string): string {
  return JSON.stringify(['hint', folder, path]);
}

/** The hint of a flow. Renders nothing without one, or after the person has dismissed it for the file. */
export function FlowHint({ flow }: { readonly flow: SettledFlow }) {
  const { reviews, workspace, panes } = useStores();
  const { path, doc, nesting } = flow;
  const key = dismissalKey(
    useStore(workspace, ({ folder }) => folder),
    path,
  );
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(key) !== null);
  const hasReview = useStore(reviews, (state) => state.reviews.has(path));
  const isOff = isDismissed || hasReview || doc === null || readOnlyReason(flow) !== null;
  const found = useMemo(() => (isOff ? null : findSideBySide(doc, nesting)), [isOff, doc, nesting]);
  if (found === null) return null;
  const words = text.flow.sideBySide;
  const names = found.ids.map((id) => doc?.nodes.find((node) => node.id === id)?.name ?? id);
  const dismiss = (): void => {
    setIsDismissed(true);
    localStorage.setItem(key, 'off');
  };
  const review = async (): Promise<void> => {
    if (await reviews.getState().propose(path, words.title, found.change)) panes.getState().showDock('changes');
  };
  return (
    <section className="flow-hint" aria-label={words.label}>
      <Lightbulb aria-hidden size={14} />
      <div>
        <p>{words.question({ count: names.length, names: names.join(', ') })}</p>
        <div className="flow-hint-actions">
          <Button size="small" onClick={() => void review()}>
            {words.review}
          </Button>
          <Button size="small" variant="ghost" onClick={dismiss}>
            {words.dismiss}
          </Button>
        </div>
      </div>
    </section>
  );
}
