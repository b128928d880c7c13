/**
 * The text of settings, secrets and panes of the window in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  notAllowed: 'Es wurde nichts geändert: Sie haben es nicht erlaubt.',
  saveSettingFailed: 'Die Einstellung konnte nicht gespeichert werden',
  readSettingsFailed: 'Die Einstellungen des Editors konnten nicht gelesen werden',
  openDocsFailed: 'Die Dokumentation konnte nicht geöffnet werden',
  inspectorWidth: 'Inspektor breit oder schmal anzeigen',
  inspectorWidthWords: 'eingabe formular ausgabe nebeneinander drei spalten daten',
  undoFilesWords: 'zurücksetzen wiederherstellen was der Lauf geschrieben hat',
};
