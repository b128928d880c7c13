/**
 * The rule by which old runs are deleted, as shown in windows. Part of `engine-contract.ts`, `main-contract.ts` and
 * `person-contract.ts`.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';

const count = z.exactOptional(z.int().min(1).max(1_000_000));

/** Without parts, all runs are kept. */
const rule = z.strictObject({
  olderThanDays: count,
  keepPerFlow: count,
});

/** The calls of pages. */
export const retentionContract = {
  readRetention: call(
    [],
    z.object({ rule: z.exactOptional(rule), runs: z.number(), bytes: z.number(), isLarge: z.boolean() }),
  ),
  /** Returns how many runs a rule selects now, and when the first of them started. */
  countOldRuns: call([rule], z.object({ runs: z.number(), oldestAt: z.exactOptional(z.number()) })),
} as const;

/** The calls of main. The first two return the details for the consent dialog. */
export const personRetention = { ...retentionContract, setRetention: call([rule], z.void()) } as const;

/** The calls of pages to main. */
export const mainRetention = {
  /**
   * Asks the user, then sets the rule. A rule that keeps all runs is set without a question, because it deletes
   * nothing. Fails with the errors of the engine's `setRetention`.
   */
  'runs.setRetention': call([rule], z.object({ isDone: z.boolean() })),
} as const;
