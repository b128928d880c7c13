/**
 * Answers open requests, also several at once, and snoozes them. Reports the remaining ones to main.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunId, SuspensionDecision } from '../../../../engine/isomorphic.ts';
import type { MainClient, MainResult, OtherWorkspace } from '../../../bridge/main-client.ts';
import type { DeliveryStore } from '../../window/delivery.ts';
import type { WindowNotices } from '../../window/notices.ts';
import { isUnfinished, type LiveRun, type LiveRuns } from '../live/live-runs.ts';
import { workedMs } from '../live/run-time.ts';
import type { WindowRunActions } from '../run-actions.ts';
import { text } from '../text.ts';
import { partedBySnooze, type Snoozed } from './inbox-rows.ts';
import type { WaitingItem, WaitingList } from './waiting-list.ts';

export interface InboxState {
  readonly snoozed: Snoozed;
  /** Keys of the requests that are being answered. */
  readonly answering: ReadonlySet<string>;
  /**
   * Answers all items except those that require values. Items of the same run are answered one after the other. An
   * error is reported and stops the remaining answers of that run.
   */
  answer(items: readonly WaitingItem[], decision: SuspensionDecision): Promise<void>;
  /** @param until epoch milliseconds; null to show them again now */
  snooze(items: readonly WaitingItem[], until: number | null): Promise<void>;
  /** Open requests in the workspaces of other windows, the most urgent of each. */
  readonly others: readonly OtherWorkspace[];
  /** Activates the window in which a request of another workspace can be answered. */
  openOther(folder: string, key: string): Promise<void>;
  /** Tracks the open requests and reports them to main. Returns a function that stops it. */
  follow(): () => void;
}

interface InboxStoreOptions {
  readonly main: MainClient;
  readonly waitingList: StoreApi<WaitingList>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly runs: Pick<WindowRunActions, 'answer'>;
  readonly notices: StoreApi<WindowNotices>;
  /** Returns the number of the last stored event of a run. */
  readonly lastSeq: (runId: RunId) => Promise<number>;
  readonly delivery: StoreApi<DeliveryStore>;
}

/** The maximum delay of a timer. */
const longestDelayMs = 2_147_483_647;

/** The limits that main enforces. */
const mostTold = 20_000;
const longestTitle = 300;
const longestText = 1000;

/** Returns whether the request can only be answered in its form, because it requires values or a permission. */
export function asksForValues({ ask }: WaitingItem): boolean {
  return ask?.kind === 'input' || ask?.isPermission === true;
}

function toldOf({ key, name, message, nodeId, run, since, deadlineAt }: WaitingItem) {
  return {
    key,
    since,
    title: name.slice(0, longestTitle),
    text: message.slice(0, longestText),
    run: run.name.slice(0, longestTitle),
    place: { path: run.sourcePath, kind: run.kind, runId: run.runId, nodeId },
    ...(deadlineAt === undefined ? {} : { deadlineAt }),
  };
}

/** Resolves when a run has continued after `seq` and is suspended again. */
function stopsAgain(liveRuns: StoreApi<LiveRuns>, runId: RunId, seq: number): Promise<void> {
  return new Promise((resolve) => {
    const hasStopped = (): boolean => {
      const state = liveRuns.getState().runs.get(runId)?.state;
      return state !== undefined && state.seq > seq && state.status !== 'running' && state.status !== 'queued';
    };
    if (hasStopped()) return resolve();
    const end = liveRuns.subscribe(() => {
      if (!hasStopped()) return;
      end();
      resolve();
    });
  });
}

/** Answers the open requests of one run. */
async function answerRun(
  parts: InboxStoreOptions,
  items: readonly WaitingItem[],
  decision: SuspensionDecision,
): Promise<void> {
  const { runs } = parts;
  for (const { run, nodeId, ask } of items) {
    if (ask !== undefined) await runs.answer(run.runId, { decision, comment: '', nodeId, key: ask.key });
  }
  await answerCut(
    parts,
    items.filter(({ ask }) => ask === undefined),
    decision,
  );
}

