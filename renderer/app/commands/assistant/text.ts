/**
 * The text of commands about the assistant.
 */
import { inLanguage } from '../../../ui/language.ts';

export const text = inLanguage('app/commands/assistant', {
  ask: 'Ask Millrace',
  askWords: 'assistant model change fix chat propose',
  fix: 'Fix this with Ask Millrace',
  fixWords: 'assistant repair problem error failure',
  fixShort: 'Fix this',
  explain: 'Explain this run or failure',
  explainFlow: 'Explain this flow',
  explainWords: 'why what does reason describe summary understand',
  explainShort: 'Explain',
  explainFailed: "Couldn't explain",
  describe: 'Describe a new flow…',
  selection: 'Ask about the selection',
  selectionWords: 'assistant model explain change nodes',
});
