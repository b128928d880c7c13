/**
 * The text of open files: edits, saving, checks, and why a file is read-only.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

interface AtPath {
  readonly path: string;
}

export const text = inLanguage('stores/text', {
  /** Names of edits in the Undo menu. */
  edits: {
    typing: 'Typing',
    discard: 'Discard changes',
    useDisk: 'Use the version on disk',
    outside: 'Change outside Millrace',
    begin: 'New flow',
  },
  change: {
    flowFailed: "Couldn't change the flow",
    catalogFailed: "Couldn't change the catalog",
    tooFast: 'The text is changing too fast. Stop typing, and try again.',
    readOnly: ({ path }: AtPath) => `${path} is read-only`,
  },
  files: {
    saveFailed: ({ path }: AtPath) => `Couldn't save ${path}`,
    checkFailed: ({ path }: AtPath) => `Couldn't check ${path}`,
    unresolved: ({ path, count }: AtPath & { readonly count: number }) =>
      plural(count, {
        one: `${path} has 1 conflict to resolve`,
        other: `${path} has ${numberText(count)} conflicts to resolve`,
      }),
    unresolvedHelp: 'Choose yours or theirs for each conflict, then save the file.',
    journalLost: 'A part of the journal was lost',
    journalDiffers: "The file's journal contains other edits.",
    agentOutside: 'This agent is outside the workspace. To change it, copy its pack into the workspace.',
    noPermission: "You don't have permission to change this file.",
  },
  calledFlow: {
    openFailed: "Couldn't open the called flow",
    notFound: ({ name }: { readonly name: string }) => `The flow "${name}" was not found.`,
  },
  worker: {
    stopped: 'The process that reads files stopped and will restart. Your text is unchanged. Try again.',
    tookTooLong: 'Reading the text took too long and was stopped. Your text is unchanged. Shorten it, and try again.',
  },
});
