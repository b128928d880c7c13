/**
 * A policy in compiled form, with names as matchers and a line for every rule.
 */

import { EngineError } from '../../base/engine-error.ts';
import { globMatcher } from '../../base/glob.ts';
import { hostRule } from '../../base/web-address.ts';
import type { Effect } from '../kernel/capabilities/effect.ts';
import type { PolicyRules, PolicyText } from './policy-schema.ts';

/** The policy sources, in order of evaluation. */
export const policyScopes = ['team', 'personal', 'workspace', 'product'] as const;

export type PolicyScope = (typeof policyScopes)[number];

/** A problem in a policy, with its position starting at 1. */
export interface PolicyProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A value with its line. */
export interface Placed<Value> {
  readonly value: Value;
  readonly line: number;
}

interface NameRule {
  readonly glob: string;
  readonly line: number;
  readonly matches: (name: string) => boolean;
}

/** Names listed in a policy, and the list's position. */
export interface NameList {
  readonly line: number;
  /** Returns the first rule that matches one of the names. */
  find(names: readonly string[]): NameRule | undefined;
  readonly isEmpty: boolean;
}

const lists = [
  'allowed_tools',
  'blocked_tools',
  'allowed_models',
  'blocked_models',
  'allowed_hosts',
  'blocked_hosts',
  'require_approval',
] as const;

/** A policy's numeric limits. */
export const policyLimits = [
  'model_max_tokens',
  'max_tokens_per_run',
  'max_cost_usd_per_run',
  'max_steps',
  'max_tool_calls',
  'max_payload_bytes',
] as const;

export type PolicyList = (typeof lists)[number];
export type PolicyLimit = (typeof policyLimits)[number];

/** A policy's content. */
export interface CompiledPolicy {
  readonly lists: Readonly<Partial<Record<PolicyList, NameList>>>;
  readonly limits: Readonly<Partial<Record<PolicyLimit, Placed<number>>>>;
  readonly effects: Readonly<Partial<Record<Effect, Placed<'allow' | 'ask' | 'deny'>>>>;
  readonly fullAutonomy: Placed<boolean> | undefined;
  /** Line of an `allow_full_autonomy: true` that does not count because the workspace is not trusted. */
  readonly ignoredAutonomyLine?: number;
  /** Line of `enforce: false`, which disables everything else in this policy. */
  readonly unenforcedLine?: number;
  /** Whether runs may write a deciding file; absent if not. Applies only in user and team policies. */
  readonly mayWrite?: (path: string) => boolean;
  /** The action for model requests that appear to contain third-party instructions; absent for no check. */
  readonly promptInjection?: Placed<'allow' | 'deny'>;
  /** Rules that override these for individual products, by lowercase product name. */
  readonly byProduct?: ReadonlyMap<string, CompiledPolicy>;
}

/** One of the policies in effect, in order. */
export interface PolicyLayer {
  readonly scope: PolicyScope;
  /** File name for locations. */
  readonly file: string;
  /** Undefined if the policy cannot be parsed. Everything is then denied. */
  readonly policy: CompiledPolicy | undefined;
  /** Why the policy cannot be parsed. */
  readonly problem?: PolicyProblem;
}

/** A policy without rules. */
export const emptyPolicy: CompiledPolicy = { lists: {}, limits: {}, effects: {}, fullAutonomy: undefined };

type LineAt = (path: readonly (string | number)[]) => number;

/**
 * @param lineAt returns the line of a path in the policy
 * @throws EngineError `files.bad-glob`
 */
export function compilePolicy({ by_product: overrides = {}, ...rules }: PolicyText, lineAt: LineAt): CompiledPolicy {
  const policy = compileRules(rules, lineAt);
  const names = Object.keys(overrides);
  if (names.length === 0) return policy;
  const byProduct = names.map(
    (name) => [plainName(name), overridden(rules, lineAt, [name, overrides[name] ?? {}])] as const,
  );
  return { ...policy, byProduct: new Map(byProduct) };
}

/** Product rules override the general ones key by key; effects are overridden individually. */
function overridden(rules: PolicyRules, lineAt: LineAt, [name, own]: readonly [string, PolicyRules]): CompiledPolicy {
  const merged = { ...rules, ...own, effects: { ...rules.effects, ...own.effects } };
  return compileRules(merged, ([key = '', ...rest]) => {
    const said = own[key as keyof PolicyRules];
    const isOwn = key === 'effects' ? Object.hasOwn(own.effects ?? {}, rest[0] ?? '') : said !== undefined;
    return lineAt(isOwn ? ['by_product', name, key, ...rest] : [key, ...rest]);
  });
}

/** Normalizes a name for comparison. */
function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Returns the policies as they apply to product runs: product rules override the general ones. If products are nested,
 * the rules for each of them apply.
 */
export function layersOfProducts(layers: readonly PolicyLayer[], products: readonly string[]): readonly PolicyLayer[] {
  return layers.flatMap((layer) => {
    const { policy } = layer;
    if (policy?.byProduct === undefined) return [layer];
    const own = products.map((product) => policy.byProduct?.get(plainName(product)) ?? policy);
    return own.length === 0 ? [layer] : [...new Set(own)].map((one) => ({ ...layer, policy: one }));
  });
}

/** Returns a policy as it applies in an untrusted workspace: it can restrict runs but grants nothing. */
export function withoutPermissions(policy: CompiledPolicy): CompiledPolicy {
  const own = withoutAutonomy(policy, undefined);
  const { byProduct } = policy;
  if (byProduct === undefined) return own;
  const forbidden = policy.fullAutonomy?.value === false ? policy.fullAutonomy : undefined;
  return { ...own, byProduct: new Map([...byProduct].map(([name, one]) => [name, withoutAutonomy(one, forbidden)])) };
}

