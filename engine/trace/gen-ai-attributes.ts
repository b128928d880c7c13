/**
 * Attributes of spans by OpenTelemetry's semantic conventions for generative AI, version 1.41.0: the last release of the conventions
 * before they moved to a repository of their own. Names of ours, where they have none, begin with `millrace.`.
 * Source: https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai
 */
import { isJsonList, isJsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { ModelEvent, RunStartEvent } from '../kernel/run-event.ts';
import type { Attributes } from './span.ts';

/** What resources and scopes name as the version that they keep to. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

type ModelRequest = Extract<ModelEvent, { type: 'model:request' }>;
type ModelResponse = Extract<ModelEvent, { type: 'model:response' }>;

/** Providers that the conventions call otherwise than settings do; any other goes by its name in the settings. */
const providers: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
};

/** Of a run's span when it begins. */
export function runAttributes({ kind, name, sourcePath, definitionHash, redoCount }: RunStartEvent): Attributes {
  return {
    ...(kind === 'flow'
      ? { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': name }
      : { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name }),
    'millrace.source.path': sourcePath,
    'millrace.definition.sha256': definitionHash,
    ...(redoCount === undefined ? {} : { 'millrace.redo.count': redoCount }),
  };
}

/** Of the span of something that an agent works in. */
export function agentAttributes(agentName: string): Attributes {
  return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agentName };
}

/** Of a call of a model when it is sent. */
export function requestAttributes({ provider, model }: ModelRequest): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providers[provider] ?? provider,
    'gen_ai.request.model': model,
  };
}

/** Of a call of a model when its answer is there. */
export function responseAttributes({
  usage,
  costUsd,
  finishReason,
  fromCassette,
  upstreamModel,
}: ModelResponse): Attributes {
  return {
    'gen_ai.response.finish_reasons': [finishReason],
    ...(upstreamModel === undefined ? {} : { 'gen_ai.response.model': upstreamModel }),
    ...(usage === undefined
      ? {}
      : {
          'gen_ai.usage.input_tokens': usage.promptTokens,
          'gen_ai.usage.output_tokens': usage.completionTokens,
          ...counted('gen_ai.usage.cache_read.input_tokens', usage.cachedTokens),
          ...counted('gen_ai.usage.cache_creation.input_tokens', usage.cacheCreationTokens),
          ...counted('gen_ai.usage.reasoning.output_tokens', usage.reasoningTokens),
        }),
    ...(costUsd === undefined ? {} : { 'millrace.cost_usd': costUsd }),
    ...(fromCassette === true ? { 'millrace.from_cassette': true } : {}),
  };
}

function counted(name: string, count: number | undefined): Attributes {
  return count === undefined ? {} : { [name]: count };
}

/** What a model answered, as JSON text of the form that the conventions give. */
export function answerAttributes({ text, toolCalls, finishReason }: ModelResponse): Attributes {
  const said = typeof text === 'string' && text !== '' ? [{ type: 'text', content: text }] : [];
  const wanted = isJsonList(toolCalls) ? toolCalls.flatMap((call) => (isJsonMap(call) ? [call] : [])) : [];
  const calls = wanted.map(({ id, name, input }) => ({ type: 'tool_call', id, name, arguments: input }));
  const message = { role: 'assistant', parts: [...said, ...calls], finish_reason: finishReason };
  return { 'gen_ai.output.messages': JSON.stringify([message]) };
}

/** Of a call of a tool when it begins. */
export function toolAttributes(tool: string, callKey: string): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callKey,
  };
}

/** What a tool was called with, and what it gave, as JSON texts. */
export function toolContent(content: { readonly params?: JsonValue; readonly result?: JsonValue }): Attributes {
  const { params, result } = content;
  return {
    ...(params === undefined ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(params) }),
    ...(result === undefined ? {} : { 'gen_ai.tool.call.result': JSON.stringify(result) }),
  };
}
