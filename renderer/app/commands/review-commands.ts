/**
 * Commands that open reviews, of proposals and of what differs from a version in Git, and the command that commits.
 */
import { compareWithVersion } from '../../stores/review/compare-with-version.ts';
import { openProposal } from '../../stores/review/open-proposal.ts';
import { text as reviewText } from '../../stores/review/text.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';
import { focusWhenDrawn } from './open-file.ts';
import { text } from './text.ts';

/** Opens the newest proposal that is not decided, or the one after that in the active file. */
async function reviewProposal({ stores }: CommandContext): Promise<void> {
  const { engine, notices, openFiles, reviews } = stores;
  try {
    const { proposals } = await engine.call('listProposals');
    const pending = proposals.filter(({ status }) => status === 'pending');
    const shown = reviews.getState().reviews.get(openFiles.getState().activePath ?? '')?.proposalId;
    const next = pending[(pending.findIndex(({ id }) => id === shown) + 1) % pending.length];
    if (next === undefined) {
      notices.getState().add({ tone: 'info', title: text.review.noProposals, detail: text.review.noProposalsHelp });
      return;
    }
    await openProposal(stores, next.id);
    openFiles.getState().activate(next.file);
  } catch (error) {
    notices.getState().addError(text.review.proposalFailed, error);
  }
}

/** The selected row of the list of changes. */
const selectedChange = ['.changes-view [aria-current="true"] [data-roving]'];

type ConflictState = Pick<OpenFile, 'kind' | 'status' | 'conflict' | 'diagnostics'>;

/** Whether a file has conflicts: with the file on disk, or with markers of Git in its text. */
export function hasConflict({ kind, status, conflict, diagnostics }: ConflictState): boolean {
  if (kind !== 'flow' || status !== 'ready') return false;
  return conflict === null ? diagnostics.some(({ code }) => code === 'file.conflict') : conflict.diskText !== null;
}

/** Merges both sides of the conflicts of a flow, and shows those that remain. Other files are merged as text. */
export async function resolveConflicts({ stores, dialogs }: CommandContext, path: string): Promise<void> {
  const { notices, openFiles, panes, reviews, selection } = stores;
  const file = openFiles.getState().files.get(path);
  const isOnDisk = (file?.conflict ?? null) !== null;
  const start = file?.kind === 'flow' ? await reviews.getState().resolve(path) : 'failed';
  const { done, doneHelp } = reviewText.merge;
  if (start === 'conflicts') {
    panes.getState().showDock('changes');
    focusWhenDrawn(selectedChange, document.activeElement);
  } else if (start === 'merged') notices.getState().add({ tone: 'info', title: done, detail: doneHelp });
  else if (isOnDisk) dialogs.getState().show('conflict');
  else selection.getState().setMode(path, 'text');
}

function isReadyFlow(context: CommandContext): boolean {
  const file = activeFile(context);
  return file?.kind === 'flow' && file.status === 'ready';
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
    isAvailable: isReadyFlow,
    run: onActiveFile(({ stores }, path) => void compareWithVersion(stores, path, 'HEAD')),
  },
  {
    id: 'review.version',
    title: text.review.version,
    words: text.review.versionWords,
    group: text.groups.files,
    isAvailable: isReadyFlow,
    run: ({ dialogs }) => dialogs.getState().show('compare-version'),
  },
  {
    id: 'review.resolve',
    title: text.review.resolve,
    words: text.review.resolveWords,
    group: text.groups.files,
    isAvailable(context) {
      const file = activeFile(context);
      return file !== undefined && hasConflict(file);
    },
    run: onActiveFile((context, path) => void resolveConflicts(context, path)),
  },
  {
    id: 'git.commit',
    title: text.review.commit,
    words: text.review.commitWords,
    group: text.groups.files,
    isAvailable: ({ stores }) => stores.workspace.getState().folder !== null,
    run: ({ dialogs }) => dialogs.getState().show('commit'),
  },
] as const satisfies readonly Command[];
