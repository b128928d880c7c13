/**
 * The text of the dialogs about Git in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  compare: {
    title: ({ path }) => `${path} vergleichen mit`,
    placeholder: 'Name eines Branchs oder Tags, ein Commit oder Wörter seiner Nachricht',
    branches: 'Branches',
    tags: 'Tags',
    commits: 'Commits dieser Datei',
    current: 'aktueller Branch',
    branch: 'Branch',
    tag: 'Tag',
    typed: 'Branch, Tag oder Commit',
    commit: ({ commit, author, time }) => `${commit} · ${author} · ${time}`,
    loading: 'Branches und Commits werden geladen …',
    empty: 'Noch keine Branches. Geben Sie einen Branch, ein Tag oder einen Commit ein.',
  },
};
