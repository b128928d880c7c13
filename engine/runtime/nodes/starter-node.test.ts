import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nodeIdPattern, reservedNodeIds } from '../../language/flow/flow-doc.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import { builtinNodes } from './builtin-nodes.ts';
import { createNodeRegistry } from './node-registry.ts';
import { freeId, type NodeBefore, starterNode } from './starter-node.ts';

const registry = createNodeRegistry(builtinNodes);

function spec(type: string): NodeTypeSpec {
  const found = registry.get(type);
  if (found === undefined) throw new Error(`Type ${type} does not exist.`);
  return found;
}

describe('a new node', () => {
  test('uses the output of the node before it', () => {
    const behind = (type: string, before: string) =>
      starterNode(spec(type), 'new', { id: 'b', spec: spec(before) }).input;
    expect(behind('file.write', 'prompt')).toEqual({ path: 'out/result.txt', text: '{{b.text}}' });
    expect(behind('prompt', 'file.read')).toEqual({ prompt: 'Summarize this in one sentence:\n\n{{b.text}}' });
    expect(behind('list.map', 'list.filter')).toEqual({ items: '{{b.items}}' });
    expect(behind('list.map', 'prompt')).toEqual({ items: ['{{b.text}}'] });
    expect(behind('echo', 'http.request')).toEqual({ text: 'Result: {{b.body}}' });
    const constant = { id: 'b', spec: spec('constant'), input: { value: [1, 2] } };
    expect(starterNode(spec('control.foreach'), 'new', constant).input).toMatchObject({ items: '{{b.value}}' });
    expect(behind('constant', 'prompt')).toEqual({ value: 'Hello' });
  });

  const schema = (properties: JsonMap, required: readonly string[] = Object.keys(properties)): JsonMap => ({
    config: { output: { schema: { type: 'object', properties, required: [...required] } } },
  });
  const labels = { type: 'string', enum: ['bug', 'a wish'] };
  const caseOf = (value: string): JsonMap => ({ when: { equals: { var: 'value', value } }, route: value });

  test.each<[what: string, config: JsonMap, value: string, routes: readonly string[]]>([
    ['a label', schema({ label: labels }), '{{b.value.label}}', ['bug', 'a wish']],
    [
      'the first of several',
      schema({ why: { type: 'string' }, kind: labels, tone: { enum: ['x'] } }),
      '{{b.value.kind}}',
      ['bug', 'a wish'],
    ],
    ['a label that may be left out', schema({ label: labels }, []), '{{?b.value.label}}', ['bug', 'a wish']],
    ['a name that needs brackets', schema({ 'my label': labels }), '{{b.value["my label"]}}', ['bug', 'a wish']],
    [
      'choices without a type, one twice',
      schema({ label: { enum: ['a', 'b', 'a'] } }),
      '{{b.value.label}}',
      ['a', 'b'],
    ],
    ['an answer that is one of a list', { config: { output: { schema: labels } } }, '{{b.value}}', ['bug', 'a wish']],
  ])('that has cases gets one for each value of what a model chooses from: %s', (_, before, value, routes) => {
    const { input } = starterNode(spec('control.switch'), 'new', {
      id: 'b',
      spec: spec('prompt'),
      input: { prompt: 'x' },
      ...before,
    });
    expect(input).toEqual({ value, cases: routes.map(caseOf) });
  });

  test.each<[what: string, config: JsonMap]>([
    ['no schema', {}],
    ['no choices', schema({ label: { type: 'string' } })],
    ['an empty list of choices', schema({ label: { type: 'string', enum: [] } })],
    ['choices that are not all texts', schema({ label: { enum: [1, 2] }, other: { enum: ['a', null] } })],
    ['a schema in a file', { config: { output: { schema: 'label.json' } } }],
    ['a schema that says nothing', { config: { output: { schema: true } } }],
  ])('has the case of any value after a model that responds with %s', (_, before) => {
    const { input } = starterNode(spec('control.switch'), 'new', {
      id: 'b',
      spec: spec('prompt'),
      input: { prompt: 'x' },
      ...before,
    });
    expect(input).toEqual({ value: '{{b.text}}', cases: [{ when: { exists: 'value' }, route: 'yes' }] });
  });

  test.each(['script.js', 'script.lua'])(
    'uses the whole output of code (%s), as text or JSON where text is required',
    (code) => {
      const behind = (type: string) => starterNode(spec(type), 'new', { id: 'b', spec: spec(code) }).input;
      expect(behind('file.write')).toEqual({ path: 'out/result.txt', text: '{{b}}' });
      expect(behind('echo')).toEqual({ text: '{{b}}' });
      expect(behind('prompt')).toEqual({ prompt: 'Summarize this in one sentence:\n\n{{b}}' });
      expect(behind('json.query')).toEqual({ value: '{{b}}' });
      expect(behind('list.map')).toEqual({ items: ['{{b}}'] });
    },
  );

  test('binds optional output of the node before it in the optional form', () => {
    const behindNoop = starterNode(spec('json.query'), 'new', { id: 'b', spec: spec('control.noop') });
    expect(behindNoop).toMatchObject({ input: { value: '{{?b.value}}' } });
  });

  test('uses literal values without a node before it, after a node without output, and after an unknown one', () => {
    const own = { id: 'new', type: 'echo', input: { text: 'Hello' } };
    expect(starterNode(spec('echo'), 'new', null)).toEqual(own);
    expect(starterNode(spec('echo'), 'new', { id: 'b', spec: spec('control.fail') })).toEqual(own);
    expect(starterNode(spec('echo'), 'new', { id: 'b', spec: undefined })).toEqual(own);
  });

  test('gets the values its schemas require if its type declares none', () => {
    const silent: NodeTypeSpec = {
      ...spec('echo'),
      inputSchema: z.object({
        name: z.string(),
        kind: z.enum(['b', 'a']),
        mark: z.literal('x'),
        size: z.number().min(3),
        isOpen: z.boolean(),
        tags: z.array(z.string()),
        more: z.object({}),
        anything: z.any(),
        left: z.string().optional(),
      }),
      configSchema: z.object({ depth: z.int() }),
    };
    const { start: _, ...plain } = silent;
    expect(starterNode(plain, 'n', null)).toMatchObject({
      input: { name: 'text', kind: 'b', mark: 'x', size: 3, isOpen: false, tags: [], more: {}, anything: 'value' },
      config: { depth: 0 },
    });
    expect(starterNode(plain, 'n', null).input).not.toHaveProperty('left');
  });
});

