/**
 * The text of the fields of forms in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  row: {
    lastValue: ({ value }) => `In diesem Lauf: ${value}`,
    restoreDefault: ({ label }) => `Standardwert von ${label} wiederherstellen`,
    bind: ({ label }) => `${label}: an einen Wert binden`,
    unbind: ({ label }) => `${label}: einen Wert statt einer Bindung verwenden`,
    values: 'Werte',
    duration: 'Zeit',
  },
  cases: {
    add: ({ path, values }) => `Einen Fall je ${path} hinzufügen: ${values}`,
  },
  inputs: {
    title: 'Eingaben',
    choose: 'Auswählen',
    text: 'Text',
    number: 'Zahl',
    boolean: 'ja oder nein',
    choice: 'eine Auswahl',
    json: 'JSON',
    any: 'Text oder JSON',
    secret: 'wird bis zum Senden nicht gespeichert',
    file: 'eine Datei im Arbeitsbereich',
    suggested: 'eine Auswahl oder anderer Text',
    list: 'Liste als JSON',
    map: 'Map als JSON',
    required: ({ type }) => `${type}, erforderlich`,
    optional: ({ type }) => `${type}, optional`,
  },
  conflict: {
    changed: 'An anderer Stelle geändert, während Sie schrieben. Die Datei enthält jetzt:',
    empty: '(nichts)',
    keepMine: 'Meinen Text behalten',
    takeTheirs: 'Anderen Text übernehmen',
  },
};
