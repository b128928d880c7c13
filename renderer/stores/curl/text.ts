/**
 * The text of pasted curl commands.
 */
import { curlMessages } from '../../../engine/isomorphic.ts';
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/curl', {
  addedWithNotes: 'Added the request, with changes',
  messages: curlMessages,
});
