/**
 * Calls from a window to its engine host about proposals. Part of `engine-contract.ts`. None of them changes a flow: a
 * window applies a proposal as an edit of the open file.
 */
import { z } from 'zod';
import { call, stream } from '../rpc.ts';

const status = z.enum(['pending', 'applied', 'rejected', 'partly', 'outdated']);
const id = z.string().min(1).max(100);

export const proposalSummary = z.object({
  id: z.string(),
  file: z.string(),
  title: z.string(),
  by: z.string(),
  at: z.number(),
  baseHash: z.string(),
  status,
});

export const proposalContract = {
  /** Lists all proposals, newest first, and the files that are not proposals. */
  listProposals: call(
    [],
    z.object({
      proposals: z.array(proposalSummary).readonly(),
      problems: z.array(z.object({ path: z.string(), message: z.string() })).readonly(),
    }),
  ),
  /** Fails with `proposal.not-found` or `proposal.unreadable`. */
  readProposal: call([id], proposalSummary.extend({ version: z.literal(1), base: z.string(), text: z.string() })),
  /** Records what the person decided. */
  setProposalStatus: call([z.strictObject({ id, status })], z.void()),
  /** Emits when proposals were added, changed or removed. */
  watchProposals: stream(z.void()),
} as const;
