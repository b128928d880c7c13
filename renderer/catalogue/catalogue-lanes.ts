/**
 * A catalogue as it is drawn: a lane for each intent, in it the flows, each with its policy.
 */
import {
  type CatalogueDoc,
  type Diagnostic,
  type FlowTypeDoc,
  type PolicyDoc,
  type TextRange,
  universalIntents,
} from '../../engine/isomorphic.ts';

export interface Lane {
  readonly intent: string;
  /** Places of a turn at which something of the intent runs. */
  readonly hooks: readonly string[];
  /** It is in every catalogue, and keeps its name. */
  readonly isUniversal: boolean;
  readonly flows: readonly FlowTypeDoc[];
}

/** Intents in the order of the file, those that are always there last; without flows only those that the file names. */
export function lanesOf({ intents, flows }: CatalogueDoc): readonly Lane[] {
  const named = Object.keys(intents);
  const used = flows.map(({ intent }) => intent);
  const own = [...named, ...used].filter((name) => !universalIntents.includes(name));
  const universal = universalIntents.filter((name) => named.includes(name) || used.includes(name));
  return [...new Set([...own, ...universal])].map((intent) => ({
    intent,
    hooks: Object.keys((Object.hasOwn(intents, intent) ? intents[intent]?.hooks : undefined) ?? {}),
    isUniversal: universalIntents.includes(intent),
    flows: flows.filter((flow) => flow.intent === intent),
  }));
}

export type PolicyKind = 'skill' | 'agent' | 'flow' | 'builtin';

/** What does the work of a flow. */
export function policyOf(policy: PolicyDoc): { readonly kind: PolicyKind; readonly name: string } {
  const [[kind, name] = ['builtin', '']] = Object.entries(policy);
  return { kind: kind as PolicyKind, name };
}

/** The worst that is wrong with each flow, by its name. */
export function problemsByFlow(
  diagnostics: readonly Diagnostic[],
  ranges: ReadonlyMap<string, TextRange>,
): ReadonlyMap<string, Diagnostic> {
  const found = new Map<string, Diagnostic>();
  for (const [name, { line, endLine }] of ranges) {
    const inside = diagnostics.filter(({ range }) => range.line >= line && range.line <= endLine);
    const worst = inside.find(({ severity }) => severity === 'error') ?? inside[0];
    if (worst !== undefined) found.set(name, worst);
  }
  return found;
}

/** A name that is not taken. */
export function freeName(base: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.includes(name)) return name;
  }
}
