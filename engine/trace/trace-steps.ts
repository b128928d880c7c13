/**
 * Steps in a trace: how each began and ended, what its agent gave, and plans that it proposed.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { RunEvent } from '../kernel/run-event.ts';
import type { Note, TracedEvent, TraceSource } from './trace-record.ts';
import { errorPayload } from './trace-runs.ts';

/** What is known of a step while it is at work. */
interface OpenStep {
  readonly type: string | undefined;
  /** Who works in it, where an agent does. */
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

  tell({ envelope: { event }, step, isOfCalled }: TracedEvent, note: Note): void {
    if (step === undefined) return;
    switch (event.type) {
      case 'task:start':
        this.#tellStart(event, step, { note, isOfCalled });
        break;
      case 'agent:start': {
        const open = this.#open.get(step);
        if (open !== undefined) open.agent = event.agentName;
        break;
      }
      case 'node:skipped':
        note('step_skipped', skipPayload(event));
        break;
      case 'node:reused':
        note('step_reused', { from_run_id: event.fromRunId ?? null, is_pinned: event.pin === true });
        break;
      default:
        this.#tellEnd(event, step, note);
    }
  }

  #tellStart(
    { nodeType, taskId, resumed }: Extract<RunEvent, { type: 'task:start' }>,
    step: string,
    { note, isOfCalled }: { readonly note: Note; readonly isOfCalled: boolean },
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

  #tellEnd(event: RunEvent, step: string, note: Note): void {
    const open = this.#open.get(step);
    switch (event.type) {
      case 'task:complete':
        if (open?.agent !== undefined) note('agent.executed', { agent: open.agent, result: event.result });
        if (open?.type === planType) note('plan_proposed', { plan: this.#planOf(event.result) });
        note('step_completed', { ok: true });
        break;
      case 'task:failed':
        this.#tellFailure(open, event.error, note);
        break;
      case 'task:cancelled':
        note('step_cancelled', { reason: event.reason });
        break;
      case 'task:skipped':
        note('step_skipped', { reason: event.reason });
        break;
      default:
        return;
    }
    this.#open.delete(step);
  }

  #tellFailure(open: OpenStep | undefined, error: ErrorRecord, note: Note): void {
    const { code, message, details = null } = error;
    if (open?.agent !== undefined && code === 'agent_output_control_fields') {
      note('agent_output_denied', { agent: open.agent, reason: code, details: details as JsonValue });
    }
    if (open?.type === planType && code === 'plan.invalid') note('plan_validation_failed', { error: message });
    note('step_failed', { error: errorPayload(error) });
  }

  /** A plan may stand in the output as `proposal`, or be all of it. */
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

/** What was held back is told as it would have been called. */
function skipPayload({ reason, suggestion }: Extract<RunEvent, { type: 'node:skipped' }>): JsonMap {
  return suggestion === undefined ? { reason } : { reason, suggestion: { ...suggestion } };
}
