/**
 * One request to a language model, told on the hub: the request, the answer as it arrives, and what it cost.
 */
import { type Clock, elapsedSince } from '../base/clock.ts';
import type { Capabilities, ModelReply, ModelRequest, ModelTarget } from './capabilities.ts';
import type { Hub } from './hub.ts';

/** What asking a model needs. */
export interface ModelCaller {
  readonly can: Pick<Capabilities, 'model' | 'hash'>;
  /** In the context of the task that asks. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface ModelAnswer {
  readonly target: ModelTarget;
  readonly reply: ModelReply;
  /** Milliseconds. */
  readonly durationMs: number;
}

/**
 * Asks between `model:request` and `model:response`; the text goes out as `agent:text`, what the model thought as
 * `agent:thinking`.
 * @throws EngineError `model.*`, or the signal's reason when it aborts
 */
export async function askModel(request: ModelRequest, { can, hub, signal, clock }: ModelCaller): Promise<ModelAnswer> {
  signal.throwIfAborted();
  const target = can.model.resolve(request.model);
  const { provider, model } = target;
  const messagesHash = can.hash.sha256(JSON.stringify(request.messages));
  hub.emit({ type: 'model:request', provider, model, messagesHash });
  const startedAt = clock.now();
  let hasThought = false;
  const reply = await can.model.ask(request, {
    signal,
    onText: (content) => hub.emit({ type: 'agent:text', content }),
    onReasoning(content) {
      hasThought = true;
      hub.emit({ type: 'agent:thinking', content });
    },
  });
  const durationMs = elapsedSince(startedAt, clock);
  // Not every provider tells its thoughts while it has them.
  if (!hasThought && reply.reasoning !== undefined) hub.emit({ type: 'agent:thinking', content: reply.reasoning });
  const origin = reply.fromCassette === true ? { fromCassette: true } : {};
  const { finishReason } = reply;
  hub.emit({ type: 'model:response', ...spendingOf(reply), durationMs, finishReason, ...origin });
  return { target, reply, durationMs };
}

type Spent = Pick<ModelReply, 'usage' | 'costUsd'>;

/** What an answer used and cost, as far as it is known. */
export function spendingOf({ usage, costUsd }: Spent): Spent {
  return { ...(usage === undefined ? {} : { usage }), ...(costUsd === undefined ? {} : { costUsd }) };
}
