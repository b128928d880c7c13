/**
 * The titles of notices about links, the journal, values taken over and new files.
 */
import { inLanguage } from '../ui/language.ts';

export const text = inLanguage('stores', {
  openLinkFailed: "Couldn't open the run from the link",
  openSentFailed: "Couldn't open the sent run",
  journalFailed: "Couldn't write edits to the journal: save often",
  takeOver: 'Take over',
  takeOverFailed: "Couldn't take over the value",
  noNode: ({ name }: { readonly name: string }) => `The file no longer has the node ${name}.`,
  createFailed: ({ path }: { readonly path: string }) => `Couldn't create ${path}`,
});
