/**
 * Takes a conversation's turns from a script or terminal, and reads their results.
 */
import type { Engine } from '../engine.ts';
import {
  asRunId,
  type ChatTurn,
  EngineError,
  type JsonMap,
  type RunId,
  type SessionEnvelope,
  type SessionId,
  type SessionView,
  type TakenTurn,
  type UiAction,
} from '../isomorphic.ts';

const mostEvents = 1000;

export class ChatTurns {
  readonly #engine: Engine;
  readonly #sessionId: SessionId;

  constructor(engine: Engine, sessionId: SessionId) {
    this.#engine = engine;
    this.#sessionId = sessionId;
  }

  /**
   * Takes a turn and waits until it has ended.
   * @throws EngineError `cli.usage` if there is nothing to answer or drop; `run.invalid-state` if another answer
   * arrived first
   */
  async take({ user, ui, answer }: ChatTurn): Promise<TakenTurn> {
    const sessionId = this.#sessionId;
    const { seq, stack } = await this.#rested();
    if (answer !== undefined) await this.#answer(stack, answer);
    else if (user !== undefined) await this.#engine.sayInConversation({ sessionId, text: user });
    else await this.#engine.sayInConversation({ sessionId, action: actionOf(stack, ui ?? {}) });
    return takenOf(await this.#rested(), await this.#eventsBehind(seq));
  }

  /**
   * Runs a plan proposed by a node of a completed run. @throws EngineError `plan.*` | `run.not-found` | `dialogue.*`
   */
  async runPlan(runId: RunId, nodeId: string): Promise<void> {
    await this.#engine.runProposedPlan({ sessionId: this.#sessionId, runId, nodeId });
    await this.#rested();
  }

  /** Formats the stack as one line. */
  async stackLine(): Promise<string> {
    const { stack } = await this.#rested();
    return `[${stack.map(({ flowName, status }) => `${flowName}:${status}`).join(' ') || 'no active flows'}]`;
  }

  /** Returns whether a flow waits for a person. */
  async isWaiting(): Promise<boolean> {
    const { stack } = await this.#rested();
    return stack.some(({ waitsFor }) => waitsFor !== null);
  }

  async #rested(): Promise<SessionView> {
    const sessionId = this.#sessionId;
    await this.#engine.whenConversationRests(sessionId);
    const view = await this.#engine.readConversation({ sessionId });
    // A deadline, or an answer from elsewhere, may have continued a run outside of any turn.
    const runIds = view.stack.flatMap(({ runId }) => (runId === null ? [] : [asRunId(runId)]));
    const runs = await Promise.all(runIds.map((runId) => this.#engine.getRun(runId)));
    const going = runs.flatMap(({ runId, status }) => (status === 'running' ? [this.#engine.whenEnded(runId)] : []));
    if (going.length === 0) return view;
    await Promise.all(going);
    await this.#engine.whenConversationRests(sessionId);
    return await this.#engine.readConversation({ sessionId });
  }

  async #answer(stack: SessionView['stack'], answer: NonNullable<ChatTurn['answer']>): Promise<void> {
    const engine = this.#engine;
    const ids = new Set(stack.map(({ runId }) => runId));
    const waiting = (await engine.listWaiting()).filter(({ runId }) => ids.has(runId));
    if (waiting.length === 0) throw usageError('This conversation is not waiting for an answer.');
    let refused: EngineError | undefined;
    for (const { runId, name, key } of waiting) {
      const place = { runId, nodeId: name, ...(key === undefined ? {} : { key }) };
      const given = typeof answer === 'string' ? { decision: answer } : { payload: payloadOf(answer) };
      refused = (await this.#give({ ...place, ...given })) ?? refused;
    }
    for (const { runId } of waiting) await engine.whenEnded(runId);
    await this.#rested();
    if (refused !== undefined) throw refused;
  }

  /**
   * Submits one answer. If a deadline or another process answered first, the run continues with that answer, and the
   * error is returned.
   */
  async #give(request: Parameters<Engine['resumeRun']>[0]): Promise<EngineError | undefined> {
    const engine = this.#engine;
    try {
      await engine.resumeRun(request);
      return undefined;
    } catch (thrown) {
      if (!EngineError.is(thrown) || thrown.code !== 'run.invalid-state') throw thrown;
      const { status } = await engine.getRun(request.runId);
      if (status === 'suspended') await engine.resumeRun({ runId: request.runId });
      return thrown;
    }
  }

  async #eventsBehind(seq: number): Promise<readonly SessionEnvelope[]> {
    const all: SessionEnvelope[] = [];
    for (;;) {
      const fromSeq = seq + 1 + all.length;
      const more = await this.#engine.readConversationEvents({ sessionId: this.#sessionId, fromSeq });
      all.push(...more);
      if (more.length < mostEvents) return all;
    }
  }
}

function payloadOf(values: JsonMap): JsonMap {
  return 'approved' in values || 'values' in values ? values : { values };
}

/** Converts the `ui` of a script turn to an action. A drop applies to the top of the stack. */
function actionOf(stack: SessionView['stack'], { drop, ...ui }: NonNullable<ChatTurn['ui']>): UiAction {
  if (drop !== true) return ui;
  const [top] = stack;
  if (top === undefined) throw usageError('No flow is active, so nothing can be dropped.');
  return { flowId: top.flowId, drop };
}

function takenOf({ stack }: SessionView, events: readonly SessionEnvelope[]): TakenTurn {
  const said = events.flatMap(({ event }) =>
    event.type === 'message' && event.from === 'assistant' ? [event.text] : [],
  );
  const flows = events.flatMap(({ event }) => (event.type === 'nlu:predicted' ? [event.flow] : []));
  const filled = events.flatMap(({ event }) =>
    event.type === 'slot:filled' ? [[event.slot, event.value] as const] : [],
  );
  const held =
    stack[0]?.slots.filter(({ value }) => value !== null).map(({ name, value }) => [name, value] as const) ?? [];
  return {
    flow: flows[0] ?? null,
    slots: Object.fromEntries([...held, ...filled]),
    stack: stack.map(({ flowName, status }) => `${flowName}:${status}`),
    reply: said.join('\n'),
  };
}

function usageError(message: string): EngineError {
  return new EngineError({ code: 'cli.usage', message });
}
