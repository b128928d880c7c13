/**
 * A model that emits its calls on a hub, with everything needed to replay the responses.
 */
import { type Clock, elapsedSince } from '../../../base/clock.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { splitThoughts, ThoughtSplitter } from '../../../language/schema/thoughts.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { GatedModel } from '../capabilities/gated-capabilities.ts';
import type { ModelEvent } from '../events/run-event.ts';
import type { AgentToolEvent } from '../events/tool-event.ts';
import type { Hub } from '../hub/hub.ts';
import { addUsage } from '../hub/spending.ts';
import type { CallKeys } from '../resume/call-keys.ts';
import { noticesOf } from './answer-notices.ts';
import type { ModelCapability, ModelMessage, ModelReply, ModelRequest, ModelTarget } from './model-capability.ts';
import type { ModelToolCall } from './model-tools.ts';

interface Teller {
  readonly hub: Hub;
  readonly hash: Capabilities['hash'];
  readonly clock: Clock;
  /** Assigns keys to calls and finds earlier responses; if absent, every call is sent. */
  readonly calls?: CallKeys | undefined;
}

/** A model request and its response. */
export interface ModelAnswer {
  /** The request that was answered last, if there were several. */
  readonly request: ModelRequest;
  /** The call's key, if calls have keys. */
  readonly callKey?: string | undefined;
  readonly target: ModelTarget;
  readonly reply: ModelReply;
  /** Duration in milliseconds. */
  readonly durationMs: number;
}

type ModelAskOptions = Parameters<ModelCapability['ask']>[1];
type ModelResponse = Extract<ModelEvent, { readonly type: 'model:response' }>;

/**
 * Wraps every call that is sent in `model:request` and `model:response` events. Calls that already have a response are
 * not emitted again.
 */
export class ReportingModel implements ModelCapability {
  readonly #model: ModelCapability;
  readonly #teller: Teller;

  constructor(model: ModelCapability, teller: Teller) {
    this.#model = model;
    this.#teller = teller;
  }

  resolve(model: string | undefined): ModelTarget {
    return this.#model.resolve(model);
  }

  settingsOf(model: string | undefined): Promise<string> {
    return this.#model.settingsOf(model);
  }

  async ask(request: ModelRequest, options: ModelAskOptions): Promise<ModelReply> {
    return (await this.answer(request, options)).reply;
  }

  /** Emits a tool call that the model requested, unless it was emitted when the work ran earlier. */
  tellOnce(event: AgentToolEvent, hub: Hub): void {
    const { calls } = this.#teller;
    if (calls?.isTold(event) === true) return;
    hub.emit(event);
    calls?.note(event);
  }

  /**
   * Sends a request as `ask` does. A recorded response is returned without streaming.
   * @param hub where the call is emitted; this model's hub by default
   */
  async answer(request: ModelRequest, options: ModelAskOptions, hub: Hub = this.#teller.hub): Promise<ModelAnswer> {
    const { calls, hash, clock } = this.#teller;
    options.signal.throwIfAborted();
    const target = this.#model.resolve(request.model);
    const messages = newMessages(request, hub);
    const call = calls?.next('model', request);
    if (call?.finished?.type === 'model:response') return answerIn(call.finished, target, request);
    const key = call === undefined ? {} : { callKey: call.callKey };
    const { purpose } = request;
    const why = purpose === undefined ? {} : { purpose };
    const model = this.#model;
    const isGated = model instanceof GatedModel;
    const admitted = isGated ? await model.admit(request, options.signal) : request;
    const messagesHash = hash.sha256(JSON.stringify(request.messages));
    const { provider, model: name } = target;
    hub.emit({ type: 'model:request', provider, model: name, messagesHash, ...messages, ...key, ...why });
    // A subscriber may have stopped the run.
    options.signal.throwIfAborted();
    const startedAt = clock.now();
    const reply = await askWithThoughts(isGated ? model.model : model, admitted, options);
    const durationMs = elapsedSince(startedAt, clock);
    const response: ModelResponse = {
      type: 'model:response',
      ...key,
      ...spendingOf(reply),
      durationMs,
      ...toldOf(reply),
    };
    hub.emit(response);
    const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
    for (const text of noticesOf(reply, admitted)) hub.emit({ type: 'log', level: 'warn', text, ...task });
    await hub.whenStored?.();
    return calls === undefined
      ? { request, target, reply, durationMs }
      : answerIn(calls.note(response), target, request);
  }
}

/** Messages by the hub of the work for which they were sent. */
const sentMessages = new WeakMap<Hub, WeakSet<ModelMessage>>();

