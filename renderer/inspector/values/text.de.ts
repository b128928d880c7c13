/**
 * The text of the views of a value in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  format: 'Format',
  views: { text: 'Text', markdown: 'Markdown', image: 'Bild', table: 'Tabelle', json: 'JSON' },
  text: 'Text',
  empty: 'Der Text ist leer.',
  emptyList: 'Die Liste ist leer.',
  emptyMap: 'Es gibt keine Felder.',
  showAll: ({ count }) => `Alle ${numberText(count)} Zeichen anzeigen`,
  earlier: ({ count }) => `${numberText(count)} frühere Zeichen erscheinen, sobald der Text vollständig ist.`,
  load: ({ size }) => `${size} laden`,
  loading: 'Wird geladen…',
  copy: ({ label }) => `${label} kopieren`,
  copyText: 'Text kopieren',
  copyPart: 'Wert kopieren',
  copyPath: 'Pfad kopieren',
  copyBinding: 'Als Bindung kopieren',
  characters: ({ count }) => `${numberText(count)} Zeichen`,
  closePart: 'Ganzen Wert schließen',
  wholePart: 'Ganzer Wert',
  imageAlt: ({ label }) => `${label} als Bild`,
  badImage: 'Die Daten sind kein Bild, das sich anzeigen lässt.',
  table: {
    filter: 'Zeilen filtern',
    columns: 'Spalten',
    copyCsv: 'Als CSV kopieren',
    item: 'Element',
    rows: ({ count }) => plural(count, { one: '1 Zeile', other: `${numberText(count)} Zeilen` }),
    someRows: ({ count, total }) => `${numberText(count)} von ${numberText(total)} Zeilen`,
    omitted: ({ count }) => `${numberText(count)} weitere Schlüssel stehen nur im JSON.`,
    noMatch: 'Keine Zeile enthält diesen Text.',
    length: 'Länge',
    lengthOf: ({ column }) => `Länge von ${column}`,
    sameLength: ({ count, length, column }) =>
      `${numberText(count)} Texte in ${column} haben genau ${numberText(length)} Zeichen`,
  },
  tree: {
    search: 'Schlüssel und Werte durchsuchen',
    found: ({ at, count }) => `${numberText(at)} von ${numberText(count)}`,
    foundMost: ({ at, count }) => `${numberText(at)} der ersten ${numberText(count)}`,
    none: 'Keine',
    next: 'Nächster Treffer',
    previous: 'Vorheriger Treffer',
    expandAll: 'Alles ausklappen',
    collapseAll: 'Alles einklappen',
    items: ({ count }) => plural(count, { one: '1 Element', other: `${numberText(count)} Elemente` }),
    fields: ({ count }) => plural(count, { one: '1 Feld', other: `${numberText(count)} Felder` }),
  },
};
