/**
 * The text of reviews in German: names of edits, and why something cannot be reviewed.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  edits: {
    accept: ({ change }) => `„${change}“ annehmen`,
    reject: ({ change }) => `„${change}“ ablehnen`,
    reset: ({ change }) => `Entscheidung zu „${change}“ zurücknehmen`,
    acceptAll: 'Alle Änderungen annehmen',
    rejectAll: 'Alle Änderungen ablehnen',
    merge: 'Konflikte lösen',
    cancelMerge: 'Konflikte wiederherstellen',
  },
  statusFailed: 'Die Entscheidung über den Vorschlag konnte nicht gespeichert werden',
  outsideTitle: 'Von einem anderen Programm geändert',
  failed: 'Die Änderungen konnten nicht geprüft werden',
  decideFailed: 'Die Entscheidung konnte nicht angewendet werden',
  merge: {
    failed: 'Die Fassungen konnten nicht zusammengeführt werden',
    ofGit: ({ mine, theirs }) => `Ihre: ${mine || 'dieser Branch'}, andere: ${theirs || 'der andere Branch'}`,
    done: 'Ohne Konflikte zusammengeführt',
    doneHelp: 'Beide Fassungen haben verschiedene Teile geändert. „Rückgängig“ stellt den vorherigen Text wieder her.',
    ofDisk: 'Ihre: ungespeicherte Änderungen, andere: die Datei auf dem Datenträger',
  },
  proposal: {
    outdatedTitle: ({ title }) => `Veralteter Vorschlag: ${title}`,
    outdated: ({ path }) =>
      `${path} wurde seit dem Vorschlag an denselben Stellen geändert. Fordern Sie die Änderung erneut an.`,
    gone: ({ path }) => `${path} ist nicht mehr vorhanden.`,
    clash: 'Der Vorschlag steht im Konflikt mit ungespeicherten Änderungen',
    clashHelp: ({ path }) =>
      `Sie haben ${path} an denselben Stellen geändert. Speichern Sie Ihre Änderungen, oder machen Sie sie rückgängig, und öffnen Sie den Vorschlag erneut.`,
    contained: 'Nichts mehr zu prüfen',
    containedHelp: ({ path }) => `${path} enthält die vorgeschlagenen Änderungen bereits.`,
  },
  git: {
    sinceHead: 'Änderungen seit dem letzten Commit',
    nothingToCompare: 'Nichts zu vergleichen',
    compareFailed: 'Die Datei konnte nicht verglichen werden',
    since: ({ ref }) => `Verglichen mit ${ref}`,
    notCommitted: ({ path, ref }) =>
      ref === 'HEAD' ? `Der letzte Commit enthält ${path} nicht.` : `${ref} enthält ${path} nicht.`,
    sameAs: ({ path, ref }) =>
      ref === 'HEAD'
        ? `${path} unterscheidet sich nicht vom letzten Commit.`
        : `${path} unterscheidet sich nicht von der Fassung in ${ref}.`,
    notFlow: ({ path, ref }) =>
      `${path} ist in ${ref} kein gültiger Flow und kann nicht auf der Zeichenfläche verglichen werden. „git diff“ zeigt den Text.`,
  },
  noDifference: 'Am Flow hat sich nichts geändert.',
  wait: 'Der Text auf dem Bildschirm ist kein gültiger Flow. Korrigieren Sie die letzte Änderung, oder machen Sie sie rückgängig, und versuchen Sie es erneut.',
};
