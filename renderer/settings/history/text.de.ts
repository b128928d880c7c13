/**
 * The text of the settings for the history in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  loading: 'Wird geladen…',
  about:
    'Läufe bleiben im Verlauf dieses Arbeitsbereichs, bis Sie sie löschen. Millrace kann alte Läufe auch automatisch löschen.',
  size: 'Verlauf',
  runs: ({ count, size }) => plural(count, { one: `1 Lauf, ${size}`, other: `${numberText(count)} Läufe, ${size}` }),
  form: 'Automatisches Löschen',
  olderThanDays: 'Läufe nach Alter löschen',
  olderThanDaysNote: 'Läufe, die vor mehr als dieser Anzahl von Tagen geendet haben.',
  olderThanDaysCount: 'Tage',
  keepPerFlow: 'Läufe nach Anzahl löschen',
  keepPerFlowNote: 'Alle außer dieser Anzahl der neuesten Läufe jedes Flows.',
  keepPerFlowCount: 'Läufe jedes Flows',
  bad: 'Geben Sie eine ganze Zahl von 1 bis 1.000.000 ein.',
  keepsAll: 'Alle Läufe bleiben.',
  selectsNone: 'Löscht jetzt keine Läufe.',
  selects: ({ count, date }) =>
    plural(count, {
      one: `Löscht jetzt 1 Lauf vom ${date}.`,
      other: `Löscht jetzt ${numberText(count)} Läufe, den ältesten vom ${date}.`,
    }),
  when: 'Alte Läufe werden gelöscht, während kein Lauf aktiv ist. Läufe, die unterbrochen sind oder auf eine Person warten, bleiben.',
  save: 'Speichern',
  unchanged: 'Es wurde nichts geändert.',
};
