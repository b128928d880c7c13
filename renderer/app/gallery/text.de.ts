/**
 * The text of the gallery of examples in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  title: 'Mit einem Beispiel beginnen',
  description:
    'Vollständige Flows und Agenten, die ohne Schlüssel laufen. Millrace kopiert die Dateien in diesen Arbeitsbereich.',
  search: 'Beispiele suchen',
  useFilter: 'Verwendung',
  all: 'Alle',
  uses: {
    support: 'Support',
    sales: 'Vertrieb',
    research: 'Recherche',
    code: 'Code-Review',
    documents: 'Dokumente',
    data: 'Daten',
    operations: 'Betrieb',
  },
  examples: 'Beispiele',
  loading: 'Beispiele werden geladen…',
  none: 'Keine Beispiele verfügbar',
  noneNote: 'Diese Installation enthält keine Beispiele.',
  noMatch: 'Keine passenden Beispiele',
  noMatchNote: 'Suchen Sie nach einem anderen Wort, oder lassen Sie sich alle Beispiele anzeigen.',
  showAll: 'Alle Beispiele anzeigen',
  failed: 'Die Beispiele konnten nicht gelesen werden',
  broken: ({ count }) =>
    plural(count, {
      one: '1 Beispiel wird nicht angezeigt:',
      other: `${numberText(count)} Beispiele werden nicht angezeigt:`,
    }),
  kinds: { flow: 'Flow', agent: 'Agent', dialogue: 'Gespräch', file: 'Datei' },
  nodes: ({ count }) => plural(count, { one: '1 Knoten', other: `${numberText(count)} Knoten` }),
  copied: 'In diesem Arbeitsbereich',
  creates: ({ folder }) => `Erstellt den Ordner ${folder}`,
  hasCopy: ({ folder }) => `Dieser Arbeitsbereich enthält bereits den Ordner ${folder}. Er bleibt unverändert.`,
  use: 'Beispiel verwenden',
  openCopy: 'Ihre Kopie öffnen',
  copying: 'Wird kopiert…',
  copyFailed: 'Das Beispiel konnte nicht kopiert werden',
};
