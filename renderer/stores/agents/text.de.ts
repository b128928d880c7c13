/**
 * The text of runs and previews of agents in German.
 */
import { numberText, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  runs: {
    inputNumber: ({ number }) => `Eingabe ${numberText(number)}`,
    startFailed: 'Der Lauf konnte nicht gestartet werden',
    cancelInstallFailed: 'Die Installation konnte nicht abgebrochen werden',
  },
  preview: {
    invalidJson: 'Das ist kein gültiges JSON. Geben Sie einen Wert wie { "name": "x" } ein.',
    filesMissing: 'Geben Sie eine Datei oder ein Muster wie notes/*.md ein.',
  },
};
