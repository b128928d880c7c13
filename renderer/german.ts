/**
 * The German text of all areas.
 */
import { german as appCommands } from './app/commands/text.de.ts';
import { german as settings } from './settings/text.de.ts';
import { addTranslation } from './ui/language.ts';

addTranslation('app/commands', appCommands);
addTranslation('settings', settings);
