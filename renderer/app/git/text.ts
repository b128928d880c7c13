/**
 * The text of the dialogs about Git.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('app/git', {
  compare: {
    title: ({ path }: { readonly path: string }) => `Compare ${path} with`,
    placeholder: 'Name of a branch or tag, a commit, or words of its message',
    branches: 'Branches',
    tags: 'Tags',
    commits: 'Commits of this file',
    current: 'current branch',
    branch: 'branch',
    tag: 'tag',
    typed: 'branch, tag or commit',
    commit: ({ commit, author, time }: { readonly commit: string; readonly author: string; readonly time: string }) =>
      `${commit} · ${author} · ${time}`,
    loading: 'Loading branches and commits…',
    empty: 'No branches yet. Enter a branch, tag or commit.',
  },
});
