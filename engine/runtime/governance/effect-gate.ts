/**
 * Checks every effect against the policy, and emits the verdict.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Effect, EffectPolicy, EffectRequest, EffectVerdict } from '../kernel/capabilities/effect.ts';

/** A decision. Includes every refusal and allowed commands, editors, requests, secrets, models and tools. */
export interface EffectDecision {
  readonly allowed: boolean;
  readonly rule: string;
  readonly effect: Effect;
  readonly target: string;
  readonly place?: string;
  readonly reason?: string;
}

interface EffectGateOptions {
  readonly policy: EffectPolicy;
  readonly onDecision: (decision: EffectDecision) => void;
}

export interface EffectGate {
  /** Like `RunGate.pass`, for callers that know where the effect happens. */
  pass(request: EffectRequest, signal: AbortSignal): Promise<EffectVerdict>;
}

const reportedWhenAllowed: ReadonlySet<Effect> = new Set(['command', 'web', 'editor', 'secret', 'model', 'tool']);

/** Whether the verdict is emitted. An event is not needed when a definition may do what it declares. */
function isTold({ decision, rule }: EffectVerdict, effect: Effect): boolean {
  return decision !== 'allow' || (reportedWhenAllowed.has(effect) && rule !== 'definition');
}

/** Creates a gate for one or more scripts. */
export function createEffectGate({ policy, onDecision }: EffectGateOptions): EffectGate {
  return {
    async pass(request, signal) {
      signal.throwIfAborted();
      const verdict = policy(request);
      // The caller asks the person and emits the request.
      if (verdict.decision === 'ask' && request.mayAsk === true) return verdict;
      const allowed = verdict.decision === 'allow';
      if (isTold(verdict, request.effect)) onDecision(decisionOf(verdict, request));
      if (!allowed) throw denied(request, verdict);
      return verdict;
    },
  };
}

function decisionOf(
  { decision, rule, place, reason }: EffectVerdict,
  { effect, target }: EffectRequest,
): EffectDecision {
  const told = { allowed: decision === 'allow', rule, effect, target };
  if (place === undefined) return told;
  return { ...told, place, ...(decision === 'allow' ? {} : { reason }) };
}

const howToAllow =
  ' To allow it, trust this workspace in Settings, or start the run with --trust. Do this only if you know what its agents do.';

const howToSee =
  ' A run wrote the text that requests it, and no person has reviewed that text since. Review it with "millrace review", or in the window under Settings > Policies.';

function denied(request: EffectRequest, { rule, reason, trustHelps, decision, place }: EffectVerdict): EngineError {
  const { effect, target, actor } = request;
  const where = actor === 'node' ? 'while a node is running' : 'in the middle of a script';
  const refused = decision === 'ask' ? ` Nothing can be approved ${where}.` : '';
  const stands = place === undefined ? '' : `, ${place}`;
  return new EngineError({
    code: 'effect.denied',
    message: `${reason} (rule ${rule}${stands}).${refused}${trustHelps ? (request.isUnseen === true ? howToSee : howToAllow) : ''}`,
    details: { effect, rule, target, ...(place === undefined ? {} : { place }), trustHelps },
  });
}
