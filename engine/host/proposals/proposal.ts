/**
 * Proposals: changed texts of flows that programs suggest and people decide about. A proposal changes nothing by
 * itself.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';

/**
 * `partly`: a person accepted some of the changes. `outdated`: the flow changed in a way that the proposal no longer
 * fits.
 */
const status = z.enum(['pending', 'applied', 'rejected', 'partly', 'outdated']);
export type ProposalStatus = z.output<typeof status>;

const text = z.string().max(MAX_FLOW_TEXT_LENGTH);

/** A proposal as stored in its file. */
export const proposalRecord = z.object({
  version: z.literal(1),
  id: z.string().regex(/^[a-z0-9]{20}$/),
  /** Path of the flow, relative to the workspace, with `/`. */
  file: z.string().min(1).max(4096),
  title: z.string().min(1).max(200),
  /** Name of the program that made it. */
  by: z.string().min(1).max(100),
  /** Epoch milliseconds. */
  at: z.number().int().min(0).max(8.64e15),
  baseHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Text of the flow for which the proposal was made. */
  base: text,
  /** Proposed text. */
  text,
  status,
});

export type Proposal = Readonly<z.output<typeof proposalRecord>>;

/** A proposal without its texts. */
export type ProposalSummary = Omit<Proposal, 'version' | 'base' | 'text'>;

/** The proposals of a workspace. */
export interface ProposalList {
  /** Newest first. */
  readonly proposals: readonly ProposalSummary[];
  /** Files in the folder of proposals that are not proposals, with the reason. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** A change to propose. */
export interface NewProposal {
  /** Path of the flow, relative to the workspace. */
  readonly file: string;
  /** What the change does, in one line. */
  readonly title: string;
  /** Name of the program that proposes it. */
  readonly by: string;
  readonly text: string;
  /** Text that the person sees, if it has changes that are not saved; absent for the text of the file. */
  readonly base?: string;
  /** Hash of the text to which the change was made; absent for the current text of the file. */
  readonly baseHash?: string;
}

/** Stores proposals. None of its methods changes a flow. */
export interface ProposalEngine {
  /** Lists all proposals, including those that were decided. */
  listProposals(): Promise<ProposalList>;
  /** @throws EngineError `proposal.not-found` | `proposal.unreadable` */
  readProposal(id: string): Promise<Proposal>;
  /**
   * Stores a proposal for a flow. Without `base`, the flow must exist.
   * @throws EngineError `proposal.changed-base` if the file's text does not have the hash, `proposal.nothing` without
   * changes, `proposal.too-many`, `edit.refused` if the text is not a flow, `files.*`
   */
  addProposal(request: NewProposal): Promise<ProposalSummary>;
  /** Records what a person decided. @throws EngineError `proposal.not-found` | `proposal.unreadable` | `files.*` */
  setProposalStatus(request: { readonly id: string; readonly status: ProposalStatus }): Promise<void>;
  /**
   * Calls the listener shortly after proposals were added, changed or removed, and once when the watch starts. Returns
   * a function that ends the subscription.
   */
  watchProposals(listener: () => void): () => void;
}

/** What an engine gives its proposals. */
export interface ProposalWorld {
  /** Absolute path. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly readFlow: (path: string) => Promise<{ readonly text: string; readonly loss?: string }>;
  /** Called when the system stops reporting changes. */
  readonly onFailure: (error: EngineError) => void;
}
