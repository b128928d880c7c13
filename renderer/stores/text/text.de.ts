/**
 * The text of open files in German: edits, saving, checks, and why a file is read-only.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  edits: {
    typing: 'Texteingabe',
    discard: 'Änderungen verwerfen',
    useDisk: 'Version auf dem Datenträger verwenden',
    outside: 'Änderung außerhalb von Millrace',
    begin: 'Neuer Flow',
  },
  change: {
    flowFailed: 'Der Flow konnte nicht geändert werden',
    catalogFailed: 'Der Katalog konnte nicht geändert werden',
    tooFast: 'Der Text ändert sich zu schnell. Halten Sie mit der Eingabe inne, und versuchen Sie es erneut.',
    readOnly: ({ path }) => `${path} ist schreibgeschützt`,
  },
  files: {
    saveFailed: ({ path }) => `${path} konnte nicht gespeichert werden`,
    checkFailed: ({ path }) => `${path} konnte nicht geprüft werden`,
    unresolved: ({ path, count }) =>
      plural(count, {
        one: `${path} hat 1 ungelösten Konflikt`,
        other: `${path} hat ${numberText(count)} ungelöste Konflikte`,
      }),
    unresolvedHelp: 'Wählen Sie für jeden Konflikt Ihre oder die andere Fassung, und speichern Sie dann die Datei.',
    journalLost: 'Ein Teil des Journals ist verloren gegangen',
    journalDiffers: 'Das Journal der Datei enthält andere Änderungen.',
    agentOutside:
      'Dieser Agent liegt außerhalb des Arbeitsbereichs. Um ihn zu ändern, kopieren Sie sein Paket in den Arbeitsbereich.',
    noPermission: 'Sie haben keine Berechtigung, diese Datei zu ändern.',
  },
  calledFlow: {
    openFailed: 'Der aufgerufene Flow konnte nicht geöffnet werden',
    notFound: ({ name }) => `Der Flow „${name}“ wurde nicht gefunden.`,
  },
  worker: {
    stopped:
      'Der Prozess, der Dateien liest, wurde beendet und startet neu. Ihr Text ist unverändert. Versuchen Sie es erneut.',
    tookTooLong:
      'Das Lesen des Textes dauerte zu lange und wurde beendet. Ihr Text ist unverändert. Kürzen Sie ihn, und versuchen Sie es erneut.',
  },
};
