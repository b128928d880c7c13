/**
 * Implements an open conversation, which takes its messages one turn at a time and runs housekeeping in parallel. Only
 * the process that holds it writes to it.
 */
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import { invalidateFlow, popFinished } from '../session/flow-stack.ts';
import type { OperationOutcome } from '../session/operation.ts';
import type { OutsideEffect, SessionEnvelope } from '../session/session-event.ts';
import { rollBack } from '../session/session-history.ts';
import { activeFlow, type FlowInstance, type SessionState, type UserMessage } from '../session/session-state.ts';
import { beginTurn, endTurn, receiveMessage } from '../session/turn.ts';
import type { ConversationWorld, HeldCatalogue } from './conversation-world.ts';
import { Housekeeping } from './housekeeping.ts';
import { readSince, type SessionLog } from './session-log.ts';
import { takeTurn } from './take-turn.ts';
import { TurnContext } from './turn-context.ts';
import { isTurnCancelled, TurnJournal, turnCancelled } from './turn-journal.ts';

const closedCode = 'session.closed';

export class Conversation {
  readonly log: SessionLog;
  readonly held: HeldCatalogue;
  readonly #world: ConversationWorld;
  readonly #closing = new AbortController();
  readonly #housekeeping: Housekeeping;
  #turn: AbortController | undefined;
  #working: Promise<void> | undefined;

  constructor(log: SessionLog, held: HeldCatalogue, world: ConversationWorld) {
    this.log = log;
    this.held = held;
    this.#world = world;
    this.#housekeeping = new Housekeeping(log, held, world, this.#closing.signal);
  }

