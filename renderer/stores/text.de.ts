/**
 * The titles of notices about links, the journal, values taken over and new files in German.
 */
import type { Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  openLinkFailed: 'Der Lauf aus dem Link konnte nicht geöffnet werden',
  openSentFailed: 'Der gesendete Lauf konnte nicht geöffnet werden',
  journalFailed: 'Änderungen konnten nicht ins Journal geschrieben werden: oft speichern',
  takeOver: 'Übernehmen',
  takeOverFailed: 'Der Wert konnte nicht übernommen werden',
  noNode: ({ name }) => `Die Datei hat den Knoten ${name} nicht mehr.`,
  createFailed: ({ path }) => `${path} konnte nicht angelegt werden`,
};
