/**
 * The text of the text editor in German.
 */
import type { Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  editor: {
    label: ({ path }) => `Text von ${path}`,
    goToDefinition: 'Zur Definition gehen',
    openAgent: 'Agent öffnen',
    openFile: 'Datei öffnen',
    notRenamable: 'Setzen Sie den Cursor auf den Namen eines Knotens oder Flows, um ihn umzubenennen.',
    outline: 'Flow',
  },
  completions: {
    required: 'erforderlich',
    intent: 'Absicht',
    type: 'Typ',
    ofThisFile: 'aus dieser Datei',
    oneOf: ({ values }) => `Eines von ${values}.`,
    input: 'Die in der Eingabe des Knotens gebundenen Werte.',
  },
};
