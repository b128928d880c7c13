/**
 * Flows as the field knows them: a base class, a parent for each intent with the hooks that its flows share, and below it a class
 * for each type of the catalogue. An object of it is a look at one flow of a session: it fills a copy of the slots, and never
 * touches where the flow is in its life.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../flowspec/json-value.ts';
import { didYouMean } from '../flowspec/nearest.ts';
import type { FlowInstance, ScratchpadEntry, SpokenText } from './session-state.ts';
import { isEmptyValue } from './slot-kind.ts';
import { type SlotFilling, slotFilling } from './slot-prompt.ts';
import { isEnough, type SlotDef, takeValue } from './slot-types.ts';

export const hookNames = ['prepare', 'validate', 'check', 'verify', 'start', 'finish'] as const;
export type HookName = (typeof hookNames)[number];

/** What runs at a place of the turn: a script or an agent, as a path or reference. */
export type Hook = { readonly script: string } | { readonly agent: string };
export type Hooks = { readonly [Name in HookName]?: Hook | undefined };

/** What the second system reads the values from. */
export interface FillContext {
  /** What was said last, oldest first. */
  readonly messages: readonly SpokenText[];
  /** Asks a model once for a value of the request's schema. */
  ask(request: SlotFilling): Promise<JsonValue>;
}

export interface FilledSlot {
  readonly slot: string;
  readonly value: JsonValue;
  readonly system: 1 | 2;
}

export interface RejectedSlot {
  readonly slot: string;
  /** A sentence. */
  readonly problem: string;
}

export class BaseFlow {
  static readonly flowName: string = '';
  static readonly intent: string = '';
  /** Of the parent: shared by all flows of the intent. */
  static readonly hooks: Hooks = {};
  /** Own ones only: parents have none. */
  static readonly slots: ReadonlyMap<string, SlotDef> = new Map();

  readonly #instance: FlowInstance;
  #values: JsonMap;
  #filled: FilledSlot[] = [];
  #rejected: RejectedSlot[] = [];

  constructor(instance: FlowInstance) {
    this.#instance = instance;
    this.#values = instance.slots;
  }

  get slots(): ReadonlyMap<string, SlotDef> {
    return (this.constructor as typeof BaseFlow).slots;
  }

  /** What has changed since the object was made. */
  get filled(): readonly FilledSlot[] {
    return this.#filled;
  }

  /** What was given and not taken. */
  get rejected(): readonly RejectedSlot[] {
    return this.#rejected;
  }

  /**
   * System 1: takes the values of labels, a map from slots to values or a prediction with such a map as `slots`. Asks nobody;
   * equal labels give equal slots.
   * @returns whether the flow has all that it needs now
   */
  fill_slots_by_label(labels: JsonMap): boolean {
    const { slots } = labels;
    this.#take(isJsonMap(slots) && !this.slots.has('slots') ? slots : labels, 1);
    return this.is_filled();
  }

