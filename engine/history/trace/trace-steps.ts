/**
 * Creates the trace records about steps: their start and end, their agents' outputs, and proposed plans.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { StepEvent } from '../../runtime/kernel/events/step-event.ts';
import {
  endedTask,
  outcomeOf,
  startedTask,
  type TaskEnd,
  type TaskStart,
} from '../../runtime/kernel/events/task-events.ts';
import type { AddTraceRecord, TracedEvent, TraceSource } from './trace-record.ts';
import { errorPayload } from './trace-runs.ts';

/** Facts about an active step. */
interface OpenStep {
  readonly type: string | undefined;
  /** Whether it has already reported its plan. */
  hasReportedPlan?: true;
  /** Metadata of the agent's call. */
  meta?: JsonMap;
  /** Name of the agent, if one works in the step. */
  agent?: string;
}

const planType = 'plan_proposal';
const mostNames = 10;

export class StepTrace {
  readonly #source: Pick<TraceSource, 'steps' | 'whole'>;
  readonly #open = new Map<string, OpenStep>();

  constructor(source: Pick<TraceSource, 'steps' | 'whole'>) {
    this.#source = source;
  }

  tell({ envelope: { event }, step, isOfCalled }: TracedEvent, note: AddTraceRecord): void {
    if (step === undefined) return;
    const started = startedTask(event);
    if (started !== undefined) this.#tellStart(started, step, { note, isOfCalled });
    const ended = endedTask(event);
    if (ended !== undefined) this.#tellEnd(ended, step, note);
    switch (event.type) {
      case 'agent:start': {
        const open = this.#open.get(step);
        if (open !== undefined) open.agent = event.agentName;
        break;
      }
      case 'step:meta': {
        const open = this.#open.get(step);
        if (open !== undefined) open.meta = event.meta;
        break;
      }
      case 'governance:decision':
        this.#tellOutput(event, step, note);
        break;
      case 'trace':
        note('trace', { name: event.name, data: event.data });
        break;
      case 'log':
        note('log', { level: event.level, text: event.text });
        break;
      case 'plan:proposed':
      case 'plan:invalid':
        this.#tellPlan(event, step, note);
        break;
      case 'node:skipped': {
        const { reason, suggestion } = event;
        note('step_skipped', suggestion === undefined ? { reason } : { reason, suggestion: { ...suggestion } });
        break;
      }
      case 'node:reused':
        note('step_reused', {
          from_run_id: event.fromRunId ?? null,
          is_pinned: event.pin === true,
          ...(event.given === undefined ? {} : { given: { ...event.given } }),
        });
        break;
      default:
    }
  }

  #tellStart(
    { nodeType, taskId, resumed }: TaskStart,
    step: string,
    { note, isOfCalled }: { readonly note: AddTraceRecord; readonly isOfCalled: boolean },
  ): void {
    this.#open.set(step, { type: nodeType });
    const known = isOfCalled ? undefined : this.#source.steps.get(step);
    const input = /^input:(\d+)$/.exec(taskId)?.[1];
    note('step_started', {
      step_index: known?.index ?? (input === undefined ? null : Number(input)),
      type: nodeType ?? (input === undefined ? 'task' : 'input'),
      name: known?.name ?? step,
      ...(resumed === true ? { resumed } : {}),
    });
  }

  #tellEnd(ended: TaskEnd, step: string, note: AddTraceRecord): void {
    const open = this.#open.get(step);
    if ('result' in ended) this.#tellResult(open, ended.result, note);
    else if ('error' in ended) this.#tellFailure(open, ended.error, note);
    else note(`step_${outcomeOf(ended)}`, { reason: ended.reason });
    this.#open.delete(step);
  }

  #tellResult(open: OpenStep | undefined, result: JsonValue, note: AddTraceRecord): void {
    if (open?.agent !== undefined) note('agent.executed', { agent: open.agent, result: agentResult(open, result) });
    if (open?.type === planType && open.hasReportedPlan === undefined)
      note('plan_proposed', { plan: this.#planOf(result) });
    note('step_completed', { ok: true });
  }

  #tellFailure(open: OpenStep | undefined, error: ErrorRecord, note: AddTraceRecord): void {
    const { code, message } = error;
    const isOwnPlan = open?.type === planType && open.hasReportedPlan === undefined;
    if (isOwnPlan && code === 'plan.invalid') note('plan_validation_failed', { error: message });
    note('step_failed', { error: errorPayload(error) });
  }

  /** Records that an agent's output was denied before anyone saw it. */
  #tellOutput(event: Extract<RunEvent, { type: 'governance:decision' }>, step: string, note: AddTraceRecord): void {
    const { effect, allowed, target, rule, reason = '' } = event;
    if (effect !== 'output' || allowed || this.#open.get(step)?.agent !== target) return;
    note('agent_output_denied', { agent: target, reason: rule, details: { message: reason } });
  }

  #tellPlan(
    event: Extract<StepEvent, { type: 'plan:proposed' | 'plan:invalid' }>,
    step: string,
    note: AddTraceRecord,
  ): void {
    const open = this.#open.get(step);
    if (open !== undefined) open.hasReportedPlan = true;
    if (event.type === 'plan:invalid') note('plan_validation_failed', { error: event.error });
    else note('plan_proposed', { plan: { ...event.plan } });
  }

  /** Summarizes a plan, which is either the `proposal` in the output or the whole output. */
  #planOf(result: JsonValue): JsonMap {
    const output = this.#source.whole(result);
    const plan = isJsonMap(output) && isJsonMap(output['proposal']) ? output['proposal'] : output;
    if (!isJsonMap(plan)) return {};
    const steps = isJsonList(plan['steps']) ? plan['steps'] : [];
    const ids = steps.map((one) => (isJsonMap(one) ? (one['step_id'] ?? null) : null));
    return {
      summary: plan['summary'] ?? '',
      steps_count: steps.length,
      step_ids: ids.slice(0, mostNames),
      required_tools: plan['required_tools'] ?? [],
      approvals_count: isJsonList(plan['approvals']) ? plan['approvals'].length : 0,
      estimated_cost: plan['estimated_cost'] ?? null,
    };
  }
}

/** Returns the full result of an agent that follows the step flow contract, otherwise its output. */
function agentResult({ meta }: OpenStep, data: JsonValue): JsonValue {
  return meta === undefined ? data : { ok: true, data, error: null, meta };
}
