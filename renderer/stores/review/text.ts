/**
 * The text of reviews: names of edits, and why something cannot be reviewed.
 */
import { inLanguage } from '../../ui/language.ts';

interface OfChange {
  readonly change: string;
}

export const text = inLanguage('stores/review', {
  /** Names of edits in the Undo menu. */
  edits: {
    accept: ({ change }: OfChange) => `Accept "${change}"`,
    reject: ({ change }: OfChange) => `Reject "${change}"`,
    reset: ({ change }: OfChange) => `Take back the decision on "${change}"`,
    acceptAll: 'Accept all changes',
    rejectAll: 'Reject all changes',
  },
  statusFailed: "Couldn't record the decision about the proposal",
  outsideTitle: 'Changed by another program',
  failed: "Couldn't review the changes",
  decideFailed: "Couldn't apply the decision",
  noDifference: 'Nothing in the flow differs.',
  wait: 'The text on screen is not a valid flow. Correct or undo the last edit, and try again.',
});
