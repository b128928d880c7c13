/**
 * The policy before each call of a tool.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import type { ToolDescription, ToolScope } from '../kernel/tool-capability.ts';
import { type Failure, failure } from './tool-failures.ts';

/** What a policy says of a call. */
export interface ToolVerdict {
  readonly decision: 'allow' | 'deny' | 'ask';
  /** Stable id of the rule that decided. */
  readonly rule: string;
  /** Where the rule stands, as `<file>:<line>`. */
  readonly place?: string;
  /** For people: why, without a full stop. */
  readonly reason: string;
}

/** Answers without side effects. */
export type ToolPolicy = (tool: ToolDescription, params: JsonMap) => ToolVerdict | Promise<ToolVerdict>;

interface Deciding {
  readonly scope: ToolScope;
  readonly policy: ToolPolicy | undefined;
}

/** Asks the policy and tells what it has decided, where it has. */
export async function decide(
  tool: ToolDescription,
  params: JsonMap,
  { scope, policy }: Deciding,
): Promise<{ readonly refused?: Failure; readonly asks?: string }> {
  if (policy === undefined) return {};
  const { decision, rule, place, reason } = await policy(tool, params);
  scope.hub.emit({
    type: 'governance:decision',
    allowed: decision !== 'deny',
    rule,
    effect: 'tool',
    target: tool.name,
    ...(place === undefined ? {} : { place }),
    ...(decision === 'allow' ? {} : { reason }),
  });
  if (decision === 'ask') return { asks: reason };
  if (decision === 'allow') return {};
  const where = place === undefined ? '' : ` at ${place}`;
  const message = `${tool.name} may not be called: ${reason} (rule ${rule}${where}).`;
  return { refused: { ...failure('auth_error', message, 'effect.denied'), isRetryable: false } };
}
