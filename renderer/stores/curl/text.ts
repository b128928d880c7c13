/**
 * The text of pasted curl commands.
 */
import { inLanguage } from '../../ui/language.ts';
import { curlMessages } from './curl-messages.ts';

export const text = inLanguage('stores/curl', {
  addedWithNotes: 'Added the request, with changes',
  messages: curlMessages,
});
