/**
 * The text of the workspace tree, the search in all files, and the messages of a workspace without flows in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  tree: {
    label: 'Dateien des Arbeitsbereichs',
    new: 'Neu…',
    newFile: 'Neue Datei',
    newFolder: 'Neuer Ordner',
    more: 'Weitere Dateiaktionen',
    collapseAll: 'Alle Ordner zuklappen',
    refresh: 'Neu laden',
    open: 'Öffnen',
    openKey: 'Eingabe',
    rename: 'Umbenennen',
    duplicate: 'Duplizieren',
    copyPath: 'Pfad kopieren',
    moveToTrash: 'In den Papierkorb verschieben…',
    deleteKey: 'Entf',
    folder: ({ count }) => plural(count, { one: 'Ordner, 1 Eintrag', other: `Ordner, ${numberText(count)} Einträge` }),
    hasErrors: 'hat Fehler',
    modified: 'seit dem letzten Commit geändert',
    untracked: 'noch nicht in Git',
    loading: 'Wird geladen…',
    empty: 'Leerer Ordner',
    failed: ({ reason }) => `Der Ordner konnte nicht aufgelistet werden: ${reason}`,
    cut: ({ count }) => `Nur die ersten ${numberText(count)} Einträge werden angezeigt.`,
    nameOfFile: 'Name der neuen Datei',
    nameOfFolder: 'Name des neuen Ordners',
    newName: ({ name }) => `Neuer Name für ${name}`,
    taken: ({ name }) => `${name} ist hier schon vorhanden.`,
  },
  trash: {
    title: ({ name }) => `${name} in den Papierkorb verschieben?`,
    file: 'Wiederherstellen ist möglich, bis der Papierkorb geleert wird.',
    folder: ({ path }) => `Alles in ${path} kommt in den Papierkorb.`,
    unsaved: 'Nur gespeicherter Text kommt in den Papierkorb. Ungespeicherte Änderungen gehen verloren in:',
    cancel: 'Abbrechen',
    move: 'In den Papierkorb verschieben',
  },
  unreadableFolder: 'Dieser Ordner kann nicht gelesen werden',
  search: {
    title: 'SUCHE',
    label: 'In Dateien suchen',
    placeholder: 'Suchen',
    matchCase: 'Groß-/Kleinschreibung beachten',
    wholeWords: 'Ganze Wörter',
    regExp: 'Regulärer Ausdruck',
    filter: 'Dateien filtern',
    include: 'Eingeschlossene Dateien',
    exclude: 'Ausgeschlossene Dateien',
    results: 'Suchergebnisse',
    expandAll: 'Alle Dateien aufklappen',
    collapseAll: 'Alle Dateien zuklappen',
    file: ({ path, count }) =>
      plural(count, { one: `${path}, 1 Treffer`, other: `${path}, ${numberText(count)} Treffer` }),
    line: ({ line, content }) => `Zeile ${line}: ${content}`,
    found: ({ matches, files }) => {
      const number = numberText(matches);
      return plural(matches, {
        zero: 'Keine Treffer',
        one: '1 Treffer in 1 Datei',
        other: plural(files, {
          one: `${number} Treffer in 1 Datei`,
          other: `${number} Treffer in ${numberText(files)} Dateien`,
        }),
      });
    },
    firstOnly: 'Nur die ersten Treffer werden angezeigt. Suchen Sie nach etwas Genauerem oder in weniger Dateien.',
    slowFile: ({ path }) =>
      `Die Suche wurde beendet, weil ${path} zu lange gedauert hat. Vereinfachen Sie den Ausdruck.`,
    slow: 'Die Suche wurde beendet, weil eine Datei zu lange gedauert hat. Vereinfachen Sie den Ausdruck.',
    time: 'Die Suche wurde beendet, weil sie zu lange gedauert hat. Suchen Sie in weniger Dateien.',
    tooLarge: ({ count }) =>
      plural(count, {
        one: '1 Datei über 2 MiB wurde übersprungen.',
        other: `${numberText(count)} Dateien über 2 MiB wurden übersprungen.`,
      }),
    cut: 'Der Arbeitsbereich hat zu viele Dateien, um alle zu durchsuchen.',
    start: 'In allen Dateien suchen',
    startNote:
      'Durchsucht Flows, Agenten, Notizen und alle anderen Textdateien dieses Ordners, auch ungespeicherte Änderungen.',
    nothing: 'Keine Treffer',
    nothingNote: 'Von Git ignorierte Dateien, Dateien über 2 MiB und Binärdateien werden nicht durchsucht.',
  },
};
