/**
 * Span attributes of OpenTelemetry's semantic conventions for generative AI, version 1.41.0, the last release before
 * the conventions moved to a separate repository. Custom attributes begin with `millrace.`. Source:
 * https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai
 */
import { isJsonList, isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { ModelEvent, RunStartEvent } from '../../runtime/kernel/events/run-event.ts';
import type { Attributes } from './span.ts';

/** Schema URL of resources and scopes, which identifies the version of the conventions. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

type ModelRequestEvent = Extract<ModelEvent, { type: 'model:request' }>;
type ModelResponse = Extract<ModelEvent, { type: 'model:response' }>;

/** Providers whose names in the conventions and the settings differ. All others have the same name in both. */
const providers: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
};

/** Returns the attributes of a run's span when the run starts. */
export function runAttributes({
  kind,
  name,
  sourcePath,
  definitionHash,
  redoCount,
  startedBy,
}: RunStartEvent): Attributes {
  return {
    ...(kind === 'flow'
      ? { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': name }
      : { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name }),
    'millrace.source.path': sourcePath,
    'millrace.definition.sha256': definitionHash,
    ...(startedBy === undefined ? {} : { 'millrace.started_by': startedBy.kind }),
    ...(startedBy?.name === undefined ? {} : { 'millrace.started_by.name': startedBy.name }),
    ...(redoCount === undefined ? {} : { 'millrace.redo.count': redoCount }),
  };
}

/** Returns the attributes of a span in which an agent works. */
export function agentAttributes(agentName: string): Attributes {
  return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agentName };
}

/** Returns the attributes of a model call when the request is sent. */
export function requestAttributes({ provider, model }: ModelRequestEvent): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providers[provider] ?? provider,
    'gen_ai.request.model': model,
  };
}

/** Returns the attributes of a model call when the response has arrived. */
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

/** Returns a model's response as JSON text in the format of the conventions. */
export function answerAttributes({ text, toolCalls, finishReason }: ModelResponse): Attributes {
  const said = typeof text === 'string' && text !== '' ? [{ type: 'text', content: text }] : [];
  const wanted = isJsonList(toolCalls) ? toolCalls.flatMap((call) => (isJsonMap(call) ? [call] : [])) : [];
  const calls = wanted.map(({ id, name, input }) => ({ type: 'tool_call', id, name, arguments: input }));
  const message = { role: 'assistant', parts: [...said, ...calls], finish_reason: finishReason };
  return { 'gen_ai.output.messages': JSON.stringify([message]) };
}

/** Returns the attributes of a tool call at its start. */
export function toolAttributes(tool: string, callKey: string): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callKey,
  };
}

/** Returns the parameters and the result of a tool call as JSON text. */
export function toolContent(content: { readonly params?: JsonValue; readonly result?: JsonValue }): Attributes {
  const { params, result } = content;
  return {
    ...(params === undefined ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(params) }),
    ...(result === undefined ? {} : { 'gen_ai.tool.call.result': JSON.stringify(result) }),
  };
}
