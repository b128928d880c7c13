/**
 * The text of the dialogs about Git in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  compare: {
    title: ({ path }) => `${path} vergleichen mit`,
    placeholder: 'Name eines Branchs oder Tags, ein Commit oder Wörter seiner Nachricht',
    branches: 'Branches',
    tags: 'Tags',
    commits: 'Commits dieser Datei',
    runs: 'Läufe',
    current: 'aktueller Branch',
    typed: 'Branch, Tag oder Commit',
    commit: ({ commit, author, time }) => `${commit} · ${author} · ${time}`,
    loading: 'Branches und Commits werden geladen …',
    empty: 'Noch keine Branches. Geben Sie einen Branch, ein Tag oder einen Commit ein.',
  },
  commit: {
    title: 'Commit',
    description: ({ branch }) =>
      `Committet die ausgewählten Dateien nach ${branch}. Es wird nichts gepusht, und was von anderen Dateien vorgemerkt ist, bleibt vorgemerkt.`,
    detached: 'Kein Branch ist ausgecheckt. Erstellen Sie zuerst einen mit „git switch -c NAME“.',
    failed: 'Die Änderungen konnten nicht aufgelistet werden',
    message: 'Nachricht',
    placeholder: 'Was Sie geändert haben und warum',
    files: 'Dateien',
    all: 'Alle auswählen',
    none: 'Keine auswählen',
    unsaved: 'ungespeichert, wird zuerst gespeichert',
    untracked: 'neu',
    empty: 'Kein Flow und kein Agent unterscheidet sich vom letzten Commit.',
    untrusted:
      'Diesem Arbeitsbereich wird nicht vertraut. Deshalb führt Git keine Hooks, keine Filter des Repositorys und kein Signaturprogramm aus. Vertrauen Sie dem Arbeitsbereich in den Einstellungen, damit sie ausgeführt werden.',
    cancel: 'Abbrechen',
    commit: ({ count }) =>
      plural(count, { zero: 'Committen', one: '1 Datei committen', other: `${numberText(count)} Dateien committen` }),
    committing: 'Commit läuft …',
    notSaved: ({ path }) =>
      `${path} konnte nicht gespeichert werden, deshalb wurde nichts committet. Lösen Sie zuerst den Konflikt, oder speichern Sie die Datei.`,
    done: ({ count }) => plural(count, { one: '1 Datei committet', other: `${numberText(count)} Dateien committet` }),
    doneHelp: ({ commit, subject }) => `${commit} ${subject}`,
  },
};
