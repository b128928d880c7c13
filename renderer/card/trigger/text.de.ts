/**
 * The text of triggers, in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  kinds: { schedule: 'Zeitplan', files: 'Dateien', webhook: 'Webhook', after: 'nach einem Flow' },
  sentence: {
    everySeconds: ({ count }) => plural(count, { one: 'Jede Sekunde', other: `Alle ${count} Sekunden` }),
    everyMinutes: ({ count }) => plural(count, { one: 'Jede Minute', other: `Alle ${count} Minuten` }),
    everyHours: ({ count }) => plural(count, { one: 'Jede Stunde', other: `Alle ${count} Stunden` }),
    everyDays: ({ count }) => plural(count, { one: 'Einmal am Tag, um Mitternacht UTC', other: `Alle ${count} Tage` }),
    daily: ({ time, place }) => `Täglich um ${time}, ${place}`,
    weekly: ({ days, time, place }) => `${days} um ${time}, ${place}`,
    range: ({ first, last }) => `${first} bis ${last}`,
    cron: ({ place }) => `Um {cron}, ${place}`,
    files: {
      created: 'Neue Dateien in {glob}',
      changed: 'Geänderte Dateien in {glob}',
      deleted: 'Gelöschte Dateien in {glob}',
      several: 'Neue und geänderte Dateien in {glob}',
      all: 'Alle Änderungen an Dateien in {glob}',
    },
    quiet: ({ time }) => `, nach ${time} Ruhe`,
    together: ', gemeinsam',
    signed: ({ name }) => `{method} /{path}, signiert wie ${name}`,
    secret: '{method} /{path}, mit einem Geheimnis',
    unprotected: '{method} /{path}, offen für alle',
    after: {
      completed: ({ name }) => `Nach Abschluss von ${name}`,
      failed: ({ name }) => `Nach einem Fehler von ${name}`,
      cancelled: ({ name }) => `Nach Abbruch von ${name}`,
      several: ({ name }) => `Nach dem Ende von ${name}`,
    },
    none: 'Wartet noch auf nichts',
  },
  footer: {
    off: 'aus in diesem Arbeitsbereich',
    notSaved: 'noch nicht gespeichert',
    changed: 'Flow geändert',
    confirm: 'Bestätigen',
    confirmLong: ({ name }) => `Den Auslöser ${name} bestätigen`,
    next: ({ time }) => `nächstes Mal ${time}`,
    never: 'nie fällig',
    ran: ({ time, number }) => `${time}, Lauf ${number}`,
    fired: ({ time }) => time,
    waiting: 'noch nichts',
    today: ({ count }) => `${count} heute`,
    refused: ({ count }) => `${count} abgelehnt`,
    unusable: 'kann nicht an sein',
    untrusted: 'kein Vertrauen',
    trust: 'Arbeitsbereich vertrauen…',
  },
  needsTrust: 'Auslöser arbeiten nur in einem Arbeitsbereich, dem Sie vertrauen, und diesem vertrauen Sie nicht.',
  more: ({ count }) => `über ${count - 1}`,
  openFile: ({ file }) => `${file} öffnen`,
  add: 'Auslöser',
  addLabel: 'Auslöser hinzufügen',
  isOn: ({ name }) => `Auslöser ${name} ist an`,
  spoken: ({ name, kind, sentence, state }) => `Auslöser ${name}, ${kind}. ${sentence}. ${state}`,
  on: 'An',
  list: 'Auslöser',
  states: { on: 'an', off: 'aus', changed: 'zu bestätigen' },
  status: {
    on: ({ count }) => plural(count, { one: '1 Auslöser an', other: `${numberText(count)} Auslöser an` }),
    confirm: ({ count }) =>
      plural(count, { one: '1 Auslöser zu bestätigen', other: `${numberText(count)} Auslöser zu bestätigen` }),
    next: ({ name, time }) => `als Nächstes: ${name}, ${time}`,
  },
};
