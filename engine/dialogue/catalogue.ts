/**
 * A catalogue as conversations use it: intents, types of flows with their classes, and settings with what they are by default.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import { didYouMean } from '../flowspec/nearest.ts';
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
import type { Refused } from './operation.ts';
import { refuse } from './operation.ts';
import type { SlotParams } from './slot-kind.ts';
import { type SlotDef, type SlotTypeName, slotTypeNames } from './slot-types.ts';

/** Intents that every catalogue has, whether it names them or not. */
export const planIntent = 'Plan';
const converseIntent = 'Converse';
export const internalIntent = 'Internal';
export const universalIntents: readonly string[] = [planIntent, converseIntent, internalIntent];

/** A type of flow. */
export interface FlowType {
  readonly name: string;
  readonly intent: string;
  /** All that the prediction of flows sees of it. */
  readonly description: string;
  readonly examples: readonly string[];
  readonly slots: ReadonlyMap<string, SlotDef>;
  readonly tools: readonly string[];
  /** JSON Schema of what its policy gives as data. */
  readonly output: JsonMap | undefined;
  readonly policy: PolicyDoc;
  /** The type that takes over where this one was the wrong one. */
  readonly fallback: string | undefined;
  /** Asked for while another flow is under way, it is stacked on top where its effects only read. */
  readonly aside: boolean;
  /** Of plans. */
  readonly lats: LatsSettings;
  /** Of Internal ones: types that must have ended before it, where they run at the same time. */
  readonly dependsOn: readonly string[];
  /** Of Internal ones: it is started behind each so-manieth turn; undefined = only when it is asked for. */
  readonly every: number | undefined;
  /** What its flows are objects of: below the parent of the intent. */
  readonly Flow: FlowClass;
}

export interface IntentType {
  readonly name: string;
  readonly hooks: Hooks;
  readonly Parent: FlowClass;
}

export interface Catalogue {
  /** Empty where the file does not say it. */
  readonly name: string;
  readonly description: string;
  /** For plans, looks at them, assessments and replies; undefined = the default model. */
  readonly model: string | undefined;
  readonly nlu: { readonly model: string | undefined } | { readonly script: string };
  readonly thresholds: Thresholds;
  readonly intents: ReadonlyMap<string, IntentType>;
  readonly flows: ReadonlyMap<string, FlowType>;
}

/** Housekeeping that comes along, unless a catalogue has a flow of the name or with the same policy. */
const builtinInternals: readonly {
  readonly name: BuiltinPolicy;
  readonly every: number;
  readonly description: string;
}[] = [
  { name: 'memory_cleanup', every: 10, description: 'Removes notes that say the same.' },
  { name: 'state_repair', every: 10, description: 'Removes what belongs to flows that are gone.' },
  { name: 'summary', every: 10, description: 'Sums up what was said, for later turns.' },
];

/** Makes a catalogue of a document that was checked. @param classes of the program: for flows by their name, else for intents */
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

/** The type of the sixteen that a name of the file stands for, with what its own type says; undefined = there is none. */
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

/** The type of that name, or the refusal of one that the catalogue does not have. */
export function flowTypeNamed({ flows }: Catalogue, name: string): FlowType | Refused {
  const type = flows.get(name);
  if (type !== undefined) return type;
  const meant = didYouMean(name, [...flows.keys()]);
  return refuse('flow.unknown-type', `The catalogue has no flow "${name}".${meant}`);
}
