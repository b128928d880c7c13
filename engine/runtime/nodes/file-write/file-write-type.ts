/**
 * `file.write`: writes text to a file of the workspace.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { chipOf } from '../summary-text.ts';

export const fileWriteType = describeType({
  type: 'file.write',
  title: 'Write file',
  description: 'Writes text to a file of the workspace; missing folders are made.',
  example: 'Writes {{ask.text}} to out/summary.md.',
  category: 'file',
  icon: 'file-output',
  inputSchema: () =>
    z.object({
      path: z.string().min(1).meta({ editor: 'file' }).describe('Where to write, relative to the workspace'),
      text: z.string().meta({ editor: 'long-text' }).describe('What to write'),
    }),
  configSchema: () =>
    z.object({
      mode: z.enum(['overwrite', 'append']).default('overwrite').describe('Replace the file, or add at its end'),
    }),
  outputSchema: () =>
    z.object({
      path: z.string().describe('Relative to the workspace'),
      sizeBytes: z.number().describe('Size of the whole file afterwards'),
    }),
  effects: 'external',
  start: (from) => ({ input: { path: 'out/result.txt', text: from.text('Hello') } }),
  summary: ({ mode }, { path }) => [mode === 'append' ? 'Appends to ' : 'Writes ', chipOf(path) ?? 'no file yet'],
});
