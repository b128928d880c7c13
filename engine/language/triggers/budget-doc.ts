/**
 * What a run may use: of a flow, a trigger, or a request to the assistant.
 */
import { z } from 'zod';

export interface BudgetDoc {
  /** US dollars. */
  readonly usd?: number;
  /** Model tokens: prompts and responses. */
  readonly tokens?: number;
  /** Seconds in which it is active, without waiting for people. */
  readonly seconds?: number;
}

/** The parts of a budget, in the order in which they are named. */
export const budgetParts = ['usd', 'tokens', 'seconds'] as const satisfies readonly (keyof BudgetDoc)[];

export type BudgetPart = (typeof budgetParts)[number];

/** Creates the schema of a budget. */
export function budgetSchema() {
  return z
    .strictObject({
      usd: z.number().positive('must be more than 0').exactOptional().describe('US dollars for model calls.'),
      tokens: z.int().positive('must be more than 0').exactOptional().describe('Tokens of all models.'),
      seconds: z
        .number()
        .positive('must be more than 0')
        .exactOptional()
        .describe('Seconds of work, without waiting for people.'),
    })
    .refine((budget) => Object.keys(budget).length > 0, { error: 'needs at least one of usd, tokens and seconds' })
    .meta({ minProperties: 1 });
}

/** Returns the higher limit of each part. */
export function raisedBudget(budget: BudgetDoc, raised: BudgetDoc): BudgetDoc {
  const limits = budgetParts.flatMap((part) => {
    const [own, other] = [budget[part], raised[part]];
    return own === undefined ? [] : [[part, Math.max(own, other ?? own)] as const];
  });
  return Object.fromEntries(limits);
}

/** Formats a limit for messages: `$0.10`, `5000 tokens`, `60 s`. */
export function budgetText(part: BudgetPart, limit: number): string {
  if (part === 'usd') return `$${Number(limit.toFixed(2)) === limit ? limit.toFixed(2) : limit}`;
  return part === 'tokens' ? `${limit} tokens` : `${limit} s`;
}
