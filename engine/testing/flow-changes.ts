/**
 * Random changes of flow files, for tests.
 */
import fc from 'fast-check';
import type { FlowChange } from '../language/edit/flow-change.ts';
import { readYamlText } from '../language/edit/yaml/yaml-text.ts';
import type { WhenExpr } from '../language/flow/flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../language/json/json-value.ts';

/** Returns the plain value of a flow file. @throws Error if there is none */
export function rootOf(text: string): JsonMap {
  const read = readYamlText(text.replace(/^\uFEFF/, ''));
  if ('code' in read || !isJsonMap(read.value)) throw new Error('This is no flow');
  return read.value;
}

const anyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'yes',
    'null',
    '12',
    '0x1F',
    '~',
    'a: b',
    'a #b',
    '# c',
    '- x',
    '{{a.b}}',
    'x {{a.b}} y',
    "it's",
    '"q"',
  ),
  fc.constantFrom(
    'two\nlines',
    'two\nlines\n',
    'many\n\n\n',
    '  led\nby blanks',
    '\n\nlate',
    'tab\there',
    'a\r\nb',
    '\ttab\nline',
    'x\n ',
  ),
  fc.constantFrom(
    '[a]',
    '{a}',
    'a, b',
    'ende:',
    '🎉 ü',
    '*a',
    '&a',
    '!t',
    '%d',
    '@a',
    '`a',
    'a\u0000b',
    '\u2028',
    '\uFEFF',
    '---',
    '...',
    '<<',
  ),
  fc.string({ maxLength: 12 }),
);
const anyKey = fc.oneof(
  fc.constantFrom('text', 'prompt', 'a', 'extra key', 'y', '1', 'true', 'x-note'),
  fc.string({ minLength: 1, maxLength: 4 }).filter((key) => key !== '__proto__'),
);
const anyValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    anyText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as JsonMap),
  ),
})).value;

const anyWhen: fc.Arbitrary<WhenExpr> = fc.oneof(
  fc.constant<WhenExpr>({ exists: 'a.b' }),
  fc.tuple(anyText, anyValue).map(([path, value]): WhenExpr => ({ and: [{ not: { equals: { var: path, value } } }] })),
);

const anyPlace = fc.record({
  x: fc.double({ min: -900, max: 900, noNaN: true }),
  y: fc.integer({ min: -900, max: 900 }),
});
const newNode = fc.record({
  id: fc.constantFrom('new_1', 'new_2', 'new_3'),
  type: fc.constant('echo'),
  input: fc.dictionary(anyKey, anyValue, { maxKeys: 3 }).map((input) => ({ ...input }) as JsonMap),
});
const valueOrNothing = fc.option(anyValue, { nil: undefined, freq: 4 });
const nodePaths = [['name'], ['description'], ['config'], ['input'], ['policy', 'retry', 'maxAttempts'], ['disabled']];
const flowPaths = [['description'], ['name'], ['policy', 'maxParallel']];
const layoutPaths = [
  ['direction'],
  ['notes', 'n_1'],
  ['groups', 'g_1', 'title'],
  ['groups', 'g'],
  ['notes', 'n', 'text'],
];

type Ids = fc.Arbitrary<string>;

/** Returns a random change of a file with these nodes and edges. */
export function anyChange(ids: readonly string[], edges: readonly string[]): fc.Arbitrary<FlowChange> {
  const node = fc.constantFrom(...(ids.length === 0 ? ['nobody'] : ids));
  const edge = fc.constantFrom(...(edges.length === 0 ? ['nothing'] : edges));
  const one = fc.oneof(...nodeChanges(node, edge), ...edgeChanges(node, edge), ...valueChanges(node));
  const several = fc
    .array(one, { minLength: 2, maxLength: 3 })
    .map((changes): FlowChange => ({ do: 'all', changes, label: 'Several' }));
  return fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: several });
}