describe('a free id', () => {
  test('derives an id from a type or a name, with a number if necessary', () => {
    expect(freeId('file.read', [])).toBe('file_read');
    expect(freeId('file.read', ['file_read', 'file_read_2'])).toBe('file_read_3');
    expect(freeId('Straße & Café 2', [])).toBe('stra_e_cafe_2');
    expect([freeId('2nd', []), freeId('日本', []), freeId('flow', [])]).toEqual(['node_2nd', 'node', 'flow_2']);
  });

  test('always returns a valid and unused id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (name, taken) => {
        const id = freeId(name, [...taken, freeId(name, taken)]);
        expect(id).toMatch(nodeIdPattern);
        expect(taken.includes(id) || reservedNodeIds.has(id)).toBe(false);
      }),
    );
  });
});

describe('a new node in a loop without a node before it', () => {
  const inLoop = (type: string, schema: JsonMap, before: NodeBefore | null = null) =>
    starterNode(spec(type), 'new', before, { name: 'note', schema }).input;
  const note = {
    type: 'object',
    properties: { id: { type: 'integer' }, tags: { type: 'array' }, text: { type: 'string' } },
  };

  test('uses text directly, an object by its text field, and an unknown item within a sentence', () => {
    expect(inLoop('echo', { type: 'string' })).toEqual({ text: '{{note}}' });
    expect(inLoop('echo', note)).toEqual({ text: '{{note.text}}' });
    expect(inLoop('echo', {})).toEqual({ text: 'Item: {{note}}' });
    expect(inLoop('prompt', {})).toEqual({ prompt: 'Summarize this in one sentence:\n\n{{note}}' });
    expect(inLoop('template', note)).toEqual({ value: '{{note}}' });
  });

  test('uses a list in the item, an item that is a list, or otherwise the item as a list of one', () => {
    expect(inLoop('list.map', note)).toEqual({ items: '{{note.tags}}' });
    expect(inLoop('list.map', { type: 'array' })).toEqual({ items: '{{note}}' });
    expect(inLoop('control.foreach', {})).toMatchObject({ items: ['{{note}}'] });
  });

  test('prefers the node before it unless that has no output', () => {
    expect(inLoop('echo', note, { id: 'b', spec: spec('echo') })).toEqual({ text: '{{b.text}}' });
    expect(inLoop('echo', note, { id: 'b', spec: spec('control.fail') })).toEqual({ text: '{{note.text}}' });
  });
});
