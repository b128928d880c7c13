/**
 * Description of `tool`: calls a built-in tool, or one of the workspace, a pack or an MCP server.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';

export const toolType = describeType({
  type: 'tool',
  title: 'Tool',
  description: 'Calls a tool: one of your own, of a pack, of an MCP server, or one that comes with the program.',
  example: 'core.text_search with { text: "TODO" } → the lines that have it.',
  category: 'flow',
  icon: 'tool',
  inputSchema: () =>
    z.record(z.string(), anyJson).describe('What the tool is called with: the fields of its input schema'),
  configSchema: () =>
    z.object({
      tool: z
        .string()
        .min(1)
        .meta({ editor: 'tool' })
        .describe('Name of the tool, for example core.file_list; `millrace tools` lists all'),
    }),
  outputSchema: () => anyJson.describe('What the tool gives'),
  // The effects of a tool are declared in its manifest, which is read when it is called.
  effects: 'external',
  start: () => ({ input: { glob: '**' }, config: { tool: 'core.file_list' } }),
  summary: ({ tool }) => (typeof tool === 'string' && tool !== '' ? ['Calls ', { chip: tool }] : ['No tool yet']),
});