  /**
   * Takes new values in place of those that the slots hold; a list is replaced, not extended.
   * @returns whether the flow has all that it needs now
   */
  correct_slots(labels: JsonMap): boolean {
    const lists = Object.entries(this.#values).filter(
      ([name, value]) => Object.hasOwn(labels, name) && isJsonList(value) && this.slots.get(name)?.type !== 'checklist',
    );
    const former = this.#values;
    this.#values = Object.fromEntries(
      Object.entries(former).filter(([name]) => !lists.some(([list]) => list === name)),
    );
    const before = this.#filled.length;
    this.fill_slots_by_label(labels);
    const taken = new Set(this.#filled.slice(before).map(({ slot }) => slot));
    const kept = lists.filter(([name]) => !taken.has(name));
    this.#values = { ...this.#values, ...Object.fromEntries(kept) };
    this.#filled = this.#filled.filter(
      ({ slot, value }, index) => index < before || !jsonEquals(former[slot] ?? null, value),
    );
    return this.is_filled();
  }

  /**
   * System 2: has a model read what is still empty out of the conversation and the scratchpad. It is asked once, and not at all when
   * nothing is empty; slots that are filled stay as they are.
   * @returns whether the flow has all that it needs now
   */
  async fill_slot_values(context: FillContext, memory: readonly ScratchpadEntry[]): Promise<boolean> {
    const empty = this.empty_slots();
    if (empty.length > 0) {
      const { flowName } = this.constructor as typeof BaseFlow;
      const answer = await context.ask(slotFilling({ flowName, empty, messages: context.messages, memory }));
      const names = new Set(empty.map(({ name }) => name));
      const given = Object.entries(isJsonMap(answer) ? answer : {}).filter(([name]) => names.has(name));
      this.#take(Object.fromEntries(given), 2);
    }
    return this.is_filled();
  }

  /** All that is required is there, and one of the electives where there are any. */
  is_filled(): boolean {
    const slots = [...this.slots.values()];
    const electives = slots.filter(({ priority }) => priority === 'elective');
    return (
      slots.every((slot) => slot.priority !== 'required' || this.#has(slot)) &&
      (electives.length === 0 || electives.some((slot) => this.#has(slot)))
    );
  }

  /** Whether the second system is worth its time: something is missing, and the flow is no mere guess. */
  needs_to_think(): boolean {
    return !this.#instance.isUncertain && !this.is_filled();
  }

  /** The flow as plain data. */
  serialize(): FlowInstance {
    return { ...this.#instance, slots: this.#values };
  }

  /** Slots that are not filled, in the order of the catalogue. */
  empty_slots(): readonly SlotDef[] {
    return [...this.slots.values()].filter((slot) => !this.#has(slot));
  }

  /** What keeps the flow from being filled: required slots, or all electives where one of them is needed. */
  missing_slots(): readonly SlotDef[] {
    const empty = this.empty_slots();
    const electives = [...this.slots.values()].filter(({ priority }) => priority === 'elective');
    const hasElective = electives.length === 0 || electives.some((slot) => this.#has(slot));
    return empty.filter(({ priority }) => priority === 'required' || (priority === 'elective' && !hasElective));
  }

  /** What the policy is given: the values, and those of optional slots that nobody has filled. */
  slot_values(): JsonMap {
    const defaults = [...this.slots.values()].flatMap(({ name, fallbackValue }) =>
      fallbackValue === undefined ? [] : [[name, fallbackValue] as const],
    );
    return { ...Object.fromEntries(defaults), ...this.#values };
  }

  #has({ name, type, params }: SlotDef): boolean {
    return isEnough(type, params, Object.hasOwn(this.#values, name) ? this.#values[name] : undefined);
  }

  #take(given: JsonMap, system: 1 | 2): void {
    for (const [name, raw] of Object.entries(given)) {
      if (isEmptyValue(raw)) continue;
      const slot = this.slots.get(name);
      const taken = slot === undefined ? this.#unknown(name) : this.#taken(slot, raw);
      if ('problem' in taken) this.#rejected.push({ slot: name, problem: taken.problem });
      else if (!jsonEquals(taken.value, this.#values[name] ?? null)) {
        this.#values = { ...this.#values, [name]: taken.value };
        this.#filled.push({ slot: name, value: taken.value, system });
      }
    }
  }

  #taken({ name, type, params }: SlotDef, raw: JsonValue): ReturnType<typeof takeValue> {
    const current = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    const taken = takeValue(type, params, { raw, current });
    return 'problem' in taken ? { problem: `${name} ${taken.problem}` } : taken;
  }

  #unknown(name: string): { readonly problem: string } {
    const { flowName } = this.constructor as typeof BaseFlow;
    return { problem: `${flowName} has no slot ${name}.${didYouMean(name, [...this.slots.keys()])}` };
  }
}

export type FlowClass = typeof BaseFlow;

/** Whether the class, or one that it extends, overrides `fill_slot_values`. */
export function hasOwnFilling(Flow: FlowClass): boolean {
  return Flow.prototype.fill_slot_values !== BaseFlow.prototype.fill_slot_values;
}

/** The parent of all flows of an intent. @param Base a class of the program, for the intent */
export function intentParent(name: string, ownHooks: Hooks, Base: FlowClass = BaseFlow): FlowClass {
  return class extends Base {
    static override readonly intent = name;
    static override readonly hooks = ownHooks;
  };
}

/**
 * The class of a type of flow, below the parent of its intent.
 * @param Own a class of the program, for the flow: it says itself what it extends
 */
export function flowClass(
  name: string,
  ownSlots: ReadonlyMap<string, SlotDef>,
  Parent: FlowClass,
  Own: FlowClass = Parent,
): FlowClass {
  return class extends Own {
    static override readonly flowName = name;
    static override readonly intent = Parent.intent;
    static override readonly hooks = Parent.hooks;
    static override readonly slots = ownSlots;
  };
}
