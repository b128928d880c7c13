/**
 * The German text of all areas of the main process.
 */
import { german as consent } from './consent/text.de.ts';
import { german as main } from './text.de.ts';
import { german as updates } from './updates/text.de.ts';

/** By the areas that the tables name. */
export const german = { main, consent, updates };
