/**
 * What waits for a person anywhere in the workspace: each node with its question, the one that waits longest first.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Ask,
  asRunId,
  type EventEnvelope,
  emptyRunState,
  type FlowDoc,
  foldRun,
  type RunId,
  type RunState,
  type RunSummary,
  toErrorRecord,
  type WaitingRequest,
  waitingRequests,
} from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { baseNodeId } from '../flow/node-places.ts';
import { checkText } from '../text/check.ts';
import { type RunHistory, waitingRuns } from './run-history.ts';

export interface WaitingNode {
  /** Its full name, by which it is answered: its place in the run, in a called run behind that of the node that called it. */
  readonly nodeId: string;
  /** As on its card, with its item when it stands in a loop; of an agent's input, what the agent calls it. */
  readonly name: string;
  readonly message: string;
  /** What exactly it asks; absent where the question is whether what a crash has cut may run again. */
  readonly ask?: Ask;
  /** The run of an agent in which it is an input or a stage; null for a node of a flow. */
  readonly agentRun: { readonly runId: RunId; readonly isCalled: boolean; readonly taskId: string } | null;
}

/** Nodes, inputs and stages that ask a person, in the order in which they began to. */
export function waitingNodes(state: RunState, doc: FlowDoc | null): readonly WaitingNode[] {
  // Most runs never wait, and a run has no end of nodes.
  if (state.status !== 'suspended') return [];
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id]));
  return waitingRequests(state).map((waiting) => {
    const { name, request, ask, run } = waiting;
    const message = ask?.request.title ?? request?.message ?? 'It waits for a person.';
    const agentRun = agentRunOf(waiting, run !== state);
    return { nodeId: name, name: shownName(waiting, names), message, agentRun, ...(ask === undefined ? {} : { ask }) };
  });
}

function agentRunOf({ name, run: { kind, runId } }: WaitingRequest, isCalled: boolean): WaitingNode['agentRun'] {
  return kind !== 'agent' || runId === null ? null : { runId, isCalled, taskId: name.slice(name.lastIndexOf('/') + 1) };
}

const stageNames: Readonly<Record<string, string>> = { BeforeAll: 'Before All', AfterAll: 'After All' };

function shownName({ name, run }: WaitingRequest, names: ReadonlyMap<string, string>): string {
  if (run.kind !== 'agent') return nameOf(name, names);
  const end = name.lastIndexOf('/');
  const task = name.slice(end + 1);
  const own =
    stageNames[task] ?? run.nodes.get(task)?.label ?? `Input ${Number(task.slice(task.indexOf(':') + 1)) + 1}`;
  return end === -1 ? own : `${nameOf(name.slice(0, end), names)}: ${own}`;
}

function nameOf(nodeId: string, names: ReadonlyMap<string, string>): string {
  const id = baseNodeId(nodeId);
  const name = names.get(id) ?? id;
  return id === nodeId ? name : `${name} in ${nodeId.slice(0, -id.length - 1)}`;
}

export interface WaitingItem extends WaitingNode {
  readonly run: RunSummary;
  /** The same for as long as it waits; no other request of the workspace has it. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Number of the last event of its run that is known here. */
  readonly seq: number;
}

export interface WaitingList {
  readonly items: readonly WaitingItem[];
  readonly isLoading: boolean;
  /** Why a run could not be read; null = all could. */
  readonly error: string | null;
  /** Reads what waits, and again whenever that changes. Returns the end of that. */
  follow(): () => void;
}

/** Events asked for at a time. */
const pageSize = 5000;

/** What is known of a run: as much as `seq` says. */
interface ReadRun {
  readonly state: RunState;
  /** By run and node: when it began to wait. */
  readonly since: ReadonlyMap<string, number>;
  readonly nodes: readonly WaitingNode[];
}

const unread: ReadRun = { state: emptyRunState, since: new Map(), nodes: [] };

function waitingSince(before: ReadonlyMap<string, number>, events: readonly EventEnvelope[]): Map<string, number> {
  const since = new Map(before);
  for (const { event, at, runId } of events) {
    if (event.type === 'node:suspended') since.set(sinceKey(runId, event.nodeId), at);
  }
  return since;
}

