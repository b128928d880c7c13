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
  },
  statusFailed: 'Die Entscheidung über den Vorschlag konnte nicht gespeichert werden',
  outsideTitle: 'Von einem anderen Programm geändert',
  failed: 'Die Änderungen konnten nicht geprüft werden',
  decideFailed: 'Die Entscheidung konnte nicht angewendet werden',
  noDifference: 'Am Flow hat sich nichts geändert.',
  wait: 'Der Text auf dem Bildschirm ist kein gültiger Flow. Korrigieren Sie die letzte Änderung, oder machen Sie sie rückgängig, und versuchen Sie es erneut.',
};
