/**
 * Builds the `millrace mcp` results about runs: a run's state, and the reason for a node's status.
 */
import { cutText } from '../../base/cut-text.ts';
import type { Engine } from '../../index.ts';
import {
  type EventEnvelope,
  emptyRunState,
  foldRun,
  isValueHandle,
  type JsonMap,
  type JsonValue,
  type NodeState,
  type RunId,
  type RunState,
  readWholeRun,
  rootOf,
  type WholeRun,
} from '../../isomorphic.ts';
import { usageError } from '../exit-code.ts';

/** Maximum length of a value that is shown together with others, in characters of JSON. */
const longestShown = 4_000;

/**
 * Returns the state of a run: its output, its error, or its open requests with instructions for answering them
 * elsewhere.
 * @throws EngineError `run.not-found`
 */
export async function stateOfRun(engine: Engine, runId: RunId): Promise<JsonMap> {
  return stateIn(engine, await readWholeRun(engine, runId));
}

async function stateIn(engine: Engine, { run: summary, events }: WholeRun): Promise<JsonMap> {
  const { runId, number, status, waitStatus, error, failedNodes, name } = summary;
  const base = { status, runId, number, name };
  if (status === 'suspended') {
    const waiting = (await engine.waiting(runId)).map(({ name: node, key, request }) => ({
      node,
      ...(key === undefined ? {} : { key }),
      asks: request as unknown as JsonValue,
    }));
    if (waitStatus === 'PAUSED') return { ...base, waiting, paused: howToContinue(number) };
    return {
      ...base,
      waiting,
      howToAnswer: `Only a person can answer, in the Millrace window or at a terminal: "millrace inbox" lists open requests, and "millrace resume ${number} --node NODE" with --approve, --reject or --answer FILE answers one. Ask the person to do this, then call read_run to see how the run continued.`,
    };
  }
  if (status === 'queued' || status === 'running') {
    return { ...base, hint: 'The run continues. Call read_run with waitSeconds to wait for its end.' };
  }
  const run = foldRun(emptyRunState, events);
  return {
    ...base,
    ...(run.output === undefined ? {} : { output: await wholeValue(engine, run.output) }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(failedNodes.length === 0 ? {} : { failedNodes }),
  };
}

function howToContinue(number: number): string {
  return `A person, a breakpoint or the budget of the flow has paused the run. Only a person can continue it, in the Millrace window or at a terminal: "millrace resume ${number}" shows how. Call read_run to see how the run continued.`;
}

/** Returns a run with its nodes and the requested number of events. @throws EngineError `run.not-found` */
export async function readRun(
  engine: Engine,
  runId: RunId,
  events: { readonly after: number; readonly limit: number },
): Promise<JsonMap> {
  const whole = await readWholeRun(engine, runId);
  const state = await stateIn(engine, whole);
  const run = foldRun(emptyRunState, whole.events);
  const some = whole.events.filter(({ seq }) => seq > events.after).slice(0, events.limit);
  return {
    ...state,
    inputs: run.inputs,
    nodes: [...run.nodes.values()].map(nodeLine),
    ...(events.limit === 0 ? {} : { events: some.map(eventLine) }),
  };
}

/**
 * Uses the log to explain why a node did or did not run.
 * @throws EngineError `cli.usage` for a node that is not part of the run; `run.not-found`
 */
export async function explainNode(engine: Engine, runId: RunId, nodeId: string): Promise<JsonMap> {
  const { events } = await readWholeRun(engine, runId);
  const run = foldRun(emptyRunState, events);
  const edges = edgesTo(events, runId, nodeId);
  const node = run.nodes.get(nodeId);
  if (node === undefined && edges.length === 0) {
    const known = [...run.nodes.keys()].slice(0, 50).join(', ');
    throw usageError(`The run has not reached a node "${nodeId}". Nodes reached: ${known || 'none'}.`);
  }
  return {
    ...(node === undefined ? { nodeId, status: 'not reached' } : nodeLine(node)),
    why: whyOf(node, run),
    ...(node?.skip?.detail === undefined ? {} : { condition: node.skip.detail as unknown as JsonValue }),
    ...(node?.input === undefined ? {} : { input: shown(node.input) }),
    edges,
  };
}

function whyOf(node: NodeState | undefined, run: RunState): string {
  switch (node?.status) {
    case undefined:
      return `The run ended before it reached this node (${run.status}).`;
    case 'skipped':
      return (
        skipReasons[node.skip?.reason ?? ''] ??
        `It was skipped: ${node.skip?.text ?? node.skip?.reason ?? 'unknown reason'}.`
      );
    case 'reused':
      return node.isPinned === true
        ? 'It did not run: its output is pinned.'
        : `It did not run: it and the nodes before it have not changed, so it reused its output from run ${node.fromRunId}.`;
    case 'failed':
      return `It ran and failed in attempt ${node.attempts}: ${node.error?.message ?? ''}`;
    case 'suspended':
      return 'It has started, and waits for a person.';
    case 'cancelled':
      return 'It was canceled before it ended.';
    case 'running':
    case 'retrying':
      return 'It is running.';
    case 'completed':
      return 'It ran because all edges to it were decided and at least one of them fired, or because no edge leads to it.';
  }
}

const skipReasons: Readonly<Record<string, string>> = {
  when: 'It was skipped because its own condition (when) was not met; "condition" contains the values it used.',
  edge: 'It was skipped because no edge to it fired; "edges" contains the reason for each.',
};

function edgesTo(events: readonly EventEnvelope[], runId: RunId, nodeId: string): JsonMap[] {
  return events.flatMap((envelope): JsonMap[] => {
    const { event } = envelope;
    if (rootOf(envelope) !== runId || (event.type !== 'edge:fired' && event.type !== 'edge:skipped')) return [];
    if (event.to !== nodeId || envelope.runId !== runId) return [];
    const detail = event.detail === undefined ? {} : { condition: event.detail as unknown as JsonValue };
    return [{ from: event.from, fired: event.type === 'edge:fired', ...detail }];
  });
}

function nodeLine({ nodeId, nodeType, status, attempts, durationMs, output, error, skip }: NodeState): JsonMap {
  return {
    nodeId,
    ...(nodeType === undefined ? {} : { type: nodeType }),
    status,
    attempts,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(output === undefined ? {} : { output: shown(output) }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(skip === undefined ? {} : { skipped: skip.reason }),
  };
}

function eventLine({ seq, at, runId, event }: EventEnvelope): JsonValue {
  return { seq, at, runId, event: shown(event as unknown as JsonValue) };
}

/** Returns the value, or the beginning of its JSON if it is long. */
function shown(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= longestShown ? value : cutText(text, longestShown);
}

async function wholeValue(engine: Engine, value: JsonValue): Promise<JsonValue> {
  return isValueHandle(value) ? await engine.readValue(value.$value) : value;
}
