/**
 * What agents can do: ask a model through the engine, and tell something. Both belong to one run of the agent and end with it.
 */
import { z } from 'zod';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { frozenCopy } from '../../flowspec/checked-json.ts';
import type { ModelCapability, ModelRequest } from '../../kernel/model-capability.ts';
import type { AgentErrorCode, AgentFailure, PureAgentScope } from '../../kernel/pure-agents-capability.ts';
import { Spending } from '../../kernel/spending.ts';
import { spendingOf } from '../../kernel/told-model.ts';
import { modelPurposes } from '../model-purpose.ts';
import type { GivenMeta } from './agent-result.ts';
import type { AgentStep, Reasoner, ReasonerAnswer } from './base-agent.ts';

/** Bytes that the data of a `trace` may have as JSON: it stands in the event itself. */
const longestTrace = 16 * 1024;

/** That one run of an agent may tell. */
const mostTraces = 1000;

const purpose = z.enum(modelPurposes, {
  error: `must say what for: ${modelPurposes.join(', ')}`,
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
      addIssue({ code: 'custom', path: ['prompt'], message: 'there must be a prompt or messages, one of the two' });
  });

/** What one run of an agent can do. */
export interface AgentPowers extends Pick<AgentStep, 'reasoner' | 'trace'> {
  /** What its calls of models have used so far. */
  spent(): GivenMeta;
  /** It has ended: what it left behind can do nothing any more. */
  close(): void;
}

/** Makes them for one run. What an agent hands in is checked here, whatever language it is written in. */
export function createPowers({ hub, signal, model }: Pick<PureAgentScope, 'hub' | 'signal' | 'model'>): AgentPowers {
  const spending = new Spending();
  let isOpen = true;
  let traces = 0;
  const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
  const reasoner: Reasoner = Object.freeze({
    async ask(request: unknown): Promise<ReasonerAnswer> {
      if (!isOpen) return refused('contract_violation', 'The agent has ended: it asks nobody any more.');
      const copied = frozenCopy(request);
      const read = requestSchema.safeParse(copied.ok ? copied.value : undefined);
      if (!read.success) {
        const [issue] = read.error.issues;
        const place = ['request', ...(issue?.path ?? [])].join('.');
        return refused('invalid_input', `The model was not asked: ${place}: ${issue?.message}`);
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
          text: 'The agent tells more than is kept: the rest is left out.',
          ...task,
        });
        return;
      }
      const copied = frozenCopy(data, longestTrace);
      const told = copied.ok ? copied.value : `(left out: what was to be told ${copied.problem.message})`;
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
