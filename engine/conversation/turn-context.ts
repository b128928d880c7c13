/**
 * What the parts of a turn share: the journal, the catalogue, the world, and how models are asked.
 */

import { EngineError } from '../base/engine-error.ts';
import type { Hook, HookName } from '../dialogue/base-flow.ts';
import type { Catalogue, FlowType } from '../dialogue/catalogue.ts';
import type { TextQuestion } from '../dialogue/reply-prompt.ts';
import { activeFlow, type FlowInstance, type SessionState } from '../dialogue/session-state.ts';
import { type ModelQuestion, statePrompted } from '../dialogue/slot-prompt.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { overBudgetCode } from '../kernel/cancel-scope.ts';
import type { ConversationWorld, HeldCatalogue, ModelCalls, ModelNote } from './conversation-world.ts';
import { PolicyRuns } from './policy-runs.ts';
import { hookRun, type PolicyTask } from './policy-spec.ts';
import type { TurnJournal } from './turn-journal.ts';

/** Whether the loop of a turn may go round once more. */
export type Next = 'more' | 'stop';

/** What a hook says: nothing, why it does not go on, or a reply in place of another. */
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
    /** Gets the reply as far as it is written. */
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

  /** Has the reply say that something was understood. @param words a sentence or more */
  acknowledge(words: string): void {
    this.#understood.push(words);
  }

  /** What the reply says first. */
  get understood(): readonly string[] {
    return this.#understood;
  }

  get state(): SessionState {
    return this.journal.state;
  }

  /** The state as models are given it. */
  get prompted(): SessionState {
    return statePrompted(this.state, (text) => this.world.models.withholds(this.held.path, text));
  }

  get catalogue(): Catalogue {
    return this.held.catalogue;
  }

  get active(): FlowInstance | undefined {
    return activeFlow(this.state);
  }

  /** Whether models are asked what is meant and how to reply: not where a script says it. */
  get asksModels(): boolean {
    return this.held.script === undefined;
  }

  typeOf({ flowName }: FlowInstance): FlowType | undefined {
    return this.catalogue.flows.get(flowName);
  }

  taskOf(flow: FlowInstance, type: FlowType): PolicyTask {
    return { state: this.prompted, flow, type, held: this.held, readText: this.world.readText };
  }

  /** Why the turn has to end: its budget is used up; undefined = it is not. */
  get overBudget(): string | undefined {
    return this.#overBudget;
  }

  /** Why no model was given what the turn is about: a policy found instructions of somebody else in it; undefined = nothing was withheld. */
  get withheld(): string | undefined {
    return this.#withheld;
  }

  /** Asks a model once for a value; what it gave is in the log. @throws EngineError `budget.exceeded` */
  async ask(name: string, question: ModelQuestion, model = this.catalogue.model): Promise<ModelNote> {
    const note = await this.#asked(name, (signal) => this.#models.value(question, { model, signal }));
    if (this.#overBudget === undefined) return note;
    throw new EngineError({ code: overBudgetCode, message: this.#overBudget });
  }

  /** Asks a model for a text, which is told while it comes. */
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

  /** Runs the hook that the intent has at this place, if any. A hook that fails refuses. */
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

/** Only these two keys of what a hook returned mean something. */
function wordOf(output: JsonValue): HookWord {
  const { refuse, reply } = isJsonMap(output) ? output : {};
  return {
    ...(typeof refuse === 'string' && refuse !== '' ? { refuse } : {}),
    ...(typeof reply === 'string' && reply !== '' ? { reply } : {}),
  };
}
