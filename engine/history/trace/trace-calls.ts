/**
 * Converts calls to trace records: each attempt of a tool or model call, and the rules' decisions about it.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask, type TaskEnd } from '../../runtime/kernel/events/task-events.ts';
import type { ToolErrorCategory, ToolEvent } from '../../runtime/kernel/events/tool-event.ts';
import { overBudgetCode } from '../../runtime/kernel/hub/cancel-scope.ts';
import type { AddTraceRecord, TracedEvent } from './trace-record.ts';
import { deniedDetails, errorPayload } from './trace-runs.ts';

interface TracedModelCall {
  readonly model: string;
  readonly provider: string;
  readonly purpose: string | null;
}

/** A step's calls, which it may repeat. */
class StepCalls {
  /** Number of attempts by call, across all attempts of the step. */
  readonly attempts = new Map<string, number>();
  /** Parameters of calls in progress. */
  readonly params = new Map<string, JsonValue>();
  readonly models = new Map<string, TracedModelCall>();
  /** The last tool call that failed. */
  failed: { readonly tool: string; readonly attempt: number } | undefined;
}

/** Error codes of step flows for tool failures. */
const codes: Readonly<Record<ToolErrorCategory, string>> = {
  validation_error: 'invalid_input',
  auth_error: 'permission_denied',
  not_found: 'not_found',
  rate_limit: 'rate_limited',
  timeout: 'timeout',
  server_error: 'backend_error',
};

function codeOf(category: unknown): string {
  return typeof category === 'string' && category in codes ? codes[category as ToolErrorCategory] : 'unknown';
}

type TracedToolAttempt = Extract<ToolEvent, { type: 'tool:attempt' }>;
type ToolRetry = Extract<ToolEvent, { type: 'tool:retry' }>;
type ToolEnd = Extract<ToolEvent, { type: 'tool:result' }>;

const modelBudgets: ReadonlySet<unknown> = new Set(['tokens', 'costUsd']);

export class CallTrace {
  readonly #whole: (value: JsonValue) => JsonValue;
  /** Steps by full name. Calls outside of steps are stored under an empty name. */
  readonly #steps = new Map<string, StepCalls>();
  #hasReportedBudget = false;

  constructor(whole: (value: JsonValue) => JsonValue) {
    this.#whole = whole;
  }

  tell({ envelope: { event }, step = '', isOfCalled }: TracedEvent, note: AddTraceRecord): void {
    const ended = endedTask(event);
    if (ended !== undefined) this.#endStep(ended, step, note);
    switch (event.type) {
      case 'tool:attempt':
        this.#tellAttempt(event, step, note);
        break;
      case 'tool:retry':
        this.#tellToolRetry(event, step, note);
        break;
      case 'tool:result':
        this.#tellResult(event, step, note);
        break;
      case 'model:request':
        this.#tellRequest(event, step, note);
        break;
      case 'model:response':
        this.#tellResponse(event, step, note);
        break;
      case 'governance:decision':
        tellDecision(event, note);
        break;
      case 'node:retry':
        this.#tellStepRetry(event, step, note);
        break;
      case 'run:end':
        if (!isOfCalled && event.error !== undefined) this.#tellBudget(event.error, note);
    }
  }

