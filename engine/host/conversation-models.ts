/**
 * Models as conversations ask them: behind the gate of the workspace, outside of any run.
 */
import type { Clock } from '../base/clock.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import type { IdSource } from '../base/ids.ts';
import type { ConversationModels, ModelCall, ModelNote } from '../conversation/conversation-world.ts';
import { askForValue } from '../kernel/ask-for-value.ts';
import type { SharedCapabilities } from '../kernel/capabilities.ts';
import { GatedModel } from '../kernel/gated-capabilities.ts';
import { createHub } from '../kernel/hub.ts';
import type { ModelRequest } from '../kernel/model-capability.ts';
import { type ModelAnswer, spendingOf, ToldModel } from '../kernel/told-model.ts';

interface ModelWorld {
  readonly capabilities: Pick<SharedCapabilities, 'model' | 'hash' | 'answers' | 'governance'>;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Makes what conversations ask models with. */
export function createConversationModels(world: ModelWorld): ConversationModels {
  return {
    value: ({ messages, schema }, call) =>
      noted(call, async () => {
        const { can, caller } = open(world, call);
        const answer = await askForValue({ ...asked(call, messages), answerSchema: schema }, caller, (request) =>
          can.answer(request, { signal: call.signal, onText: () => undefined }),
        );
        return { ...usedBy(answer), value: answer.value };
      }),
    text: ({ messages }, call) =>
      noted(call, async () => {
        const { can } = open(world, call);
        let soFar = '';
        const onText = (piece: string): void => {
          soFar += piece;
          call.onText?.(soFar);
        };
        const answer = await can.answer(asked(call, messages), { signal: call.signal, onText });
        return { ...usedBy(answer), text: answer.reply.text };
      }),
  };
}

function asked({ model }: ModelCall, messages: ModelRequest['messages']): ModelRequest {
  return { model, messages };
}

function open({ capabilities, clock, ids }: ModelWorld, { sessionId, signal }: ModelCall) {
  const { model, hash, answers, governance } = capabilities;
  const { hub } = createHub({ runId: ids.runId(), sessionId, clock });
  const gate = governance?.open({ hub });
  const can = new ToldModel(gate === undefined ? model : new GatedModel(model, gate), { hub, hash, clock });
  return { can, caller: { can: { model: can, hash, answers }, hub, signal, clock } };
}

function usedBy({ target, reply }: ModelAnswer): ModelNote {
  return { model: `${target.provider}::${target.model}`, ...(spendingOf(reply) as ModelNote) };
}

/** The note of a call: nothing but the signal ends it with an error. */
async function noted({ signal }: ModelCall, ask: () => Promise<ModelNote>): Promise<ModelNote> {
  try {
    return await ask();
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = toErrorRecord(thrown);
    return { problem: message, ...(code === 'model.output-invalid' ? {} : { isFailure: true as const }) };
  }
}
