/**
 * The conversations of the open catalogs: the lists, the one that is shown, and its state. All of it comes from the
 * engine; no reply is simulated here.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  asRunId,
  type JsonMap,
  type OutsideEffect,
  type RunId,
  type SessionId,
  toErrorRecord,
} from '../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient } from '../../bridge/engine-client.ts';
import type { RunFollower } from '../runs/live/run-follower.ts';
import type { BeginRun } from '../runs/requests/permission-ask.ts';
import { movedKeys } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import {
  type ConversationList,
  type ConversationState,
  type ConversationSummary,
  createRefresh,
  noConversations,
  openConversation,
  withEvents,
  withOlder,
  withView,
} from './conversation.ts';
import { text as words } from './text.ts';

export interface Conversations {
  /** By path of the catalog. */
  readonly lists: ReadonlyMap<string, ConversationList>;
  readonly sessions: ReadonlyMap<SessionId, ConversationState>;
  /** Unsent text by conversation, or by path of the catalog if no conversation has started. */
  readonly unsent: ReadonlyMap<SessionId | string, string>;
  /** Loads the list, and shows the latest conversation if none is shown. */
  load(path: string): Promise<void>;
  /** Loads the list. */
  refreshList(path: string): Promise<unknown>;
  start(path: string): Promise<void>;
  /** Starts a conversation with this message. The text stays in the field if this fails. */
  startWith(path: string, text: string): Promise<void>;
  type(target: SessionId | string, text: string): void;
  /**
   * Starts a conversation with the plan that a node of a completed run has proposed. Resolves to whether the plan was
   * accepted.
   */
  runPlan(path: string, plan: { readonly runId: RunId; readonly nodeId: string }): Promise<boolean>;
  show(path: string, sessionId: SessionId): Promise<void>;
  /** Assigns a conversation without a file to this catalog, and shows it. */
  takeOver(path: string, sessionId: SessionId): Promise<void>;
  /** Updates the state after a catalog, or a folder with catalogs, was renamed. The engine already knows. */
  rename(from: string, to: string): void;
  /** Sends a message. If it is rejected, the text returns to the field unless something else was typed meanwhile. */
  say(sessionId: SessionId, text: string): Promise<void>;
  /**
   * Fills slots of a flow on the stack. Resolves to whether the message was accepted; invalid values are reported as
   * events.
   */
  fill(sessionId: SessionId, flowId: string, slots: JsonMap): Promise<boolean>;
  /** Continues a stalled conversation. */
  proceed(sessionId: SessionId): Promise<boolean>;
  /** Drops a flow from the stack. */
  drop(sessionId: SessionId, flowId: string): Promise<boolean>;
  /** Requests that the current turn end. */
  cancel(sessionId: SessionId): Promise<void>;
  /**
   * Rolls back a turn and all turns after it. Resolves to the external effects that remain, or null if it was rejected.
   */
  rollBack(sessionId: SessionId, turnId: string): Promise<readonly OutsideEffect[] | null>;
  /** Shows the state after an event. Null shows the current state. */
  lookAt(sessionId: SessionId, seq: number | null): Promise<void>;
  readOlder(sessionId: SessionId): Promise<void>;
  /** Reloads a conversation's state, such as whether its catalog has changed. */
  refresh(sessionId: SessionId): void;
  /** Loads the events of a flow's run if they are not known. */
  learnRun(runId: string): Promise<void>;
}

interface ConversationParts {
  readonly engine: EngineClient;
  readonly follower: RunFollower;
  readonly notices: StoreApi<WindowNotices>;
  readonly begin: BeginRun;
}

