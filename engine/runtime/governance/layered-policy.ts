/**
 * Applies the team, user, workspace and product policies to an effect. Each policy can only narrow the previous ones.
 */
import { parseUrl } from '../../base/parse-url.ts';
import { hostNamesOf } from '../../base/web-address.ts';
import type { EffectPolicy, EffectRequest, EffectVerdict } from '../kernel/capabilities/effect.ts';
import { bytesOf } from './budget.ts';
import {
  type CompiledPolicy,
  type NameList,
  type PolicyLayer,
  type PolicyList,
  type PolicyScope,
  policyLineLabel,
} from './policy-layer.ts';
import { signInRequest } from './prompt-injection.ts';

/** The rule for model requests that appear to contain third-party instructions. */
export const injectionRule = 'prompt_injection_detected';

/** Returns the current policies for runs of these products, in order. */
export type PolicySource = (products?: readonly string[]) => readonly PolicyLayer[];

/** Whether a policy requires checking model requests for third-party instructions. */
export function deniesPromptInjection(layers: readonly PolicyLayer[]): boolean {
  return layers.some(({ policy }) => policy?.promptInjection?.value === 'deny');
}

/** Adds policies to a base policy. A later policy cannot override a refusal. */
export function withPolicies(policy: EffectPolicy, source: PolicySource): EffectPolicy {
  return (request) => {
    const layers = source(request.products);
    if (layers.length === 0) return policy(request);
    const asked = mayDecide(request, layers) ? { ...request, decides: undefined } : request;
    return narrowed(policy(asked), asked, layers);
  };
}

const trustedScopes: ReadonlySet<PolicyScope> = new Set(['team', 'personal']);

/** Whether the user or a team allows runs to write this deciding file. A workspace cannot grant itself permissions. */
function mayDecide({ decides, effect }: EffectRequest, layers: readonly PolicyLayer[]): boolean {
  if (decides === undefined || decides.isByFolder === true || (effect !== 'write' && effect !== 'delete')) return false;
  return layers.some(({ scope, policy }) => trustedScopes.has(scope) && policy?.mayWrite?.(decides.path) === true);
}

function narrowed(first: EffectVerdict, request: EffectRequest, layers: readonly PolicyLayer[]): EffectVerdict {
  let verdict = first;
  for (const layer of layers) {
    if (verdict.decision === 'deny') return verdict;
    const said = verdictOf(layer, request);
    if (said === undefined) continue;
    if (said.decision === 'allow') verdict = withFewerTokens(verdict, said);
    else if (said.decision === 'deny' || verdict.decision === 'allow') verdict = said;
  }
  return verdict;
}

function withFewerTokens(
  verdict: EffectVerdict,
  { maxTokens = Number.POSITIVE_INFINITY }: EffectVerdict,
): EffectVerdict {
  return { ...verdict, maxTokens: Math.min(maxTokens, verdict.maxTokens ?? Number.POSITIVE_INFINITY) };
}

/** Returns one policy's verdict; undefined if it does not object. */
export function verdictOf(layer: PolicyLayer, request: EffectRequest): EffectVerdict | undefined {
  const { policy, problem } = layer;
  if (policy === undefined) {
    const { line = 1, message = 'The policy cannot be read.' } = problem ?? {};
    return verdict(
      'deny',
      'policy.invalid',
      `The policy is not valid: ${withoutStop(message)}`,
      policyLineLabel(layer, line),
    );
  }
  const { effect, target } = request;
  const rule = policy.effects[effect];
  if (rule?.value === 'deny')
    return verdict(
      'deny',
      'effect_denied',
      `The effect ${effect} is not allowed (\`${target}\`)`,
      policyLineLabel(layer, rule.line),
    );
  const special = ofTarget(policy, request, layer);
  if (special?.decision === 'deny') return special;
  if (rule?.value === 'ask')
    return verdict(
      'ask',
      'effect_ask',
      `The effect ${effect} requires approval (\`${target}\`)`,
      policyLineLabel(layer, rule.line),
    );
  return special;
}

