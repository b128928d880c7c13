/**
 * The Ai stage: builds an input's prompt and calls the model.
 */
import { EngineError, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { refuseIfPure } from '../../language/agent/agent-contract.ts';
import type { AgentOptions, OutputSchema } from '../../language/agent/agent-doc.ts';
import { modelOf } from '../../language/agent/agent-options.ts';
import { type JsonMap, type JsonValue, textForm } from '../../language/json/json-value.ts';
import type { JsonSchema } from '../../language/schema/json-schema.ts';
import type { PackPlace } from '../kernel/capabilities/capabilities.ts';
import { GatedModel } from '../kernel/capabilities/gated-capabilities.ts';
import type { ModelUsage } from '../kernel/events/run-event.ts';
import { askForValue } from '../kernel/models/ask-for-value.ts';
import { askModel } from '../kernel/models/ask-model.ts';
import type { ModelMessage, ModelRequest } from '../kernel/models/model-capability.ts';
import type { ModelAnswer } from '../kernel/models/reporting-model.ts';
import { ToolLoop } from '../kernel/models/tool-loop.ts';
import type { AgentRequest, AgentRun } from './agent-request.ts';
import { type StageContext, scopeOf, untilStopped } from './agent-stage.ts';
import { type AttachmentSource, attachmentMessages } from './attachments.ts';
import { toolsOf } from './input-tools.ts';
import { renderMessages } from './prompt-messages.ts';

/** An input that calls the model. */
interface AgentInputPrompt {
  readonly input: JsonValue;
  readonly data: JsonValue;
  readonly beforeAll: JsonValue;
  readonly attachments: readonly AttachmentSource[];
  /** The input's options. */
  readonly options: AgentOptions;
}

/**
 * Fills the prompts and calls the model.
 * @returns `ai_response`; null if no model was called
 * @throws EngineError `template.*`, `model.*` (`model.missing` if none is set), `agent.bad-prompt-option`; `Stopped`
 * when the signal aborts
 */
export async function askForInput(
  run: AgentRun,
  question: AgentInputPrompt,
  place: StageContext,
): Promise<JsonMap | null> {
  const { dry, isVerbose = false } = run.request;
  return await untilStopped(place.signal, async () => {
    const asked = await messagesOf(run, question, place);
    const { messages } = asked;
    if (dry !== undefined || isVerbose) showMessages(messages, place);
    if (dry === 'req' && messages.length > 0) {
      leaveOutModel(run.request, question.options, place);
      return null;
    }
    if (dry === 'req') return null;
    if (messages.length === 0) {
      logInfo(place, '-! No instruction, skipping genai.');
      return null;
    }
    const answer = await ask(run, { ...asked, options: question.options }, place);
    if (dry !== undefined || isVerbose) logInfo(place, `-- response:\n${textForm(answer['content'] ?? '')}`);
    return answer;
  });
}

/**
 * Builds an input's messages: its attachments, then `prompts` filled with `values`.
 * @throws EngineError `template.*` | `agent.bad-prompt-option`
 */
export async function messagesOf({ request }: AgentRun, question: AgentInputPrompt, place: StageContext) {
  const { doc, capabilities } = request;
  const { input, data, beforeAll, attachments } = question;
  if (attachments.length > 0) refuseIfPure(request, 'attaches files');
  const scope = scopeOf(request, place);
  const read = (path: string) => capabilities.scripts.readAttachment(path, scope, place.signal);
  const files = await attachmentMessages(attachments, read);
  const values = { input, data, before_all: beforeAll };
  const { messages, hasCache } = await renderMessages(doc.prompts, values, capabilities.templates);
  return { messages: [...files, ...messages], hasCache, prompts: messages, values };
}

/** Records a child run's skipped model call. For the root run, the dry run shows the prompts instead. */
function leaveOutModel({ dryRun, parentRunId, place }: AgentRequest, options: AgentOptions, stage: StageContext): void {
  if (parentRunId === undefined) return;
  const target = `${modelOf(options) ?? 'no model'} (${place.name})`;
  dryRun?.leaveOut({ effect: 'model', target });
  logInfo(stage, `-> Dry run, left out: the request to ${target}`);
}

interface InputModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly hasCache: boolean;
  readonly options: AgentOptions;
}

/** @throws EngineError `schema.not-read` if the schema is in a file that was not read together with the agent */
function schemaOf(outputSchema: OutputSchema): JsonSchema {
  if ('schema' in outputSchema) return outputSchema.schema;
  throw new EngineError({
    code: 'schema.not-read',
    message: `The schema file ${outputSchema.file} was not read before the agent started.`,
  });
}

/**
 * Returns the folder of a pack's scripted models, unless the pack is a symbolic link to a folder outside the workspace.
 */
function scriptedBaseOf(pack: PackPlace | undefined): Pick<ModelRequest, 'scriptedBase'> {
  return pack === undefined || pack.leadsOut === true ? {} : { scriptedBase: pack.folder };
}