export function createConversations(parts: ConversationParts): [StoreApi<Conversations>, end: () => void] {
  const { engine, notices } = parts;
  const store = createStore<Conversations>()((set, get) => ({
    lists: new Map(),
    sessions: new Map(),
    unsent: new Map(),
    ...createListing(parts, { set, get }),
    ...createMoves(parts, { set, get }),
    ...createTalking(parts, { set, get }),
    refresh: createRefresh((sessionId) => readAnew(engine, { set, get }, sessionId)),
    async lookAt(sessionId, seq) {
      try {
        const at = seq === null ? null : await engine.call('readConversation', { sessionId, seq });
        patch({ set, get }, sessionId, (conversation) => ({ ...conversation, at }));
      } catch (error) {
        notices.getState().addError(words.readEarlierStateFailed, error);
      }
    },
    async readOlder(sessionId) {
      const [first] = get().sessions.get(sessionId)?.messages ?? [];
      if (first === undefined) return;
      try {
        const older = await engine.call('readConversationMessages', { sessionId, before: first.seq, limit: 100 });
        patch({ set, get }, sessionId, (conversation) => withOlder(conversation, older));
      } catch (error) {
        notices.getState().addError(words.readOlderFailed, error);
      }
    },
    async learnRun(runId) {
      // Meanwhile the run is shown as empty. The next request tries again.
      await parts.follower.follow(asRunId(runId)).catch(() => undefined);
    },
  }));
  const { refresh } = store.getState();
  const ends = [
    engine.stream('watchConversations', ({ sessionId, notice }) => {
      const target = { set: store.setState, get: store.getState };
      if (notice.type === 'draft') patch(target, sessionId, (conversation) => ({ ...conversation, draft: notice }));
      else {
        patch(target, sessionId, (conversation) => withEvents(conversation, notice.events));
        refresh(sessionId);
        const path = store.getState().sessions.get(sessionId)?.view.catalogue?.path;
        const isListed = notice.events.some(
          ({ event }) => event.type === 'turn:end' || event.type === 'turn:rolledback',
        );
        if (isListed && path !== undefined) void store.getState().refreshList(path);
      }
    }),
    engine.onConnected(() => {
      for (const { shown } of store.getState().lists.values()) {
        if (shown === null) continue;
        const ignore = (): void => undefined;
        void engine.call('followConversation', shown).then(() => refresh(shown), ignore);
      }
    }),
  ];
  return [
    store,
    () => {
      for (const end of ends) end();
    },
  ];
}

interface ConversationStoreAccess {
  readonly set: (change: Partial<Pick<Conversations, 'lists' | 'sessions' | 'unsent'>>) => void;
  readonly get: () => Conversations;
}

function patch(
  { set, get }: ConversationStoreAccess,
  sessionId: SessionId,
  change: (before: ConversationState) => ConversationState,
): void {
  const before = get().sessions.get(sessionId);
  if (before !== undefined) set({ sessions: new Map(get().sessions).set(sessionId, change(before)) });
}

function patchList({ set, get }: ConversationStoreAccess, path: string, change: Partial<ConversationList>): void {
  const before = get().lists.get(path) ?? noConversations;
  set({ lists: new Map(get().lists).set(path, { ...before, ...change }) });
}

/** Reloads a conversation's state. One that cannot be read keeps its previous state. */
async function readAnew(engine: EngineClient, target: ConversationStoreAccess, sessionId: SessionId): Promise<void> {
  const view = await engine.call('readConversation', { sessionId }).catch(() => undefined);
  if (view !== undefined) patch(target, sessionId, (conversation) => withView(conversation, view));
}

