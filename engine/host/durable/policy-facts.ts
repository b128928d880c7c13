/**
 * The part of the policies that a workflow evaluates itself, as facts for its journal: whether a run may act without
 * approval. Everything else is checked inside of steps, by the current policies of the worker.
 */
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import {
  type CompiledPolicy,
  emptyPolicy,
  layersOfProducts,
  type PolicyLayer,
} from '../../runtime/governance/policy-layer.ts';

type RuleFacts = Pick<CompiledPolicy, 'fullAutonomy' | 'ignoredAutonomyLine'>;

interface LayerFacts extends Omit<PolicyLayer, 'policy'> {
  /** Absent if the policy cannot be parsed. */
  readonly rules?: RuleFacts;
  readonly byProduct?: readonly (readonly [name: string, rules: RuleFacts])[];
}

/** JSON. */
export interface PolicyFacts {
  readonly general: readonly LayerFacts[];
  /** The products' own policies. */
  readonly ofProducts: readonly (readonly [product: string, layers: readonly LayerFacts[]])[];
}

/** Reads the facts. @param products the products whose flows the run may use */
export function readPolicyFacts(current: PolicySource, products: Iterable<string>): PolicyFacts {
  return {
    general: current([]).map(factsOf),
    ofProducts: [...new Set(products)].map((product) => [
      product,
      current([product])
        .filter(({ scope }) => scope === 'product')
        .map(factsOf),
    ]),
  };
}

/** Returns the policies as they were when the facts were read, without the rules that the workflow does not evaluate. */
export function policiesOf({ general, ofProducts }: PolicyFacts): PolicySource {
  const own = new Map(ofProducts);
  return (products = []) => {
    const layers = [...general, ...products.flatMap((product) => own.get(product) ?? [])];
    return layersOfProducts(layers.map(layerOf), products);
  };
}

function factsOf({ policy, ...place }: PolicyLayer): LayerFacts {
  if (policy === undefined) return place;
  const { byProduct } = policy;
  return {
    ...place,
    rules: rulesOf(policy),
    ...(byProduct === undefined ? {} : { byProduct: [...byProduct].map(([name, one]) => [name, rulesOf(one)]) }),
  };
}

function rulesOf({ fullAutonomy, ignoredAutonomyLine }: CompiledPolicy): RuleFacts {
  return { fullAutonomy, ...(ignoredAutonomyLine === undefined ? {} : { ignoredAutonomyLine }) };
}

function layerOf({ rules, byProduct, ...place }: LayerFacts): PolicyLayer {
  if (rules === undefined) return { ...place, policy: undefined };
  const policies = byProduct?.map(([name, one]) => [name, { ...emptyPolicy, ...one }] as const);
  const policy = { ...emptyPolicy, ...rules, ...(policies === undefined ? {} : { byProduct: new Map(policies) }) };
  return { ...place, policy };
}
