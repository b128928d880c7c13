/** Tests that all file formats of Rivet are read: each version writes the same graph differently. */
import { expect, test } from 'vitest';
import { parseSource, readSource } from '../read-source.ts';

const graph = {
  metadata: { id: 'g', name: 'Main', description: 'Greets' },
  nodes: [
    { id: 'a', type: 'text', title: 'Greeting', data: { text: 'Hello' }, visualData: { x: 10, y: 20.4, width: 200 } },
    { id: 'b', type: 'chat', title: 'Say "hi"', data: {}, visualData: { x: 300, y: 20 }, disabled: true },
  ],
  connections: [{ outputNodeId: 'a', outputId: 'output', inputNodeId: 'b', inputId: 'prompt' }],
};
const metadata = { id: 'p', title: 'Project', description: '' };

function keyedNodes(isHead: boolean) {
  return Object.fromEntries(
    graph.nodes.map(({ id, type, title, visualData: { x, y }, ...rest }) => {
      const connections = id === 'a' ? ['output->"Say "hi"" b/prompt'] : [];
      const node = { ...rest, visualData: `${x}/${y}/null/null`, outgoingConnections: connections };
      return isHead ? [`[${id}]:${type} "${title}"`, node] : [id, { id, type, title, ...node }];
    }),
  );
}

function keyed(isHead: boolean) {
  return { metadata: graph.metadata, nodes: keyedNodes(isHead) };
}

const files: Readonly<Record<string, unknown>> = {
  'project 1': { metadata, graphs: { g: graph } },
  'project 2': { version: 2, data: { metadata, graphs: { g: graph } } },
  'project 3': { version: 3, data: { metadata, graphs: { g: keyed(false) } } },
  'project 4': { version: 4, data: { metadata, graphs: { g: keyed(true) }, plugins: [] } },
  'graph 1': graph,
  'graph 2': { version: 2, data: graph },
  'graph 3': { version: 3, data: keyed(false) },
  'graph 4': { version: 4, data: keyed(true) },
};

test.each(Object.keys(files))('%s has the same nodes and connections as the others', (name) => {
  const { format, flows } = readSource(parseSource(JSON.stringify(files[name])), 'test');
  expect(format.title).toBe('Rivet');
  expect(flows).toMatchObject([
    {
      name: 'Main',
      description: 'Greets',
      nodes: [
        { key: 'a', type: 'text', name: 'Greeting', position: { x: 10, y: 20 }, isDisabled: false },
        { key: 'b', type: 'chat', name: 'Say "hi"', position: { x: 300, y: 20 }, isDisabled: true },
      ],
      edges: [{ from: 'a', fromPort: 'output', to: 'b', toPort: 'prompt' }],
      remarks: [],
    },
  ]);
});

test('wrong entries are named, and the others are imported', () => {
  const nodes = [5, { id: 'a', type: 'text', title: 'A' }, { id: 'a', type: 'text', title: 'Same ID' }];
  const connections = ['no', { outputNodeId: 'a', outputId: 'output', inputNodeId: 'gone', inputId: 'x' }];
  const [flow] = readSource(parseSource(JSON.stringify({ nodes, connections })), 'test').flows;
  expect(flow?.nodes.map(({ name }) => name)).toEqual(['A', 'Same ID']);
  expect(flow?.remarks).toEqual([
    'Entry 1 of the nodes is not a node.',
    'Entry 1 of the connections is not a connection.',
    'The connection from "A" to "x" of "gone" leads to a node that does not exist.',
  ]);
});

test('what belongs to the project and not to a graph is named once', () => {
  const data = {
    metadata: { ...metadata, mcpServer: { mcpServers: { weather: { command: 'node' } } } },
    attachedData: { trivet: { testSuites: [{ id: 't' }] } },
    references: [{ id: 'other' }],
    graphs: { g: keyed(true), h: keyed(true) },
  };
  const { flows } = readSource(parseSource(JSON.stringify({ version: 4, data })), 'test');
  expect(flows.map(({ remarks }) => remarks)).toEqual([
    [
      'Not imported: the test suites of the project.',
      'Not imported: the MCP servers weather. Add them in the settings.',
      'Not imported: the projects that the project refers to.',
    ],
    [],
  ]);
});
