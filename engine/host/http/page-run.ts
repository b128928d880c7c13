/**
 * Reports a run to a form page. A page gets the state of the run as a whole instead of its events, which contain prompts and
 * everything else that nodes exchange; a page that was disconnected has missed nothing.
 */
import { type Clock, sleep } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import type { FlowDoc, NodeDoc } from '../../language/flow/flow-doc.ts';
import { bodyOwners } from '../../language/flow/loops.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { rootOf } from '../../runtime/kernel/events/run-event.ts';
import {
  emptyRunState,
  type NodeState,
  type RunState,
  type RunSummary,
} from '../../runtime/kernel/events/run-state.ts';
import { waitingRequests } from '../../runtime/kernel/requests/waiting-requests.ts';
import type { PageQuestion, PageRun, ReportedStep } from './page-data.ts';
import { hasEnded, openQuestions, type ResultSource, resultOf } from './run-views.ts';

type ReportSource = ResultSource & Pick<Engine, 'readDefinition' | 'subscribe' | 'watchHistory' | 'getRun' | 'waiting'>;

interface ReportedRun {
  readonly engine: ReportSource;
  readonly runId: RunId;
  /** Whether the page shows steps, streamed text and outputs. */
  readonly showsProgress: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Text of a model can arrive a hundred times a second. */
const pauseMs = 250;
const eventsAtOnce = 2_000;
/** Of the text being written, the page shows the end. */
const mostWriting = 4_000;

/**
 * Yields the state of a run now and after each change, until the run has ended.
 * @throws EngineError `run.not-found`; the signal's reason
 */
export async function* followPageRun(run: ReportedRun): AsyncGenerator<PageRun> {
  const { engine, runId, clock, signal } = run;
  const steps = stepsOf(await engine.readDefinition(runId));
  const changes = changesOf(run);
  try {
    for (let state = emptyRunState; ; ) {
      changes.clear();
      state = await readOn(run, state);
      const summary = await engine.getRun(runId);
      const shown = summary.status === 'interrupted' ? { ...state, status: summary.status } : state;
      yield await pageRunOf(shown, { steps, summary }, run);
      if (hasEnded(state)) return;
      await changes.next();
      signal.throwIfAborted();
      await sleep(clock, pauseMs, signal);
    }
  } finally {
    changes.stop();
  }
}

async function readOn({ engine, runId }: ReportedRun, state: RunState): Promise<RunState> {
  for (let known = state; ; ) {
    const events = await engine.readEvents(runId, known.seq, eventsAtOnce);
    known = foldRun(known, events);
    if (events.length < eventsAtOnce) return known;
  }
}

function changesOf({ engine, runId, signal }: ReportedRun) {
  let hasChanged = false;
  let wake = (): void => {};
  const note = (): void => {
    hasChanged = true;
    wake();
  };
  const stops = [
    engine.subscribe((events) => {
      if (events.some((event) => rootOf(event) === runId)) note();
    }),
    // Another process may continue the run.
    engine.watchHistory(note),
  ];
  signal.addEventListener('abort', note);
  return {
    clear: () => {
      hasChanged = signal.aborted;
    },
    next: () =>
      new Promise<void>((resolve) => {
        if (hasChanged) resolve();
        else wake = resolve;
      }),
    stop: () => {
      signal.removeEventListener('abort', note);
      for (const stop of stops) stop();
    },
  };
}

/** A node of the flow, with the number of nodes in its body if it is a loop. */
interface TopStep {
  readonly id: string;
  readonly label: string;
  readonly bodySize: number;
}

interface FlowSteps {
  readonly own: readonly TopStep[];
  /** Labels of all nodes by ID. */
  readonly labels: ReadonlyMap<string, string>;
}

function stepsOf(definition: string): FlowSteps {
  const nodes: FlowDoc['nodes'] = parseFlow(definition).doc?.nodes ?? [];
  const owners = bodyOwners(nodes);
  const bodySizes = new Map<string, number>();
  for (const owner of owners.values()) bodySizes.set(owner, (bodySizes.get(owner) ?? 0) + 1);
  const own = nodes.filter(({ id, disabled }) => !owners.has(id) && disabled !== true);
  return {
    own: own.map((node) => ({ id: node.id, label: labelOf(node), bodySize: bodySizes.get(node.id) ?? 0 })),
    labels: new Map(nodes.map((node) => [node.id, labelOf(node)])),
  };
}

function labelOf({ id, name }: NodeDoc): string {
  return name === undefined || name.trim() === '' ? wordsOf(id) : name;
}

/** Returns a name as words: `note_to_support` as `Note to support`. */
export function wordsOf(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

async function pageRunOf(
  state: RunState,
  { steps, summary }: { readonly steps: FlowSteps; readonly summary: RunSummary },
  { engine, showsProgress, clock }: ReportedRun,
): Promise<PageRun> {
  const writing = showsProgress ? writingIn(state, steps) : undefined;
  const { outputs, error } = hasEnded(state) ? await resultOf(summary, engine) : {};
  const known = { status: state.status, startedAt: state.startedAt, now: clock.now() };
  return {
    ...known,
    ...(state.durationMs === null ? {} : { durationMs: state.durationMs }),
    ...(state.status === 'suspended' && state.pause !== undefined ? { isPaused: true } : {}),
    steps: showsProgress ? steps.own.map((step) => stepIn(state, step)) : [],
    ...(writing === undefined ? {} : { writing }),
    questions: (waitingRequests(state).length === 0
      ? []
      : await openQuestions(summary, engine)) as unknown as readonly PageQuestion[],
    ...(showsProgress && isJsonMap(outputs) ? { outputs } : {}),
    ...(isJsonMap(error) ? { problem: String(error['message']) } : {}),
  };
}

function stepIn({ nodes, tallies }: RunState, { id, label, bodySize }: TopStep): ReportedStep {
  const node: NodeState | undefined = nodes.get(id);
  const tally = tallies.loops.get(id);
  const items = [...(tally?.items.values() ?? [])];
  const done = items.filter(({ open, ended, failed }) => open === 0 && (ended >= bodySize || failed > 0)).length;
  return {
    id,
    label,
    state: node?.status ?? 'idle',
    ...(node?.startedAt === undefined ? {} : { startedAt: node.startedAt }),
    ...(node?.durationMs === undefined ? {} : { durationMs: node.durationMs }),
    ...(tally === undefined ? {} : { done }),
    ...(typeof tally?.total === 'number' ? { total: tally.total } : {}),
  };
}

/** Several nodes may write at the same time; the page shows the one that started last. */
function writingIn({ nodes }: RunState, { labels }: FlowSteps): PageRun['writing'] {
  const [node] = [...nodes.values()]
    .filter(({ status, text }) => status === 'running' && text !== '')
    .sort((left, right) => (right.startedAt ?? 0) - (left.startedAt ?? 0));
  if (node === undefined) return undefined;
  const id = node.nodeId.slice(node.nodeId.lastIndexOf('.') + 1);
  return { step: labels.get(id) ?? wordsOf(id), text: node.text.slice(-mostWriting) };
}
