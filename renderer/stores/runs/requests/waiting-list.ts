/**
 * The open requests in the workspace: each waiting node with its question, oldest first.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Ask,
  type AskRequest,
  asRunId,
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
} from '../../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import { checkText } from '../../text/check.ts';
import { kindOfPath } from '../../text/paths.ts';
import { allFlows, type RunHistory } from '../history/run-history.ts';
import { text } from '../text.ts';
import { loopsIn, nameOf, shownName } from './request-names.ts';

export interface WaitingNode {
  /**
   * Full name of the node, by which it is answered: its path in the run, prefixed in a child run by the path of the
   * calling node.
   */
  readonly nodeId: string;
  /** The name on its card, with its item in a loop. For an agent's input, the label set by the agent. */
  readonly name: string;
  readonly message: string;
  /** The request. Undefined if the question is whether an interrupted node may run again. */
  readonly ask?: Ask;
  /** The run of an agent in which it is an input or a stage. Null for a node of a flow. */
  readonly agentRun: { readonly runId: RunId; readonly isCalled: boolean; readonly taskId: string } | null;
}

/** Returns the nodes, inputs and stages that wait for an answer, in the order of their requests. */
export function waitingNodes(state: RunState, doc: FlowDoc | null, loops = loopsIn(doc)): readonly WaitingNode[] {
  // Whether interrupted nodes run again can be decided only while nothing else is running.
  if (state.status !== 'suspended' && state.status !== 'running') return [];
  const isSuspended = state.status === 'suspended';
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id]));
  return waitingRequests(state)
    .filter(({ ask }) => isSuspended || ask !== undefined)
    .map((waiting) => {
      const { name, request, ask, run } = waiting;
      const message = ask === undefined ? (request?.message ?? text.requests.waiting) : lineOfRequest(ask.request);
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

export interface WaitingItem {
  /** Unique in the workspace, and constant while the request is open. */
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
  /** The name on its card, with its item in a loop. For an agent's input, the label set by the agent. */
  readonly name: string;
  readonly message: string;
  /** Undefined if the question is whether an interrupted node may run again. */
  readonly ask?: { readonly key: string; readonly kind: AskRequest['kind']; readonly isPermission?: true };
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds. */
  readonly deadlineAt?: number;
}

export interface WaitingList {
  /** Most urgent first. */
  readonly items: readonly WaitingItem[];
  readonly isLoading: boolean;
  /** Why the list could not be loaded, or null. */
  readonly error: string | null;
  /** Loads the open requests, and again whenever they change. Returns a function that stops it. */
  follow(): () => void;
}

type WaitingListEntry = EngineResult<'listWaiting'>[number];

/** Number of events requested at a time. */
const pageSize = 5000;

/**
 * Maximum number of runs, most urgent first, for which the names of cards are looked up. Nodes of other runs are named
 * by their IDs.
 */
const mostNamed = 100;

/** Maximum number of runs with a log to read. Only the log contains the names of agents' inputs. */
const mostFolded = 20;

/** Compares requests: those with a deadline come first, nearest deadline first, then the oldest. */
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

/** Returns the name of a node for its full name. */
type Names = (nodeId: string) => string | undefined;

/** Definitions of runs never change. */
async function readNames(engine: EngineClient, runId: RunId, kind: RunKind): Promise<Names> {
  const { doc } = checkText(await engine.call('readDefinition', runId), kind);
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id]));
  const loops = loopsIn(doc);
  return (nodeId) => nameOf(nodeId, names, loops);
}

/** While a request is open, its log hardly grows. */
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

function kindOf({ sourcePath }: WaitingListEntry): RunKind {
  return kindOfPath(sourcePath) === 'agent' ? 'agent' : 'flow';
}

/** Returns whether the request is in an agent or in a child run. */
function isDeep(entry: WaitingListEntry): boolean {
  return entry.name.includes('/') || kindOf(entry) === 'agent';
}

/** Names of waiting nodes. If a name cannot be read, the ID is used. */
class NodeNames {
  readonly #engine: EngineClient;
  #known = new Map<string, Names>();

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async read(entries: readonly WaitingListEntry[]): Promise<(entry: WaitingListEntry) => string> {
    const wanted = new Map<string, WaitingListEntry>();
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

  async #readOne(entry: WaitingListEntry): Promise<Names | undefined> {
    const read = isDeep(entry) ? readLoggedNames : readNames;
    return await read(this.#engine, asRunId(entry.runId), kindOf(entry)).catch(() => undefined);
  }
}

/** Returns the key for cached names. For names from a log, it includes the time of the request. */
function keyOf(entry: WaitingListEntry): string {
  return isDeep(entry) ? `${entry.runId} ${entry.name} ${entry.askedAt}` : entry.runId;
}

function itemOf(entry: WaitingListEntry, name: string): WaitingItem {
  const { runId, number, flow, sourcePath, name: nodeId, key, kind, message, askedAt, deadlineAt } = entry;
  const permission = entry.isPermission === undefined ? {} : { isPermission: entry.isPermission };
  return {
    // Includes the time, because a later request of the same node is a different one.
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
        // Changes of the list of runs may also change their open requests.
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
