/**
 * Description of `tool`: calls a tool that is built in or belongs to the workspace, a pack or an MCP server.
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
  // A tool's effects are declared in its manifest, which is read when the tool is called.
  effects: 'external',
  start: () => ({ input: { glob: '**' }, config: { tool: 'core.file_list' } }),
  summary: ({ tool }) => (typeof tool === 'string' && tool !== '' ? ['Calls ', { chip: tool }] : ['No tool yet']),
});
