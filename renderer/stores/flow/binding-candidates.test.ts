import { describe, expect, test } from 'vitest';
import { parseFlow } from '../../../engine/isomorphic.ts';
import {
  type BindingFlow,
  bindingCandidates,
  type CandidateSource,
  firstSteps,
  nextPathSteps,
} from './binding-candidates.ts';
import { nodesBefore } from './binding-places.ts';
import { fieldScopeCandidates } from './field-sights.ts';
import { nodeTypes } from './node-types.ts';
import { createValueSchemas } from './value-schemas.ts';

const text = `flow: { name: F, input: { topic: bees, count: 3 } }
nodes:
  - { id: fetch, type: http.request, input: { url: "https://a.example" } }
  - { id: ask, type: prompt, input: { prompt: hi } }
  - { id: each, type: control.foreach, input: { items: "{{fetch.body}}", as: note, body: [inner, last] } }
  - { id: inner, type: prompt, input: { prompt: hi } }
  - { id: last, type: echo, input: { text: hi } }
  - { id: aside, type: echo, input: { text: hi } }
  - { id: odd, type: nobody.knows, input: {} }
edges:
  - { from: fetch, to: each }
  - { from: odd, to: each }
  - { from: inner, to: last }
`;

function pathsAt(nodeId: string | null, source = text): readonly string[] {
  const { doc } = parseFlow(source);
  return doc === null
    ? []
    : bindingCandidates(doc, nodeId === null ? null : { node: nodeId }, nodeTypes)('').map(({ path }) => path);
}

test('a node in a body can use its items, the nodes before it, and those before its loop', () => {
  const paths = pathsAt('last');
  expect(paths).toEqual(
    expect.arrayContaining(['note', 'loop.index', 'inner.text', 'fetch.body', 'odd', 'flow.input.topic']),
  );
  expect(paths.filter((path) => /^(aside|each|last|ask)/.test(path))).toEqual([]);
});

test('the first nodes can use only the inputs of the flow', () => {
  expect(pathsAt('fetch')).toEqual(['flow.input.topic', 'flow.input.count']);
});

test('a key with a space or a dot is offered in its quoted form', () => {
  const odd = text.replace('topic: bees', '"first name": Ada, "a.b": 1, topic: bees');
  expect(pathsAt('fetch', odd).slice(0, 3)).toEqual([
    'flow.input["first name"]',
    'flow.input["a.b"]',
    'flow.input.topic',
  ]);
});

test('without a node, all nodes are offered', () => {
  expect(pathsAt(null)).toEqual(expect.arrayContaining(['aside.text', 'ask.text', 'each.iterations']));
});

test('fields have a kind and a description, and union types offer the fields of all alternatives', () => {
  const { doc } = parseFlow(
    'flow: { name: F }\nnodes:\n  - { id: r, type: file.read, input: { path: a } }\nedges: []\n',
  );
  const found = doc === null ? [] : bindingCandidates(doc, null, nodeTypes)('');
  expect(found).toContainEqual({ path: 'r.files', detail: 'list', description: 'Files sorted by path' });
  expect(found.map(({ path }) => path)).toEqual(
    ['files', 'text', 'path', 'base64', 'mediaType', 'sizeBytes'].map((field) => `r.${field}`).concat('r'),
  );
});

test('the condition of an edge can use the node it starts at, and those before it', () => {
  const { doc } = parseFlow(text);
  const found = doc === null ? [] : bindingCandidates(doc, { edgeFrom: 'inner' }, nodeTypes)('');
  const paths = found.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['note', 'inner.text', 'fetch.body']));
  expect(paths.filter((path) => path.startsWith('last'))).toEqual([]);
});

test('cycles of edges and loops that contain themselves terminate', () => {
  const circle = text
    .replace('edges:', 'edges:\n  - { from: last, to: inner }')
    .replace('[inner, last]', '[each, inner, last]');
  expect(pathsAt('inner', circle)).toContain('last.text');
});

/** As parsed from an unfinished text. */
const unfinished: BindingFlow = {
  nodes: [
    { id: 'first', type: 'http.request', name: undefined, input: {}, config: {} },
    { id: 'each', type: 'control.foreach', name: 'All of them', input: { as: 'page' }, config: {} },
    { id: 'inner', type: 'half.a.ty', name: undefined, input: {}, config: {} },
  ],
  edges: [
    { from: 'first', to: 'each' },
    { from: '', to: 'inner' },
  ],
  ownerOf: new Map([['inner', 'each']]),
  flowInput: undefined,
  inputsAt: (path) => (path.length === 0 ? [{ name: 'site', detail: 'a.example' }] : []),
};