function sinceKey(runId: RunId, nodeId: string): string {
  return `${runId} ${nodeId}`;
}

async function readFurther(engine: EngineClient, { runId, kind }: RunSummary, known: ReadRun): Promise<ReadRun> {
  let { state, since } = known;
  for (;;) {
    const events = await engine.call('readEvents', runId, state.seq, pageSize);
    state = foldRun(state, events);
    since = waitingSince(since, events);
    if (events.length < pageSize) break;
  }
  if (state.seq === known.state.seq) return known;
  const definition = await engine.call('readDefinition', runId);
  return { state, since, nodes: waitingNodes(state, checkText(definition, kind).doc) };
}

/** Of what waits for something else than an answer, the run itself is what waits. */
function itemsOf(run: RunSummary, { nodes, since, state: { seq } }: ReadRun): readonly WaitingItem[] {
  const waits: readonly WaitingNode[] =
    nodes.length > 0 ? nodes : [{ nodeId: '', name: run.name, message: 'It waits for a person.', agentRun: null }];
  return waits.map((node) => {
    const { nodeId, agentRun, ask } = node;
    const began =
      ask?.askedAt ?? since.get(sinceKey(agentRun?.runId ?? run.runId, agentRun?.taskId ?? nodeId)) ?? run.startedAt;
    // With the time: a node that asks again later asks something else.
    return {
      ...node,
      run,
      key: `${run.runId} ${began} ${nodeId}${ask === undefined ? '' : ` ${ask.key}`}`,
      since: began,
      seq,
    };
  });
}

/** What has a deadline comes before what has none, the nearest one first; then what waits longest. */
export function byUrgency(left: Urgency, right: Urgency): number {
  const first = left.deadlineAt ?? Number.POSITIVE_INFINITY;
  const second = right.deadlineAt ?? Number.POSITIVE_INFINITY;
  return first === second ? left.since - right.since : first - second;
}

/** Both in epoch milliseconds. */
interface Urgency {
  readonly since: number;
  readonly deadlineAt?: number | undefined;
}

/** How urgent a request is. */
export function urgencyOf({ since, ask }: Pick<WaitingItem, 'since' | 'ask'>): Urgency {
  return { since, deadlineAt: ask?.request.deadlineAt };
}

export function createWaitingList(engine: EngineClient, runHistory: StoreApi<RunHistory>): StoreApi<WaitingList> {
  let known = new Map<string, ReadRun>();
  let isReading = false;
  let isOutdated = false;
  return createStore<WaitingList>()((set) => {
    const readAll = async (): Promise<void> => {
      const runs = runHistory.getState().lists.get(waitingRuns)?.runs ?? [];
      const next = new Map<string, ReadRun>();
      let error: string | null = null;
      for (const run of runs) {
        const former = known.get(run.runId) ?? { ...unread, state: { ...emptyRunState, runId: asRunId(run.runId) } };
        const read = await readFurther(engine, run, former).catch((problem: unknown) => {
          error = toErrorRecord(problem).message;
          return former;
        });
        next.set(run.runId, read);
      }
      known = next;
      const items = runs.flatMap((run) => itemsOf(run, next.get(run.runId) ?? unread));
      set({ items: [...items].sort((left, right) => byUrgency(urgencyOf(left), urgencyOf(right))), error });
    };
    const read = async (): Promise<void> => {
      isReading = true;
      do {
        isOutdated = false;
        await readAll();
      } while (isOutdated);
      isReading = false;
      set({ isLoading: false });
    };
    const refresh = (): void => {
      isOutdated = true;
      if (!isReading) void read();
    };
    return {
      items: [],
      isLoading: true,
      error: null,
      follow() {
        const endHearing = runHistory.subscribe((now, before) => {
          if (now.lists.get(waitingRuns) !== before.lists.get(waitingRuns)) refresh();
        });
        const endWatch = runHistory.getState().watch(waitingRuns);
        return () => {
          endHearing();
          endWatch();
        };
      },
    };
  });
}
