/**
 * Languages that areas bring to the text view.
 */
import { agentTextLanguages } from '../../agent-editor/agent-text-languages.ts';
import type { TextLanguage } from '../../text-view/languages.ts';

export const textLanguages: readonly TextLanguage[] = agentTextLanguages;
