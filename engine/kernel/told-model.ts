/**
 * A model whose calls are told on a hub, with all that is needed to give their answers again.
 */
import { type Clock, elapsedSince } from '../base/clock.ts';
import { splitThoughts, ThoughtSplitter } from '../schema/thoughts.ts';
import { noticesOf } from './answer-notices.ts';
import type { CallKeys } from './call-keys.ts';
import type { Capabilities } from './capabilities.ts';
import { GatedModel } from './gated-capabilities.ts';
import type { Hub } from './hub.ts';
import type { ModelCapability, ModelReply, ModelRequest, ModelTarget } from './model-capability.ts';
import type { ModelToolCall } from './model-tools.ts';
import type { ModelEvent } from './run-event.ts';
import { addUsage } from './spending.ts';
import type { AgentToolEvent } from './tool-event.ts';

interface Teller {
  readonly hub: Hub;
  readonly hash: Capabilities['hash'];
  readonly clock: Clock;
  /** Names the calls, and knows those of before; without it, each is sent. */
  readonly calls?: CallKeys | undefined;
}

/** What was asked, and the answer. */
export interface ModelAnswer {
  /** The one that was answered last, where there were several. */
  readonly request: ModelRequest;
  /** Names the answer, where answers are named. */
  readonly callKey?: string | undefined;
  readonly target: ModelTarget;
  readonly reply: ModelReply;
  /** Milliseconds. */
  readonly durationMs: number;
}

type AskOptions = Parameters<ModelCapability['ask']>[1];
type ModelResponse = Extract<ModelEvent, { readonly type: 'model:response' }>;

/** Each call that is sent goes out between `model:request` and `model:response`; one that has its answer already is not told again. */
export class ToldModel implements ModelCapability {
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

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelReply> {
    return (await this.answer(request, options)).reply;
  }

  /** Tells of a call of a tool that the model wants, unless that was told when the work was done before. */
  tellOnce(event: AgentToolEvent, hub: Hub): void {
    const { calls } = this.#teller;
    if (calls?.isTold(event) === true) return;
    hub.emit(event);
    calls?.note(event);
  }

  /**
   * As `ask`. An answer of before comes without pieces.
   * @param hub where it is told, if not where all is that this model is asked
   */
  async answer(request: ModelRequest, options: AskOptions, hub: Hub = this.#teller.hub): Promise<ModelAnswer> {
    const { calls, hash, clock } = this.#teller;
    options.signal.throwIfAborted();
    const target = this.#model.resolve(request.model);
    const call = calls?.next('model', request);
    if (call?.finished?.type === 'model:response') return answerIn(call.finished, target, request);
    const key = call === undefined ? {} : { callKey: call.callKey };
    const { purpose } = request;
    const why = purpose === undefined ? {} : { purpose };
    const model = this.#model;
    const isGated = model instanceof GatedModel;
    const admitted = isGated ? await model.admit(request, options.signal) : request;
    const messagesHash = hash.sha256(JSON.stringify(request.messages));
    hub.emit({ type: 'model:request', provider: target.provider, model: target.model, messagesHash, ...key, ...why });
    // What is told may have stopped the run.
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
    return calls === undefined
      ? { request, target, reply, durationMs }
      : answerIn(calls.note(response), target, request);
  }
}

/** The last answer, with what both used and took. */
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
 * Separates thoughts that a model writes into its text, whatever provider or cassette the text comes from. Thoughts that did not
 * arrive in pieces are passed on as a whole.
 */
async function askWithThoughts(
  model: ModelCapability,
  request: ModelRequest,
  { signal, onText, onReasoning = () => undefined }: AskOptions,
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
    // The log has what `toldOf` put there.
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls as unknown as readonly ModelToolCall[] }),
    ...(providerState === undefined ? {} : { providerState }),
  };
  return { request, callKey: response.callKey, target, reply, durationMs };
}

type Spent = Pick<ModelReply, 'usage' | 'costUsd'>;

/** What an answer used and cost, as far as it is known. */
export function spendingOf({ usage, costUsd }: Spent): Spent {
  return { ...(usage === undefined ? {} : { usage }), ...(costUsd === undefined ? {} : { costUsd }) };
}
