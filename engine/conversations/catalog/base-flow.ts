/**
 * Defines flow classes: a base class, a parent for each intent with its shared hooks, and a subclass for each of the
 * catalog's flow types. An object is a view of one flow in a session. It fills a copy of the slots and never changes
 * the flow's status.
 */

import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { type SlotFilling, slotFilling } from '../meaning/slot-prompt.ts';
import type { FlowInstance, ScratchpadEntry, SpokenText } from '../session/session-state.ts';
import { isEmptyValue } from './slot-kind.ts';
import { isEnough, type SlotDef, takeValue } from './slot-types.ts';

export const hookNames = ['prepare', 'validate', 'check', 'verify', 'start', 'finish'] as const;
export type HookName = (typeof hookNames)[number];

/** Code that runs at a certain point of a turn: a script or an agent, as a path or reference. */
export type Hook = { readonly script: string } | { readonly agent: string };
export type Hooks = { readonly [Name in HookName]?: Hook | undefined };

/** Sources from which the second system reads values. */
export interface FillContext {
  /** The latest messages, oldest first. */
  readonly messages: readonly SpokenText[];
  /** Calls a model once for a value that matches the request's schema. */
  ask(request: SlotFilling): Promise<JsonValue>;
}

export interface FilledSlot {
  readonly slot: string;
  readonly value: JsonValue;
  readonly system: 1 | 2;
}

export interface RejectedSlot {
  readonly slot: string;
  /** The problem as a sentence. */
  readonly problem: string;
}

export class BaseFlow {
  static readonly flowName: string = '';
  static readonly intent: string = '';
  /** The parent's hooks, shared by all flows of the intent. */
  static readonly hooks: Hooks = {};
  /** The class's own slots; parents have none. */
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

  /** Slots changed since the object was created. */
  get filled(): readonly FilledSlot[] {
    return this.#filled;
  }

  /** Values that were rejected. */
  get rejected(): readonly RejectedSlot[] {
    return this.#rejected;
  }

  /**
   * Fills slots from labels (system 1): a map of values by slot, or a prediction with such a map as `slots`. Calls no
   * model; equal labels give equal slots.
   * @returns whether the flow has all values it needs
   */
  fillSlotsByLabel(labels: JsonMap): boolean {
    const { slots } = labels;
    this.#take(isJsonMap(slots) && !this.slots.has('slots') ? slots : labels, 1);
    return this.isFilled();
  }

