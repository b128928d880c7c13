/**
 * Opens the reviews of proposals, and stores with a proposal what the person decides about it.
 */
import type { StoreApi } from 'zustand/vanilla';
import { EngineError, parseFlow } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import { isNew, type OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import { openKeys, type Review } from './review.ts';
import type { Reviews } from './reviews.ts';
import { text as words } from './text.ts';

interface ProposalServices {
  readonly engine: EngineClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly reviews: StoreApi<Reviews>;
  readonly panes: StoreApi<Panes>;
}

type Proposal = EngineResult<'readProposal'>;

type DecidedStatus = 'pending' | 'applied' | 'rejected' | 'partly';

/**
 * Opens the review of a proposal, and its flow if necessary. If the flow has changed since, the changes are merged with
 * it; a notice says why if that is not possible. A review that is already open keeps its decisions.
 * @throws EngineError of the engine
 */
export async function openProposal(services: ProposalServices, id: string): Promise<void> {
  const { engine, notices, openFiles, reviews, panes } = services;
  const proposal = await engine.call('readProposal', id);
  const { file: path, title, by, at } = proposal;
  if (reviewOf(reviews.getState(), proposal) !== undefined) return panes.getState().showDock('changes');
  if (await isGone(services, proposal)) return markOutdated(services, proposal, words.proposal.gone({ path }));
  // A file that is open stays in its tab.
  if (!openFiles.getState().files.has(path)) await openFiles.getState().openNew(path, proposal.base);
  const file = await openFiles.getState().checked(path);
  if (file?.status !== 'ready') return;
  const versions = { base: proposal.base, mine: file.text, theirs: proposal.text };
  const isUnchanged = file.text === proposal.base;
  const merged = isUnchanged ? { text: proposal.text, clashes: 0 } : await reviews.getState().merge(versions, 'flow');
  if (merged.clashes > 0) {
    if (!file.isDirty) return markOutdated(services, proposal, words.proposal.outdated({ path }));
    notices.getState().add({ tone: 'info', title: words.proposal.clash, detail: words.proposal.clashHelp({ path }) });
    return;
  }
  if (merged.text === file.text) {
    notices
      .getState()
      .add({ tone: 'info', title: words.proposal.contained, detail: words.proposal.containedHelp({ path }) });
    followDecisions(services, proposal, 'applied');
    return;
  }
  const request = { path, title, by, at, before: file.text, after: merged.text, source: 'proposal' } as const;
  if (!(await reviews.getState().openReview({ ...request, proposalId: id, taken: 'none' }))) return;
  followDecisions(services, proposal, 'pending');
  panes.getState().showDock('changes');
}

/** Returns whether the flow was deleted. A proposal for a flow without nodes may begin a new one. */
async function isGone({ engine, openFiles }: ProposalServices, { file, base }: Proposal): Promise<boolean> {
  const isOpen = openFiles.getState().files.get(file)?.status === 'ready';
  if (isOpen || parseFlow(base).doc?.nodes.length === 0) return false;
  return engine.call('readFlow', file).then(
    () => false,
    (error: unknown) => EngineError.is(error) && error.code === 'files.not-found',
  );
}

async function markOutdated({ engine, notices }: ProposalServices, { id, title }: Proposal, detail: string) {
  await engine.call('setProposalStatus', { id, status: 'outdated' });
  notices.getState().add({ tone: 'info', title: words.proposal.outdatedTitle({ title }), detail });
}

/**
 * Stores the status of a proposal: it is rejected as soon as the person has rejected everything, and applied only when
 * the file has what they accepted. Ends with the review, or when the file is saved after it.
 * @param wanted what the person has decided so far
 */
function followDecisions(
  { engine, notices, openFiles, reviews }: ProposalServices,
  proposal: Proposal,
  wanted: DecidedStatus,
): void {
  const { id, file: path, base } = proposal;
  let recorded: DecidedStatus = 'pending';
  let decided = wanted;
  const record = (status: DecidedStatus): void => {
    if (status === recorded) return;
    recorded = status;
    engine
      .call('setProposalStatus', { id, status })
      .catch((error: unknown) => notices.getState().addError(words.statusFailed, error));
  };
  const follow = (): void => {
    const review = reviewOf(reviews.getState(), proposal);
    const file = openFiles.getState().files.get(path);
    const isUndone = file === undefined || file.text === base;
    if (review !== undefined) decided = proposalStatusOf(review);
    else if (isUndone && decided !== 'rejected') decided = 'pending';
    const needsSave = decided === 'applied' || decided === 'partly';
    // Once saved, it stays applied when the person goes on with the flow.
    record(needsSave && recorded !== decided && !isSaved(file, review) ? 'pending' : decided);
    if (review === undefined && recorded === decided) end();
  };
  const ends = [reviews.subscribe(follow), openFiles.subscribe(follow)];
  const end = (): void => {
    for (const one of ends) one();
  };
  follow();
}

/** Returns the open review of a proposal. */
function reviewOf({ reviews }: Reviews, { id, file }: Pick<Proposal, 'id' | 'file'>): Review | undefined {
  const review = reviews.get(file);
  return review?.proposalId === id ? review : undefined;
}

/** Whether the file on disk has the text on screen, and this is the text of the review. */
function isSaved(file: OpenFile | undefined, review: Review | undefined): boolean {
  if (file === undefined || file.isDirty || isNew(file)) return false;
  return review === undefined || file.text === review.text;
}

/** Returns `pending` until the person has decided about every change. */
function proposalStatusOf(review: Review): DecidedStatus {
  if (openKeys(review).length > 0) return 'pending';
  if (review.taken.size === 0) return 'rejected';
  return review.taken.size === review.differences.length ? 'applied' : 'partly';
}