  /**
   * Continues the conversation: handles an interrupted turn, waiting messages, and runs that have ended in the
   * meantime.
   */
  proceed(): void {
    if (this.#closing.signal.aborted) return;
    this.#housekeeping.run();
    this.#lookAtRuns();
    this.#work();
  }

  /** Queues a message. The message is stored when this function returns. @throws EngineError `message.*` */
  receive(message: UserMessage): void {
    this.#take(receiveMessage(this.log.state, message));
    this.#work();
  }

  /** Cancels the active turn. */
  cancelTurn(): void {
    this.#turn?.abort(turnCancelled());
  }

  /** Rolls back a turn and all later ones. @throws EngineError `turn.open` | `turn.unknown` */
  rollBack(turnId: string): readonly OutsideEffect[] {
    const { store, runs } = this.#world;
    const { sessionId, state } = this.log;
    const begun = store.turnStart(sessionId, turnId);
    const { base, log } = readSince(store, sessionId, (begun ?? 0) - 1);
    const all = [...log, ...store.readEvents(sessionId, { fromSeq: begun ?? 0 })];
    const gone = begun === undefined ? [] : runsIn(all.filter(({ seq }) => seq >= begun));
    const effects = gone.flatMap((runId) => runs.effectsOf(asRunId(runId)));
    this.#take(rollBack(state, { turnId, base, log: all, effects }));
    for (const runId of gone) if (runs.find(asRunId(runId))?.status === 'suspended') runs.cancel(asRunId(runId));
    return effects;
  }

  /** Resolves when the conversation has no active turn, waiting message or housekeeping. */
  async whenIdle(): Promise<void> {
    for (;;) {
      await this.#working;
      await this.#housekeeping.whenIdle();
      this.proceed();
      if (this.#working === undefined && this.#housekeeping.isIdle) return;
    }
  }

  /** Leaves the conversation unchanged: an active turn continues when it is opened again. */
  async close(): Promise<void> {
    const reason = new EngineError({ code: closedCode, message: 'The conversation was closed.' });
    this.#closing.abort(reason);
    this.#turn?.abort(reason);
    await this.#working;
  }

  /** Queues a message for each flow with a run that has ended outside of any turn. */
  #lookAtRuns(): void {
    const { state } = this.log;
    // A turn may be about to end or replace these runs. They are checked again after the turn.
    if (state.turn !== null) return;
    for (const { flowId, runId } of state.stack.filter(isWaiting)) {
      const status = this.#world.runs.find(asRunId(runId))?.status;
      const waits = status === 'suspended' && !this.#world.runs.isAnswered(asRunId(runId));
      const goesOn = waits || status === 'running' || status === 'queued';
      if (goesOn || isAnnounced(state, flowId)) continue;
      const messageId = `run:${runId}:${state.seq}`;
      this.#take(receiveMessage(this.log.state, { messageId, text: '', action: { flowId, goesOn: true } }));
    }
  }

  #work(): void {
    const { turn, queue } = this.log.state;
    if (turn === null && queue.length === 0) return;
    this.#working ??= this.#takeTurns()
      .catch((thrown) => this.#world.onError(thrown))
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #takeTurns(): Promise<void> {
    for (;;) {
      // Messages sent in the same tick are stored before the first gets its turn.
      await Promise.resolve();
      if (this.#closing.signal.aborted) return;
      const isCut = this.log.state.turn !== null;
      if (!isCut && this.log.state.queue.length === 0) return;
      const turnId = this.log.state.turn?.turnId ?? `t${this.log.state.turnCount + 1}-${this.log.state.seq + 1}`;
      if (!isCut) this.#take(beginTurn(this.log.state, turnId), turnId);
      await this.#takeTurn(turnId, isCut);
      if (this.#closing.signal.aborted) return;
      this.#housekeeping.schedule(turnId);
      this.#lookAtRuns();
    }
  }

  async #takeTurn(turnId: string, isCut: boolean): Promise<void> {
    const controller = new AbortController();
    this.#turn = controller;
    const journal = new TurnJournal(this.log, turnId, { signal: controller.signal, isCut });
    const { held } = this;
    const onDraft = (text: string): void => this.log.tellDraft(turnId, text);
    const turn = new TurnContext({ journal, held, world: this.#world, onDraft });
    try {
      await takeTurn(turn);
    } catch (thrown) {
      if (this.#closing.signal.aborted) return;
      this.#endEarly(turn, thrown);
    } finally {
      this.#turn = undefined;
    }
  }

  #endEarly({ journal, runs }: TurnContext, thrown: unknown): void {
    journal.abandon();
    const isCancelled = isTurnCancelled(thrown);
    if (runs.current !== undefined) {
      this.#world.runs.cancel(asRunId(runs.current));
      this.#abandonActive(journal);
    }
    const { message } = toErrorRecord(thrown);
    if (!isCancelled) {
      this.#world.onError(thrown);
      journal.emit({ type: 'state:flags', hasIssues: true });
    }
    const reply = isCancelled ? '' : `I could not continue: ${message}`;
    const outcome = isCancelled ? 'cancelled' : 'failed';
    journal.take(endTurn(journal.state, { reply, keepGoingRounds: 0, outcome }));
  }

  /**
   * Abandons the whole plan together with its active part, because a person who stops it does not want the next part
   * instead.
   */
  #abandonActive(journal: TurnJournal): void {
    const active = activeFlow(journal.state);
    if (active === undefined) return;
    const root = rootOf(journal.state, active);
    journal.take(invalidateFlow(journal.state, { flowId: root.flowId, reason: 'abandon' }));
    journal.take(popFinished(journal.state));
  }

  #take(outcome: OperationOutcome, turnId?: string): void {
    if ('refused' in outcome) throw new EngineError(outcome.refused);
    this.log.append(outcome.events, turnId);
  }
}

function isWaiting(flow: FlowInstance): flow is FlowInstance & { readonly runId: string } {
  return flow.waitsFor !== null && flow.runId !== null;
}

function isAnnounced({ queue, turn }: SessionState, flowId: string): boolean {
  const messages = turn === null ? queue : [...queue, turn.message];
  return messages.some(({ action }) => action?.goesOn === true && action.flowId === flowId);
}

function rootOf(state: SessionState, flow: FlowInstance): FlowInstance {
  const plan = state.stack.find(({ flowId }) => flowId === flow.planId);
  return plan === undefined ? flow : rootOf(state, plan);
}

function runsIn(log: readonly SessionEnvelope[]): readonly string[] {
  return log.flatMap(({ event }) => (event.type === 'flow:run' ? [event.runId] : []));
}
