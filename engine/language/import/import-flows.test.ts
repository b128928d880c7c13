/** Tests imports of hostile files: nothing is lost, and every flow is valid. */
import { expect, test } from 'vitest';
import { builtinTypes } from '../../runtime/nodes/builtin-types.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { importFlows } from './import-flows.ts';
import type { ImportedFlow } from './report.ts';

const registry = createNodeRegistry(builtinTypes);

/** Imports a file whose flows must all be valid. */
async function imported(file: unknown): Promise<readonly ImportedFlow[]> {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const flows = await importFlows({ text, name: 'test' }, async (flow) => checkFlow(flow, registry).diagnostics);
  for (const flow of flows) {
    expect(checkFlow(flow.text, registry).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  }
  return flows;
}

async function importedOne(file: unknown): Promise<ImportedFlow> {
  const [flow] = await imported(file);
  if (flow === undefined) throw new Error('no flow');
  return flow;
}

function set(name: string, value: unknown, field = 'text') {
  const assignments = { assignments: [{ name: field, type: 'string', value }] };
  return { name, type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [0, 0], parameters: { assignments } };
}

function to(...names: readonly string[]) {
  return { main: [names.map((node) => ({ node, type: 'main', index: 0 }))] };
}

function constantOf({ text }: ImportedFlow, id: string) {
  return parseFlow(text).doc?.nodes.find((node) => node.id === id)?.input['value'];
}

test('10,000 nodes are imported', async () => {
  const names = Array.from({ length: 10_000 }, (_, place) => `Node ${place}`);
  const connections = Object.fromEntries(names.slice(1).map((name, place) => [names[place], to(name)]));
  const nodes = names.map((name) => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }));
  const { lines, text } = await importedOne({ nodes, connections });
  expect(lines.length).toBe(10_000);
  expect(parseFlow(text).doc?.edges.length).toBe(9_999);
});

test('a flow that would be too large is refused with its size', async () => {
  const file = { nodes: [set('a', 'x'.repeat(5 * 1024 * 1024))], connections: {} };
  await expect(imported(file)).rejects.toMatchObject({
    code: 'import.too-large',
    message: 'As a flow, "test" would have 5.0 MiB, and the limit is 4 MiB. Split it in n8n first.',
  });
});

