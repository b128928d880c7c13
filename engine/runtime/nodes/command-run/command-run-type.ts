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
      .describe('Arguments, one per entry. They do not pass through a shell, so spaces, quotes and $ are literal'),
    env: z
      .record(z.string().regex(/^[^=\0]+$/, 'must be a variable name without ='), z.string())
      .default({})
      .describe('Environment variables in addition to those of Millrace; may contain secrets'),
    stdin: z
      .string()
      .exactOptional()
      .meta({ editor: 'long-text' })
      .describe('Standard input of the program; may contain secrets'),
  });

const configSchema = () =>
  z.object({
    program: z
      .string()
      .min(1)
      .describe('Program to run: a name such as git, or a path, absolute or relative to the workspace'),
    cwd: z
      .string()
      .min(1)
      .exactOptional()
      .describe('Working folder, relative to the workspace; defaults to the workspace'),
    parse: z
      .enum(['text', 'lines', 'json'])
      .default('text')
      .describe('Content of value: nothing, the lines of stdout, or stdout parsed as JSON'),
    maxBytes: z
      .int()
      .min(1)
      .max(64 * mebibyte)
      .default(mebibyte)
      .meta({ isAdvanced: true })
      .describe('Limit for each of stdout and stderr, in bytes. A command that writes more is terminated and fails'),
    waitFor: z
      .enum(['outputs', 'program'])
      .default('outputs')
      .meta({ isAdvanced: true })
      .describe(
        'When the node completes. outputs: when every process that holds the outputs open has exited; program: when the program itself has exited, while background processes keep running',
      ),
    okExit: z
      .array(z.int().min(-1).max(4_294_967_295))
      .min(1)
      .default([0])
      .meta({ isAdvanced: true })
      .describe('Exit codes that count as success; -1 means terminated by a signal'),
  });

export const commandRunType = describeType({
  type: 'command.run',
  title: 'Run command',
  description: 'Runs a program on this computer and returns its output; only in a trusted workspace.',
  example: 'git log --oneline -5 → stdout, lines and exit code.',
  category: 'flow',
  icon: 'terminal',
  inputSchema,
  configSchema,
  outputSchema: () =>
    z.object({
      exitCode: z.int().describe('Exit code: 0 usually means success; -1 means terminated by a signal'),
      stdout: z.string().describe('Standard output'),
      stderr: z.string().describe('Standard error, often warnings and errors'),
      value: z.exactOptional(anyJson).describe('With parse: the lines, or the parsed JSON'),
      stdoutBase64: z.exactOptional(z.string()).describe('The bytes of stdout as base64, when they are not valid text'),
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
