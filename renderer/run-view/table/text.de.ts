/**
 * The text of the table of runs in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  show: 'Läufe dieser Datei als Tabelle anzeigen',
  filter: {
    button: 'Filter',
    counted: ({ count }) => `Filter (${count})`,
    content: 'Text in Ein- oder Ausgaben',
    status: 'Status',
    anyStatus: 'Jeder Status',
    label: 'Etikett',
    anyLabel: 'Jedes Etikett',
    since: 'Zeit',
    anyTime: 'Jederzeit',
    lastDays: ({ count }) => plural(count, { one: 'Letzte 24 Stunden', other: `Letzte ${count} Tage` }),
    clear: 'Zurücksetzen',
  },
  table: {
    title: ({ name }) => `Läufe von ${name}`,
    count: ({ count }) => plural(count, { one: '1 Lauf', other: `${numberText(count)} Läufe` }),
    newest: ({ count }) => `Die neuesten ${numberText(count)} Läufe`,
    view: 'Ansicht',
    rows: 'Tabelle',
    charts: 'Diagramme',
    columns: 'Spalten',
    copyCsv: 'Als CSV kopieren',
    compare: '2 Läufe vergleichen',
    loading: 'Läufe werden geladen…',
    none: 'Noch keine Läufe',
    noneHint: 'Führen Sie die Datei aus. Jeder Lauf erscheint hier mit Zeit, Tokens und Kosten.',
    noMatch: 'Keine solchen Läufe',
    noMatchHint: 'Kein Lauf passt zum Filter. Text wird in den neuesten 10.000 Läufen gesucht.',
    p50: 'p50, beendete',
    p95: 'p95',
  },
  columns: {
    run: 'Lauf',
    started: 'Gestartet',
    state: 'Status',
    version: 'Version',
    starter: 'Gestartet von',
    labels: 'Etiketten',
    time: 'Zeit',
    tokens: 'Tokens',
    cost: 'Kosten',
    nodes: 'Je Knoten',
    note: 'Notiz',
  },
  charts: {
    time: 'Zeit',
    cost: 'Kosten',
    tokens: 'Tokens',
    failures: 'Fehlschläge',
    last: ({ value, number }) => `${value}, Lauf ${number}`,
    about: ({ title, from, to }) => `${title} der Läufe ${from} bis ${to}`,
    failed: ({ count, total }) => `${count} von ${total}`,
    nodes: ({ count }) =>
      plural(count, { one: 'Knoten im neuesten Lauf', other: `Knoten in den neuesten ${numberText(count)} Läufen` }),
    node: 'Knoten',
    ended: 'Beendet',
    failing: 'Was fehlschlägt',
    noNode: 'kein Knoten',
    failedIn: ({ count }) =>
      plural(count, { one: 'in 1 Lauf fehlgeschlagen', other: `in ${numberText(count)} Läufen fehlgeschlagen` }),
    since: ({ number, time, count }) =>
      plural(count, {
        one: `Im neuesten Lauf, ${number} (${time})`,
        other: `In jedem Lauf seit ${number} (${time}), ${numberText(count)} in Folge`,
      }),
    recently: ({ number, time }) => `Zuletzt in Lauf ${number} (${time})`,
    unchanged: ({ number }) => `Die Definition ist dieselbe wie in Lauf ${number}, der in Ordnung war.`,
    changed: ({ number }) => `Geändert seit Lauf ${number}, der in Ordnung war:`,
  },
};
