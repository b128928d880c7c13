/**
 * The text of the model and tool calls of a node in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  builtInRule: 'eine eingebaute Regel',
  showRule: 'Die Regel im Text zeigen',
  allowed: 'Erlaubt:',
  denied: 'Verweigert:',
  requested: 'Vom Modell angefordert',
  calledWith: 'Aufgerufen mit',
  input: 'Eingabe',
  error: 'Fehler',
  result: 'Ergebnis',
  attempts: 'Versuche',
  kind: 'Art',
  replayed: ({ kind }) => `${kind}, wiedergegeben`,
  failedAttempt: ({ attempt, message }) => `Versuch ${attempt} fehlgeschlagen: ${message}`,
  retriedAttempt: ({ attempt, pause, message }) =>
    `Versuch ${attempt} fehlgeschlagen, nach ${pause} erneut versucht: ${message}`,
  decisions: 'Entscheidungen der Richtlinien',
  inLog: ({ count }) =>
    plural(count, {
      one: 'Der erste Aufruf steht nur im Protokoll.',
      other: `Die ersten ${numberText(count)} Aufrufe stehen nur im Protokoll.`,
    }),
  calls: 'Aufrufe',
  model: {
    call: ({ number }) => `Aufruf ${numberText(number)}`,
    streaming: ({ count }) => `streamt mit ${numberText(count)} Token/s`,
    waiting: 'Wartet auf das erste Token.',
    interrupted: 'Die Engine wurde während dieses Aufrufs beendet.',
    attempt: ({ number }) => `Versuch ${numberText(number)}`,
    input: ({ number }) => `Eingabe ${numberText(number)}`,
    firstToken: ({ time }) => `erstes Token nach ${time}`,
    prompt: ({ count }) => `Prompt ${numberText(count)} Token`,
    cached: ({ count }) => `${numberText(count)} aus dem Cache`,
    response: ({ count }) => `Antwort ${numberText(count)} Token`,
    speed: ({ count }) => `${numberText(count)} Token/s`,
    ended: ({ reason }) => `beendet mit ${reason}`,
    replayed: 'wiedergegeben',
    roles: { system: 'System', user: 'Benutzer', assistant: 'Frühere Antwort', tool: 'Tool-Ergebnis' },
    messages: 'Nachrichten',
    attachments: 'Anhänge',
    toolCalls: 'Tool-Aufrufe',
    thinking: 'Denken',
    answer: 'Antwort',
  },
};
