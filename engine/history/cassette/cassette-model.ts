/**
 * Records and replays language model calls.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonValue } from '../../language/json/json-value.ts';
import type {
  ModelAttachment,
  ModelCapability,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelTarget,
} from '../../runtime/kernel/models/model-capability.ts';
import type { ModelToolCall } from '../../runtime/kernel/models/model-tools.ts';
import { unreadable } from './cassette-error.ts';
import type { CassettePlayer } from './cassette-player.ts';

const kind = 'model';

const recordedErrors = new Set(['model.rate-limited', 'model.rejected', 'model.unavailable', 'model.no-reply']);

const count = z.number().int().nonnegative();
const recordedReply = z.object({
  text: z.string(),
  finishReason: z.string(),
  usage: z.exactOptional(
    z.object({
      promptTokens: count,
      completionTokens: count,
      cachedTokens: z.exactOptional(count),
      cacheCreationTokens: z.exactOptional(count),
      reasoningTokens: z.exactOptional(count),
    }),
  ),
  reasoning: z.exactOptional(z.string()),
  upstreamModel: z.exactOptional(z.string()),
  toolCalls: z.exactOptional(
    z.array(z.object({ id: z.string().min(1), name: z.string().min(1), input: z.json() })).min(1),
  ),
  providerState: z.exactOptional(z.json()),
  /** Lengths of the received text chunks, in UTF-16 units. */
  pieces: z.exactOptional(z.array(count)),
});
const recordedRequest = z.object({ model: z.string() });

/** Wraps a model with a cassette. */
export function createCassetteModel(live: ModelCapability, player: CassettePlayer): ModelCapability {
  const resolve = (model: string | undefined): ModelTarget => {
    if (player.mode === 'record') return live.resolve(model);
    try {
      return live.resolve(model);
    } catch (thrown) {
      // Replay needs neither settings nor keys. A live call would fail with the same error later.
      const target = targetOf(model ?? onlyModelOf(player));
      if (target === undefined) throw thrown;
      return target;
    }
  };
  return {
    resolve,
    settingsOf: (model) => live.settingsOf(model),
    async ask(request, { signal, onText, onReasoning = () => {} }) {
      const { provider, model } = resolve(request.model);
      const title = `${provider}::${model}`;
      const pieces: number[] = [];
      return await player.call<ModelReply>({
        kind,
        title,
        request: requestOf(request, title),
        signal,
        recordedErrors,
        loggedHash: () => createHash('sha256').update(JSON.stringify(request.messages)).digest('hex'),
        live: () =>
          live.ask(request, {
            signal,
            onReasoning,
            onText(piece) {
              pieces.push(piece.length);
              onText(piece);
            },
          }),
        write: (reply) => responseOf(reply, pieces),
        read(response) {
          const reply = readReply(response, player.file);
          if (reply.reply.reasoning !== undefined) onReasoning(reply.reply.reasoning);
          for (const piece of piecesOf(reply)) onText(piece);
          return { ...reply.reply, fromCassette: true };
        },
      });
    },
  };
}

/**
 * Builds the recorded request. It omits provider settings and the URL, which may differ between machines; cache
 * options, which change only the price; and provider-specific data from earlier responses.
 */
function requestOf(request: ModelRequest, model: string): JsonValue {
  const { messages, temperature, topP, maxTokens, answerSchema, tools = [] } = request;
  return {
    model,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(answerSchema === undefined ? {} : { answerSchema }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ ...tool })) }),
    messages: messages.map(messageOf),
  };
}

function messageOf(message: ModelMessage): JsonValue {
  if (message.role === 'tool') return { ...message };
  const { role, content, attachments = [], toolCalls = [] } = message;
  return {
    role,
    content,
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(attachmentOf) }),
    ...(toolCalls.length === 0 ? {} : { toolCalls: callsOf(toolCalls) }),
  };
}

function callsOf(calls: readonly ModelToolCall[]): JsonValue {
  return calls.map((call) => ({ ...call }));
}

/** Describes an attachment without its content, which would fill the cassette. */
function attachmentOf({ mediaType, fileName, base64 }: ModelAttachment): JsonValue {
  return { mediaType, fileName, sha256: createHash('sha256').update(base64, 'base64').digest('hex') };
}

/** Builds the recorded response. It omits the price, because replaying is free. */
function responseOf(reply: ModelReply, pieces: readonly number[]): JsonValue {
  const { text, finishReason, usage, reasoning, upstreamModel, toolCalls, providerState } = reply;
  return {
    text,
    finishReason,
    ...(usage === undefined ? {} : { usage: { ...usage } }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(upstreamModel === undefined ? {} : { upstreamModel }),
    ...(toolCalls === undefined ? {} : { toolCalls: callsOf(toolCalls) }),
    ...(providerState === undefined ? {} : { providerState }),
    pieces,
  };
}

interface RecordedReply {
  readonly reply: ModelReply;
  readonly pieces: readonly number[];
}

function readReply(response: JsonValue, file: string): RecordedReply {
  const checked = recordedReply.safeParse(response);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw unreadable(file, `the response of a model call: ${issue?.path.join('.')} ${issue?.message}`);
  }
  const { pieces = [], ...reply } = checked.data;
  return { reply, pieces };
}

/**
 * Splits the text into chunks. Returns a single chunk if the lengths do not match, because the text may have been
 * edited by hand.
 */
function piecesOf({ reply: { text }, pieces }: RecordedReply): readonly string[] {
  const total = pieces.reduce((sum, length) => sum + length, 0);
  if (total !== text.length) return text === '' ? [] : [text];
  let end = 0;
  return pieces.map((length) => {
    end += length;
    return text.slice(end - length, end);
  });
}

function targetOf(text: string | undefined): ModelTarget | undefined {
  const [provider = '', ...rest] = text?.split('::') ?? [];
  const model = rest.join('::');
  return provider === '' || model === '' ? undefined : { provider, model, adapterKind: adapterKindOf(provider) };
}

/** Settings may specify another adapter, but are not available here. */
function adapterKindOf(provider: string): string {
  return provider === 'scripted' ? 'Scripted' : 'OpenAICompatible';
}

/** Returns the model to use if no default model is set. */
function onlyModelOf({ recorded }: CassettePlayer): string | undefined {
  const models = recorded.flatMap((call) => {
    const request = recordedRequest.safeParse(call.request);
    return call.kind === kind && request.success ? [request.data.model] : [];
  });
  return new Set(models).size === 1 ? models[0] : undefined;
}
