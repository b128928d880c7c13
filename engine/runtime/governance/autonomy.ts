/**
 * Applies autonomy levels: decides whether an effect may happen, and whether a run that acts without asking may start.
 */
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { ActRequest, ActVerdict } from '../kernel/capabilities/effect.ts';
import type { RunRefusedEvent } from '../kernel/events/run-event.ts';
import { type PolicyLayer, policyLineLabel } from './policy-layer.ts';

/** Returns a level's rule name for verdicts and events. */
function ruleOf(level: AutonomyLevel): string {
  return `autonomy.${level}`;
}

/** Judges an act. Depends only on its arguments. */
export function judgeAct(level: AutonomyLevel, { act, target, approvedBy }: ActRequest): ActVerdict {
  const what = act === 'tool' ? `the tool \`${target}\` has effects` : `the node \`${target}\` has effects`;
  const verdict = { rule: ruleOf(level), level, trustHelps: false };
  switch (level) {
    case 'suggest_only':
      return { ...verdict, decision: 'suggest', reason: `${what}, and the run may only make suggestions` };
    case 'semi_auto':
      return approvedBy === undefined
        ? { ...verdict, decision: 'ask', reason: `${what} and is not approved yet` }
        : { ...verdict, decision: 'allow', reason: '' };
    case 'full_auto':
      return { ...verdict, decision: 'allow', reason: '' };
  }
}

const freeRule = 'full_autonomy_disabled';

interface AgainstFreedom {
  /** Location of the policy rule that forbids the act; absent if it is denied because no policy allows it. */
  readonly place?: string;
  /** Location of a permission that does not count because the workspace is not trusted. */
  readonly ignored?: string;
}

/** Returns why acting without asking is denied; undefined if a policy allows it and none forbids it. */
function ruleAgainstFreedom(layers: readonly PolicyLayer[]): AgainstFreedom | undefined {
  const said = layers.flatMap((layer) => {
    const allowed = layer.policy?.fullAutonomy;
    return allowed === undefined ? [] : [{ ...allowed, place: policyLineLabel(layer, allowed.line) }];
  });
  const forbids = said.find(({ value }) => !value);
  if (forbids !== undefined) return { place: forbids.place };
  if (said.length > 0) return undefined;
  const ignored = layers.flatMap((layer) => {
    const line = layer.policy?.ignoredAutonomyLine;
    return line === undefined ? [] : [policyLineLabel(layer, line)];
  });
  return ignored[0] === undefined ? {} : { ignored: ignored[0] };
}

/**
 * Judges an act at level `full_auto` by the current policies, which may have changed since the run started. Returns
 * undefined if they allow it.
 */
export function deniedFreedom({ act, target }: ActRequest, layers: readonly PolicyLayer[]): ActVerdict | undefined {
  const against = ruleAgainstFreedom(layers);
  if (against === undefined) return undefined;
  const { place, ignored } = against;
  const what = act === 'tool' ? `The tool \`${target}\`` : `The node \`${target}\``;
  const why = ignored === undefined ? '' : ` (${ignored} has no effect: the workspace is not trusted)`;
  const reason = `${what} would act without approval, which the policies no longer allow${why}`;
  const verdict = { decision: 'deny', rule: freeRule, level: 'full_auto', trustHelps: false, reason } as const;
  return place === undefined ? verdict : { ...verdict, place };
}

/** Returns why a run that acts without asking may not start; undefined if a policy allows it and none forbids it. */
export function refusedAutonomy(layers: readonly PolicyLayer[]): Omit<RunRefusedEvent, 'type'> | undefined {
  const against = ruleAgainstFreedom(layers);
  if (against === undefined) return undefined;
  const { place } = against;
  const details = { rule: freeRule, level: 'full_auto', ...(place === undefined ? {} : { place }) };
  return { code: 'autonomy_denied', message: wordsOfRefusal(against), details };
}

function wordsOfRefusal({ place, ignored }: AgainstFreedom): string {
  const words = 'The flow wants to act without approval (autonomy: full_auto)';
  if (place !== undefined) return `${words} (rule ${freeRule}, ${place}). The run was not started.`;
  if (ignored !== undefined) {
    return `${words}. ${ignored} permits it, but the policy of an untrusted workspace can only restrict runs (rule ${freeRule}). The run was not started. Trust the workspace, set allow_full_autonomy: true in your own policy, or start the run with a lower level.`;
  }
  return `${words}, but no policy allows this (rule ${freeRule}). The run was not started. Set allow_full_autonomy: true in your own policy or in the policy of a trusted workspace, or start the run with a lower level.`;
}