function createListing({ engine, notices, begin }: ConversationParts, target: ConversationStoreAccess) {
  const { set, get } = target;
  const open = async (path: string, sessionId: SessionId): Promise<void> => {
    const former = get().lists.get(path)?.shown ?? null;
    patchList(target, path, { shown: sessionId });
    try {
      await engine.call('followConversation', sessionId);
      const opened = await openConversation(engine, sessionId);
      set({ sessions: new Map(get().sessions).set(sessionId, opened) });
    } catch (error) {
      patchList(target, path, { shown: former });
      notices.getState().addError(words.openFailed, error);
      return;
    }
    if (former !== null && former !== sessionId) void engine.call('leaveConversation', former).catch(() => undefined);
  };
  const read = async (path: string): Promise<readonly ConversationSummary[] | null> => {
    try {
      const items = await engine.call('listConversations', { path });
      patchList(target, path, { items, error: null });
      return items;
    } catch (error) {
      patchList(target, path, { error: toErrorRecord(error).message });
      return null;
    }
  };
  const readGone = async (path: string): Promise<void> => {
    // If this fails, the conversations of the catalog can still be used.
    const gone = await engine.call('listConversations', { isGone: true }).catch(() => undefined);
    if (gone !== undefined) patchList(target, path, { gone });
  };
  /** Starts a conversation and shows it. Resolves to false if the user decides not to start it. */
  const begun = async (path: string, act?: (sessionId: SessionId) => Promise<unknown>): Promise<boolean> => {
    const accepted = await begin('startConversation', { path });
    if (accepted === null) return false;
    await act?.(accepted.sessionId);
    patchList(target, path, { error: null });
    await open(path, accepted.sessionId);
    await read(path);
    return true;
  };
  return {
    refreshList: read,
    async load(path: string) {
      const [items] = await Promise.all([read(path), readGone(path)]);
      const [latest] = items ?? [];
      if (latest !== undefined && (get().lists.get(path)?.shown ?? null) === null) await open(path, latest.sessionId);
    },
    async start(path: string) {
      try {
        await begun(path);
      } catch (error) {
        patchList(target, path, { error: toErrorRecord(error).message });
      }
    },
    async runPlan(path: string, plan: { readonly runId: RunId; readonly nodeId: string }) {
      try {
        return await begun(path, (sessionId) => engine.call('runProposedPlan', { sessionId, ...plan }));
      } catch (error) {
        notices.getState().addError(words.runPlanFailed, error);
        return false;
      }
    },
    show: open,
  };
}

/** Moves the conversations of renamed catalogs. */
function createMoves({ engine, notices }: ConversationParts, { set, get }: ConversationStoreAccess) {
  return {
    async takeOver(path: string, sessionId: SessionId) {
      try {
        await engine.call('moveConversation', { sessionId, path });
      } catch (error) {
        notices.getState().addError(words.moveFailed, error);
        return;
      }
      await get().show(path, sessionId);
      await get().load(path);
    },
    rename(from: string, to: string) {
      const { lists, unsent } = get();
      set({ lists: movedKeys(lists, from, to), unsent: movedKeys(unsent, from, to) });
      for (const { shown } of lists.values()) if (shown !== null) get().refresh(shown);
    },
  };
}

function createTalking({ engine, notices }: ConversationParts, target: ConversationStoreAccess) {
  const asked = async (title: string, ask: () => Promise<unknown>): Promise<boolean> => {
    try {
      await ask();
      return true;
    } catch (error) {
      notices.getState().addError(title, error);
      return false;
    }
  };
  const send = (title: string, ...message: EngineArgs<'sayInConversation'>): Promise<boolean> =>
    asked(title, () => engine.call('sayInConversation', ...message));
  const { set, get } = target;
  return {
    type: (key: SessionId | string, text: string) => set({ unsent: new Map(get().unsent).set(key, text) }),
    async startWith(path: string, text: string) {
      get().type(path, '');
      const before = get().lists.get(path)?.shown ?? null;
      await get().start(path);
      const { shown, error } = get().lists.get(path) ?? noConversations;
      if (shown === before || shown === null || error !== null) get().type(path, text);
      else await get().say(shown, text);
    },
    async say(sessionId: SessionId, text: string) {
      get().type(sessionId, '');
      const isTaken = await send(words.sendFailed, { sessionId, text });
      if (!isTaken && get().unsent.get(sessionId) === '') get().type(sessionId, text);
    },
    fill: (sessionId: SessionId, flowId: string, slots: JsonMap) =>
      send(words.sendValuesFailed, { sessionId, action: { flowId, slots } }),
    proceed: (sessionId: SessionId) => send(words.continueFailed, { sessionId, action: { goesOn: true } }),
    drop: (sessionId: SessionId, flowId: string) =>
      send(words.dropFailed, { sessionId, action: { flowId, drop: true } }),
    cancel: async (sessionId: SessionId) =>
      void (await asked(words.cancelFailed, () => engine.call('cancelTurn', sessionId))),
    async rollBack(sessionId: SessionId, turnId: string) {
      let effects: readonly OutsideEffect[] | null = null;
      await asked(words.rollBackFailed, async () => {
        ({ effects } = await engine.call('rollBackConversation', { sessionId, turnId }));
        patch(target, sessionId, (before) => ({ ...before, at: null }));
      });
      return effects;
    },
  };
}
