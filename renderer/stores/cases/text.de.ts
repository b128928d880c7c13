/**
 * The text of tests in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  listFailed: 'Die Tests konnten nicht aufgelistet werden',
  runFailed: 'Die Tests konnten nicht ausgeführt werden',
  openFailed: 'Der Test konnte nicht geöffnet werden',
  acceptValue: 'Neuen Wert übernehmen',
  acceptFailed: 'Der neue Wert konnte nicht übernommen werden',
  saved: 'Test gespeichert',
  savedIn: ({ name, file }) => `„${name}“ in ${file}`,
  noFailure: 'Kein fehlgeschlagener Test',
  noFailureDetail: 'Alle Tests, die gelaufen sind, sind bestanden.',
  notRun: 'Führen Sie zuerst die Tests aus.',
};