/**
 * Answers nodes interrupted by a crash: all at once if no other request is open, or else one after the other, because
 * the run accepts the next answer only after it continues.
 */
async function answerCut(
  { waitingList, liveRuns, runs, lastSeq }: InboxStoreOptions,
  items: readonly WaitingItem[],
  decision: SuspensionDecision,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const { runId } = first.run;
  const all = waitingList.getState().items.filter(({ run }) => run.runId === runId);
  if (items.length === all.length) {
    await runs.answer(runId, { decision, comment: '' });
    return;
  }
  let seq = await lastSeq(runId);
  for (const [index, { nodeId }] of items.entries()) {
    if (!(await runs.answer(runId, { decision, comment: '', nodeId }))) return;
    if (index === items.length - 1) return;
    await stopsAgain(liveRuns, runId, seq);
    const state = liveRuns.getState().runs.get(runId)?.state;
    // A rejection may have ended the run and its other requests.
    if (state?.status !== 'suspended') return;
    ({ seq } = state);
  }
}

/** A timer for a single delay. Null clears it. A delay longer than the maximum fires early. */
function createTimer(): { set(delayMs: number | null, act: () => void): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    set(delayMs, act) {
      clearTimeout(timer);
      timer = delayMs === null ? undefined : setTimeout(act, Math.min(delayMs, longestDelayMs));
    },
  };
}

/** Tracks which requests are snoozed and for how long. `onChange` is called after each change. */
function createSnoozes(onChange: (snoozed: Snoozed) => void): { take(all: Snoozed): void; end(): void } {
  let end = (): void => undefined;
  const take = (all: Snoozed): void => {
    end();
    const now = Date.now();
    const snoozed = new Map([...all].filter(([, until]) => until > now));
    onChange(snoozed);
    if (snoozed.size === 0) return;
    const timer = setTimeout(() => take(snoozed), Math.min(Math.min(...snoozed.values()) - now, longestDelayMs));
    end = () => clearTimeout(timer);
  };
  return { take, end: () => end() };
}

function changed(keys: ReadonlySet<string>, items: readonly WaitingItem[], isIn: boolean): ReadonlySet<string> {
  const next = new Set(keys);
  for (const { key } of items) {
    if (isIn) next.add(key);
    else next.delete(key);
  }
  return next;
}

function tellMain({ main, waitingList }: InboxStoreOptions, snoozed: Snoozed): void {
  const { items, isLoading, error } = waitingList.getState();
  // Requests that cannot be read at the moment may still be open.
  if (isLoading || error !== null) return;
  const { now } = partedBySnooze(items, snoozed);
  // Without main, system notifications are not available, but the list still works.
  void main.call('inbox.tell', { requests: now.slice(0, mostTold).map(toldOf) }).catch(() => undefined);
}

/** An event that is older was only just read. Its run ended without this window. */
const freshMs = 60_000;

/** Returns how a run has stopped without an open request or a person's wish. */
function stopOf({ state: { status, pause } }: LiveRun): 'completed' | 'failed' | 'paused' | undefined {
  if (status === 'completed' || status === 'failed') return status;
  return status === 'suspended' && (pause?.reason === 'breakpoint' || pause?.reason === 'budget')
    ? 'paused'
    : undefined;
}

/** Reports to main which runs have just ended or are paused. Returns a function that stops it. */
function tellStoppedRuns({ main, liveRuns }: InboxStoreOptions): () => void {
  return liveRuns.subscribe(({ runs }, { runs: former }) => {
    if (runs === former) return;
    for (const [runId, run] of runs) {
      const before = former.get(runId);
      if (before === run || before === undefined || !isUnfinished(before.state) || run.caller !== null) continue;
      const how = stopOf(run);
      const last = run.log.events.at(-1);
      if (how === undefined || last === undefined || Date.now() - last.at > freshMs) continue;
      const { name, sourcePath: path, seq } = run.state;
      const told = { runId, seq, name: name.slice(0, longestTitle), path, how, workedMs: workedMs(run, last.at) };
      // Without main, system notifications are not available.
      void main.call('inbox.tellRun', told).catch(() => undefined);
    }
  });
}

