/**
 * `script.lua`: runs Lua with the full API of agent scripts.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { codeSummary } from '../summary-text.ts';

export const scriptLuaType = describeType({
  type: 'script.lua',
  title: 'Lua',
  description: 'Runs Lua that can read and write files, send web requests and call agents.',
  example: 'return aip.file.load(input.path).content:upper().',
  category: 'logic',
  icon: 'code',
  inputSchema: () => z.record(z.string(), anyJson).describe('Available to the code as `input`'),
  configSchema: () =>
    z.object({
      code: z
        .string()
        .meta({ editor: 'lua' })
        .describe(
          '`input` is the input of the node, `aip` has the functions of agents, and the return value is the output',
        ),
    }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: (from) => ({
    input: { value: from.any('hello') },
    config: { code: 'return { text = string.upper(tostring(input.value)) }\n' },
  }),
  summary: ({ code }) => codeSummary(code, '--'),
});