async function ask(
  run: AgentRun,
  { messages, hasCache, options }: InputModelRequest,
  place: StageContext,
): Promise<JsonMap> {
  const { request } = run;
  const { hub, signal, modelCalls: calls } = place;
  const { capabilities: can, clock } = request;
  const modelRequest = {
    model: modelFor(request, options),
    messages,
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...(options.top_p === undefined ? {} : { topP: options.top_p }),
    ...(hasCache ? cacheKeyOf(request) : {}),
    ...(request.doc.pure === undefined ? {} : { purpose: request.doc.pure.purpose }),
    ...scriptedBaseOf(request.place.pack),
  };
  // The input's start must be in the history before the model is called.
  hub.flush();
  try {
    const gate = can.governance?.open({ hub });
    const model = gate === undefined ? can.model : new GatedModel(can.model, gate);
    const given = toolsOf(run, options, place);
    const caller = { can: { ...can, model, tools: given?.tools ?? can.tools }, hub, signal, clock, calls };
    const loop = given === undefined ? undefined : await ToolLoop.open(given.given, caller);
    const askOnce = (asked: ModelRequest) => loop?.ask(asked) ?? askModel(asked, caller);
    const { outputSchema } = request.doc;
    if (outputSchema === undefined) return aiResponseOf(await askOnce(modelRequest), options);
    const answered = await askForValue({ ...modelRequest, answerSchema: schemaOf(outputSchema) }, caller, askOnce);
    return { ...aiResponseOf(answered, options), value: answered.value };
  } catch (thrown) {
    throw inWordsOfPacks(thrown);
  }
}

/** Keeps the code and details, but uses the message that pack users know. */
function inWordsOfPacks(thrown: unknown): unknown {
  if (!EngineError.is(thrown) || !thrown.code.startsWith('model.')) return thrown;
  const variable = thrown.code === 'model.missing-key' ? variableIn(thrown.details) : undefined;
  const message =
    variable === undefined
      ? `Fail to make AI Request.\nCause: ${thrown.message}`
      : `Environment API KEY missing: ${variable}`;
  return fromErrorRecord({ ...toErrorRecord(thrown), message });
}

function variableIn(details: unknown): string | undefined {
  const hasOne = typeof details === 'object' && details !== null && 'variable' in details;
  return hasOne && typeof details.variable === 'string' ? details.variable : undefined;
}

/** @throws EngineError `model.missing` */
function modelFor({ place }: AgentRequest, options: AgentOptions): string {
  const model = modelOf(options);
  if (model !== undefined) return model;
  throw new EngineError({ code: 'model.missing', message: `Model is missing for agent path: ${place.shownPath}` });
}

/** All calls in a session share the prompt cache. */
function cacheKeyOf({ context }: AgentRequest): { readonly cacheKey?: string } {
  const session = context['SESSION_UID'];
  return typeof session === 'string' ? { cacheKey: session } : {};
}

function showMessages(messages: readonly ModelMessage[], place: StageContext): void {
  for (const { role, content } of messages) logInfo(place, `-- ${role}:\n${content}`);
}

function logInfo({ hub }: StageContext, text: string): void {
  hub.emit({ type: 'log', level: 'info', text, ...(hub.taskId === undefined ? {} : { taskId: hub.taskId }) });
}

/** Builds `ai_response` for scripts from a response. Unknown values are absent, so scripts see nil. */
function aiResponseOf(answer: ModelAnswer, options: AgentOptions): JsonMap {
  const { target, reply, durationMs } = answer;
  return {
    ...(reply.text === '' ? {} : { content: reply.text }),
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    model_name: target.model,
    adapter_kind: target.adapterKind,
    usage: usageOf(reply.usage),
    ...(reply.costUsd === undefined ? {} : { price_usd: reply.costUsd }),
    duration_sec: Math.round(durationMs) / 1000,
    info: infoOf(answer, options),
  };
}

/** The detail tables are always present. */
function usageOf(usage: ModelUsage | undefined): JsonMap {
  if (usage === undefined) return { prompt_tokens_details: {}, completion_tokens_details: {} };
  const { promptTokens, completionTokens, cachedTokens, cacheCreationTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: {
      ...(cachedTokens === undefined ? {} : { cached_tokens: cachedTokens }),
      ...(cacheCreationTokens === undefined ? {} : { cache_creation_tokens: cacheCreationTokens }),
    },
    completion_tokens_details: reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens },
  };
}

/** Returns a one-line summary for display. */
function infoOf({ target, reply, durationMs }: ModelAnswer, { temperature, top_p: topP }: AgentOptions): string {
  const { usage, costUsd, upstreamModel } = reply;
  const hasOtherName = upstreamModel !== undefined && upstreamModel !== target.model;
  return [
    `Duration: ${(durationMs / 1000).toFixed(3)}s`,
    ...(costUsd === undefined ? [] : [`~$${costUsd}`]),
    ...(usage === undefined ? [] : tokenTexts(usage)),
    hasOtherName ? `Model: ${target.model} (${upstreamModel})` : `Model: ${target.model}`,
    `Adapter: ${target.adapterKind}`,
    ...(temperature === undefined ? [] : [`Temperature: ${temperature}`]),
    ...(topP === undefined ? [] : [`top_p: ${topP}`]),
  ].join(' | ');
}

function tokenTexts({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: ModelUsage): string[] {
  const cached = cachedTokens === undefined ? '' : ` (cached: ${cachedTokens})`;
  const reasoning = reasoningTokens === undefined ? '' : ` (reasoning: ${reasoningTokens})`;
  return [`Prompt Tokens: ${promptTokens}${cached}`, `Completion Tokens: ${completionTokens}${reasoning}`];
}
