/**
 * Starts, opens, reads and holds a workspace's conversations for an engine.
 */
import { EngineError } from '../../base/engine-error.ts';
import { asSessionId, type RunId, type SessionId } from '../../base/ids.ts';
import { sessionNotFound } from '../../history/store/session-store.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type Catalogue, flowTypeNamed, planIntent } from '../catalog/catalogue.ts';
import type { OutsideEffect, PlanCandidate } from '../session/session-event.ts';
import type { SessionState, UiAction } from '../session/session-state.ts';
import { type MessageView, type SessionView, viewSession } from '../session/session-view.ts';
import { startSession } from '../session/turn.ts';
import { Conversation } from './conversation.ts';
import type { ConversationEngine, ConversationNotice, ToSay } from './conversation-engine.ts';
import type { ConversationWorld } from './conversation-world.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { readMessages, readState, SessionLog } from './session-log.ts';

const usualMessages = 50;
const mostMessages = 500;
const mostEvents = 1_000;

export interface ServiceWorld extends ConversationWorld {
  /** Returns the text stored under a hash. */
  readonly readKept: (hash: string) => string | undefined;
  readonly hashOf: (text: string) => string;
  /** Receives notifications about open conversations. */
  readonly onNotice: (sessionId: SessionId, notice: ConversationNotice) => void;
}

export class ConversationService implements Omit<ConversationEngine, 'watchConversation'> {
  readonly #world: ServiceWorld;
  readonly #open = new Map<SessionId, Promise<Conversation>>();
  #endWatch: (() => void) | undefined;
  #isClosed = false;

  constructor(world: ServiceWorld) {
    this.#world = world;
  }

