/**
 * What waits for a person anywhere in the workspace: each node with its question, the one that waits longest first.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Ask,
  type AskRequest,
  asRunId,
  baseNodeId,
  emptyRunState,
  type FlowDoc,
  foldRun,
  lineOfRequest,
  type RunId,
  type RunKind,
  type RunState,
  toErrorRecord,
  type WaitingRequest,
  waitingRequests,
} from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import { itemText } from '../flow/node-places.ts';
import { checkText } from '../text/check.ts';
import { kindOfPath } from '../text/paths.ts';
import { allFlows, type RunHistory } from './run-history.ts';

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

/** Loops by their places in a run, as far as their items are named. */
type Loops = NonNullable<Parameters<typeof itemText>[1]>;

/** What a flow says of its loops; how many items there are is known in the run only. */
function loopsIn(doc: FlowDoc | null): Loops {
  const names = new Map(doc?.nodes.map(({ id, input }) => [id, input['as']]));
  return {
    get(loop) {
      const as = names.get(baseNodeId(loop));
      return typeof as === 'string' ? { as, total: null, mostPasses: null } : undefined;
    },
  };
}

/** Nodes, inputs and stages that ask a person, in the order in which they began to. */
export function waitingNodes(state: RunState, doc: FlowDoc | null, loops = loopsIn(doc)): readonly WaitingNode[] {
  // What a crash has cut is decided when nothing else goes on.
  if (state.status !== 'suspended' && state.status !== 'running') return [];
  const isSuspended = state.status === 'suspended';
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id]));
  return waitingRequests(state)
    .filter(({ ask }) => isSuspended || ask !== undefined)
    .map((waiting) => {
      const { name, request, ask, run } = waiting;
      const message = ask === undefined ? (request?.message ?? 'Waiting for a person.') : lineOfRequest(ask.request);
      const agentRun = agentRunOf(waiting, run !== state);
      return {
        nodeId: name,
        name: shownName(waiting, names, loops),
        message,
        agentRun,
        ...(ask === undefined ? {} : { ask }),
      };
    });
}

function agentRunOf({ name, run: { kind, runId } }: WaitingRequest, isCalled: boolean): WaitingNode['agentRun'] {
  return kind !== 'agent' || runId === null ? null : { runId, isCalled, taskId: name.slice(name.lastIndexOf('/') + 1) };
}

const stageNames: Readonly<Record<string, string>> = { BeforeAll: 'Before All', AfterAll: 'After All' };

function shownName({ name, run }: WaitingRequest, names: ReadonlyMap<string, string>, loops: Loops): string {
  if (run.kind !== 'agent') return nameOf(name, names, loops);
  const end = name.lastIndexOf('/');
  const task = name.slice(end + 1);
  const own =
    stageNames[task] ?? run.nodes.get(task)?.label ?? `Input ${Number(task.slice(task.indexOf(':') + 1)) + 1}`;
  return end === -1 ? own : `${nameOf(name.slice(0, end), names, loops)}: ${own}`;
}

function nameOf(nodeId: string, names: ReadonlyMap<string, string>, loops: Loops): string {
  const id = baseNodeId(nodeId);
  const name = names.get(id) ?? id;
  const item = itemText(nodeId, loops);
  return item === '' ? name : `${name}, ${item}`;
}

export interface WaitingItem {
  /** The same for as long as it waits; no other request of the workspace has it. */
  readonly key: string;
  readonly run: {
    readonly runId: RunId;
    readonly number: number;
    readonly kind: RunKind;
    readonly name: string;
    readonly sourcePath: string;
  };
  /** Full name of the node, by which it is answered. */
  readonly nodeId: string;
  /** As on its card, with its item when it stands in a loop; of an agent's input, what the agent calls it. */
  readonly name: string;
  readonly message: string;
  /** Absent where the question is whether what a crash has cut may run again. */
  readonly ask?: { readonly key: string; readonly kind: AskRequest['kind']; readonly isPermission?: true };
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds. */
  readonly deadlineAt?: number;
}

export interface WaitingList {
  /** The most urgent first. */
  readonly items: readonly WaitingItem[];
  readonly isLoading: boolean;
  /** Why it could not be read; null = it could. */
  readonly error: string | null;
  /** Reads what waits, and again whenever that changes. Returns the end of that. */
  follow(): () => void;
}

type Entry = EngineResult<'listWaiting'>[number];

/** Events asked for at a time. */
const pageSize = 5000;

/** Of so many runs the names of cards are looked up, of the most urgent ones; nodes of others are named by their ids. */
const mostNamed = 100;

