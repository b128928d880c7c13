/**
 * Explains a flow, a run or a failed node without a model, from the file and the log. Each sentence names its node.
 */
import {
  baseNodeId,
  causesOf,
  type FlowDoc,
  isInBody,
  isLoop,
  type NodeDoc,
  type NodeState,
  whenText,
} from '../../engine/isomorphic.ts';
import type { FactSentence } from '../stores/assistant/talk.ts';
import type { LoopBodyNesting } from '../stores/flow/loop-bodies.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { countDone, countedFlow, countNodes } from '../stores/runs/live/count-nodes.ts';
import { isPaused, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { workedMs } from '../stores/runs/live/run-time.ts';
import type { OpenFile } from '../stores/text/file.ts';
import { costText, durationText } from '../ui/quantity-text.ts';
import { decidingLine, failedItems, grouped, mostItems, skippedItems, slowestNode } from './explain-items.ts';
import { about, itemList, listed, plain, quoted, sentence } from './fact-sentence.ts';
import { lookAlikes } from './look-alikes.ts';
import { text } from './text.ts';

const words = text.facts;

/** The titles of explanations. */
export const titles = text.explain;

/** Nodes that get their own sentence. */
const mostNodes = 60;
/** Sentences about a run. */
const mostFacts = 12;

type ExplainedFlow = Pick<OpenFile, 'order' | 'nesting' | 'diagnostics'> & { readonly doc: FlowDoc };

function namesOf({ nodes }: FlowDoc): (id: string) => string {
  const names = new Map(nodes.map(({ id, name }) => [id, name ?? id]));
  return (id) => quoted(names.get(id) ?? id);
}

function summaryOf({ type, config, input, description }: NodeDoc): string {
  const spec = nodeTypes.get(type);
  const parts = spec?.summary?.(config ?? {}, input) ?? [description ?? spec?.description ?? type];
  return quoted(parts.map((part) => (typeof part === 'string' ? part : part.chip)).join(''));
}

/** Returns when a node runs: after others, in a loop, or under a condition. */
function momentOf(node: NodeDoc, { doc, nesting }: { readonly doc: FlowDoc; readonly nesting: LoopBodyNesting }) {
  const nameOf = namesOf(doc);
  const loop = nesting.ownerOf.get(node.id);
  const before = [...new Set(doc.edges.filter(({ to }) => to === node.id).map(({ from }) => nameOf(from)))];
  return [
    ...(node.disabled === true ? [words.disabled] : []),
    ...(loop === undefined ? [] : [words.inLoop({ loop: nameOf(loop) })]),
    ...(before.length === 0 ? [] : [words.after({ names: listed(before) })]),
    ...(node.when === undefined ? [] : [words.onlyIf({ condition: quoted(whenText(node.when)) })]),
    ...(node.policy?.retry === undefined ? [] : [words.attempts({ count: node.policy.retry.maxAttempts ?? 1 })]),
  ].join(' ');
}

/** Explains what a flow does. */
export function explainFlow({ doc, nesting, order, diagnostics }: ExplainedFlow): readonly FactSentence[] {
  const { name, description, input = {}, inputs = {} } = doc.flow;
  const inputNames = [...new Set([...Object.keys(input), ...Object.keys(inputs)])];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = doc.nodes.slice(0, mostNodes);
  return [
    plain(words.flow({ name: quoted(name), count: order.length })),
    ...(description === undefined ? [] : [plain(quoted(description))]),
    ...(inputNames.length === 0 ? [] : [plain(words.inputs({ names: listed(inputNames) }))]),
    ...shown.map((one) =>
      about(one.id, (node) => words.node({ node, does: summaryOf(one), moment: momentOf(one, { doc, nesting }) })),
    ),
    ...(doc.nodes.length > shown.length ? [plain(words.moreNodes({ count: doc.nodes.length - shown.length }))] : []),
    ...(errors.length === 0 ? [] : [plain(words.errors({ count: errors.length }))]),
  ];
}

function failureText(node: string, { attempts, error }: NodeState): string {
  const message = quoted(error?.message ?? '');
  return attempts > 1 ? words.failedAfter({ node, attempts, message }) : words.failed({ node, message });
}

function skipText(node: string, { skip }: NodeState): string {
  const because = skip === undefined ? '' : words.skips[skip.reason];
  const comparison = decidingLine(skip?.detail);
  const { variable, word, value = '', actual = '' } = comparison ?? {};
  const detail = comparison === undefined ? (skip?.text ?? '') : words.was({ variable, word, value, actual });
  return words.skipped({ node, because: detail === '' ? because : `${because} ${quoted(detail)}` });
}

/** Returns the nodes with this status that are not in a loop. */
function statesOf({ state }: LiveRun, status: NodeState['status']): readonly NodeState[] {
  return [...state.nodes.values()].filter((node) => node.status === status && !isInBody(node.nodeId));
}

/** Explains how a run went, most important first. */
export function explainRun(run: LiveRun, flow: ExplainedFlow, now: number): readonly FactSentence[] {
  const { status, costUsd, unpricedCalls } = run.state;
  const counted = countedFlow(run, flow);
  const values = { done: countDone(run, counted), count: countNodes(counted), time: durationText(workedMs(run, now)) };
  const cost = costText(costUsd, unpricedCalls);
  const facts = [
    plain(words.runs[status](values)),
    ...nextNode(run),
    ...(cost === null ? [] : [plain(words.cost({ cost }))]),
    ...failures(run),
    ...lookAlikes(run),
    ...waits(run),
    ...slowestNode(run),
    ...statesOf(run, 'skipped').map((state) => about(state.nodeId, (node) => skipText(node, state))),
    ...skippedItems(run, flow.doc),
    ...reusedNodes(run, flow.doc),
    ...staleNodes(run),
  ];
  if (facts.length <= mostFacts) return facts;
  const shown = facts.slice(0, mostFacts - 1);
  return [...shown, plain(words.moreFacts({ count: facts.length - shown.length }))];
}

function failures(run: LiveRun): readonly FactSentence[] {
  const { error } = run.state;
  const items = failedItems(run);
  // A loop fails because of its items.
  const failed = statesOf(run, 'failed').filter(({ nodeType }) => items.length === 0 || !isLoop(nodeType));
  if (failed.length + items.length === 0) return error === undefined ? [] : [plain(quoted(error.message))];
  return [...failed.map((state) => about(state.nodeId, (node) => failureText(node, state))), ...items];
}

/** The nodes that wait for a person. A loop does not wait: the nodes of its body do. */
function waits({ state }: LiveRun): readonly FactSentence[] {
  const waiting = [...state.nodes.values()].filter((node) => node.status === 'suspended' && !isLoop(node.nodeType));
  return [...grouped(waiting, ({ nodeId, request }) => `${baseNodeId(nodeId)} ${request?.message}`).values()].map(
    (states) =>
      sentence((link) => {
        const [{ nodeId, request } = { nodeId: '', request: undefined }] = states;
        const told = { node: link(baseNodeId(nodeId)), message: quoted(request?.message ?? '') };
        return isInBody(nodeId)
          ? words.itemsWait({ ...told, items: itemList(states, link, mostItems) })
          : words.waits(told);
      }),
  );
}

function reusedNodes({ state }: LiveRun, doc: FlowDoc): readonly FactSentence[] {
  const reused = [...state.nodes.values()].filter(({ status }) => status === 'reused');
  const ids = [...new Set(reused.map(({ nodeId }) => baseNodeId(nodeId)))];
  return ids.length === 0 ? [] : [plain(words.reused({ names: listed(ids.map(namesOf(doc))) }))];
}

/** The node that starts next, for a paused run. */
function nextNode({ state }: LiveRun): readonly FactSentence[] {
  const next = isPaused(state) ? state.pause?.nextNode?.split('/')[0] : undefined;
  return next === undefined ? [] : [about(baseNodeId(next), (node) => words.paused({ node }))];
}

function staleNodes({ stale }: LiveRun): readonly FactSentence[] {
  return [...stale]
    .slice(0, mostNodes)
    .map(([id, reason]) => about(id, (node) => words.stale({ node, reason: quoted(reason) })));
}

/** Explains why a node failed. @param place path of the node in the run */
export function explainFailure(run: LiveRun, flow: ExplainedFlow, place: string): readonly FactSentence[] {
  const state = run.state.nodes.get(place);
  if (state === undefined) return [];
  const id = baseNodeId(place);
  const causes = state.error === undefined ? [] : causesOf(state.error).slice(1);
  const before = new Set(flow.doc.edges.filter(({ to }) => to === id).map(({ from }) => from));
  // Nodes of the same body have the same item in their paths.
  const prefix = place.slice(0, place.length - id.length);
  const missed = nodesAfter(flow.doc, id).filter(
    (after) => run.state.nodes.get(prefix + after)?.startedAt === undefined,
  );
  const stale = run.stale.get(id);
  return [
    about(id, (node) => failureText(node, state)),
    ...causes.map(({ message }) => plain(words.cause({ message: quoted(message) }))),
    ...[...before].slice(0, mostNodes).flatMap((other) => beforeSentence(run, prefix + other)),
    ...(missed.length === 0 ? [] : [plain(words.missed({ names: listed(missed.map(namesOf(flow.doc))) }))]),
    ...(stale === undefined ? [] : [about(id, (node) => words.stale({ node, reason: quoted(stale) }))]),
  ];
}

function beforeSentence({ state: { nodes } }: LiveRun, place: string): readonly FactSentence[] {
  const state = nodes.get(place);
  const id = baseNodeId(place);
  if (state?.status === 'skipped') return [about(id, (node) => skipText(node, state))];
  if (state?.status === 'failed') return [about(id, (node) => failureText(node, state))];
  if (state?.status === 'completed' || state?.status === 'reused')
    return [about(id, (node) => words.beforeIt({ node }))];
  return [];
}

/** Returns the nodes that are reached only after another one, in file order. */
function nodesAfter({ nodes, edges }: FlowDoc, id: string): readonly string[] {
  const found = new Set([id]);
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const { from, to } of edges)
      if (from === next && !found.has(to)) {
        found.add(to);
        queue.push(to);
      }
  return nodes.map((node) => node.id).filter((other) => other !== id && found.has(other));
}
