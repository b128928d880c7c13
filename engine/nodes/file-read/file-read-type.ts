/**
 * `file.read`: one file of the workspace, or all that match globs.
 */
import { z } from 'zod';
import type { NodeTypeSpec } from '../../flowspec/node-type-spec.ts';
import { noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const inputSchema = z
  .object({
    path: z.string().min(1).optional().meta({ editor: 'file' }).describe('One file, relative to the workspace'),
    globs: z
      .array(z.string().min(1).meta({ editor: 'glob' }))
      .min(1)
      .optional()
      .describe('Patterns such as notes/**/*.md'),
    as: z
      .enum(['text', 'base64'])
      .default('text')
      .describe('base64 = any file as it is, such as a picture or a PDF for a prompt'),
  })
  .refine(({ path, globs }) => (path === undefined) !== (globs === undefined), {
    error: 'must have exactly one of "path" and "globs"',
  });

const fileSchema = z.object({
  path: z.string().describe('Relative to the workspace'),
  text: z.string().describe('What the file holds'),
});

const bytesSchema = z.object({
  path: z.string().describe('Relative to the workspace'),
  base64: z.string().describe('All bytes of the file'),
  mediaType: z.string().describe('What it is by its name, such as image/png'),
  sizeBytes: z.number().describe('Bytes of the file'),
});

const manyBytesSchema = z.object({ files: z.array(bytesSchema).describe('In path order') });

const filesSchema = z.object({
  files: z.array(fileSchema).describe('In path order'),
  text: z.string().describe('All files, joined by newlines'),
});

export const fileReadType = {
  type: 'file.read',
  title: 'Read files',
  description: 'Reads a file of the workspace, or every file that matches a pattern.',
  example: 'notes/*.md → every note with its path and text.',
  category: 'file',
  icon: 'file-input',
  inputSchema,
  configSchema: noConfig,
  outputSchema: z.union([filesSchema, fileSchema, bytesSchema, manyBytesSchema]),
  effects: 'idempotent',
  start: () => ({ input: { globs: ['*.md'] } }),
  given: ({ globs, as }) => ({
    ...(globs === undefined ? {} : { files: [] }),
    ...(as === 'base64' ? {} : { text: '' }),
  }),
  summary: (_config, { path, globs }) => {
    const patterns = Array.isArray(globs) ? globs.join(', ') : globs;
    return ['Reads ', chipOf(path) ?? chipOf(patterns) ?? 'no file yet'];
  },
} satisfies NodeTypeSpec;
