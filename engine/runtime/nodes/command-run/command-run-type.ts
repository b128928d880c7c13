/**
 * Description of `command.run`: runs a local program, never a shell command line.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const mebibyte = 1024 * 1024;

const inputSchema = () =>
  z.object({
    args: z
      .array(z.string())
      .default([])
      .describe('Arguments, one entry each: no shell reads them, so blanks, quotes and $ are what they are'),
    env: z
      .record(z.string().regex(/^[^=\0]+$/, 'must be the name of a variable, without ='), z.string())
      .default({})
      .describe('Variables of the environment beside those of this program; secrets may stand here'),
    stdin: z
      .string()
      .exactOptional()
      .meta({ editor: 'long-text' })
      .describe('What the program can read from its standard input; secrets may stand here'),
  });

const configSchema = () =>
  z.object({
    program: z
      .string()
      .min(1)
      .describe('Program to run: a name such as git, or a path, relative to the workspace or absolute'),
    cwd: z
      .string()
      .min(1)
      .exactOptional()
      .describe('Folder to run in, relative to the workspace; the workspace when empty'),
    parse: z
      .enum(['text', 'lines', 'json'])
      .default('text')
      .describe('What value holds: nothing, the lines of the output, or what it says as JSON'),
    maxBytes: z
      .int()
      .min(1)
      .max(64 * mebibyte)
      .default(mebibyte)
      .describe('A command that writes more to one of its outputs is ended and fails'),
    waitFor: z
      .enum(['outputs', 'program'])
      .default('outputs')
      .describe(
        'When the node ends: when every process that holds its outputs has ended, or when the program itself has. Background processes then keep running',
      ),
    okExit: z
      .array(z.int().min(-1).max(4_294_967_295))
      .min(1)
      .default([0])
      .describe('Exit codes that are no failure; -1 is a command that a signal ended'),
  });

export const commandRunType = describeType({
  type: 'command.run',
  title: 'Run command',
  description: 'Runs a program of this machine and gives what it wrote; only in a workspace that you trust.',
  example: 'git log --oneline -5 → stdout, lines and exit code.',
  category: 'flow',
  icon: 'terminal',
  inputSchema,
  configSchema,
  outputSchema: () =>
    z.object({
      exitCode: z.int().describe('0 usually means that it went well; -1 when a signal ended it'),
      stdout: z.string().describe('What it wrote'),
      stderr: z.string().describe('What it wrote beside, often warnings and errors'),
      value: z.exactOptional(anyJson).describe('With parse: the lines, or the value of the JSON'),
      stdoutBase64: z.exactOptional(z.string()).describe('The bytes of stdout, when they are not all text'),
    }),
  effects: 'external',
  secretFields: ['env', 'stdin'],
  givenSchemas: ({ config: { parse = 'text' } }) => {
    if (parse === 'text') return { value: false };
    return { value: parse === 'lines' ? { type: 'array', items: { type: 'string' } } : {} };
  },
  start: () => ({ input: { args: ['--version'] }, config: { program: 'git' } }),
  summary: ({ program }, { args }) => {
    const words = [program, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
    return ['Runs ', chipOf(words.join(' ')) ?? 'no program yet'];
  },
});
