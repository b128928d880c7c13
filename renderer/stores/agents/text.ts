/**
 * The text of runs and previews of agents.
 */
import { inLanguage, numberText } from '../../ui/language.ts';

export const text = inLanguage('stores/agents', {
  runs: {
    inputNumber: ({ number }: { readonly number: number }) => `Input ${numberText(number)}`,
    startFailed: "Couldn't start the run",
    cancelInstallFailed: "Couldn't cancel the installation",
  },
  preview: {
    invalidJson: 'This is not valid JSON. Enter a value such as { "name": "x" }.',
    filesMissing: 'Enter a file, or a glob such as notes/*.md.',
  },
});
