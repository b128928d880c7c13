/**
 * The text of requests to the assistant in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  canceled: 'Abgebrochen.',
  fix: {
    node: ({ id }) => `Finde heraus, warum \`${id}\` im gezeigten Lauf fehlgeschlagen ist, und behebe es.`,
    nodeProblems: ({ id }) => `Behebe die Probleme von \`${id}\`.`,
    run: 'Finde heraus, warum der gezeigte Lauf fehlgeschlagen ist, und behebe es im Flow.',
    problems: 'Behebe die Probleme dieses Flows.',
    problem: ({ line, code }) => `Behebe das Problem in Zeile ${line} (${code}).`,
  },
  notOpened: 'Der Vorschlag konnte nicht geöffnet werden',
};
