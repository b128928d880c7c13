/**
 * The text of commands about the assistant in German.
 */
import type { Translation } from '../../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  ask: 'Millrace fragen',
  askWords: 'Assistent Modell ändern beheben Chat Vorschlag',
  fix: 'Mit „Millrace fragen“ beheben',
  fixWords: 'Assistent reparieren Problem Fehler Fehlschlag',
  fixShort: 'Beheben',
  explain: 'Diesen Lauf oder Fehlschlag erklären',
  explainFlow: 'Diesen Flow erklären',
  explainWords: 'warum was macht Grund beschreiben Zusammenfassung verstehen',
  explainShort: 'Erklären',
  explainFailed: 'Die Erklärung ist fehlgeschlagen',
  describe: 'Neuen Flow beschreiben…',
  selection: 'Nach der Auswahl fragen',
  selectionWords: 'Assistent Modell erklären ändern Knoten',
};
