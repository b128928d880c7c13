import { afterEach, expect, test } from 'vitest';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import { newNode } from './new-node.ts';
import { setOfferedTools, typeChoice } from './node-types.ts';
import type { ToolCandidate } from './tool-offers.ts';

afterEach(() => setOfferedTools([]));

const read: ToolCandidate = {
  name: 'files.read_file',
  title: 'Read a file',
  description: 'Gives the text of a file.',
  kind: 'mcp',
  inputSchema: {
    required: ['path', 'lines'],
    properties: { path: { type: 'string' }, lines: { type: 'integer', default: 10 }, tail: { type: 'boolean' } },
  },
};

const doc: FlowDoc = { flow: { name: 'F' }, nodes: [], edges: [] };

function keys(query: string): readonly string[] {
  return typeChoice(query, null).flatMap(({ types }) => types.map(({ key }) => key));
}

test('tools are found by words in their name and origin', () => {
  setOfferedTools([read]);
  for (const query of ['read file', 'files.read', 'mcp']) expect(keys(query)).toContain('tool:files.read_file');
  expect(keys('wombat')).toEqual([]);
});

test('a tool becomes a node that calls it, with its required values', () => {
  setOfferedTools([read]);
  expect(newNode(doc, 'tool:files.read_file', { loopId: null, models: null })?.node).toEqual({
    id: 'read_file',
    type: 'tool',
    input: { path: '', lines: 10 },
    config: { tool: 'files.read_file' },
  });
});

test('only a few of thousands of tools are listed, but any can be found by name', () => {
  setOfferedTools(Array.from({ length: 10_000 }, (_, index) => ({ ...read, name: `s.t${index}`, title: undefined })));
  expect(keys('').filter((key) => key.startsWith('tool:')).length).toBeLessThan(50);
  expect(keys('s.t9999')[0]).toBe('tool:s.t9999');
});
