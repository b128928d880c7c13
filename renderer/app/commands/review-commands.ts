/**
 * Commands that open reviews: of proposals, and of what changed since the last commit.
 */
import { recordDecisions } from '../../stores/review/record-decisions.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';
import { openPath } from './open-file.ts';
import { text } from './text.ts';

/** Opens the review of the newest proposal that is not decided. */
async function reviewProposal({ stores }: CommandContext): Promise<void> {
  const { engine, notices, reviews } = stores;
  try {
    const { proposals } = await engine.call('listProposals');
    const next = proposals.find(({ status }) => status === 'pending');
    if (next === undefined) {
      notices.getState().add({ tone: 'info', title: text.review.noProposals, detail: text.review.noProposalsHelp });
      return;
    }
    const { id, file: path, title, by, at, base: before, text: after } = await engine.call('readProposal', next.id);
    await openPath(stores, path);
    const request = { path, title, by, at, before, after, source: 'proposal', taken: 'none' } as const;
    if (await reviews.getState().openReview(request)) recordDecisions(stores, { id, path, at });
  } catch (error) {
    notices.getState().addError(text.review.proposalFailed, error);
  }
}

/** Opens the review of the text on screen against that of the last commit. */
async function compareWithHead({ stores }: CommandContext, path: string): Promise<void> {
  const { engine, notices, openFiles, reviews } = stores;
  try {
    const { text: before } = await engine.call('readCommitted', { path, ref: 'HEAD' });
    const after = openFiles.getState().files.get(path)?.text;
    if (after === undefined) return;
    if (before === null || before === after) {
      const detail = before === null ? text.review.notCommitted({ path }) : text.review.sameAsHead({ path });
      notices.getState().add({ tone: 'info', title: text.review.nothingToCompare, detail });
      return;
    }
    await reviews
      .getState()
      .openReview({ path, title: text.review.sinceHead, before, after, source: 'git', taken: 'all' });
  } catch (error) {
    notices.getState().addError(text.review.compareFailed, error);
  }
}

export const reviewCommands = [
  {
    id: 'review.proposal',
    title: text.review.proposal,
    words: text.review.proposalWords,
    group: text.groups.files,
    run: (context) => void reviewProposal(context),
  },
  {
    id: 'review.head',
    title: text.review.head,
    words: text.review.headWords,
    group: text.groups.files,
    isAvailable: (context) => activeFile(context)?.kind === 'flow' && activeFile(context)?.status === 'ready',
    run: onActiveFile((context, path) => void compareWithHead(context, path)),
  },
] as const satisfies readonly Command[];
