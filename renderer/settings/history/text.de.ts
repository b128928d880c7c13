/**
 * The text of the settings for the history in German.
 */
import { decimalText, numberText, plural, type Translation } from '../../ui/language.ts';
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
  bad: ({ min, max }) => `Geben Sie eine ganze Zahl von ${min} bis ${numberText(max)} ein.`,
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
  copies: {
    title: 'Kopien geänderter Dateien',
    about:
      'Bevor ein Lauf eine Datei ändert, kopiert Millrace sie nach {folder} in diesem Arbeitsbereich, damit Sie die Änderungen des Laufs rückgängig machen können.',
    used: 'Aktuelle Größe',
    size: ({ mebibytes }) => `${decimalText(mebibytes, 1)} MiB`,
    small: ({ mebibytes }) => `Weniger als ${decimalText(mebibytes, 1)} MiB`,
    megabytes: 'Höchstgröße in MiB',
    megabytesNote: 'Die ältesten Kopien werden zuerst gelöscht. Mit 0 haben geänderte Dateien keine Kopien.',
    days: 'Höchstalter in Tagen',
    daysNote: 'Ältere Kopien werden gelöscht, zusammen mit den Listen der geänderten Dateien.',
    when: 'Kopien von Läufen, die nicht geendet haben, bleiben.',
  },
};
