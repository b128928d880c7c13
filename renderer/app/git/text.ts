/**
 * The text of the dialogs about Git.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

interface OfFiles {
  readonly count: number;
}

export const text = inLanguage('app/git', {
  compare: {
    title: ({ path }: { readonly path: string }) => `Compare ${path} with`,
    placeholder: 'Name of a branch or tag, a commit, or words of its message',
    branches: 'Branches',
    tags: 'Tags',
    commits: 'Commits of this file',
    runs: 'Runs',
    current: 'current branch',
    typed: 'branch, tag or commit',
    commit: ({ commit, author, time }: { readonly commit: string; readonly author: string; readonly time: string }) =>
      `${commit} · ${author} · ${time}`,
    loading: 'Loading branches and commits…',
    empty: 'No branches yet. Enter a branch, tag or commit.',
  },
  commit: {
    title: 'Commit',
    description: ({ branch }: { readonly branch: string }) =>
      `Commits the selected files to ${branch}. Nothing is pushed, and what is staged of other files stays staged.`,
    detached: 'No branch is checked out. Create one with "git switch -c NAME" first.',
    failed: "Couldn't list the changes",
    message: 'Message',
    placeholder: 'What you changed, and why',
    files: 'Files',
    all: 'Select all',
    none: 'Select none',
    unsaved: 'unsaved, is saved first',
    untracked: 'new',
    empty: 'No flow or agent differs from the last commit.',
    untrusted:
      "This workspace isn't trusted, so Git runs no hooks, no filters of the repository and no signing program. Trust the workspace in the settings to run them.",
    cancel: 'Cancel',
    commit: ({ count }: OfFiles) =>
      plural(count, { zero: 'Commit', one: 'Commit 1 file', other: `Commit ${numberText(count)} files` }),
    committing: 'Committing…',
    notSaved: ({ path }: { readonly path: string }) =>
      `${path} could not be saved, so nothing was committed. Resolve its conflict or save it first.`,
    done: ({ count }: OfFiles) =>
      plural(count, { one: 'Committed 1 file', other: `Committed ${numberText(count)} files` }),
    doneHelp: ({ commit, subject }: { readonly commit: string; readonly subject: string }) => `${commit} ${subject}`,
  },
});