test('a node before a loop runs before its body', () => {
  expect(nodesBefore(unfinished, { node: 'inner' })).toEqual(['first']);
  expect(nodesBefore(unfinished, { node: 'each' })).toEqual(['first']);
  expect(nodesBefore(unfinished, { node: 'first' })).toEqual([]);
});

test('a path is completed level by level', () => {
  const values = createValueSchemas(unfinished, nodeTypes);
  const known: CandidateSource = { flow: unfinished, values, catalog: nodeTypes, place: { node: 'inner' } };
  const names = (path: readonly string[]) => nextPathSteps(known, path).map(({ name }) => name);
  expect(firstSteps(known).map(({ name }) => name)).toEqual(['page', 'loop', 'first', 'flow']);
  expect(names(['loop'])).toEqual(['index']);
  expect(names(['first'])).toEqual(['status', 'headers', 'body']);
  expect(names(['each', 'iterations', '0'])).toContain('outputs');
  expect(names(['flow'])).toEqual(['input']);
  expect(names(['flow', 'input'])).toEqual(['site']);
  expect(names(['inner'])).toEqual([]);
  expect(names(['nobody'])).toEqual([]);
});

describe('items of loops', () => {
  const loops = `flow: { name: F, input: { people: [{ name: Ada, pets: [{ kind: cat }] }] } }
nodes:
  - { id: people, type: constant, input: { value: [{ name: Ada, age: 36 }, { name: Alan }] } }
  - { id: each, type: control.foreach, input: { items: "{{people.value}}", as: person, body: [greet, inner] } }
  - { id: greet, type: prompt, input: { prompt: hi } }
  - { id: inner, type: control.foreach, input: { items: "{{flow.input.people.0.pets}}", body: [pet] } }
  - { id: pet, type: echo, input: { text: hi } }
  - { id: files, type: file.read, input: { globs: ["*.md"] } }
  - { id: per_file, type: control.foreach, input: { items: "{{files.files}}", as: file, body: [one] } }
  - { id: one, type: echo, input: { text: hi } }
  - { id: words, type: control.foreach, input: { items: [a, b], as: word, body: [say] } }
  - { id: say, type: echo, input: { text: hi } }
  - { id: after, type: list.map, input: { items: "{{each.iterations}}" }, config: { template: "x" } }
  - { id: circle, type: constant, input: { value: "{{round.value}}" } }
  - { id: round, type: constant, input: { value: "{{circle.value}}" } }
edges:
  - { from: people, to: each }
  - { from: greet, to: inner }
  - { from: files, to: per_file }
  - { from: each, to: after }
  - { from: circle, to: after }
`;
  const at = (node: string, begun = '') => {
    const { doc } = parseFlow(loops);
    return doc === null ? [] : bindingCandidates(doc, { node }, nodeTypes)(begun);
  };
  const paths = (node: string, begun?: string) => at(node, begun).map(({ path }) => path);

  test('have the fields and types of the value that is looped over: a constant, an input, an output, a list in the file', () => {
    expect(paths('greet').slice(0, 3)).toEqual(['person.name', 'person.age', 'person']);
    expect(at('greet').find(({ path }) => path === 'person.age')?.detail).toBe('number');
    expect(paths('pet').slice(0, 2)).toEqual(['item.kind', 'item']);
    expect(paths('pet')).toContain('person.name');
    expect(paths('one')).toEqual(expect.arrayContaining(['file.path', 'file.text']));
    expect(at('say').find(({ path }) => path === 'word')?.detail).toBe('text');
  });

  test('are available after their loop in its iterations, with the outputs of the body', () => {
    expect(paths('after', 'each.iterations.')).toContain('each.iterations.0');
    expect(paths('after', 'each.iterations.0.')).toEqual(
      expect.arrayContaining(['each.iterations.0.item', 'each.iterations.0.outputs', 'each.iterations.0.index']),
    );
    expect(paths('after', 'each.iterations[0].item.n')).toContain('each.iterations[0].item.name');
    expect(paths('after', 'each.iterations.0.outputs.')).toContain('each.iterations.0.outputs.greet');
    expect(paths('after', 'each.iterations.0.outputs.greet.')).toContain('each.iterations.0.outputs.greet.text');
  });

  test('a constant passes on the fields of its value', () => {
    expect(paths('each', 'people.value.0.')).toContain('people.value.0.age');
  });

  test('cyclic bindings terminate', () => {
    expect(paths('after', 'circle.value.')).toEqual(expect.arrayContaining(['circle.value']));
  });
});