test('deep values stay as JSON text', async () => {
  const deep = JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`);
  const { lines, text } = await importedOne({ nodes: [set('a', deep)], connections: {} });
  expect(lines).toMatchObject([{ status: 'placeholder', lost: [expect.stringContaining('too deeply')] }]);
  expect(text).toContain('[[[[[[');
  await expect(imported(`{"nodes":${'['.repeat(5000)}${']'.repeat(5000)},"connections":{}}`)).rejects.toMatchObject({
    code: 'import.unreadable',
  });
});

test('names of object members are names like any other', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'flow', 'item', 'secret'];
  const nodes = names.flatMap((name) => [set(name, name, name), { name: `${name} type`, type: name, parameters: {} }]);
  const text = JSON.stringify({ nodes, connections: { a: 1 } }).replace(
    '"a":1',
    '"__proto__":{"main":[[{"node":"flow"}]]}',
  );
  const { lines } = await importedOne(text);
  expect(lines.map(({ name }) => name)).toEqual(nodes.map(({ name }) => name));
  expect(lines[0]).toMatchObject({ status: 'placeholder' });
  expect(lines.filter(({ type }) => type.endsWith('.set')).slice(1)).toMatchObject(
    names.slice(1).map(() => ({ status: 'mapped' })),
  );
});

test('entries of wrong types are named, and the others are imported', async () => {
  const { lines, remarks } = await importedOne({
    name: 7,
    nodes: [
      null,
      5,
      [],
      { name: 3, type: [], position: 'x', parameters: 'y' },
      { type: 'n8n-nodes-base.if' },
      set('ok', 1),
    ],
    connections: { ok: { main: 'no' }, gone: to('ok'), 3: { main: [null, [null, { node: {} }, { node: 'ok' }]] } },
  });
  expect(lines.map(({ status }) => status)).toEqual(['placeholder', 'placeholder', 'mapped']);
  expect(remarks).toEqual([
    'Entry 1 of the nodes is not a node.',
    'Entry 2 of the nodes is not a node.',
    'Entry 3 of the nodes is not a node.',
    'The connection from "3" to "" leads to a node that does not exist.',
    'The connection from "gone" to "ok" leads to a node that does not exist.',
  ]);
});

test('equal names and names in other scripts get IDs of their own', async () => {
  const { text, lines } = await importedOne({
    nodes: [set('Größe', 'a'), set('Grosse', 'b'), set('名前', 'c'), set('', 'd'), set('Größe', 'e'), set('1st', 'f')],
    connections: {},
  });
  expect(lines.map(({ id }) => id)).toEqual([
    'gro_e',
    'grosse',
    'n8n_nodes_base_set',
    'n8n_nodes_base_set_2',
    'gro_e_2',
    'n1st',
  ]);
  expect(text).toContain('name: 名前');
});

test('text stays the same, whatever braces, line ends and signs it contains', async () => {
  const texts = [
    'Write {{name}} and {{#each}} as it is',
    '\\{{already}} escaped',
    'ends with lines\n\n\n',
    '\n  starts with spaces\n\ttab',
    'a\u2028b\u2029c\r\nd\u0000e\u0085f',
    '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other',
    '# no comment: "quoted" \'too\'',
    '- not\n- a list',
    'null',
    '2026-11-29',
    '🙂 \ud800 lone',
  ];
  const flow = await importedOne({ nodes: texts.map((text, place) => set(`t${place}`, text)), connections: {} });
  expect(flow.lines.every(({ status }) => status === 'mapped')).toBe(true);
  const plain = (text: string): string => text.replaceAll('{{', '\\{{');
  expect(texts.map((_, place) => constantOf(flow, `t${place}`))).toEqual(texts.map((text) => ({ text: plain(text) })));
});

test('expressions that read a value become bindings, and others stay as text', async () => {
  const expressions = [
    '={{ $json.text }}',
    '={{ $json["text"] }} and {{$node["First"].json["text"]}}',
    '={{ $("First").first().json.text ?? "none" }}',
    '={{ $json.text.toUpperCase() }}',
    '={{ $json.text',
    '={{ 5 }}',
    '={{ $("Gone").item.json.x }}',
  ];
  const nodes = [set('First', 'a'), ...expressions.map((one, place) => set(`e${place}`, one))];
  const connections = { First: to(...expressions.map((_, place) => `e${place}`)) };
  const flow = await importedOne({ nodes, connections });
  expect(expressions.map((_, place) => (constantOf(flow, `e${place}`) as { text: unknown }).text)).toEqual([
    '{{first.value.text}}',
    '{{first.value.text}} and {{first.value.text}}',
    '{{first.value.text | default:"none"}}',
    '\\{{ $json.text.toUpperCase() }}',
    '\\{{ $json.text',
    5,
    '\\{{ $("Gone").item.json.x }}',
  ]);
  expect(flow.lines.filter(({ status }) => status === 'partly').map(({ name }) => name)).toEqual(['e3', 'e6']);
});

test('notes of nodes become descriptions', async () => {
  const nodes = [
    { ...set('A', 1), notes: 'Why it is here' },
    { name: 'B', type: 'gone', notes: 'Also kept' },
  ];
  const { text } = await importedOne({ nodes, connections: {} });
  expect(parseFlow(text).doc?.nodes.map(({ description }) => description)).toEqual(['Why it is here', 'Also kept']);
});

test('nodes behind a branch that was not imported do not run', async () => {
  const choose = { name: 'Choose', type: 'n8n-nodes-base.if', typeVersion: 2, parameters: {} };
  const connections = { Choose: { main: [[{ node: 'A' }], [{ node: 'B' }]] } };
  const { text } = await importedOne({ nodes: [choose, set('A', '1'), set('B', '2')], connections });
  expect(parseFlow(text).doc?.edges).toEqual([
    { from: 'choose', to: 'a', when: { exists: 'choose.value' } },
    { from: 'choose', to: 'b', when: { exists: 'choose.value' } },
  ]);
});

test('a loop over items becomes a loop with a body, and any other cycle is reported', async () => {
  const loop = { name: 'Repeat', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: {} };
  const split = { name: 'Split', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'text' } };
  const nodes = [set('List', ['a', 'b']), split, loop, set('Each', '={{ $json.name }}'), set('Done', 'x')];
  const connections = {
    List: to('Split'),
    Split: to('Repeat'),
    Repeat: { main: [[{ node: 'Done' }], [{ node: 'Each' }]] },
    Each: to('Repeat'),
    Done: to('List'),
  };
  const flow = await importedOne({ nodes, connections });
  const doc = parseFlow(flow.text).doc;
  expect(doc?.nodes.find(({ id }) => id === 'repeat')).toMatchObject({
    type: 'control.foreach',
    input: { items: '{{split.value}}', body: ['each'] },
  });
  expect(doc?.edges.map(({ from, to: target }) => `${from} ${target}`)).toEqual([
    'list split',
    'split repeat',
    'repeat done',
  ]);
  expect(flow.lines.find(({ name }) => name === 'Done')?.lost.join()).toContain('back to List');
});

test('graphs of equal names that call each other in a circle are imported', async () => {
  const graph = (key: string, other: string) => `    ${key}:
      metadata: { id: ${key}, name: Same }
      nodes:
        '[a]:subGraph "Call"':
          data: { graphId: ${other} }
          visualData: x/y
          outgoingConnections: [5, 'output->"Gone" gone/x', 'output->"Call" a/input']
`;
  const flows = await imported(`version: 4\ndata:\n  graphs:\n${graph('g1', 'g2')}${graph('g2', 'g1')}`);
  expect(flows.map(({ file }) => file)).toEqual(['test.flow.yaml', 'test-same.flow.yaml']);
  expect(flows[0]?.remarks).toEqual([
    'A connection of "Call" cannot be read: 5',
    'The connection from "Call" to "x" of "gone" leads to a node that does not exist.',
  ]);
});

test('iterations inside each other and inside themselves are imported', async () => {
  const node = (id: string, parentNode: string, name = 'iterationAgentflow') => ({
    id,
    parentNode,
    data: { name, inputs: { iterationInput: '["a"]' } },
  });
  const nodes = [node('a', 'b'), node('b', 'a'), node('c', 'c'), node('d', 'gone'), node('e', 'd', 'llmAgentflow')];
  const { lines } = await importedOne({
    nodes,
    edges: [
      { source: 'a', target: 'a' },
      { source: 'e', target: 'a' },
    ],
  });
  expect(lines.length).toBe(5);
});

test('operations with the names of object members are unknown', async () => {
  const operator = { type: 'constructor', operation: 'constructor' };
  const conditions = { conditions: [{ leftValue: '={{ $json.text }}', rightValue: 1, operator }] };
  const choose = { name: 'Choose', type: 'n8n-nodes-base.if', typeVersion: 2, parameters: { conditions } };
  const wait = { name: 'Wait', type: 'n8n-nodes-base.wait', parameters: { unit: 'toString', amount: 1 } };
  const { lines } = await importedOne({
    nodes: [set('A', 'x'), choose, wait],
    connections: { A: to('Choose', 'Wait') },
  });
  expect(lines.map(({ status }) => status)).toEqual(['mapped', 'placeholder', 'placeholder']);
  const condition = { type: 'constructor', operation: 'constructor', value1: '{{ x }}', value2: '1' };
  const data = { name: 'conditionAgentflow', inputs: { conditions: [condition] } };
  const flowise = await importedOne({ nodes: [{ id: 'x', data }], edges: [] });
  expect(flowise.lines).toMatchObject([{ status: 'placeholder' }]);
});

test('connections between placeholders that cannot become edges are named in the report', async () => {
  const store = { name: 'Store', type: '@n8n/n8n-nodes-langchain.vectorStoreMilvus', parameters: {} };
  const vectors = { name: 'Vectors', type: '@n8n/n8n-nodes-langchain.embeddingsCohere', parameters: {} };
  const connections = { Vectors: { ai_embedding: [[{ node: 'Store', type: 'ai_embedding', index: 0 }]] } };
  const { lines } = await importedOne({ nodes: [store, vectors], connections });
  expect(lines.find(({ name }) => name === 'Vectors')?.lost).toEqual([
    'There is no corresponding node type.',
    'The connection ai_embedding to Store is missing: it is not an edge of a flow.',
  ]);
});