  /**
   * Replaces slot values. A list is replaced, not extended.
   * @returns whether the flow has all values it needs
   */
  correctSlots(labels: JsonMap): boolean {
    const lists = Object.entries(this.#values).filter(
      ([name, value]) => Object.hasOwn(labels, name) && isJsonList(value) && this.slots.get(name)?.type !== 'checklist',
    );
    const former = this.#values;
    this.#values = Object.fromEntries(
      Object.entries(former).filter(([name]) => !lists.some(([list]) => list === name)),
    );
    const before = this.#filled.length;
    this.fillSlotsByLabel(labels);
    const taken = new Set(this.#filled.slice(before).map(({ slot }) => slot));
    const kept = lists.filter(([name]) => !taken.has(name));
    this.#values = { ...this.#values, ...Object.fromEntries(kept) };
    this.#filled = this.#filled.filter(
      ({ slot, value }, index) => index < before || !jsonEquals(former[slot] ?? null, value),
    );
    return this.isFilled();
  }

  /**
   * Fills empty slots from the conversation and the scratchpad (system 2). Calls a model once, or not at all if no slot
   * is empty. Filled slots are unchanged.
   * @returns whether the flow has all values it needs
   */
  async fillSlotValues(context: FillContext, memory: readonly ScratchpadEntry[]): Promise<boolean> {
    const empty = this.emptySlots();
    if (empty.length > 0) {
      const { flowName } = this.constructor as typeof BaseFlow;
      const answer = await context.ask(slotFilling({ flowName, empty, messages: context.messages, memory }));
      const names = new Set(empty.map(({ name }) => name));
      const given = Object.entries(isJsonMap(answer) ? answer : {}).filter(([name]) => names.has(name));
      this.#take(Object.fromEntries(given), 2);
    }
    return this.isFilled();
  }

  /** Returns whether all required slots are filled, and one of the electives if the flow has any. */
  isFilled(): boolean {
    const slots = [...this.slots.values()];
    const electives = slots.filter(({ priority }) => priority === 'elective');
    return (
      slots.every((slot) => slot.priority !== 'required' || this.#has(slot)) &&
      (electives.length === 0 || electives.some((slot) => this.#has(slot)))
    );
  }

  /** Returns whether the second system is worth its cost, because a value is missing and the flow is not uncertain. */
  needsToThink(): boolean {
    return !this.#instance.isUncertain && !this.isFilled();
  }

  /** Returns the flow as plain data. */
  serialize(): FlowInstance {
    return { ...this.#instance, slots: this.#values };
  }

  /** Returns empty slots in the order of the catalog. */
  emptySlots(): readonly SlotDef[] {
    return [...this.slots.values()].filter((slot) => !this.#has(slot));
  }

  /** Alias of `fillSlotsByLabel`, from the first specification. Override `fillSlotsByLabel` instead. */
  fill_slots_by_label(labels: JsonMap): boolean {
    return this.fillSlotsByLabel(labels);
  }

  /** Alias of `fillSlotValues`; see `fill_slots_by_label`. */
  async fill_slot_values(context: FillContext, memory: readonly ScratchpadEntry[]): Promise<boolean> {
    return await this.fillSlotValues(context, memory);
  }

  /** Alias of `isFilled`; see `fill_slots_by_label`. */
  is_filled(): boolean {
    return this.isFilled();
  }

  /** Alias of `needsToThink`; see `fill_slots_by_label`. */
  needs_to_think(): boolean {
    return this.needsToThink();
  }

  /** Returns the slots that the flow still needs: required ones, and all electives if one of them is needed. */
  missingSlots(): readonly SlotDef[] {
    const empty = this.emptySlots();
    const electives = [...this.slots.values()].filter(({ priority }) => priority === 'elective');
    const hasElective = electives.length === 0 || electives.some((slot) => this.#has(slot));
    return empty.filter(({ priority }) => priority === 'required' || (priority === 'elective' && !hasElective));
  }

  /** Returns the policy's input: the slot values, and the defaults of empty optional slots. */
  slotValues(): JsonMap {
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

const aliases = {
  fill_slots_by_label: 'fillSlotsByLabel',
  fill_slot_values: 'fillSlotValues',
  is_filled: 'isFilled',
  needs_to_think: 'needsToThink',
} as const;

/**
 * Returns the alias that a class overrides, and the method to override instead; undefined if there is none. The engine
 * calls only that method, so an overridden alias would have no effect.
 */
export function overriddenAlias(Flow: FlowClass): { readonly alias: string; readonly method: string } | undefined {
  const names = Object.keys(aliases) as (keyof typeof aliases)[];
  const alias = names.find((name) => Flow.prototype[name] !== BaseFlow.prototype[name]);
  return alias === undefined ? undefined : { alias, method: aliases[alias] };
}

/** Returns whether the class, or one that it extends, overrides `fillSlotValues`. */
export function hasOwnFilling(Flow: FlowClass): boolean {
  return Flow.prototype.fillSlotValues !== BaseFlow.prototype.fillSlotValues;
}

/** Creates the parent of all flows of an intent. @param Base the host program's class for the intent */
export function intentParent(name: string, ownHooks: Hooks, Base: FlowClass = BaseFlow): FlowClass {
  return class extends Base {
    static override readonly intent = name;
    static override readonly hooks = ownHooks;
  };
}

/**
 * Creates a flow type's class, which extends the parent of its intent.
 * @param Own the host program's class for the flow, which determines what it extends
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
