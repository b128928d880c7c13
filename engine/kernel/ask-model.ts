/**
 * One request to a language model, told on the hub: the request, the answer as it arrives, and what it cost.
 */
import type { Clock } from '../base/clock.ts';
import type { CallKeys } from './call-keys.ts';
import type { Capabilities } from './capabilities.ts';
import type { Hub } from './hub.ts';
import type { ModelRequest } from './model-capability.ts';
import { type ModelAnswer, ToldModel } from './told-model.ts';

/** What asking a model needs. */
export interface ModelCaller {
  readonly can: Pick<Capabilities, 'model' | 'hash'>;
  /** In the context of the task that asks. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Those of the attempt, where its model does not know them by itself. */
  readonly calls?: CallKeys | undefined;
}

/**
 * Asks between `model:request` and `model:response`; the text goes out as `agent:text`, what the model thought as
 * `agent:thinking`. What the attempt has asked before, and has an answer, is neither told nor sent again.
 * @throws EngineError `model.*`, or the signal's reason when it aborts
 */
export async function askModel(request: ModelRequest, caller: ModelCaller): Promise<ModelAnswer> {
  const { hub, signal } = caller;
  const options = {
    signal,
    onText: (content: string) => hub.emit({ type: 'agent:text', content }),
    onReasoning: (content: string) => hub.emit({ type: 'agent:thinking', content }),
  };
  return await toldModelOf(caller).answer(request, options, hub);
}

/** The caller's model, which tells what it is asked. */
export function toldModelOf({ can, hub, clock, calls }: ModelCaller): ToldModel {
  const { model, hash } = can;
  return model instanceof ToldModel ? model : new ToldModel(model, { hub, hash, clock, calls });
}