describe('BB-06 the fields of a response', () => {
  const schema = `{
    type: object,
    $defs: { person: { type: object, properties: { name: { type: string }, friends: { type: array, items: { $ref: "#/$defs/person" } } } } },
    properties: {
      label: { enum: [a, b], type: string, description: "What it is" },
      about: { type: object, properties: { reason: { type: [string, "null"] } } },
      people: { type: array, items: { $ref: "#/$defs/person" } },
      first: { $ref: "#/$defs/person" },
      either: { oneOf: [{ type: object, properties: { left: { type: number } } }, { type: object, properties: { right: { type: number } } }] },
      both: { allOf: [{ $ref: "#/$defs/person" }, { properties: { age: { type: integer } } }] },
      pair: { type: array, prefixItems: [{ type: object, properties: { x: { type: number } } }] },
      round: { anyOf: [{ $ref: "#/properties/round" }, { type: string }] }
    }
  }`.replaceAll(/\s*\n\s*/g, ' ');
  const source = (type: string, given: string): string =>
    `flow: { name: F }\nnodes:\n  - id: ask\n    type: ${type}\n${given}\n  - { id: use, type: echo, input: { text: hi } }\nedges:\n  - { from: ask, to: use }\n`;
  const kinds = [
    ['prompt', source('prompt', `    input: { prompt: hi }\n    config: { output: { schema: ${schema} } }`)],
    ['json.parse', source('json.parse', `    input: { text: hi }\n    config: { schema: ${schema} }`)],
  ] as const;

  test.each(kinds)('BB-06 of %s are completed, including nested fields, lists, references and choices', (_, flow) => {
    const { doc } = parseFlow(flow);
    const at = (begun: string): readonly string[] =>
      doc === null ? [] : bindingCandidates(doc, { node: 'use' }, nodeTypes)(begun).map(({ path }) => path);
    expect(at('')).toContain('ask.value');
    expect(at('ask.value.')).toEqual(
      expect.arrayContaining(['ask.value.label', 'ask.value.about', 'ask.value.people', 'ask.value.first']),
    );
    expect(at('ask.value.about.')).toContain('ask.value.about.reason');
    expect(at('ask.value.people.')).toContain('ask.value.people.0');
    expect(at('ask.value.people[0].')).toContain('ask.value.people[0].name');
    expect(at('ask.value.people.0.friends.1.friends.2.')).toContain('ask.value.people.0.friends.1.friends.2.name');
    expect(at('ask.value.first.')).toContain('ask.value.first.friends');
    expect(at('ask.value.either.')).toEqual(
      expect.arrayContaining(['ask.value.either.left', 'ask.value.either.right']),
    );
    expect(at('ask.value.both.')).toEqual(expect.arrayContaining(['ask.value.both.name', 'ask.value.both.age']));
    expect(at('ask.value.pair.0.')).toContain('ask.value.pair.0.x');
    expect(at('ask.value.round.')).not.toContain('ask.value.round.0');
  });

  test('BB-06 include their descriptions', () => {
    const { doc } = parseFlow(kinds[0][1]);
    const all = doc === null ? [] : bindingCandidates(doc, { node: 'use' }, nodeTypes)('ask.value.about.');
    expect(all.find(({ path }) => path === 'ask.value.about.reason')?.detail).toBe('text or nothing');
    const fields = doc === null ? [] : bindingCandidates(doc, { node: 'use' }, nodeTypes)('ask.value.');
    expect(fields.find(({ path }) => path === 'ask.value.label')).toMatchObject({ description: 'What it is' });
    expect(fields.find(({ path }) => path === 'ask.value.first')?.detail).toBe('map');
    expect(fields.find(({ path }) => path === 'ask.value.round')?.detail).toBe('text');
  });

  test('BB-06 cyclic or very many references take no noticeable time', () => {
    const doubles = Array.from(
      { length: 60 },
      (_, at) => `d${at}: { allOf: [{ $ref: "#/$defs/d${at + 1}" }, { $ref: "#/$defs/d${at + 1}" }] }`,
    );
    const odd = `{ $defs: { ${doubles.join(', ')}, d60: { $ref: "#" } }, allOf: [{ $ref: "#/$defs/d0" }], properties: { a: { $ref: "#" } } }`;
    const { doc } = parseFlow(
      source('prompt', `    input: { prompt: hi }\n    config: { output: { schema: ${odd} } }`),
    );
    const found = doc === null ? [] : bindingCandidates(doc, { node: 'use' }, nodeTypes)('ask.value.a.a.');
    expect(found.map(({ path }) => path)).toContain('ask.value.a.a.a');
  });
});

