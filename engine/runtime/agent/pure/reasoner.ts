/**
 * Implements the actions available to agents: calling a model through the engine and emitting trace events. Both are
 * valid only during one agent run.
 */
import { z } from 'zod';
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import { modelPurposes } from '../../../language/agent/model-purpose.ts';
import { frozenCopy } from '../../../language/json/checked-json.ts';
import type { AgentErrorCode, AgentFailure, PureAgentScope } from '../../kernel/capabilities/pure-agents-capability.ts';
import { Spending } from '../../kernel/hub/spending.ts';
import type { ModelCapability, ModelRequest } from '../../kernel/models/model-capability.ts';
import { spendingOf } from '../../kernel/models/reporting-model.ts';
import type { GivenMeta } from './agent-result.ts';
import type { AgentStep, Reasoner, ReasonerAnswer } from './base-agent.ts';

/** Maximum size of `trace` data as JSON, in bytes, because the data is part of the event. */
const longestTrace = 16 * 1024;

/** Maximum number of trace events per agent run. */
const mostTraces = 1000;

const purpose = z.enum(modelPurposes, {
  error: `must be one of ${modelPurposes.join(', ')}`,
});

const requestSchema = z
  .strictObject({
    purpose,
    prompt: z.string().exactOptional(),
    messages: z
      .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
      .min(1)
      .exactOptional(),
    model: z.string().min(1).exactOptional(),
    temperature: z.number().exactOptional(),
    maxTokens: z.int().positive().exactOptional(),
  })
  .superRefine(({ prompt, messages }, { addIssue }) => {
    if ((prompt === undefined) === (messages === undefined))
      addIssue({ code: 'custom', path: ['prompt'], message: 'set either prompt or messages' });
  });

/** The actions of one agent run. */
export interface AgentPowers extends Pick<AgentStep, 'reasoner' | 'trace'> {
  /** Returns the model usage so far. */
  spent(): GivenMeta;
  /** Disables the actions after the run, in case agent code is still running. */
  close(): void;
}

/** Creates the actions for one run. Validates arguments here, because agents may be written in any language. */
export function createPowers({ hub, signal, model }: Pick<PureAgentScope, 'hub' | 'signal' | 'model'>): AgentPowers {
  const spending = new Spending();
  let isOpen = true;
  let traces = 0;
  const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
  const reasoner: Reasoner = Object.freeze({
    async ask(request: unknown): Promise<ReasonerAnswer> {
      if (!isOpen) return refused('contract_violation', 'The agent has ended and cannot send requests anymore.');
      const copied = frozenCopy(request);
      const read = requestSchema.safeParse(copied.ok ? copied.value : undefined);
      if (!read.success) {
        const [issue] = read.error.issues;
        const place = ['request', ...(issue?.path ?? [])].join('.');
        return refused('invalid_input', `The request was not sent to the model: ${place}: ${issue?.message}`);
      }
      return await answered(model, requestOf(read.data), { signal, spending });
    },
  });
  return {
    reasoner,
    trace(name, data = null) {
      if (!isOpen || traces > mostTraces) return;
      traces++;
      if (traces > mostTraces) {
        hub.emit({
          type: 'log',
          level: 'warn',
          text: 'The agent emits too many trace events. Later ones are not recorded.',
          ...task,
        });
        return;
      }
      const copied = frozenCopy(data, longestTrace);
      const told = copied.ok ? copied.value : `(omitted: the data ${copied.problem.message})`;
      hub.emit({ type: 'trace', name: String(name), data: told, ...task });
    },
    spent() {
      const { usage, costUsd } = spending.total();
      return {
        ...(usage === undefined ? {} : { token_estimate: usage.promptTokens + usage.completionTokens }),
        ...(costUsd === undefined ? {} : { cost_estimate: costUsd }),
      };
    },
    close() {
      isOpen = false;
    },
  };
}

function requestOf({ prompt = '', messages, model, ...rest }: z.output<typeof requestSchema>): ModelRequest {
  return { ...rest, model, messages: messages ?? [{ role: 'user', content: prompt }] };
}

async function answered(
  model: ModelCapability,
  request: ModelRequest,
  { signal, spending }: { readonly signal: AbortSignal; readonly spending: Spending },
): Promise<ReasonerAnswer> {
  try {
    const reply = await model.ask(request, { signal, onText: () => undefined });
    spending.addAll(spendingOf(reply));
    return { ok: true, text: reply.text, error: null };
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    const { code, message, recoverable = false } = toErrorRecord(thrown);
    return refused(codeOf(code, thrown), message, { recoverable, details: { cause: code } });
  }
}

function codeOf(code: string, thrown: unknown): AgentErrorCode {
  if (code === 'effect.denied') return 'policy_blocked';
  return EngineError.is(thrown) && code.endsWith('timeout') ? 'timeout' : 'model_error';
}

function refused(
  code: AgentErrorCode,
  message: string,
  { recoverable = false, details = {} }: Partial<AgentFailure> = {},
): ReasonerAnswer {
  return { ok: false, text: null, error: { code, message, recoverable, details } };
}
