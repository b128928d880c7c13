/**
 * A catalog as drawn on the canvas: a lane for each intent with its flows, each with its policy.
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
  /** Names of the intent's hooks. */
  readonly hooks: readonly string[];
  /** Whether the intent exists in every catalog and cannot be renamed. */
  readonly isUniversal: boolean;
  readonly flows: readonly FlowTypeDoc[];
}

/**
 * Returns the intents in file order, universal ones last. Universal intents without flows are included only if the file
 * names them.
 */
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

/** Returns the policy of a flow. */
export function policyOf(policy: PolicyDoc): { readonly kind: PolicyKind; readonly name: string } {
  const [[kind, name] = ['builtin', '']] = Object.entries(policy);
  return { kind: kind as PolicyKind, name };
}

/** Returns the most severe problem of each flow, by its name. */
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

/** Returns a name that is not taken. */
export function freeName(base: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.includes(name)) return name;
  }
}
