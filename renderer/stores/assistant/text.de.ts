/**
 * The text of requests to the assistant in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  canceled: 'Abgebrochen.',
  notOpened: 'Der Vorschlag konnte nicht geöffnet werden',
};
