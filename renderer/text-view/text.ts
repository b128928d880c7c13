/**
 * The text of the text editor: its labels, completions and hovers.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

interface OfHunk {
  /** Where the text on screen has it. */
  readonly line: number;
  /** Numbers of lines. */
  readonly added: number;
  readonly removed: number;
}

export const text = inLanguage('text-view', {
  editor: {
    label: ({ path }: { readonly path: string }) => `Text of ${path}`,
    goToDefinition: 'Go to definition',
    openAgent: 'Open the agent',
    openFile: 'Open the file',
    notRenamable: 'Put the cursor on the name of a node or flow to rename it.',
    outline: 'Flow',
  },
  /** Places that a review changes. */
  hunks: {
    label: ({ change }: { readonly change: string }) => `Change: ${change}`,
    several: ({ change, count }: { readonly change: string; readonly count: number }) =>
      plural(count, { one: `${change}, and 1 more change`, other: `${change}, and ${numberText(count)} more changes` }),
    rest: 'Comments or formatting',
    lines: ({ line, added, removed }: OfHunk) =>
      `Line ${numberText(line)}: ${plural(added, { one: '1 line added', other: `${numberText(added)} lines added` })}, ${plural(removed, { one: '1 line removed', other: `${numberText(removed)} lines removed` })}`,
  },
  /** The sides of a conflict that Git has left in the text. */
  conflict: {
    yours: 'Keep yours',
    theirs: 'Keep theirs',
    yoursAt: ({ line }: { readonly line: number }) => `Keep yours in the conflict at line ${numberText(line)}`,
    theirsAt: ({ line }: { readonly line: number }) => `Keep theirs in the conflict at line ${numberText(line)}`,
    keepYours: 'Keep yours in a conflict',
    keepTheirs: 'Keep theirs in a conflict',
  },
  breakpoints: { toggle: 'Click to add or remove a breakpoint (F9)' },
  completions: {
    required: 'required',
    intent: 'intent',
    type: 'type',
    ofThisFile: 'of this file',
    oneOf: ({ values }: { readonly values: string }) => `One of ${values}.`,
    input: "The values bound in the node's input.",
  },
});
