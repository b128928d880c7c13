/**
 * The text of the text editor: its labels, completions and hovers.
 */
import { inLanguage } from '../ui/language.ts';

export const text = inLanguage('text-view', {
  editor: {
    label: ({ path }: { readonly path: string }) => `Text of ${path}`,
    goToDefinition: 'Go to definition',
    openAgent: 'Open the agent',
    openFile: 'Open the file',
    notRenamable: 'Put the cursor on the name of a node or flow to rename it.',
    outline: 'Flow',
  },
  completions: {
    required: 'required',
    intent: 'intent',
    type: 'type',
    ofThisFile: 'of this file',
    oneOf: ({ values }: { readonly values: string }) => `One of ${values}.`,
    input: "The values bound in the node's input.",
  },
});
