/**
 * Runs Internal flows in parallel with the conversation, each after the flows it depends on. Each writes its result in
 * one step.
 */

import { toErrorRecord } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { summaryQuestion } from '../meaning/reply-prompt.ts';
import { statePrompted } from '../meaning/slot-prompt.ts';
import { memoryCleanup, stateRepair } from '../session/builtin-flows.ts';
import {
  dueInternals,
  endInternal,
  type InternalResult,
  readyInternals,
  scheduleInternals,
  startInternal,
} from '../session/internal-flows.ts';
import type { OperationOutcome } from '../session/operation.ts';
import type { FlowInstance, SessionState } from '../session/session-state.ts';
import type { ConversationWorld, HeldCatalogue } from './conversation-world.ts';
import { boundedResult, resultOf, runPolicy } from './policy-runs.ts';
import { policyRun } from './policy-spec.ts';
import type { SessionLog } from './session-log.ts';

type EndedFlowResult = Omit<InternalResult, 'flowId'>;

export class Housekeeping {
  readonly #log: SessionLog;
  readonly #held: HeldCatalogue;
  readonly #world: ConversationWorld;
  readonly #signal: AbortSignal;
  readonly #running = new Map<string, Promise<void>>();
  /** The turns that scheduled flows, as far as this process knows. */
  readonly #turns = new Map<string, string>();

  constructor(log: SessionLog, held: HeldCatalogue, world: ConversationWorld, signal: AbortSignal) {
    this.#log = log;
    this.#held = held;
    this.#world = world;
    this.#signal = signal;
  }

  /** Schedules flows that are due after a turn. */
  schedule(turnId: string): void {
    const { catalogue } = this.#held;
    const requests = dueInternals(this.#log.state, catalogue);
    const scheduled = scheduleInternals(this.#log.state, catalogue, requests);
    this.#take(scheduled, turnId);
    for (const flowId of 'flowIds' in scheduled ? scheduled.flowIds : []) this.#turns.set(flowId, turnId);
    this.run();
  }

  /** Starts the flows that are ready, and restarts those that an earlier process had started. */
  run(): void {
    const begun = this.#log.state.internal.filter(({ status }) => status === 'Active');
    for (const flow of [...begun, ...readyInternals(this.#log.state)]) {
      if (this.#running.has(flow.flowId)) continue;
      if (flow.status === 'Pending') this.#take(startInternal(this.#log.state, flow.flowId), this.#turnOf(flow));
      const work = this.#execute(flow)
        .catch((thrown) => this.#world.onError(thrown))
        .finally(() => this.#running.delete(flow.flowId));
      this.#running.set(flow.flowId, work);
    }
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Resolves when no flow is running, including those started in the meantime. */
  async whenIdle(): Promise<void> {
    while (!this.isIdle) await Promise.all(this.#running.values());
  }

  async #execute(flow: FlowInstance): Promise<void> {
    const ended = await this.#result(flow).catch(
      (thrown): EndedFlowResult => ({ status: 'Invalid', result: toErrorRecord(thrown).message }),
    );
    if (this.#signal.aborted) return;
    const { flowId } = flow;
    const outcome = endInternal(this.#log.state, { flowId, ...ended });
    // The notes that the result combines have changed in the meantime. Discarding the result loses nothing.
    if ('refused' in outcome)
      this.#take(
        endInternal(this.#log.state, { flowId, status: 'Invalid', result: outcome.refused.message }),
        this.#turnOf(flow),
      );
    else this.#take(outcome, this.#turnOf(flow));
    this.run();
  }

  async #result(flow: FlowInstance): Promise<EndedFlowResult> {
    const type = this.#held.catalogue.flows.get(flow.flowName);
    if (type === undefined) return { status: 'Invalid', result: 'The catalog has no such flow.' };
    const builtin = 'builtin' in type.policy ? type.policy.builtin : undefined;
    switch (builtin) {
      case 'memory_cleanup':
        return { status: 'Completed', ...memoryCleanup(this.#log.state) };
      case 'state_repair': {
        const events = stateRepair(this.#log.state);
        this.#log.append(events, this.#turnOf(flow));
        return { status: 'Completed', result: { repaired: events.length } };
      }
      case 'summary':
        return await this.#summary(flow);
      default:
        return await this.#byRun(flow, type);
    }
  }

  async #summary(flow: FlowInstance): Promise<EndedFlowResult> {
    if (this.#held.script !== undefined) return { status: 'Completed', result: { skipped: 'no model' } };
    const { catalogue, path } = this.#held;
    const { sessionId } = this.#log;
    const models = this.#world.models.open({ sessionId, path, who: 'The summary' });
    const asked = { model: catalogue.model, signal: this.#signal };
    const { text, problem, refused } = await models.text(summaryQuestion(this.#prompted()), asked);
    if (refused !== undefined)
      this.#log.append([{ type: 'governance:decision', allowed: false, ...refused }], this.#turnOf(flow));
    if (typeof text !== 'string') return { status: 'Invalid', result: problem ?? null };
    return { status: 'Completed', result: null, summary: text };
  }

  async #byRun(flow: FlowInstance, type: FlowType): Promise<EndedFlowResult> {
    const { runs, ids, readText } = this.#world;
    const { flowId } = flow;
    const { sessionId } = this.#log;
    const runId = asRunId(flow.runId ?? ids.runId());
    if (flow.runId === null) this.#log.append([{ type: 'flow:run', flowId, runId }], this.#turnOf(flow));
    const task = { state: this.#prompted(), flow, type, held: this.#held, readText };
    const placed = { sessionId, flowId, runId, signal: this.#signal };
    const outcome = await runPolicy(runs, placed, { make: () => policyRun(task) });
    if (outcome.status === 'failed') return { status: 'Invalid', result: outcome.message };
    if (outcome.status !== 'completed') return { status: 'Invalid', result: outcome.status };
    const result = resultOf(outcome, type.policy);
    if (result.outcome !== 'success') return { status: 'Invalid', result: result.outcome };
    return { status: 'Completed', result: boundedResult(result.data, runId), entries: result.entries };
  }

  /**
   * Returns the state for models, without the messages of a turn that has started in the meantime and will handle them.
   */
  #prompted(): SessionState {
    const { path } = this.#held;
    return statePrompted({ ...this.#log.state, turn: null }, (text) => this.#world.models.withholds(path, text));
  }

  #turnOf({ flowId }: FlowInstance): string | undefined {
    return this.#turns.get(flowId);
  }

  #take(outcome: OperationOutcome, turnId: string | undefined): void {
    if ('refused' in outcome) this.#world.onError(new Error(outcome.refused.message));
    else this.#log.append(outcome.events, turnId);
  }
}
