/** The rules that every host of runs must obey. */
import { agentRules } from './agent-rules.ts';
import { askingRules } from './asking-rules.ts';
import { effectRules } from './effect-rules.ts';
import { failureRules } from './failure-rules.ts';
import type { HostRule } from './host-rule.ts';
import { orderRules } from './order-rules.ts';
import { scopeRules } from './scope-rules.ts';
import { skipRules } from './skip-rules.ts';
import { toolRules } from './tool-rules.ts';

/** All rules, in the order of their subjects. */
export const hostRules: readonly HostRule[] = [
  ...orderRules(),
  ...skipRules(),
  ...failureRules(),
  ...scopeRules(),
  ...agentRules(),
  ...toolRules(),
  ...askingRules(),
  ...effectRules(),
];
