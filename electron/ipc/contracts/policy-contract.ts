/**
 * Calls from a window about policies.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';
import { runId } from '../run-summary.ts';

const problem = z.object({ line: z.number(), column: z.number(), message: z.string() });

const policyFile = z.object({
  scope: z.enum(['team', 'personal', 'workspace', 'product']),
  path: z.string(),
  exists: z.boolean(),
  text: z.exactOptional(z.string()),
  problems: z.array(problem).readonly(),
  warnings: z.array(problem).readonly(),
  product: z.exactOptional(z.string()),
});

const refusal = z.object({
  seq: z.number(),
  rule: z.string(),
  place: z.string(),
  effect: z.string(),
  target: z.string(),
  reason: z.string(),
});

/** Maximum length in characters. A typical policy is one page long. */
const text = z.string().max(1024 * 1024);

export const policyContract = {
  listPolicies: call([], z.array(policyFile).readonly()),
  checkPolicy: call([text], z.array(problem).readonly()),
  tryPolicy: call(
    [z.object({ text: z.exactOptional(text) })],
    z
      .array(z.object({ runId, name: z.string(), startedAt: z.number(), refusals: z.array(refusal).readonly() }))
      .readonly(),
  ),
} as const;
