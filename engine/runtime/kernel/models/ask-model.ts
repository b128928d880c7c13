/**
 * Sends one request to a language model, and emits the request, the response as it arrives, and the cost on the hub.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { Hub } from '../hub/hub.ts';
import type { CallKeys } from '../resume/call-keys.ts';
import type { ModelRequest } from './model-capability.ts';
import { type ModelAnswer, ReportingModel } from './reporting-model.ts';

/** The dependencies of a model request. */
export interface ModelCaller {
  readonly can: Pick<Capabilities, 'model' | 'hash'>;
  /** Hub in the context of the task that makes the request. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The attempt's keys, if its model does not have them. */
  readonly calls?: CallKeys | undefined;
}

/**
 * Sends the request between `model:request` and `model:response`. Text is emitted as `agent:text`, and reasoning as
 * `agent:thinking`. If the attempt has already made the request and received a response, the request is neither
 * emitted nor sent again.
 * @throws EngineError `model.*`, or the signal's reason when it aborts
 */
export async function askModel(request: ModelRequest, caller: ModelCaller): Promise<ModelAnswer> {
  const { hub, signal } = caller;
  const options = {
    signal,
    onText: (content: string) => hub.emit({ type: 'agent:text', content }),
    onReasoning: (content: string) => hub.emit({ type: 'agent:thinking', content }),
  };
  return await reportingModelOf(caller).answer(request, options, hub);
}

/** Returns the caller's model, which emits its requests. */
export function reportingModelOf({ can, hub, clock, calls }: ModelCaller): ReportingModel {
  const { model, hash } = can;
  return model instanceof ReportingModel ? model : new ReportingModel(model, { hub, hash, clock, calls });
}
