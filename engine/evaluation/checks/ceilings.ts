/**
 * Compares what a run used with the limits of a case.
 */
import type { ExpectDoc } from '../../language/cases/case-doc.ts';
import type { CheckResult } from '../../language/cases/case-result.ts';
import type { ModelUse } from '../model-meter.ts';

export function ceilings({ maxTokens, maxUsd }: ExpectDoc, { tokens, costUsd }: ModelUse): readonly CheckResult[] {
  const checks: CheckResult[] = [];
  if (maxTokens !== undefined) {
    const isOk = tokens <= maxTokens;
    const message = `The run used ${tokens} tokens, more than ${maxTokens}.`;
    checks.push({
      ...{ isOk, kind: 'maxTokens', expected: maxTokens, got: tokens, label: `at most ${maxTokens} tokens` },
      path: ['expect', 'maxTokens'],
      ...(isOk ? {} : { message }),
    });
  }
  if (maxUsd !== undefined) {
    const isKnown = costUsd !== undefined || tokens === 0;
    const isOk = isKnown && (costUsd ?? 0) <= maxUsd;
    const message = isKnown
      ? `The run cost $${(costUsd ?? 0).toFixed(4)}, more than $${maxUsd}.`
      : 'The cost of the run is unknown, because its models have no known price. Use maxTokens instead.';
    checks.push({
      ...{ isOk, kind: 'maxUsd', expected: maxUsd, label: `cost is at most $${maxUsd}` },
      ...(isKnown ? { got: costUsd ?? 0 } : {}),
      path: ['expect', 'maxUsd'],
      ...(isOk ? {} : { message }),
    });
  }
  return checks;
}
