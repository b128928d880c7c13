/**
 * `file.write`: writes text to a workspace file.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { chipOf } from '../summary-text.ts';

export const fileWriteType = describeType({
  type: 'file.write',
  title: 'Write file',
  description: 'Writes text to a file in the workspace. Creates missing folders.',
  example: 'Writes {{ask.text}} to out/summary.md.',
  category: 'file',
  icon: 'file-output',
  inputSchema: () =>
    z.object({
      path: z.string().min(1).meta({ editor: 'file' }).describe('File to write, relative to the workspace'),
      text: z.string().meta({ editor: 'long-text' }).describe('Text to write'),
    }),
  configSchema: () =>
    z.object({
      mode: z.enum(['overwrite', 'append']).default('overwrite').describe('Replace the file, or append to it'),
    }),
  outputSchema: () =>
    z.object({
      path: z.string().describe('Path relative to the workspace'),
      sizeBytes: z.number().describe('Size of the file after writing, in bytes'),
    }),
  effects: 'external',
  start: (from) => ({ input: { path: 'out/result.txt', text: from.text('Hello') } }),
  summary: ({ mode }, { path }) => [mode === 'append' ? 'Appends to ' : 'Writes ', chipOf(path) ?? 'no file yet'],
});
