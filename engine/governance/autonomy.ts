/**
 * What levels of autonomy say: whether something may act, and whether a run may begin that acts without asking.
 */
import type { AutonomyLevel } from '../flowspec/autonomy.ts';
import type { ActRequest, ActVerdict } from '../kernel/effect.ts';
import type { RunRefusedEvent } from '../kernel/run-event.ts';
import { type PolicyLayer, placeIn } from './policy-layer.ts';

/** Names the rule of a level in verdicts and events. */
function ruleOf(level: AutonomyLevel): string {
  return `autonomy.${level}`;
}

/** Decides by nothing but what it is given. */
export function judgeAct(level: AutonomyLevel, { act, target, approvedBy }: ActRequest): ActVerdict {
  const what = act === 'tool' ? `the tool \`${target}\` acts` : `the node \`${target}\` acts`;
  const verdict = { rule: ruleOf(level), level, trustHelps: false };
  switch (level) {
    case 'suggest_only':
      return { ...verdict, decision: 'suggest', reason: `${what}, and the run only makes suggestions` };
    case 'semi_auto':
      return approvedBy === undefined
        ? { ...verdict, decision: 'ask', reason: `${what}, and nobody has approved that yet` }
        : { ...verdict, decision: 'allow', reason: '' };
    case 'full_auto':
      return { ...verdict, decision: 'allow', reason: '' };
  }
}

/** Why no run may begin that acts without asking; undefined = it may. One policy has to allow it, and none may forbid it. */
export function refusedAutonomy(layers: readonly PolicyLayer[]): Omit<RunRefusedEvent, 'type'> | undefined {
  const rule = 'full_autonomy_disabled';
  const level = 'full_auto';
  const words = 'The flow wants to act without asking (autonomy: full_auto)';
  const said = layers.flatMap((layer) => {
    const allowed = layer.policy?.fullAutonomy;
    return allowed === undefined ? [] : [{ ...allowed, place: placeIn(layer, allowed.line) }];
  });
  const forbids = said.find(({ value }) => !value);
  if (forbids !== undefined) {
    const message = `${words} (rule ${rule}, ${forbids.place}). The run was not started.`;
    return { code: 'autonomy_denied', message, details: { rule, place: forbids.place, level } };
  }
  if (said.length > 0) return undefined;
  const message = `${words}, and no policy allows that (rule ${rule}). The run was not started. Write allow_full_autonomy: true into a policy, or start it with a lower level.`;
  return { code: 'autonomy_denied', message, details: { rule, level } };
}
