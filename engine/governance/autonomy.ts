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

const freeRule = 'full_autonomy_disabled';

/** Where a policy stands that lets nothing act without asking; without a place none allows it. Undefined = one does, and none forbids it. */
function ruleAgainstFreedom(layers: readonly PolicyLayer[]): { readonly place?: string } | undefined {
  const said = layers.flatMap((layer) => {
    const allowed = layer.policy?.fullAutonomy;
    return allowed === undefined ? [] : [{ ...allowed, place: placeIn(layer, allowed.line) }];
  });
  const forbids = said.find(({ value }) => !value);
  if (forbids !== undefined) return { place: forbids.place };
  return said.length > 0 ? undefined : {};
}

/** What policies say to an act at the level `full_auto`: they may have changed since its run began. Undefined = they allow it. */
export function deniedFreedom({ act, target }: ActRequest, layers: readonly PolicyLayer[]): ActVerdict | undefined {
  const against = ruleAgainstFreedom(layers);
  if (against === undefined) return undefined;
  const what = act === 'tool' ? `The tool \`${target}\`` : `The node \`${target}\``;
  const reason = `${what} would act without asking, which no policy allows any more`;
  return { decision: 'deny', rule: freeRule, level: 'full_auto', trustHelps: false, reason, ...against };
}

/** Why no run may begin that acts without asking; undefined = it may. One policy has to allow it, and none may forbid it. */
export function refusedAutonomy(layers: readonly PolicyLayer[]): Omit<RunRefusedEvent, 'type'> | undefined {
  const against = ruleAgainstFreedom(layers);
  if (against === undefined) return undefined;
  const { place } = against;
  const details = { rule: freeRule, level: 'full_auto', ...against };
  const words = 'The flow wants to act without asking (autonomy: full_auto)';
  const message =
    place === undefined
      ? `${words}, and no policy allows that (rule ${freeRule}). The run was not started. Write allow_full_autonomy: true into a policy, or start it with a lower level.`
      : `${words} (rule ${freeRule}, ${place}). The run was not started.`;
  return { code: 'autonomy_denied', message, details };
}
