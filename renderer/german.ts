/**
 * The German text of all areas.
 */
import { german as settings } from './settings/text.de.ts';
import { addTranslation } from './ui/language.ts';

addTranslation('settings', settings);