/** @param instead the file's general rule, which a permission for one product does not override */
function withoutAutonomy(policy: CompiledPolicy, instead: Placed<boolean> | undefined): CompiledPolicy {
  const { fullAutonomy } = policy;
  if (fullAutonomy?.value !== true) return policy;
  return { ...policy, fullAutonomy: instead, ignoredAutonomyLine: fullAutonomy.line };
}

/** Returns a warning for each key that looks like a permission but has no effect, in text order. */
export function ineffectiveKeys(policy: CompiledPolicy): readonly PolicyProblem[] {
  const parts = [policy, ...(policy.byProduct?.values() ?? [])];
  const found = parts.flatMap((part) => [
    ...ignoredAutonomy(part),
    ...ignoredEffects(part, policy),
    ...turnedOff(part, policy),
  ]);
  const byLine = new Map(found.map((warning) => [`${warning.line} ${warning.message}`, warning]));
  return [...byLine.values()].sort((left, right) => left.line - right.line);
}

function warningAt(line: number, message: string): PolicyProblem {
  return { line, column: 1, message };
}

function ignoredAutonomy({ ignoredAutonomyLine: line }: CompiledPolicy): readonly PolicyProblem[] {
  if (line === undefined) return [];
  const message =
    '`allow_full_autonomy: true` has no effect: the policy of an untrusted workspace can only restrict runs. Trust the workspace, or set it in your own policy.';
  return [warningAt(line, message)];
}

/** In `by_product`, `allow` overrides the general rule of the same file, so it can have an effect there. */
function ignoredEffects({ effects }: CompiledPolicy, whole: CompiledPolicy): readonly PolicyProblem[] {
  return Object.entries(effects).flatMap(([effect, { value, line }]) => {
    const general = whole.effects[effect as Effect]?.value ?? 'allow';
    if (value !== 'allow' || general !== 'allow') return [];
    return [warningAt(line, `\`effects.${effect}: allow\` has no effect: only a team policy can permit effects.`)];
  });
}

function turnedOff({ unenforcedLine: line }: CompiledPolicy, whole: CompiledPolicy): readonly PolicyProblem[] {
  if (line === undefined) return [];
  const what = line === whole.unenforcedLine ? 'this policy' : 'the rules for the product';
  return [warningAt(line, `\`enforce: false\` turns off ${what}. It does not turn off any other policy.`)];
}

function compileRules(rules: PolicyRules, lineAt: LineAt): CompiledPolicy {
  if (rules.enforce === false) return { ...emptyPolicy, unenforcedLine: lineAt(['enforce']) };
  const placed = <Value>(value: Value, ...path: string[]): Placed<Value> => ({ value, line: lineAt(path) });
  return {
    lists: Object.fromEntries(
      lists.flatMap((key) => {
        const globs = rules[key];
        return globs === undefined ? [] : [[key, nameList(globs, key, lineAt)]];
      }),
    ),
    limits: Object.fromEntries(
      policyLimits.flatMap((key) => (rules[key] === undefined ? [] : [[key, placed(rules[key], key)]])),
    ),
    effects: Object.fromEntries(
      Object.entries(rules.effects ?? {}).map(([effect, value]) => [effect, placed(value, 'effects', effect)]),
    ),
    ...(rules.prompt_injection === undefined
      ? {}
      : { promptInjection: placed(rules.prompt_injection, 'prompt_injection') }),
    ...(rules.may_write === undefined ? {} : { mayWrite: pathTest(rules.may_write) }),
    fullAutonomy:
      rules.allow_full_autonomy === undefined ? undefined : placed(rules.allow_full_autonomy, 'allow_full_autonomy'),
  };
}

/** Hosts are compared in the form used for the connection, so rules are converted to the same form. */
function ruleOf(written: string, key: PolicyList): string {
  const plain = plainName(written);
  return key.endsWith('_hosts') ? (hostRule(plain) ?? plain) : plain;
}

const absolutePath = /^(?:\/|[a-z]:|\\)/i;

/** Only absolute paths can match files outside the workspace. */
function pathTest(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((glob) => [absolutePath.test(glob), globMatcher(glob)] as const);
  return (path) => matchers.some(([isAbsolute, matches]) => isAbsolute === absolutePath.test(path) && matches(path));
}

function nameList(globs: readonly string[], key: PolicyList, lineAt: LineAt): NameList {
  const entries = globs.map((written, index): NameRule => {
    const glob = ruleOf(written, key);
    return { glob, line: lineAt([key, index]), matches: matcherOf(glob) };
  });
  return {
    line: lineAt([key]),
    isEmpty: entries.length === 0,
    find(names) {
      const plain = names.map(plainName);
      return entries.find(({ matches }) => plain.some(matches));
    },
  };
}

/** Most globs are plain names. */
function matcherOf(glob: string): (name: string) => boolean {
  return /[*?{\\]|\[(?![\da-f:.]+\])/.test(glob)
    ? globMatcher(glob, { starsCrossFolders: true })
    : (name) => name === glob;
}

/** Returns a location for verdicts and messages. */
export function policyLineLabel({ file }: Pick<PolicyLayer, 'file'>, line: number): string {
  return `${file}:${line}`;
}

/** Creates the error for policies if one of them cannot be parsed. */
export function invalidPolicy(layer: PolicyLayer, problem: PolicyProblem): EngineError {
  const place = policyLineLabel(layer, problem.line);
  return new EngineError({
    code: 'policy.invalid',
    message: `${place}: ${problem.message} Nothing is allowed until this is fixed.`,
    line: problem.line,
    details: { rule: 'policy.invalid', place },
  });
}
