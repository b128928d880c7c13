/**
 * Asks the policy before every effect of a script, and emits the verdict.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Effect, EffectPolicy, EffectRequest, EffectVerdict } from './effect-policy.ts';

/** What was decided: every refusal, and every command, editor, request and secret that was allowed. */
export interface EffectDecision {
  readonly allowed: boolean;
  readonly rule: string;
  readonly effect: Effect;
  readonly target: string;
}

interface EffectGateOptions {
  readonly policy: EffectPolicy;
  readonly onDecision: (decision: EffectDecision) => void;
}

export interface EffectGate {
  /**
   * Returns when the effect may happen.
   * @throws EngineError `effect.denied` with what, by which rule and how to allow it; `details: { effect, rule, target,
   *   trustHelps }`, the last whether it would be allowed in a workspace that is trusted
   */
  pass(request: EffectRequest, signal: AbortSignal): Promise<void>;
}

const reportedWhenAllowed: ReadonlySet<Effect> = new Set(['command', 'web', 'editor', 'secret']);

/** Makes the gate of one script or of many. */
export function createEffectGate({ policy, onDecision }: EffectGateOptions): EffectGate {
  return {
    async pass(request, signal) {
      signal.throwIfAborted();
      const verdict = policy(request);
      const allowed = verdict.decision === 'allow';
      const { effect, target } = request;
      if (!allowed || reportedWhenAllowed.has(effect)) onDecision({ allowed, rule: verdict.rule, effect, target });
      if (!allowed) throw denied(request, verdict);
    },
  };
}

const howToAllow =
  ' To allow it, trust this workspace in Settings, or start the run with --trust. Do so only when you know what its agents do.';

function denied({ effect, target }: EffectRequest, { rule, reason, trustHelps, decision }: EffectVerdict): EngineError {
  const refused = decision === 'ask' ? ' In the middle of a script nobody can be asked.' : '';
  return new EngineError({
    code: 'effect.denied',
    message: `${reason} (rule ${rule}).${refused}${trustHelps ? howToAllow : ''}`,
    details: { effect, rule, target, trustHelps },
  });
}