/** Returns the messages of a request that no event of its work has, for its event. */
function newMessages({ messages }: ModelRequest, hub: Hub): { readonly messages?: JsonValue } {
  const sent = sentMessages.get(hub) ?? new WeakSet();
  sentMessages.set(hub, sent);
  const isFirst = !messages.some((message) => sent.has(message));
  const added = messages.filter((message) => !sent.has(message) && (isFirst || message.role === 'user'));
  for (const message of messages) sent.add(message);
  return added.length === 0 ? {} : { messages: added.map(loggedMessage) };
}

function loggedMessage(message: ModelMessage): JsonValue {
  const { role, content } = message;
  if (role === 'tool') return { role, content, toolName: message.toolName };
  const { attachments = [], toolCalls = [] } = message;
  return {
    role,
    content,
    ...(attachments.length === 0
      ? {}
      : { attachments: attachments.map(({ fileName, mediaType }) => ({ fileName, mediaType })) }),
    ...(toolCalls.length === 0 ? {} : { toolCalls: toolCalls.map((call) => ({ ...call })) }),
  };
}

/** Returns the last response with the combined usage and duration of both. */
export function joinedAnswers(first: ModelAnswer, last: ModelAnswer): ModelAnswer {
  const usage =
    first.reply.usage === undefined || last.reply.usage === undefined
      ? (first.reply.usage ?? last.reply.usage)
      : addUsage(first.reply.usage, last.reply.usage);
  const { costUsd: former } = first.reply;
  const costUsd = former === undefined ? last.reply.costUsd : former + (last.reply.costUsd ?? 0);
  const spent = { ...(usage === undefined ? {} : { usage }), ...(costUsd === undefined ? {} : { costUsd }) };
  const reply = { ...last.reply, ...spent };
  return { ...last, reply, durationMs: first.durationMs + last.durationMs };
}

/**
 * Separates thinking that a model writes into its text, regardless of the provider or cassette. Thinking that was not
 * streamed is passed on all at once.
 */
async function askWithThoughts(
  model: ModelCapability,
  request: ModelRequest,
  { signal, onText, onReasoning = () => undefined }: ModelAskOptions,
): Promise<ModelReply> {
  let hasThought = false;
  const noted = (content: string): void => {
    hasThought = true;
    onReasoning(content);
  };
  const splitter = new ThoughtSplitter({ onText, onThoughts: noted });
  const onPiece = (piece: string): void => splitter.push(piece);
  const reply = separated(await model.ask(request, { signal, onText: onPiece, onReasoning: noted }));
  splitter.end();
  if (!hasThought && reply.reasoning !== undefined) onReasoning(reply.reasoning);
  return reply;
}

function separated(reply: ModelReply): ModelReply {
  const { text, thoughts } = splitThoughts(reply.text);
  const reasoning = [reply.reasoning ?? '', thoughts].filter((part) => part !== '').join('\n\n');
  return { ...reply, text, ...(reasoning === '' ? {} : { reasoning }) };
}

function toldOf(reply: ModelReply) {
  const { text, finishReason, reasoning, upstreamModel, fromCassette, toolCalls, providerState } = reply;
  return {
    finishReason,
    text,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(upstreamModel === undefined ? {} : { upstreamModel }),
    ...(fromCassette === true ? { fromCassette } : {}),
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call })) }),
    ...(providerState === undefined ? {} : { providerState }),
  };
}

function answerIn(response: ModelResponse, target: ModelTarget, request: ModelRequest): ModelAnswer {
  const { finishReason, text, reasoning, upstreamModel, fromCassette, durationMs, toolCalls, providerState } = response;
  const reply: ModelReply = {
    ...{ text: String(text ?? ''), finishReason, ...spendingOf(response) },
    ...(reasoning === undefined ? {} : { reasoning: String(reasoning) }),
    ...(upstreamModel === undefined ? {} : { upstreamModel }),
    ...(fromCassette === true ? { fromCassette } : {}),
    // The log contains the value stored by `toldOf`.
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls as unknown as readonly ModelToolCall[] }),
    ...(providerState === undefined ? {} : { providerState }),
  };
  return { request, callKey: response.callKey, target, reply, durationMs };
}

type Spent = Pick<ModelReply, 'usage' | 'costUsd'>;

/** Returns a response's usage and cost, insofar as they are known. */
export function spendingOf({ usage, costUsd }: Spent): Spent {
  return { ...(usage === undefined ? {} : { usage }), ...(costUsd === undefined ? {} : { costUsd }) };
}
