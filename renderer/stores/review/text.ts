/**
 * The text of reviews: names of edits, and why something cannot be reviewed.
 */
import { inLanguage } from '../../ui/language.ts';

interface FileVersion {
  readonly path: string;
  /** A branch, a tag or a commit. */
  readonly ref: string;
}

interface OfFile {
  readonly path: string;
}

interface OfChange {
  readonly change: string;
}

export const text = inLanguage('stores/review', {
  /** Names of edits in the Undo menu. */
  edits: {
    accept: ({ change }: OfChange) => `Accept "${change}"`,
    reject: ({ change }: OfChange) => `Reject "${change}"`,
    reset: ({ change }: OfChange) => `Take back the decision on "${change}"`,
    acceptAll: 'Accept all changes',
    rejectAll: 'Reject all changes',
    merge: 'Resolve conflicts',
    cancelMerge: 'Restore the conflicts',
  },
  statusFailed: "Couldn't record the decision about the proposal",
  outsideTitle: 'Changed by another program',
  failed: "Couldn't review the changes",
  decideFailed: "Couldn't apply the decision",
  merge: {
    failed: "Couldn't merge the versions",
    ofGit: ({ mine, theirs }: { readonly mine: string; readonly theirs: string }) =>
      `Yours: ${mine || 'this branch'}, theirs: ${theirs || 'the other branch'}`,
    done: 'Merged without conflicts',
    doneHelp: 'Both versions changed different parts. Undo restores the text before the merge.',
    ofDisk: 'Yours: unsaved changes, theirs: the file on disk',
  },
  /** Why a proposal does not open as a review. */
  proposal: {
    outdatedTitle: ({ title }: { readonly title: string }) => `Outdated proposal: ${title}`,
    outdated: ({ path }: OfFile) =>
      `${path} has changed in the same places since the proposal was made. Ask for the change again.`,
    gone: ({ path }: OfFile) => `${path} no longer exists.`,
    clash: 'The proposal conflicts with unsaved edits',
    clashHelp: ({ path }: OfFile) =>
      `You have changed ${path} in the same places. Save or undo your edits, and open the proposal again.`,
    contained: 'Nothing left to review',
    containedHelp: ({ path }: OfFile) => `${path} already contains the proposed changes.`,
  },
  /** The review of a file against a version in Git. */
  git: {
    sinceHead: 'Changes since the last commit',
    nothingToCompare: 'Nothing to compare',
    compareFailed: "Couldn't compare the file",
    since: ({ ref }: Pick<FileVersion, 'ref'>) => `Compared with ${ref}`,
    notCommitted: ({ path, ref }: FileVersion) =>
      ref === 'HEAD' ? `The last commit doesn't contain ${path}.` : `${ref} doesn't contain ${path}.`,
    sameAs: ({ path, ref }: FileVersion) =>
      ref === 'HEAD' ? `${path} doesn't differ from the last commit.` : `${path} doesn't differ from that in ${ref}.`,
    notFlow: ({ path, ref }: FileVersion) =>
      `${path} in ${ref} is not a valid flow, so it can't be compared on the canvas. Use "git diff" to see the text.`,
  },
  noDifference: 'Nothing in the flow differs.',
  wait: 'The text on screen is not a valid flow. Correct or undo the last edit, and try again.',
});
