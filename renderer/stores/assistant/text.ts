/**
 * The text of requests to the assistant.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/assistant', {
  canceled: 'Canceled.',
  notOpened: "Couldn't open the proposal",
});
