/**
 * State shared by the parts of a turn: the journal, the catalog, the dependencies, and model calls.
 */

import { EngineError } from '../../base/engine-error.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { overBudgetCode } from '../../runtime/kernel/hub/cancel-scope.ts';
import type { Hook, HookName } from '../catalog/base-flow.ts';
import type { Catalogue, FlowType } from '../catalog/catalogue.ts';
import type { TextQuestion } from '../meaning/reply-prompt.ts';
import { type ModelQuestion, statePrompted } from '../meaning/slot-prompt.ts';
import { activeFlow, type FlowInstance, type SessionState } from '../session/session-state.ts';
import type { ConversationWorld, HeldCatalogue, ModelCalls, ModelNote } from './conversation-world.ts';
import { PolicyRuns } from './policy-runs.ts';
import { hookRun, type PolicyTask } from './policy-spec.ts';
import type { TurnJournal } from './turn-journal.ts';

/** Whether the loop of a turn may run another round. */
export type Next = 'more' | 'stop';

/** Result of a hook: empty, a reason for a refusal, or a replacement for the reply. */
export interface HookWord {
  readonly refuse?: string;
  readonly reply?: string;
}

export class TurnContext {
  readonly journal: TurnJournal;
  readonly held: HeldCatalogue;
  readonly world: ConversationWorld;
  readonly runs: PolicyRuns;
  readonly #models: ModelCalls;
  readonly #onDraft: (text: string) => void;
  #overBudget: string | undefined;
  #withheld: string | undefined;
  readonly #understood: string[] = [];

  constructor(given: {
    readonly journal: TurnJournal;
    readonly held: HeldCatalogue;
    readonly world: ConversationWorld;
    /** Receives the part of the reply that has been written so far. */
    readonly onDraft: (text: string) => void;
  }) {
    this.journal = given.journal;
    this.held = given.held;
    this.world = given.world;
    this.runs = new PolicyRuns(given.world, given.journal);
    const { sessionId } = given.journal;
    this.#models = given.world.models.open({ sessionId, path: given.held.path, who: 'The turn' });
    this.#onDraft = given.onDraft;
  }

  /** Adds an acknowledgment to the reply. @param words one or more sentences */
  acknowledge(words: string): void {
    this.#understood.push(words);
  }

  /** The acknowledgments at the start of the reply. */
  get understood(): readonly string[] {
    return this.#understood;
  }

  get state(): SessionState {
    return this.journal.state;
  }

  /** The state that models receive. */
  get prompted(): SessionState {
    return statePrompted(this.state, (text) => this.world.models.withholds(this.held.path, text));
  }

  get catalogue(): Catalogue {
    return this.held.catalogue;
  }

  get active(): FlowInstance | undefined {
    return activeFlow(this.state);
  }

  /** Whether models predict the meaning and word the reply. False if a script does. */
  get asksModels(): boolean {
    return this.held.script === undefined;
  }

  typeOf({ flowName }: FlowInstance): FlowType | undefined {
    return this.catalogue.flows.get(flowName);
  }

  taskOf(flow: FlowInstance, type: FlowType): PolicyTask {
    return { state: this.prompted, flow, type, held: this.held, readText: this.world.readText };
  }

  /** The reason, if the turn must end because its budget is exhausted; otherwise undefined. */
  get overBudget(): string | undefined {
    return this.#overBudget;
  }

  /**
   * The reason, if the message was not sent to a model because a policy found injected instructions in it; otherwise
   * undefined.
   */
  get withheld(): string | undefined {
    return this.#withheld;
  }

  /** Calls a model once for a value, or reads its result from the log. @throws EngineError `budget.exceeded` */
  async ask(name: string, question: ModelQuestion, model = this.catalogue.model): Promise<ModelNote> {
    const note = await this.#asked(name, (signal) => this.#models.value(question, { model, signal }));
    if (this.#overBudget === undefined) return note;
    throw new EngineError({ code: overBudgetCode, message: this.#overBudget });
  }

  /** Calls a model for text, which is sent while it streams. */
  async write(name: string, question: TextQuestion): Promise<ModelNote> {
    const { model } = this.catalogue;
    return await this.#asked(name, (signal) => this.#models.text(question, { model, signal, onText: this.#onDraft }));
  }

  async #asked(name: string, ask: (signal: AbortSignal) => Promise<ModelNote>): Promise<ModelNote> {
    let isSent = false;
    const note = await this.journal.step(name, (signal) => {
      isSent = true;
      return ask(signal);
    });
    if (!isSent) this.#models.recall(note);
    const { refused, overBudget, isWithheld, problem } = note;
    if (refused !== undefined) this.journal.emit({ type: 'governance:decision', allowed: false, ...refused });
    if (isWithheld === true) this.#withheld ??= problem;
    if (overBudget !== undefined || isWithheld === true) this.journal.emit({ type: 'state:flags', hasIssues: true });
    this.#overBudget ??= overBudget;
    return note;
  }

  /** Runs the intent's hook at this point, if there is one. A failed hook counts as a refusal. */
  async hook(name: HookName, intent: string | undefined, given: JsonMap = {}): Promise<HookWord> {
    const hook: Hook | undefined = this.catalogue.intents.get(intent ?? '')?.hooks[name];
    if (hook === undefined) return {};
    const { active, held, state } = this;
    const about = active === undefined ? {} : { flow: active.flowName, slots: active.slots, metadata: active.metadata };
    const said = { message: state.turn?.message.text ?? '', ...about, ...given };
    const outcome = await this.runs.runBeside(active?.flowId ?? '', () =>
      hookRun(hook, said, { held, readText: this.world.readText, name: `${intent}.${name}` }),
    );
    if (outcome.status === 'failed') return { refuse: outcome.message };
    if (outcome.status !== 'completed') return { refuse: `The hook ${name} of ${intent} did not end.` };
    return wordOf(outcome.output);
  }
}

/** Reads a hook's result, in which only `refuse` and `reply` have a meaning. */
function wordOf(output: JsonValue): HookWord {
  const { refuse, reply } = isJsonMap(output) ? output : {};
  return {
    ...(typeof refuse === 'string' && refuse !== '' ? { refuse } : {}),
    ...(typeof reply === 'string' && reply !== '' ? { reply } : {}),
  };
}
