/**
 * The text of the list of breakpoints in German.
 */
import { numberText, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  commands: {
    raise: 'Budget des pausierten Laufs erhöhen',
    skip: 'Angehaltenen Knoten mit einer Ausgabe überspringen',
    edit: 'Eingaben des angehaltenen Knotens bearbeiten',
    toggle: 'Haltepunkt hinzufügen oder entfernen',
    toggleWords: 'vor einem Knoten anhalten, Debugger, umschalten',
  },
  title: 'Haltepunkte',
  heading: 'HALTEPUNKTE',
  none: 'Keine Haltepunkte',
  howTo:
    'Wählen Sie einen Knoten und drücken Sie F9, oder klicken Sie auf den Rand neben seinem Text. Ihre Läufe halten dann davor an. Nur Sie sehen Ihre Haltepunkte; sie stehen nicht in der Datei.',
  stopped: 'hier angehalten',
  gone: 'den Knoten gibt es nicht mehr',
  off: 'aus',
  stopIf: ({ condition }) => `wenn ${condition}`,
  item: ({ item }) => `Element ${numberText(item)}`,
  isOn: ({ node }) => `Haltepunkt vor ${node}`,
  turnOn: 'Einschalten (Leertaste)',
  turnOff: 'Ausschalten (Leertaste)',
  edit: 'Bedingung bearbeiten',
  editOf: ({ node }) => `Bedingung des Haltepunkts vor ${node}`,
  remove: 'Haltepunkt entfernen',
  removeKey: 'Entf',
  when: 'Anhalten, wenn',
  whenExample: 'order.total > 100',
  itemNumber: 'Element',
  anyItem: 'jedes',
  badItem: 'Geben Sie die Nummer eines Elements ein, ab 1.',
  apply: 'Anwenden',
  cancel: 'Abbrechen',
};
