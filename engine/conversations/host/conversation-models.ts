/**
 * Provides models for conversations: behind the workspace's gate, outside of runs, and with the same kind of budget as
 * runs.
 */
import type { Clock } from '../../base/clock.ts';
import { type EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { IdSource } from '../../base/ids.ts';
import { limitsNow } from '../../host/executor/run-budget.ts';
import { productOfPath, productsAt } from '../../language/flow/product-path.ts';
import { type BudgetBreach, BudgetMeter, wordsOfBreach } from '../../runtime/governance/budget.ts';
import { deniesPromptInjection, injectionRule, type PolicySource } from '../../runtime/governance/layered-policy.ts';
import { signInText } from '../../runtime/governance/prompt-injection.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import { GatedModel } from '../../runtime/kernel/capabilities/gated-capabilities.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { type CancelScope, createCancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import { Spending } from '../../runtime/kernel/hub/spending.ts';
import { askForValue } from '../../runtime/kernel/models/ask-for-value.ts';
import type { ModelRequest } from '../../runtime/kernel/models/model-capability.ts';
import { ReportingModel, spendingOf } from '../../runtime/kernel/models/reporting-model.ts';
import type { TextQuestion } from '../meaning/reply-prompt.ts';
import type { ModelQuestion } from '../meaning/slot-prompt.ts';
import type { TurnPolicyRefusal } from '../session/session-event.ts';
import type {
  ConversationModelCall,
  ConversationModelCaller,
  ConversationModels,
  ModelCalls,
  ModelNote,
} from '../turns/conversation-world.ts';

interface ModelWorld {
  readonly capabilities: Pick<SharedCapabilities, 'model' | 'hash' | 'answers' | 'governance'>;
  readonly policies: PolicySource;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Creates the model access for conversations. */
export function createConversationModels(world: ModelWorld): ConversationModels {
  return {
    open: (asker) => new MeteredCalls(world, asker),
    withholds: (path, text) =>
      deniesPromptInjection(world.policies(productsAt(path))) && signInText(text) !== undefined,
  };
}

/** An exhausted budget, as an entry for the log and as the error that ends the turn. */
interface Over {
  readonly error: EngineError;
  readonly breach: BudgetBreach;
}

class MeteredCalls implements ModelCalls {
  readonly #world: ModelWorld;
  readonly #asker: ConversationModelCaller;
  readonly #meter: BudgetMeter;
  #over: Over | undefined;

  constructor(world: ModelWorld, asker: ConversationModelCaller) {
    this.#world = world;
    this.#asker = asker;
    this.#meter = new BudgetMeter({
      who: asker.who,
      limits: limitsNow(asker.path, world.policies, world.clock),
      stop: (error, breach) => {
        this.#over = { error, breach };
      },
    });
  }

  async value({ messages, schema }: ModelQuestion, call: ConversationModelCall): Promise<ModelNote> {
    return await this.#noted(call, async ({ can, caller, signal }) => {
      const request = { model: call.model, messages, answerSchema: schema };
      const { value } = await askForValue(request, caller, (asked) =>
        can.answer(asked, { signal, onText: () => undefined }),
      );
      return { value };
    });
  }

  async text({ messages }: TextQuestion, call: ConversationModelCall): Promise<ModelNote> {
    return await this.#noted(call, async ({ can, signal }) => {
      let soFar = '';
      const onText = (piece: string): void => {
        soFar += piece;
        call.onText?.(soFar);
      };
      const request: ModelRequest = { model: call.model, messages };
      return { text: (await can.answer(request, { signal, onText })).reply.text };
    });
  }

  recall(note: ModelNote): void {
    const spent = spendingOf(note as ReturnType<typeof spendingOf>);
    this.#meter.take({ type: 'model:response', ...spent, durationMs: 0, finishReason: 'stop' }, false);
  }

  /** Returns a call's note. Rejects only if the call's signal aborts. */
  async #noted(call: ConversationModelCall, ask: (opened: OpenModelCall) => Promise<ModelNote>): Promise<ModelNote> {
    const told = new CallEvents();
    const scope = createCancelScope(call.signal);
    try {
      const answer = await answerOf(call, () => ask(this.#open(call, told, scope)));
      return { ...told.used(), ...answer, ...this.#refusal(told) };
    } finally {
      scope.close();
    }
  }

  #refusal({ refused }: CallEvents): Pick<ModelNote, 'refused' | 'isWithheld' | 'overBudget'> {
    if (this.#over === undefined) {
      if (refused === undefined) return {};
      return refused.rule === injectionRule ? { refused, isWithheld: true } : { refused };
    }
    const { error, breach } = this.#over;
    const { budget: target, place } = breach;
    const over = { ...wordsOfBreach(breach, this.#asker.who), effect: 'budget', target, place };
    return { refused: over, overBudget: error.message };
  }

  #open(call: ConversationModelCall, told: CallEvents, scope: CancelScope): OpenModelCall {
    const { capabilities, clock, ids } = this.#world;
    const { sessionId, path } = this.#asker;
    const { model, hash, answers, governance } = capabilities;
    // Stops further requests, but still reads a response that has already arrived.
    const stop = (): void => {
      if (this.#over !== undefined) scope.cancel(this.#over.error);
    };
    stop();
    const onEmit = (event: RunEvent): void => {
      told.take(event);
      this.#meter.take(event, false);
      stop();
    };
    const { hub: plain } = createHub({ runId: ids.runId(), sessionId, clock, onEmit });
    const hub = plain.with({ product: productOfPath(path) });
    const gate = governance?.open({ hub });
    const can = new ReportingModel(gate === undefined ? model : new GatedModel(model, gate), { hub, hash, clock });
    return {
      can,
      caller: { can: { model: can, hash, answers }, hub, signal: call.signal, clock },
      signal: scope.signal,
    };
  }
}

interface OpenModelCall {
  readonly can: ReportingModel;
  readonly caller: Parameters<typeof askForValue>[1];
  /** Signal for requests. */
  readonly signal: AbortSignal;
}

/** The events of one call. */
class CallEvents {
  readonly #spending = new Spending();
  model: string | undefined;
  refused: TurnPolicyRefusal | undefined;

  take(event: RunEvent): void {
    if (event.type === 'model:request') this.model = `${event.provider}::${event.model}`;
    if (event.type === 'model:response') this.#spending.add(event);
    if (event.type !== 'governance:decision' || event.allowed) return;
    const { rule, effect, target, place, reason } = event;
    this.refused = { rule, effect, target, ...(place && { place }), ...(reason && { reason }) };
  }

  /** Returns the model with its usage and cost. Replayed responses cost nothing. */
  used(): ModelNote {
    const spent = spendingOf(this.#spending.total()) as ModelNote;
    return this.model === undefined ? spent : { model: this.model, ...spent };
  }
}

async function answerOf({ signal }: ConversationModelCall, ask: () => Promise<ModelNote>): Promise<ModelNote> {
  try {
    return await ask();
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = toErrorRecord(thrown);
    return { problem: message, ...(code === 'model.output-invalid' ? {} : { isFailure: true as const }) };
  }
}
