/**
 * The text of the panel of the assistant in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  title: 'Millrace fragen',
  close: 'Schließen',
  clear: 'Dieses Gespräch löschen',
  message: 'Nachricht',
  placeholder: 'Nach einer Änderung oder dem Grund fragen',
  send: 'Senden',
  cancel: 'Abbrechen',
  empty:
    'Beschreiben Sie eine Änderung dieses Flows oder stellen Sie eine Frage. Sie prüfen jede Änderung, bevor sie gilt.',
  working: 'In Arbeit…',
  sees: 'Sieht: diesen Flow, Auswahl, letzten Fehler',
  whatIsSent: 'Was gesendet wird',
  hideSent: 'Ausblenden, was gesendet wird',
  sent: {
    title: 'Was gesendet wird',
    to: ({ model }) => `Ihre Nachricht und diese Daten werden an ${model} gesendet.`,
    noModel: 'Es gibt kein verwendbares Modell.',
    data: 'Daten',
    instructions: 'Anweisungen',
    first: 'Die erste Nachricht eines Gesprächs wartet, bis Sie dies geprüft haben.',
  },
  proposal: ({ title }) => `Prüfen: ${title}`,
  tokens: ({ count }) => plural(count, { one: '1 Token', other: `${numberText(count)} Token` }),
  ofBudget: ({ cost, budget }) => `${cost} von ${budget}`,
  tools: {
    read_flow: 'Liest einen Flow',
    list_node_types: 'Schlägt Knotentypen nach',
    check_flow: 'Prüft einen Text',
    propose_changes: 'Schlägt eine Änderung vor',
    other: 'Ruft ein unbekanntes Tool auf',
  },
};
