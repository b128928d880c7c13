/**
 * The schema of a policy, whether in its own file or in a team file.
 */
import { z } from 'zod';
import { late } from '../../base/late.ts';
import { hostRule } from '../../base/web-address.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { effects } from '../kernel/capabilities/effect.ts';

const name = () =>
  z
    .string()
    .min(1)
    .max(500)
    .regex(/^[^\p{Cc}\p{Cf}]+$/u, 'must be one line of text');
const names = () => z.exactOptional(z.array(name()).max(1000));
const hosts = () =>
  z.exactOptional(
    z
      .array(
        name().refine(
          (host) => hostRule(host) !== undefined,
          'must be a host such as api.example.com, *.example.com or [::1], with an optional port, and without a scheme or path',
        ),
      )
      .max(1000),
  );
const count = () => z.exactOptional(z.number().int('must be a whole number').min(0, 'must be at least 0'));
const decision = () => z.enum(['allow', 'ask', 'deny']);
/** `ask` is not possible there: only tool calls can wait for a person. */
const noQuestion = () =>
  z.enum(['allow', 'deny'], {
    error: 'must be deny or allow; a request to a model cannot wait for a person',
  });
const perEffect = () =>
  Object.fromEntries(effects.map((effect) => [effect, z.exactOptional(decision())])) as Record<
    (typeof effects)[number],
    z.ZodExactOptional<ReturnType<typeof decision>>
  >;

/** The keys that are valid in every policy. */
export const policyShape = late(() => ({
  enforce: z.exactOptional(z.boolean()),
  allow_full_autonomy: z.exactOptional(z.boolean()),
  allowed_tools: names(),
  blocked_tools: names(),
  allowed_models: names(),
  blocked_models: names(),
  allowed_hosts: hosts(),
  blocked_hosts: hosts(),
  require_approval: names(),
  model_max_tokens: count(),
  max_tokens_per_run: count(),
  max_cost_usd_per_run: z.exactOptional(z.number().min(0, 'must be at least 0')),
  max_steps: count(),
  max_tool_calls: count(),
  max_payload_bytes: count(),
  prompt_injection: z.exactOptional(noQuestion()),
  may_write: names(),
  effects: z.exactOptional(z.strictObject(perEffect())),
}));

const rules = late(() => z.strictObject(policyShape()));

/** A file's content. Rules for individual products apply to runs of their flows and agents. */
export const policySchema = late(() => rules().extend({ by_product: z.exactOptional(z.record(name(), rules())) }));

export type PolicyRules = z.output<ReturnType<typeof rules>>;
export type PolicyText = z.output<ReturnType<typeof policySchema>>;

/**
 * Removes known keys without a value, such as `blocked_tools:` alone on its line, which count as absent. Unknown keys
 * remain, so that they are reported.
 */
export function withoutNulls(policy: JsonMap): JsonMap {
  const { by_product: products, ...own } = policy;
  const kept = withoutNullRules(own);
  if (products === undefined || products === null) return kept;
  if (!isJsonMap(products)) return { ...kept, by_product: products };
  const named = Object.entries(products).filter(([, rulesOf]) => rulesOf !== null);
  const cleaned = named.map(([product, rulesOf]): [string, JsonValue] => [
    product,
    isJsonMap(rulesOf) ? withoutNullRules(rulesOf) : rulesOf,
  ]);
  return { ...kept, by_product: Object.fromEntries(cleaned) };
}

function withoutNullRules(given: JsonMap): JsonMap {
  const kept = withoutNullKeys(given, Object.keys(policyShape()));
  const { effects: perEffectGiven } = kept;
  return isJsonMap(perEffectGiven) ? { ...kept, effects: withoutNullKeys(perEffectGiven, effects) } : kept;
}

function withoutNullKeys(given: JsonMap, known: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(given).filter(([key, value]) => value !== null || !known.includes(key)));
}
