/**
 * Compiles a catalog: intents, flow types with their classes, and settings with defaults.
 */

import { didYouMean } from '../../language/findings/nearest.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { type RefusedOperation, refuse } from '../session/operation.ts';
import { type FlowClass, flowClass, type Hooks, intentParent } from './base-flow.ts';
import {
  type BuiltinPolicy,
  type CatalogueDoc,
  defaultLats,
  defaultThresholds,
  type FlowTypeDoc,
  type LatsSettings,
  type PolicyDoc,
  type SlotDoc,
  type Thresholds,
} from './catalogue-doc.ts';
import type { SlotParams } from './slot-kind.ts';
import { type SlotDef, type SlotTypeName, slotTypeNames } from './slot-types.ts';

/** Intents that every catalog has, even if it does not name them. */
export const planIntent = 'Plan';
const converseIntent = 'Converse';
export const internalIntent = 'Internal';
export const universalIntents: readonly string[] = [planIntent, converseIntent, internalIntent];

/** A flow type. */
export interface FlowType {
  readonly name: string;
  readonly intent: string;
  /** Description of the flow; the only property used to predict flows. */
  readonly description: string;
  readonly examples: readonly string[];
  readonly slots: ReadonlyMap<string, SlotDef>;
  readonly tools: readonly string[];
  /** JSON Schema of the data that the policy returns. */
  readonly output: JsonMap | undefined;
  readonly policy: PolicyDoc;
  /** The type that takes over if this one was predicted incorrectly. */
  readonly fallback: string | undefined;
  /**
   * Whether this flow is stacked on top if it is requested while another one is active, provided that it only reads.
   */
  readonly aside: boolean;
  /** Settings of plans. */
  readonly lats: LatsSettings;
  /** For Internal flows: types that must end before this one starts, if they are scheduled at the same time. */
  readonly dependsOn: readonly string[];
  /** For Internal flows: the flow starts after every n-th turn; undefined if it starts only on request. */
  readonly every: number | undefined;
  /** The class of its flows, which extends the parent of the intent. */
  readonly Flow: FlowClass;
}

export interface IntentType {
  readonly name: string;
  readonly hooks: Hooks;
  readonly Parent: FlowClass;
}

export interface Catalogue {
  /** Empty if the file does not set a name. */
  readonly name: string;
  readonly description: string;
  /** Model for plans, their reviews and assessments, and replies; undefined for the default model. */
  readonly model: string | undefined;
  readonly nlu: { readonly model: string | undefined } | { readonly script: string };
  readonly thresholds: Thresholds;
  readonly intents: ReadonlyMap<string, IntentType>;
  readonly flows: ReadonlyMap<string, FlowType>;
}

/** Built-in housekeeping, unless a catalog has a flow with the same name or policy. */
const builtinInternals: readonly {
  readonly name: BuiltinPolicy;
  readonly every: number;
  readonly description: string;
}[] = [
  { name: 'memory_cleanup', every: 10, description: 'Removes duplicate notes.' },
  { name: 'state_repair', every: 10, description: 'Removes data of flows that no longer exist.' },
  { name: 'summary', every: 10, description: 'Summarizes the conversation for later turns.' },
];

/**
 * Compiles a validated document. @param classes the host program's classes: for flows by name, otherwise for intents
 */
export function compileCatalogue(doc: CatalogueDoc, classes: readonly FlowClass[] = []): Catalogue {
  const names = new Set([...universalIntents, ...Object.keys(doc.intents)]);
  const intents = new Map(
    [...names].map((name): [string, IntentType] => {
      const hooks: Hooks = (Object.hasOwn(doc.intents, name) ? doc.intents[name]?.hooks : undefined) ?? {};
      const Own = classes.find(({ flowName, intent }) => flowName === '' && intent === name);
      return [name, { name, hooks, Parent: intentParent(name, hooks, Own) }];
    }),
  );
  const parentOf = (intent: string): FlowClass => intents.get(intent)?.Parent ?? intentParent(intent, {});
  const own = doc.flows.map((flow) => {
    const Own = classes.find(({ flowName }) => flowName === flow.name);
    return flowTypeOf(flow, doc, { Parent: parentOf(flow.intent), Own });
  });
  const housekeeping = builtinInternals
    .filter(({ name }) => !own.some((type) => type.name === name || builtinOf(type) === name))
    .map(({ name, ...rest }) =>
      flowTypeOf({ name, intent: internalIntent, policy: { builtin: name }, ...rest }, doc, {
        Parent: parentOf(internalIntent),
      }),
    );
  return {
    name: doc.name ?? '',
    description: doc.description ?? '',
    model: doc.model,
    nlu: doc.nlu ?? { model: doc.model },
    thresholds: doc.thresholds ?? defaultThresholds,
    intents,
    flows: new Map([...own, ...housekeeping].map((type) => [type.name, type])),
  };
}

function builtinOf({ policy }: FlowType): BuiltinPolicy | undefined {
  return 'builtin' in policy ? policy.builtin : undefined;
}

function flowTypeOf(
  flow: FlowTypeDoc,
  doc: CatalogueDoc,
  { Parent, Own }: { readonly Parent: FlowClass; readonly Own?: FlowClass | undefined },
): FlowType {
  const slots = new Map(Object.entries(flow.slots ?? {}).map(([name, slot]) => [name, slotDefOf(name, slot, doc)]));
  return {
    name: flow.name,
    intent: flow.intent,
    description: flow.description ?? '',
    examples: flow.examples ?? [],
    slots,
    tools: flow.tools ?? [],
    output: flow.output,
    policy: flow.policy,
    fallback: flow.fallback,
    aside: flow.aside ?? false,
    lats: flow.lats ?? defaultLats,
    dependsOn: flow.dependsOn ?? [],
    every: flow.every,
    Flow: flowClass(flow.name, slots, Parent, Own),
  };
}

function slotDefOf(name: string, slot: SlotDoc, doc: CatalogueDoc): SlotDef {
  const { type, priority, description, question = '', default: fallbackValue, ...params } = slot;
  const own = doc.slotTypes !== undefined && Object.hasOwn(doc.slotTypes, type) ? doc.slotTypes[type] : undefined;
  const { base = type, description: ownDescription = '', ...ownParams } = own ?? {};
  return {
    name,
    typeName: type,
    type: base as SlotTypeName,
    params: { ...ownParams, ...params },
    priority,
    description: description ?? ownDescription,
    question,
    fallbackValue,
  };
}

/**
 * Returns the built-in type that a name in the file refers to, with a custom type's settings; undefined if it is
 * unknown.
 */
export function baseOf(
  typeName: string,
  slotTypes: CatalogueDoc['slotTypes'] = {},
): { readonly type: SlotTypeName; readonly params: SlotParams } | undefined {
  const own = Object.hasOwn(slotTypes, typeName) ? slotTypes[typeName] : undefined;
  const type = slotTypeNames.find((name) => name === (own?.base ?? typeName));
  if (type === undefined) return undefined;
  const { base: _, description: __, ...params } = own ?? { base: type };
  return { type, params };
}

/** Returns the type of that name, or a refusal if the catalog does not have it. */
export function flowTypeNamed({ flows }: Catalogue, name: string): FlowType | RefusedOperation {
  const type = flows.get(name);
  if (type !== undefined) return type;
  const meant = didYouMean(name, [...flows.keys()]);
  return refuse('flow.unknown-type', `The catalog has no flow "${name}".${meant}`);
}