test('BB-50 the failure of a node with a tolerated failure can be used, too', () => {
  const tolerant = text.replace(
    'url: "https://a.example" }',
    'url: "https://a.example" }, policy: { continueOnError: true }',
  );
  const { doc } = parseFlow(tolerant);
  const finder = doc === null ? () => [] : bindingCandidates(doc, { node: 'last' }, nodeTypes);
  const paths = (begun: string) => finder(begun).map(({ path }) => path);
  expect(paths('')).toEqual(expect.arrayContaining(['fetch.body', 'fetch.failed', 'fetch.error', 'fetch.attempts']));
  expect(paths('fetch.error.')).toEqual(expect.arrayContaining(['fetch.error.code', 'fetch.error.message']));
  expect(pathsAt('last').filter((path) => /failed|error|attempts/.test(path))).toEqual([]);
  const lenient = text.replace('{ name: F,', '{ name: F, policy: { failFast: false },');
  expect(pathsAt('last', lenient)).toEqual(expect.arrayContaining(['odd.failed', 'inner.attempts']));
});

const passes = `flow: { name: x, input: { topic: tea } }
nodes:
  - { id: begin, type: http.request, input: { url: "https://a.example" } }
  - { id: again, type: control.loop, input: { body: [write, review], until: { exists: review } } }
  - { id: write, type: prompt, input: { prompt: hi } }
  - { id: review, type: prompt, input: { prompt: hi }, config: { output: { schema: { type: object, properties: { passes: { type: boolean } } } } } }
  - { id: after, type: echo, input: { text: hi } }
edges: [{ from: begin, to: again }, { from: write, to: review }, { from: again, to: after }]
`;

test('BB-53 the condition of a loop can use its body, the previous iteration, and nodes before the loop', () => {
  const { doc } = parseFlow(passes);
  if (doc === null) throw new Error('It can be read');
  const candidates = bindingCandidates(doc, { bodyOf: 'again' }, nodeTypes);
  const paths = candidates('').map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'review.value',
      'write.text',
      'begin.body',
      'loop.index',
      'previous.review',
      'flow.input.topic',
    ]),
  );
  expect(paths.filter((path) => /^(after|again|item)/.test(path))).toEqual([]);
  expect(candidates('review.value.').map(({ path }) => path)).toContain('review.value.passes');
  expect(
    fieldScopeCandidates(doc, 'again', { catalog: nodeTypes, sees: 'body', begun: 'review.value.', before: '' }),
  ).toEqual(candidates('review.value.'));
});

test('BB-53 a body can use the outputs of the previous iteration, and other nodes those of the last one', () => {
  expect(pathsAt('write', passes)).toEqual(expect.arrayContaining(['previous.review', 'previous.write', 'loop.index']));
  expect(pathsAt('write', passes)).not.toContain('item');
  const { doc } = parseFlow(passes);
  if (doc === null) throw new Error('It can be read');
  const deeper = (node: string, begun: string) =>
    bindingCandidates(doc, { node }, nodeTypes)(begun).map(({ path }) => path);
  expect(deeper('write', 'previous.review.value.')).toContain('previous.review.value.passes');
  expect(deeper('after', 'again.last.review.value.')).toContain('again.last.review.value.passes');
  expect(deeper('after', 'again.iterations.0.outputs.')).toContain('again.iterations.0.outputs.write');
});

test('BB-06 the fields of a response are known even if its schema is in a file', () => {
  const { doc } = parseFlow(
    passes.replace('schema: { type: object, properties: { passes: { type: boolean } } }', 'schemaFile: a.json'),
  );
  if (doc === null) throw new Error('It can be read');
  const files = new Map([['a.json', { schema: { type: 'object', properties: { passes: { type: 'boolean' } } } }]]);
  const paths = (known?: typeof files) =>
    bindingCandidates(doc, { bodyOf: 'again' }, nodeTypes, { files: known })('review.value.').map(({ path }) => path);
  expect(doc.nodes[3]?.config).toEqual({ output: { schemaFile: 'a.json' } });
  expect(paths(files)).toContain('review.value.passes');
  expect(paths()).not.toContain('review.value.passes');
});

test('BB-16 secrets are offered by name in nodes that accept them', () => {
  const { doc } = parseFlow(`flow: { name: A }
nodes:
  - { id: send, type: http.request, input: { url: "http://a.example" } }
  - { id: say, type: echo, input: { text: hi } }
edges: []
`);
  if (doc === null) throw new Error('It can be read');
  const secrets = ['API_TOKEN', 'KEY'];
  const paths = (node: string, known: readonly string[], begun = '') =>
    bindingCandidates(doc, { node }, nodeTypes, { secrets: known })(begun)
      .map(({ path }) => path)
      .filter((path) => path.startsWith('secret'));
  expect(paths('send', secrets)).toEqual(['secret.API_TOKEN', 'secret.KEY']);
  expect(paths('send', secrets, 'secret.')).toEqual(['secret.API_TOKEN', 'secret.KEY']);
  expect([paths('send', []), paths('say', secrets)]).toEqual([[], []]);
});
