/**
 * `echo`: gives its text back.
 */
import { z } from 'zod';
import { defineNodeType } from '../../flow/node-type.ts';
import { noConfig } from '../any-json.ts';
import { wordsOf } from '../summary-text.ts';

export const echoNode = defineNodeType({
  type: 'echo',
  title: 'Echo',
  description: 'Gives its text back unchanged, with bindings filled in.',
  category: 'text',
  icon: 'quote',
  inputSchema: z.object({ text: z.string().describe('The text to give back') }),
  configSchema: noConfig,
  outputSchema: z.object({ text: z.string().describe('The same text') }),
  effects: 'pure',
  capabilities: [],
  summary: (_config, { text }) => ['Says ', ...orNothingYet(wordsOf(text))],
  run: async ({ input }) => ({ text: input.text }),
});

function orNothingYet(words: ReturnType<typeof wordsOf>): ReturnType<typeof wordsOf> {
  return words.length === 0 ? ['nothing yet'] : words;
}