  async startConversation({ path, sessionId }: Parameters<ConversationEngine['startConversation']>[0]) {
    const { store, ids, readText } = this.#world;
    const text = await readText(path);
    const held = await loadCatalogue(path, text, this.#world);
    const id = sessionId ?? asSessionId(ids.sessionId());
    const name = held.catalogue.name || (path.split('/').at(-1) ?? path);
    const hash = store.create({ sessionId: id, catalogue: { path, name, text } });
    const log = this.#logOf(id);
    const started = startSession(log.state, { path, hash, name });
    if ('refused' in started) throw new EngineError(started.refused);
    log.append(started.events);
    this.#open.set(id, Promise.resolve(new Conversation(log, held, this.#world)));
    return { sessionId: id };
  }

  async listConversations({ path, isGone }: Parameters<ConversationEngine['listConversations']>[0] = {}) {
    const found = this.#world.store.list(path);
    if (isGone !== true) return found;
    const paths = [...new Set(found.map(({ catalogue }) => catalogue.path))];
    const gone = new Set<string>();
    for (const one of paths) if (!(await this.#isThere(one))) gone.add(one);
    return found.filter(({ catalogue }) => gone.has(catalogue.path));
  }

  async moveConversation({ sessionId, path }: Parameters<ConversationEngine['moveConversation']>[0]) {
    const { store, readText } = this.#world;
    const record = store.get(sessionId);
    if (record === undefined) throw sessionNotFound(sessionId);
    const from = record.catalogue.path;
    if (from === path) return { from: null };
    if (await this.#isThere(from))
      throw new EngineError({
        code: 'session.other-catalogue',
        message: `Conversation ${sessionId} belongs to ${from}, which still exists, not to ${path}. Continue it there.`,
      });
    await readText(path);
    const open = await this.#open.get(sessionId);
    store.claim(sessionId);
    store.moveCatalogue(from, path, sessionId);
    if (open === undefined) store.release(sessionId);
    else open.held.path = path;
    return { from };
  }

  /** Updates conversations, including active ones, after a catalog or a folder with catalogs was renamed. */
  async moveCatalogues(from: string, to: string): Promise<void> {
    const { store } = this.#world;
    store.moveCatalogue(from, to);
    for (const [sessionId, opened] of this.#open) {
      const conversation = await opened.catch(() => undefined);
      const path = store.get(sessionId)?.catalogue.path;
      if (conversation !== undefined && path !== undefined) conversation.held.path = path;
    }
  }

  async openConversation(sessionId: SessionId): Promise<SessionView> {
    const conversation = await this.#conversation(sessionId);
    conversation.proceed();
    return await this.readConversation({ sessionId });
  }

  async sayInConversation({ sessionId, text = '', action, messageId }: ToSay) {
    const conversation = await this.#conversation(sessionId);
    const id = messageId ?? `m${this.#world.ids.runId()}`;
    // A message that the caller sends again because it may not have arrived counts only once.
    if (messageId !== undefined && this.#world.store.hasMessage(sessionId, id)) return { messageId: id };
    conversation.receive({ messageId: id, text, ...(action === undefined ? {} : { action }) });
    return { messageId: id };
  }

  async cancelTurn(sessionId: SessionId): Promise<void> {
    const open = await this.#open.get(sessionId);
    open?.cancelTurn();
  }

  async rollBackConversation({ sessionId, turnId }: { readonly sessionId: SessionId; readonly turnId: string }) {
    const conversation = await this.#conversation(sessionId);
    const effects: readonly OutsideEffect[] = conversation.rollBack(turnId);
    return { effects };
  }

  async runProposedPlan({ sessionId, runId, nodeId }: Parameters<ConversationEngine['runProposedPlan']>[0]) {
    const conversation = await this.#conversation(sessionId);
    const proposal = this.#approvedProposal(runId, nodeId);
    return await this.sayInConversation({ sessionId, action: planAction(proposal, conversation.held.catalogue) });
  }

  async readConversation({ sessionId, seq }: { readonly sessionId: SessionId; readonly seq?: number }) {
    const { store } = this.#world;
    const record = store.get(sessionId);
    if (record === undefined) throw sessionNotFound(sessionId);
    const open = await this.#open.get(sessionId);
    const lastSeq = store.lastSeq(sessionId);
    const at = Math.min(seq ?? lastSeq, lastSeq);
    const state = at === lastSeq && open !== undefined ? open.log.state : readState(store, sessionId, at);
    const { catalogue } = open?.held ?? (await this.#held(record.catalogue.path, record.catalogue.hash));
    const view = viewSession(state, catalogue, {
      ...{ sessionId, lastSeq, messages: readMessages(store, sessionId, { before: at + 1, limit: usualMessages }) },
      isCatalogueChanged: await this.#isChanged(record.catalogue),
      candidates: this.#candidates(sessionId, state, at),
    });
    // The log contains the original path, but the file may have been moved.
    return { ...view, catalogue: record.catalogue };
  }

  async readConversationMessages({
    sessionId,
    before = Number.MAX_SAFE_INTEGER,
    limit = usualMessages,
  }: Parameters<ConversationEngine['readConversationMessages']>[0]): Promise<readonly MessageView[]> {
    return readMessages(this.#world.store, sessionId, { before, limit: Math.min(limit, mostMessages) });
  }

  async readConversationEvents({ sessionId, fromSeq }: { readonly sessionId: SessionId; readonly fromSeq: number }) {
    return this.#world.store.readEvents(sessionId, { fromSeq, limit: mostEvents });
  }

  /** Resolves when nothing is active in a conversation. */
  async whenConversationRests(sessionId: SessionId): Promise<void> {
    await (await this.#open.get(sessionId))?.whenIdle();
  }

  /** Leaves all conversations unchanged. Active turns continue when their conversations are opened again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endWatch?.();
    for (const opened of this.#open.values()) {
      const conversation = await opened.catch(() => undefined);
      await conversation?.close();
    }
    this.#open.clear();
  }

  async #conversation(sessionId: SessionId): Promise<Conversation> {
    if (this.#isClosed) throw new EngineError({ code: 'engine.closed', message: 'The engine is closed.' });
    const known = this.#open.get(sessionId) ?? this.#claimed(sessionId);
    this.#open.set(sessionId, known);
    try {
      return await known;
    } catch (error) {
      this.#open.delete(sessionId);
      throw error;
    }
  }

  async #claimed(sessionId: SessionId): Promise<Conversation> {
    const { store } = this.#world;
    const record = store.get(sessionId);
    if (record === undefined) throw sessionNotFound(sessionId);
    const held = await this.#held(record.catalogue.path, record.catalogue.hash);
    store.claim(sessionId);
    const conversation = new Conversation(this.#logOf(sessionId), held, this.#world);
    conversation.proceed();
    return conversation;
  }

  async #held(path: string, hash: string) {
    const text = this.#world.readKept(hash);
    if (text === undefined)
      throw new EngineError({
        code: 'session.no-catalogue',
        message: `The catalog ${path} of the conversation is missing.`,
      });
    return await loadCatalogue(path, text, this.#world);
  }

  #logOf(sessionId: SessionId): SessionLog {
    const { store, clock, onError } = this.#world;
    const log = new SessionLog(sessionId, { store, clock, onListenerError: onError });
    log.subscribe((notice) => this.#world.onNotice(sessionId, notice));
    // Started with the first conversation. Other processes may also answer runs.
    this.#endWatch ??= this.#world.runs.watch(() => void this.#lookAtRuns());
    return log;
  }

  async #lookAtRuns(): Promise<void> {
    for (const opened of this.#open.values()) {
      const conversation = await opened.catch(() => undefined);
      try {
        if (!this.#isClosed) conversation?.proceed();
      } catch (thrown) {
        this.#world.onError(thrown);
      }
    }
  }

  async #isThere(path: string): Promise<boolean> {
    try {
      await this.#world.readText(path);
      return true;
    } catch (thrown) {
      // A file that is only temporarily unreadable still exists.
      return !EngineError.is(thrown) || thrown.code !== 'files.not-found';
    }
  }

  async #isChanged({ path, hash }: { readonly path: string; readonly hash: string }): Promise<boolean> {
    const text = await this.#world.readText(path).catch(() => undefined);
    return text === undefined || this.#world.hashOf(text) !== hash;
  }

  #candidates(
    sessionId: SessionId,
    { plans }: SessionState,
    at: number,
  ): ReadonlyMap<string, readonly PlanCandidate[]> {
    if (plans.length === 0) return new Map();
    const found = this.#world.store.readMarks(sessionId, { type: 'plan:decomposed', before: at + 1, limit: 100 });
    return new Map(
      found.flatMap(({ event }) =>
        event.type === 'plan:decomposed' && event.candidates !== undefined ? [[event.planId, event.candidates]] : [],
      ),
    );
  }

  /**
   * Returns the output of a `plan_proposal` node in a completed run. The run's completion implies that all approvals
   * were given.
   */
  #approvedProposal(runId: RunId, nodeId: string): JsonValue {
    const { runs } = this.#world;
    const status = runs.find(runId)?.status;
    const output = runs.nodeOutput(runId, nodeId);
    if (output === undefined)
      throw new EngineError({
        code: 'plan.not-found',
        message: `Node ${nodeId} of run ${runId} has no plan.`,
      });
    if (status !== 'completed')
      throw new EngineError({
        code: 'plan.not-approved',
        message: `Run ${runId} is ${status}. A plan can start only after its run has completed, including all approvals.`,
      });
    return output;
  }
}

/** Converts a proposal to parts of a plan. Each step names a catalog flow by its tool, agent or id. */
function planAction(output: JsonValue, catalogue: Catalogue): UiAction {
  const proposal = isJsonMap(output) ? (output['proposal'] ?? output) : null;
  const steps = isJsonMap(proposal) && isJsonList(proposal['steps']) ? proposal['steps'] : [];
  const plan = steps.map((step) => {
    const { tool, agent, step_id } = isJsonMap(step) ? step : {};
    const named = [tool, agent, step_id].filter((name) => typeof name === 'string');
    const flowName = named.find((name) => catalogue.flows.has(name)) ?? named[0] ?? '';
    const type = flowTypeNamed(catalogue, flowName);
    if ('refused' in type) throw new EngineError(type.refused);
    return { flowName };
  });
  const owner = [...catalogue.flows.values()].find(({ intent }) => intent === planIntent);
  if (owner === undefined || plan.length === 0)
    throw new EngineError({
      code: 'plan.not-found',
      message: 'Nothing to run: the plan has no steps, or the catalog has no flow of the intent Plan.',
    });
  return { flow: owner.name, plan };
}