  #endStep(ended: TaskEnd, step: string, note: AddTraceRecord): void {
    if ('error' in ended) {
      this.#failModels(step, ended.error, note);
      this.#tellBudget(ended.error, note);
    }
    this.#steps.delete(step);
  }

  #callsOf(step: string): StepCalls {
    const found = this.#steps.get(step) ?? new StepCalls();
    this.#steps.set(step, found);
    return found;
  }

  #tellAttempt({ callKey, tool, params }: TracedToolAttempt, step: string, note: AddTraceRecord): void {
    const calls = this.#callsOf(step);
    const attempt = (calls.attempts.get(callKey) ?? 0) + 1;
    calls.attempts.set(callKey, attempt);
    calls.params.set(callKey, params);
    note('tool_call_attempt_started', { step_id: step, attempt, tool });
  }

  #tellToolRetry({ callKey, tool, delayMs, error }: ToolRetry, step: string, note: AddTraceRecord): void {
    const attempt = this.#callsOf(step).attempts.get(callKey) ?? 1;
    const failure = { error_code: codeOf(error.code), error_type: error.code, message: error.message };
    note('tool_call_attempt_failed', { step_id: step, attempt, tool, ...failure });
    note('tool_call_retry_scheduled', { step_id: step, attempt: attempt + 1, tool, delay_ms: delayMs });
  }

  #tellResult(event: ToolEnd, step: string, note: AddTraceRecord): void {
    const { callKey, tool, attempts, isError, durationMs, backend } = event;
    const calls = this.#callsOf(step);
    const attempt = calls.attempts.get(callKey) ?? attempts;
    // Refused calls and cached results have no attempt.
    if (attempts > 0 && isError) {
      note('tool_call_attempt_failed', { step_id: step, attempt, tool, ...this.#failureOf(event.result) });
      calls.failed = { tool, attempt };
    } else if (attempts > 0) {
      note('tool_call_attempt_succeeded', { step_id: step, attempt, tool });
      calls.attempts.delete(callKey);
      calls.failed = undefined;
    }
    const params = calls.params.get(callKey) ?? {};
    calls.params.delete(callKey);
    note('tool.executed', { tool, params, result: event.result, latency_ms: durationMs, backend });
  }

  #failureOf(result: JsonValue): JsonMap {
    const whole = this.#whole(result);
    if (!isJsonMap(whole)) return { error_code: 'unknown', error_type: 'unknown', message: '' };
    const { error_category: category, message, metadata } = whole;
    const code = isJsonMap(metadata) ? metadata['code'] : undefined;
    return { error_code: codeOf(category), error_type: code ?? category ?? 'unknown', message: message ?? '' };
  }

  #tellStepRetry(
    { attempt, delayMs, error }: Extract<RunEvent, { type: 'node:retry' }>,
    step: string,
    note: AddTraceRecord,
  ): void {
    const { failed } = this.#callsOf(step);
    this.#failModels(step, error, note);
    if (failed === undefined) {
      note('step_retry_scheduled', { attempt: attempt + 1, delay_ms: delayMs, error: errorPayload(error) });
    } else {
      const { tool } = failed;
      note('tool_call_retry_scheduled', { step_id: step, attempt: failed.attempt + 1, tool, delay_ms: delayMs });
      this.#callsOf(step).failed = undefined;
    }
  }

  #tellRequest(event: Extract<RunEvent, { type: 'model:request' }>, step: string, note: AddTraceRecord): void {
    const { provider, model, callKey = '' } = event;
    const purpose = event.purpose ?? null;
    this.#callsOf(step).models.set(callKey, { model, provider, purpose });
    note('model_call_attempt_started', { model, purpose, allowed: true, reason: 'ok', provider });
  }

  #tellResponse(event: Extract<RunEvent, { type: 'model:response' }>, step: string, note: AddTraceRecord): void {
    const { callKey = '', usage = null, costUsd, finishReason, upstreamModel } = event;
    const calls = this.#callsOf(step);
    const { model = upstreamModel ?? null, purpose = null, provider = null } = calls.models.get(callKey) ?? {};
    calls.models.delete(callKey);
    note('model_call_succeeded', {
      ...{ model, purpose, usage: usage === null ? null : { ...usage }, provider, finish_reason: finishReason },
      ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    });
  }

  /** Records an exhausted budget once. It ends the active step and the run. */
  #tellBudget({ code, details }: ErrorRecord, note: AddTraceRecord): void {
    if (code !== overBudgetCode || typeof details !== 'object' || details === null || this.#hasReportedBudget) return;
    this.#hasReportedBudget = true;
    const { budget, used = null, limit = null, rule = null } = details as JsonMap;
    if (modelBudgets.has(budget)) note('model_call_budget_exceeded', { model: null, purpose: null, used, limit });
    if (budget === 'steps') note('before_step_denied', { reason: rule });
  }

  #failModels(step: string, error: ErrorRecord, note: AddTraceRecord): void {
    const calls = this.#steps.get(step);
    for (const { model, purpose } of calls?.models.values() ?? []) {
      note('model_call_failed', { model, purpose, reason: error.code, error: error.message });
    }
    calls?.models.clear();
  }
}

function tellDecision(event: Extract<RunEvent, { type: 'governance:decision' }>, note: AddTraceRecord): void {
  const { allowed, rule, effect, target, place, reason, level, approvedBy, suggestion } = event;
  // Missing approvals by people are reported elsewhere as such.
  if (effect === 'node' && !allowed && suggestion === undefined && level !== 'semi_auto')
    note('before_step_denied', { reason: rule });
  if (effect === 'write' && !allowed) {
    note('output_files_denied', { reason: rule, details: deniedDetails(event) });
  }
  if (effect === 'model' && !allowed) {
    note('model_call_attempt_started', { model: target, purpose: null, allowed, reason: rule });
  }
  note('governance.decision', {
    ...{ allowed, reason: allowed ? 'ok' : rule, rule, effect, target },
    ...(effect === 'tool' ? { tool: target } : {}),
    ...(place === undefined ? {} : { place }),
    ...(reason === undefined ? {} : { message: reason }),
    ...(level === undefined ? {} : { autonomy_level: level }),
    ...(approvedBy === undefined ? {} : { approved_by: approvedBy }),
    ...(suggestion === undefined ? {} : { suggestion: { ...suggestion } }),
  });
}
