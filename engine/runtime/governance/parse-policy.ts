/**
 * Parses a policy file's text and reports its errors with their positions. Never throws.
 */
import { toErrorRecord } from '../../base/engine-error.ts';
import { late } from '../../base/late.ts';
import type { TextRange } from '../../language/findings/diagnostic.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonMap, type JsonMap } from '../../language/json/json-value.ts';
import { checkAgainst, type SchemaMismatch } from '../../language/schema/schema-problems.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';
import { effects } from '../kernel/capabilities/effect.ts';
import {
  type CompiledPolicy,
  compilePolicy,
  emptyPolicy,
  type PolicyProblem,
  type PolicyScope,
} from './policy-layer.ts';
import { type PolicyText, policySchema, policyShape, withoutNulls } from './policy-schema.ts';

/** A parsed policy. */
export interface ParsedPolicy {
  /** Undefined if the policy has errors, because its intended meaning is then unknown. */
  readonly policy: CompiledPolicy | undefined;
  /** Problems in text order. */
  readonly problems: readonly PolicyProblem[];
}

/** Maximum length in characters. Policies are at most a few pages long. */
export const maxPolicyLength = 1024 * 1024;

/**
 * Parses a policy. An empty policy has no rules. Any error invalidates the whole policy, because a rule may have been
 * mistyped.
 * @param scope where the policy comes from: `may_write` is an error in a workspace or product policy
 */
export function parsePolicy(text: string, scope: PolicyScope = 'personal'): ParsedPolicy {
  const source = text.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(source);
  if (root === null) {
    if (problems.every(({ code }) => code === 'yaml.empty')) return { policy: emptyPolicy, problems: [] };
    const places = new YamlPlaces({ text: source, root, aliasTargets: new Map() });
    return failed(problems.map((problem) => problemAt(places.sourceRange(problem), problem.message)));
  }
  const { value, problems: valueProblems, aliasTargets } = yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets });
  const found = valueProblems.map((problem) => problemAt(places.sourceRange(problem), problem.message));
  if (found.length > 0) return failed(found);
  if (value === null) return { policy: emptyPolicy, problems: [] };
  if (!isJsonMap(value))
    return failed([problemAt(places.start(), 'A policy must be a map with keys such as blocked_tools.')]);
  return checked(value, places, scope);
}

function checked(value: JsonMap, places: YamlPlaces, scope: PolicyScope): ParsedPolicy {
  const result = checkAgainst(policySchema(), withoutNulls(value));
  if (!result.ok) return failed(result.problems.map((problem) => misfit(problem, places)));
  const lifting = liftsIn(result.value);
  if (lifting.length > 0 && scope !== 'personal' && scope !== 'team')
    return failed(lifting.map((path) => problemAt(places.keyRange(path), onlyOfPersons)));
  try {
    return { policy: compilePolicy(result.value, (path) => places.keyRange(path).line), problems: [] };
  } catch (thrown) {
    return failed([problemAt(places.start(), toErrorRecord(thrown).message)]);
  }
}

const topKeys = late((): readonly string[] => [...Object.keys(policyShape()), 'by_product']);
const onlyOfPersons =
  'may_write is only allowed in a personal or team policy, because a workspace cannot extend what its runs may do. Remove it here.';

/** Returns the key path of each `may_write`, which permits runs to write deciding files. */
function liftsIn({ may_write: outside, by_product: products = {} }: PolicyText): readonly (readonly string[])[] {
  const ofProducts = Object.keys(products).filter((name) => products[name]?.may_write !== undefined);
  const inside = ofProducts.map((name) => ['by_product', name, 'may_write']);
  return outside === undefined ? inside : [['may_write'], ...inside];
}

function misfit({ path, kind, message }: SchemaMismatch, places: YamlPlaces): PolicyProblem {
  const name = path.join('.');
  if (kind !== 'unknown-key') return problemAt(places.problemRange(path), `${name} ${message}.`);
  const known = path.includes('effects') ? effects : topKeys();
  return problemAt(places.keyRange(path), `The key ${name} is not known.${didYouMean(String(path.at(-1)), known)}`);
}

function problemAt({ line, column }: TextRange, message: string): PolicyProblem {
  return { line, column, message };
}

function failed(problems: readonly PolicyProblem[]): ParsedPolicy {
  return {
    policy: undefined,
    problems: [...problems].sort((left, right) => left.line - right.line || left.column - right.column),
  };
}
