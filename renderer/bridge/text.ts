/**
 * The text of failed calls to the main process.
 */
import { inLanguage } from '../ui/language.ts';

export const text = inLanguage('bridge', {
  noReply: ({ call, problem }: { readonly call: string; readonly problem: string }) =>
    `The main process did not respond to ${call}: ${problem}`,
});
