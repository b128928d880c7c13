/**
 * The titles of notices about links, the journal and new files.
 */
import { inLanguage } from '../ui/language.ts';

export const text = inLanguage('stores', {
  openLinkFailed: "Couldn't open the run from the link",
  openSentFailed: "Couldn't open the sent run",
  journalFailed: "Couldn't write edits to the journal: save often",
  createFailed: ({ path }: { readonly path: string }) => `Couldn't create ${path}`,
});
