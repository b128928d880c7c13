/**
 * The text of an agent run and its inputs in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  run: {
    label: 'Lauf des Agenten',
    labelOfChild: ({ name }) => `Lauf von ${name}`,
    backTo: ({ name }) => `Zurück zu ${name}`,
    skipped: ({ reason }) => `Hat sich selbst übersprungen: ${reason}`,
    pinsOfRun: 'Angeheftete Inhalte des Laufs',
    pins: 'Angeheftete Inhalte',
    inputs: 'Eingaben',
    ended: ({ count, total }) =>
      plural(total, {
        one: `${numberText(count)} von 1 Eingabe`,
        other: `${numberText(count)} von ${numberText(total)} Eingaben`,
      }),
    tokens: ({ count, amount }) => plural(count, { one: '1 Token', other: `${amount} Token` }),
  },
  input: {
    details: 'Details der Eingabe',
    input: 'Eingabe',
    output: 'Ausgabe',
    messages: 'Nachrichten',
    log: 'Protokoll',
    noEvents: 'Keine Ereignisse.',
    request: 'Anfrage',
    waiting: 'Wartet auf eine Antwort.',
    runAgain: 'Diese Eingabe erneut ausführen',
  },
};
