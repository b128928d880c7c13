/**
 * `file.read`: reads one workspace file, or all files that match globs.
 */
import { z } from 'zod';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const inputSchema = () =>
  z
    .object({
      path: z.string().min(1).optional().meta({ editor: 'file' }).describe('File to read, relative to the workspace'),
      globs: z
        .array(z.string().min(1).meta({ editor: 'glob' }))
        .min(1)
        .optional()
        .describe('Glob patterns such as notes/**/*.md'),
      as: z
        .enum(['text', 'base64'])
        .default('text')
        .describe('Format of the content. base64 works for any file, such as an image or a PDF for a prompt'),
    })
    .refine(({ path, globs }) => (path === undefined) !== (globs === undefined), {
      error: 'must have exactly one of "path" and "globs"',
    });

const fileSchema = () =>
  z.object({
    path: z.string().describe('Path relative to the workspace'),
    text: z.string().describe('Content of the file'),
  });

const bytesSchema = () =>
  z.object({
    path: z.string().describe('Path relative to the workspace'),
    base64: z.string().describe('Content of the file as base64'),
    mediaType: z.string().describe('Media type by file name, such as image/png'),
    sizeBytes: z.number().describe('Size of the file in bytes'),
  });

const manyBytesSchema = () => z.object({ files: z.array(bytesSchema()).describe('Files sorted by path') });

const filesSchema = () =>
  z.object({
    files: z.array(fileSchema()).describe('Files sorted by path'),
    text: z.string().describe('Content of all files, joined by newlines'),
  });

export const fileReadType = describeType({
  type: 'file.read',
  title: 'Read files',
  description: 'Reads a file in the workspace, or every file that matches a pattern.',
  example: 'notes/*.md → every note with its path and text.',
  category: 'file',
  icon: 'file-input',
  inputSchema,
  configSchema: () => noConfig,
  outputSchema: () => z.union([filesSchema(), fileSchema(), bytesSchema(), manyBytesSchema()]),
  effects: 'idempotent',
  start: () => ({ input: { globs: ['*.md'] } }),
  givenSchemas: ({ input: { globs, as = 'text' } }) => {
    if (as !== 'text' && as !== 'base64') return {};
    return fieldsOf(globs === undefined ? 'one' : 'many', as);
  },
  given: ({ globs, as }) => ({
    ...(globs === undefined ? {} : { files: [] }),
    ...(as === 'base64' ? {} : { text: '' }),
  }),
  summary: (_config, { path, globs }) => {
    // A file that is being edited may contain any value here.
    const patterns = Array.isArray(globs)
      ? globs.map((glob) => (typeof glob === 'object' ? '' : glob)).join(', ')
      : globs;
    return ['Reads ', chipOf(path) ?? chipOf(patterns) ?? 'no file yet'];
  },
});

const text: JsonMap = { type: 'string' };

/** Returns the output fields; false marks fields that only other inputs produce. */
function fieldsOf(count: 'one' | 'many', as: 'text' | 'base64'): Readonly<Record<string, JsonMap | false>> {
  const isText = as === 'text';
  const bytes = { base64: text, mediaType: text, sizeBytes: { type: 'number' } };
  if (count === 'one') return { files: false, path: text, text: isText && text, ...(isText ? noBytes : bytes) };
  const fields = isText ? { path: text, text } : { path: text, ...bytes };
  const file = { type: 'object', properties: fields, required: Object.keys(fields), additionalProperties: false };
  return { files: { type: 'array', items: file }, text: isText && text, path: false, ...noBytes };
}

const noBytes = { base64: false, mediaType: false, sizeBytes: false } as const;