async function openOther({ main, notices }: InboxStoreOptions, folder: string, key: string): Promise<void> {
  try {
    const { isOpen } = await main.call('inbox.openOther', { folder, key });
    if (!isOpen) notices.getState().add({ tone: 'info', title: text.requests.closed, detail: '' });
  } catch (error) {
    notices.getState().addError(text.requests.openOtherFailed, error);
  }
}

interface InboxFollower {
  readonly set: (some: Pick<InboxState, 'others'>) => void;
  readonly snoozes: { end(): void };
  readonly takeKept: (kept: MainResult<'inbox.snoozed'>) => void;
  readonly snoozed: () => Snoozed;
}

function followInbox(parts: InboxStoreOptions, { set, snoozes, takeKept, snoozed }: InboxFollower): () => void {
  const { main, waitingList, delivery } = parts;
  const takeOthers = ({ workspaces }: MainResult<'inbox.others'>): void => set({ others: workspaces });
  const deadlines = createTimer();
  const tell = (): void => {
    tellMain(parts, snoozed());
    // Main notifies the user once more about overdue requests.
    const now = Date.now();
    const next = waitingList.getState().items.find(({ deadlineAt = 0 }) => deadlineAt > now)?.deadlineAt;
    deadlines.set(next === undefined ? null : next - now, tell);
  };
  const ends = [
    waitingList.subscribe(tell),
    tellStoppedRuns(parts),
    () => deadlines.set(null, tell),
    waitingList.getState().follow(),
    main.onPush({
      'inbox.changed': takeKept,
      'inbox.othersChanged': takeOthers,
      'delivery.changed': (known) => delivery.getState().take(known),
    }),
    snoozes.end,
  ];
  // Without main, the requests of this workspace are still available.
  const silent = (): void => undefined;
  void main.call('inbox.snoozed').then(takeKept).catch(silent);
  void main.call('inbox.others').then(takeOthers).catch(silent);
  return () => {
    for (const end of ends) end();
  };
}

export function createInbox(parts: InboxStoreOptions): StoreApi<InboxState> {
  const { main, notices } = parts;
  return createStore<InboxState>()((set, get) => {
    const snoozes = createSnoozes((snoozed) => {
      set({ snoozed });
      tellMain(parts, snoozed);
    });
    const takeKept = ({ snoozed }: { readonly snoozed: Readonly<Record<string, number>> }): void =>
      snoozes.take(new Map(Object.entries(snoozed)));
    return {
      snoozed: new Map(),
      answering: new Set(),
      others: [],
      async answer(items, decision) {
        const free = items.filter((item) => !get().answering.has(item.key) && !asksForValues(item));
        set({ answering: changed(get().answering, free, true) });
        const runIds = new Set(free.map(({ run }) => run.runId));
        const ofRun = (runId: RunId) => free.filter(({ run }) => run.runId === runId);
        await Promise.all([...runIds].map((runId) => answerRun(parts, ofRun(runId), decision)));
        set({ answering: changed(get().answering, free, false) });
      },
      async snooze(items, until) {
        const keys = items.map(({ key }) => key);
        try {
          await main.call('inbox.snooze', { keys, until });
          const ofItems = until === null ? [] : keys.map((key): [string, number] => [key, until]);
          const others = [...get().snoozed].filter(([key]) => !keys.includes(key));
          snoozes.take(new Map([...others, ...ofItems]));
        } catch (error) {
          notices.getState().addError(text.requests.snoozeFailed({ count: items.length }), error);
        }
      },
      openOther: (folder, key) => openOther(parts, folder, key),
      follow: () => followInbox(parts, { set, snoozes, takeKept, snoozed: () => get().snoozed }),
    };
  });
}
