/**
 * The text of failed calls to the main process in German.
 */
import type { Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  noReply: ({ call, problem }) => `Der Hauptprozess hat nicht auf ${call} geantwortet: ${problem}`,
};