/** Of these the log is read, which alone has the names of inputs of agents. */
const mostFolded = 20;

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

/** By full name, how a node is called. */
type Names = (nodeId: string) => string | undefined;

/** Definitions of runs never change. */
async function readNames(engine: EngineClient, runId: RunId, kind: RunKind): Promise<Names> {
  const { doc } = checkText(await engine.call('readDefinition', runId), kind);
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id]));
  const loops = loopsIn(doc);
  return (nodeId) => nameOf(nodeId, names, loops);
}

/** As long as it waits, its log has hardly grown. */
async function readLoggedNames(engine: EngineClient, runId: RunId, kind: RunKind): Promise<Names> {
  let state: RunState = { ...emptyRunState, runId };
  for (;;) {
    const events = await engine.call('readEvents', runId, state.seq, pageSize);
    state = foldRun(state, events);
    if (events.length < pageSize) break;
  }
  const { doc } = checkText(await engine.call('readDefinition', runId), kind);
  const names = new Map(waitingNodes(state, doc).map(({ nodeId, name }) => [nodeId, name]));
  return (nodeId) => names.get(nodeId);
}

function kindOf({ sourcePath }: Entry): RunKind {
  return kindOfPath(sourcePath) === 'agent' ? 'agent' : 'flow';
}

/** What waits in an agent, or in a run that a node called. */
function isDeep(entry: Entry): boolean {
  return entry.name.includes('/') || kindOf(entry) === 'agent';
}

/** Names of what waits; what cannot be read is called by its id. */
class NodeNames {
  readonly #engine: EngineClient;
  #known = new Map<string, Names>();

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async read(entries: readonly Entry[]): Promise<(entry: Entry) => string> {
    const wanted = new Map<string, Entry>();
    for (const entry of entries)
      if (wanted.size < mostNamed && !wanted.has(keyOf(entry))) wanted.set(keyOf(entry), entry);
    const next = new Map<string, Names>();
    let folded = 0;
    for (const [key, entry] of wanted) {
      if (isDeep(entry) && ++folded > mostFolded) continue;
      const names = this.#known.get(key) ?? (await this.#readOne(entry));
      if (names !== undefined) next.set(key, names);
    }
    this.#known = next;
    return (entry) => next.get(keyOf(entry))?.(entry.name) ?? entry.name;
  }

  async #readOne(entry: Entry): Promise<Names | undefined> {
    const read = isDeep(entry) ? readLoggedNames : readNames;
    return await read(this.#engine, asRunId(entry.runId), kindOf(entry)).catch(() => undefined);
  }
}

/** What is read for one thing that waits: of a log, as it was when that began to wait. */
function keyOf(entry: Entry): string {
  return isDeep(entry) ? `${entry.runId} ${entry.name} ${entry.askedAt}` : entry.runId;
}

function itemOf(entry: Entry, name: string): WaitingItem {
  const { runId, number, flow, sourcePath, name: nodeId, key, kind, message, askedAt, deadlineAt } = entry;
  const permission = entry.isPermission === undefined ? {} : { isPermission: entry.isPermission };
  return {
    // With the time: a node that asks again later asks something else.
    key: `${runId} ${askedAt} ${nodeId}${key === undefined ? '' : ` ${key}`}`,
    run: { runId: asRunId(runId), number, kind: kindOf(entry), name: flow, sourcePath },
    ...{ nodeId, name, message, since: askedAt },
    ...(key === undefined || kind === undefined ? {} : { ask: { key, kind, ...permission } }),
    ...(deadlineAt === undefined ? {} : { deadlineAt }),
  };
}

export function createWaitingList(engine: EngineClient, runHistory: StoreApi<RunHistory>): StoreApi<WaitingList> {
  const names = new NodeNames(engine);
  let isReading = false;
  let isOutdated = false;
  return createStore<WaitingList>()((set) => {
    const readAll = async (): Promise<void> => {
      try {
        const entries = await engine.call('listWaiting');
        const nameOfEntry = await names.read(entries);
        const items = entries.map((entry) => itemOf(entry, nameOfEntry(entry)));
        set({ items: items.sort(byUrgency), error: null });
      } catch (problem) {
        set({ error: toErrorRecord(problem).message });
      }
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
        // What changes the list of runs may change what waits in them.
        const endHearing = runHistory.subscribe((now, before) => {
          if (now.lists.get(allFlows) !== before.lists.get(allFlows)) refresh();
        });
        const endWatch = runHistory.getState().watch(allFlows);
        return () => {
          endHearing();
          endWatch();
        };
      },
    };
  });
}
