/**
 * Description of `tool`: calls a built-in tool, or one of the workspace, a pack or an MCP server.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';

export const toolType = describeType({
  type: 'tool',
  title: 'Tool',
  description: 'Calls a tool: your own, from a pack, from an MCP server, or built in.',
  example: 'core.text_search with { text: "TODO" } → matching lines.',
  category: 'flow',
  icon: 'tool',
  inputSchema: () => z.record(z.string(), anyJson).describe('Arguments of the tool: the fields of its input schema'),
  configSchema: () =>
    z.object({
      tool: z
        .string()
        .min(1)
        .meta({ editor: 'tool' })
        .describe('Name of the tool, for example core.file_list; `millrace tools` lists all tools'),
    }),
  outputSchema: () => anyJson.describe('Result of the tool'),
  // The effects of a tool are declared in its manifest, which is read when it is called.
  effects: 'external',
  start: () => ({ input: { glob: '**' }, config: { tool: 'core.file_list' } }),
  summary: ({ tool }) => (typeof tool === 'string' && tool !== '' ? ['Calls ', { chip: tool }] : ['No tool yet']),
});