function ofTarget(policy: CompiledPolicy, request: EffectRequest, layer: PolicyLayer): EffectVerdict | undefined {
  const { effect, target } = request;
  switch (effect) {
    case 'tool':
      return named({ policy, layer, what: 'tool', names: [target] }) ?? approval(policy, target, layer);
    case 'model':
      return (
        named({ policy, layer, what: 'model', names: namesOfModel(target) }) ??
        injection(policy, request, layer) ??
        tokens(policy, request, layer)
      );
    case 'web':
      return named({ policy, layer, what: 'host', names: hostsOf(target) });
    case 'output':
      return size(policy, request, layer);
    default:
      return undefined;
  }
}

/** Measured only if there is a limit, because measuring is as expensive as writing the value. */
function size(
  { limits }: CompiledPolicy,
  { value, target }: EffectRequest,
  layer: PolicyLayer,
): EffectVerdict | undefined {
  const limit = limits.max_payload_bytes;
  if (limit === undefined || value === undefined) return undefined;
  const bytes = bytesOf(value);
  if (bytes <= limit.value) return undefined;
  const reason = `${target} returns ${bytes} bytes, but the limit is ${limit.value}`;
  return verdict('deny', 'output_payload_limit_exceeded', reason, policyLineLabel(layer, limit.line));
}

/** A model may be named with or without its provider. */
function namesOfModel(target: string): readonly string[] {
  const at = target.indexOf('::');
  return at === -1 ? [target] : [target, target.slice(at + 2)];
}

/**
 * Returns the host's names; an address without a host matches nothing. Logs of earlier runs may contain any text here.
 */
function hostsOf(address: string): readonly string[] {
  const url = parseUrl(address);
  return url === undefined ? [] : hostNamesOf(url);
}

interface NamedQuestion {
  readonly policy: CompiledPolicy;
  readonly layer: PolicyLayer;
  readonly what: 'tool' | 'model' | 'host';
  readonly names: readonly string[];
}

/** Returns the lists' verdict on a named target. */
function named({ policy, layer, what, names }: NamedQuestion): EffectVerdict | undefined {
  const shown = names[0] ?? 'an address without a host';
  const listOf = (key: 'blocked' | 'allowed'): NameList | undefined => policy.lists[`${key}_${what}s` as PolicyList];
  const block = listOf('blocked')?.find(names);
  if (block !== undefined) {
    const by = block.glob === shown.toLowerCase() ? '' : ` by "${block.glob}"`;
    return verdict(
      'deny',
      `${what}_blocked`,
      `The ${what} \`${shown}\` is blocked${by}`,
      policyLineLabel(layer, block.line),
    );
  }
  const allowed = listOf('allowed');
  if (allowed === undefined || allowed.isEmpty || allowed.find(names) !== undefined) return undefined;
  return verdict(
    'deny',
    `${what}_not_in_allowlist`,
    `The ${what} \`${shown}\` is not in the list of allowed ${what}s`,
    policyLineLabel(layer, allowed.line),
  );
}

function approval({ lists }: CompiledPolicy, tool: string, layer: PolicyLayer): EffectVerdict | undefined {
  const rule = lists.require_approval?.find([tool]);
  if (rule === undefined) return undefined;
  return verdict(
    'ask',
    'approval_required',
    `The tool \`${tool}\` requires approval`,
    policyLineLabel(layer, rule.line),
  );
}

function injection(
  { promptInjection: rule }: CompiledPolicy,
  { said }: EffectRequest,
  layer: PolicyLayer,
): EffectVerdict | undefined {
  if (rule?.value !== 'deny' || said === undefined) return undefined;
  const reason = signInRequest(said);
  return reason === undefined ? undefined : verdict('deny', injectionRule, reason, policyLineLabel(layer, rule.line));
}

function tokens(
  { limits }: CompiledPolicy,
  { maxTokens, target }: EffectRequest,
  layer: PolicyLayer,
): EffectVerdict | undefined {
  const limit = limits.model_max_tokens;
  if (limit === undefined) return undefined;
  const place = policyLineLabel(layer, limit.line);
  if (maxTokens === undefined) return { ...verdict('allow', 'model_max_tokens', '', place), maxTokens: limit.value };
  if (maxTokens <= limit.value) return undefined;
  const reason = `The request to ${target} allows up to ${maxTokens} tokens, but the limit is ${limit.value}`;
  return verdict('deny', 'model_token_limit_exceeded', reason, place);
}

function verdict(decision: EffectVerdict['decision'], rule: string, reason: string, place: string): EffectVerdict {
  return { decision, rule, reason, trustHelps: false, place };
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
