/** Decides from a run's definition whether it may start. Anything a policy forbids is denied before it happens. */
import type { EffectRequest, EffectVerdict } from '../kernel/capabilities/effect.ts';
import type { RunRefusedEvent } from '../kernel/events/run-event.ts';
import { refusedAutonomy } from './autonomy.ts';
import { verdictOf } from './layered-policy.ts';
import { invalidPolicy, type PolicyLayer, type PolicyLimit, policyLineLabel } from './policy-layer.ts';

/** What a definition references, as far as this is known before it runs. */
export interface StartFacts {
  /** Models as `provider::model`. */
  readonly models: readonly string[];
  readonly tools: readonly string[];
  /** Number of nodes that could run. */
  readonly steps: number;
  /** Size of the run's inputs as JSON. */
  readonly payloadBytes: number;
  /** Whether it acts without asking. */
  readonly isFullyAutonomous: boolean;
}

type RunStartRefusal = Omit<RunRefusedEvent, 'type'>;

/** @returns why the run may not start; undefined if it may */
export function judgeStart(facts: StartFacts, layers: readonly PolicyLayer[]): RunStartRefusal | undefined {
  for (const layer of layers) {
    const refusal = unreadable(layer) ?? tooMuch(layer, facts) ?? namedThings(layer, facts);
    if (refusal !== undefined) return refusal;
  }
  return facts.isFullyAutonomous ? refusedAutonomy(layers) : undefined;
}

function unreadable(layer: PolicyLayer): RunStartRefusal | undefined {
  if (layer.policy !== undefined) return undefined;
  const problem = layer.problem ?? { line: 1, column: 1, message: 'The policy cannot be read.' };
  const { message } = invalidPolicy(layer, problem);
  const place = policyLineLabel(layer, problem.line);
  return { code: 'policy.invalid', message, details: { rule: 'policy.invalid', place } };
}

function tooMuch(layer: PolicyLayer, { steps, payloadBytes }: StartFacts): RunStartRefusal | undefined {
  return (
    over(layer, {
      key: 'max_steps',
      used: steps,
      code: 'max_steps_exceeded',
      rule: 'step_limit_exceeded',
      what: (limit) => `The flow has ${steps} nodes, but the limit is ${limit}`,
    }) ??
    over(layer, {
      key: 'max_payload_bytes',
      used: payloadBytes,
      code: 'payload_limit_exceeded',
      rule: 'payload_limit_exceeded',
      what: (limit) => `The run receives ${payloadBytes} bytes, but the limit is ${limit}`,
    })
  );
}

interface MeasuredLimit {
  readonly key: PolicyLimit;
  readonly used: number;
  readonly code: string;
  readonly rule: string;
  readonly what: (limit: number) => string;
}

function over(layer: PolicyLayer, { key, used, code, rule, what }: MeasuredLimit): RunStartRefusal | undefined {
  const limit = layer.policy?.limits[key];
  if (limit === undefined || used <= limit.value) return undefined;
  const place = policyLineLabel(layer, limit.line);
  return { code, message: refused(what(limit.value), rule, place), details: { rule, place, used, limit: limit.value } };
}

function namedThings(layer: PolicyLayer, { models, tools }: StartFacts): RunStartRefusal | undefined {
  const asked = [
    ...models.map((target) => ({ effect: 'model', target }) as const),
    ...tools.map((target) => ({ effect: 'tool', target }) as const),
  ];
  for (const one of asked) {
    const verdict = verdictOf(layer, { ...nowhere, ...one });
    // Requests for approval are made when the effect is due.
    if (verdict?.decision === 'deny') return blocked(verdict, one);
  }
  return undefined;
}

const nowhere: Omit<EffectRequest, 'effect' | 'target'> = {
  place: 'elsewhere',
  workspace: '',
  isTrusted: true,
  isDry: false,
  actor: 'node',
};

function blocked(
  { rule, reason, place = '' }: EffectVerdict,
  asked: { effect: string; target: string },
): RunStartRefusal {
  return { code: 'policy_blocked', message: refused(reason, rule, place), details: { rule, place, ...asked } };
}

function refused(reason: string, rule: string, place: string): string {
  return `${reason} (rule ${rule}, ${place}). The run was not started.`;
}