function nodeChanges(node: Ids, edge: Ids): readonly fc.Arbitrary<FlowChange>[] {
  return [
    fc.record({
      do: fc.constant('move' as const),
      positions: fc.dictionary(node, fc.option(anyPlace), { minKeys: 1, maxKeys: 3 }).map((all) => ({ ...all })),
    }),
    fc.record({
      do: fc.constant('remove' as const),
      nodes: fc.uniqueArray(node, { maxLength: 3 }),
      edges: fc.uniqueArray(edge, { maxLength: 2 }),
      heal: fc.boolean(),
    }),
    fc.record({
      do: fc.constant('reorder' as const),
      nodes: fc.uniqueArray(node, { minLength: 1, maxLength: 3 }),
      side: fc.constantFrom('before' as const, 'behind' as const),
      of: node,
    }),
    fc.record({ do: fc.constant('rename' as const), id: node, to: fc.constantFrom('renamed', 'x1', 'fetch') }),
    fc.record({
      do: fc.constant('rename-input' as const),
      name: fc.constantFrom('topic', 'many', 'a'),
      to: fc.constantFrom('renamed', 'many', 'first name', 'fetch'),
    }),
    fc.record(
      {
        do: fc.constant('add' as const),
        nodes: fc.uniqueArray(newNode, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
        after: node,
      },
      { requiredKeys: ['do', 'nodes'] },
    ),
  ];
}

function edgeChanges(node: Ids, edge: Ids): readonly fc.Arbitrary<FlowChange>[] {
  const newEdge = fc.record(
    { from: node, to: node, when: anyWhen, id: fc.constantFrom('e1', 'e2') },
    { requiredKeys: ['from', 'to'] },
  );
  return [
    fc.record({
      do: fc.constant('set-edge' as const),
      edge,
      change: fc.record({ to: node, from: node, when: fc.option(anyWhen) }, { requiredKeys: [] }),
    }),
    fc.record({ do: fc.constant('splice' as const), edge, node }),
    fc.record({
      do: fc.constant('connect' as const),
      edges: fc.array(newEdge, { minLength: 1, maxLength: 2 }),
    }),
  ];
}

function valueChanges(node: Ids): readonly fc.Arbitrary<FlowChange>[] {
  const pathOf = (paths: readonly string[][], inside: string): fc.Arbitrary<string[]> =>
    fc.oneof(
      fc.constantFrom(...paths),
      anyKey.map((key) => [inside, key]),
    );
  const deep = fc.tuple(anyKey, anyKey).map(([outer, inner]) => ['config', outer, inner]);
  return [
    fc.record({
      do: fc.constant('set-node' as const),
      id: node,
      path: fc.oneof(pathOf(nodePaths, 'input'), deep),
      value: valueOrNothing,
    }),
    fc.record({ do: fc.constant('set-flow' as const), path: pathOf(flowPaths, 'input'), value: valueOrNothing }),
    fc.record({ do: fc.constant('set-layout' as const), path: pathOf(layoutPaths, 'notes'), value: valueOrNothing }),
  ];
}

const newStep = fc.record({
  id: fc.constantFrom('new_1', 'new_2', 'new 3'),
  type: fc.constantFrom('tool', 'agent', 'echo'),
  input: fc.dictionary(anyKey, anyValue, { maxKeys: 3 }).map((input) => ({ ...input }) as JsonMap),
  config: fc.constantFrom({ tool: 'p.t' }, { agent: 'p.a' }, {}),
});
const stepPaths = [
  ['name'],
  ['input'],
  ['config', 'tool'],
  ['config', 'message'],
  ['config', 'form'],
  ['policy', 'retry', 'maxAttempts'],
  ['policy', 'retry', 'retry_on_codes'],
  ['policy', 'retry'],
  ['disabled'],
];
const headerPaths = [['description'], ['name'], ['version'], ['policy', 'autonomy'], ['input', 'x']];

/** Returns a random change of a file with these steps; some changes are invalid. */
export function anyStepChange(ids: readonly string[]): fc.Arbitrary<FlowChange> {
  const step = fc.constantFrom(...ids);
  const one = fc.oneof(
    ...nodeChanges(step, fc.constantFrom('nothing')).slice(1, 4),
    fc.record({ do: fc.constant('remove' as const), nodes: fc.uniqueArray(step), edges: fc.constant([]) }),
    fc.record(
      {
        do: fc.constant('add' as const),
        nodes: fc.uniqueArray(newStep, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
        after: step,
      },
      { requiredKeys: ['do', 'nodes'] },
    ),
    fc.record({
      do: fc.constant('set-node' as const),
      id: step,
      path: fc.oneof(
        fc.constantFrom(...stepPaths),
        anyKey.map((key) => ['input', key]),
      ),
      value: valueOrNothing,
    }),
    fc.record({ do: fc.constant('set-flow' as const), path: fc.constantFrom(...headerPaths), value: valueOrNothing }),
  );
  const several = fc
    .array(one, { minLength: 2, maxLength: 3 })
    .map((changes): FlowChange => ({ do: 'all', changes, label: 'Several' }));
  return fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: several });
}
