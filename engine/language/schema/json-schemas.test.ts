import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { specCatalog } from '../../testing/flow-problems.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { flowJsonSchema } from './json-schemas.ts';
import { valueAt } from './schema-problems.ts';

const schema = flowJsonSchema(specCatalog);

function at(...path: readonly (string | number)[]): JsonValue | undefined {
  return valueAt(schema, path);
}

/** Returns the branch of the schema for nodes of one type. */
function nodeOf(type: string): JsonMap {
  const branches = at('properties', 'nodes', 'items', 'allOf');
  const branch = isJsonList(branches)
    ? branches.find((candidate) => valueAt(candidate, ['if', 'properties', 'type', 'const']) === type)
    : undefined;
  const then = valueAt(branch, ['then', 'properties']);
  if (!isJsonMap(then)) throw new Error(`No branch for ${type}`);
  return then;
}

/** Returns the paths of all maps in a value that satisfy a condition, as text. */
function pathsWhere(value: JsonValue, isMeant: (map: JsonMap) => boolean, path = '#'): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => pathsWhere(item, isMeant, `${path}/${key}`));
  return isJsonMap(value) && isMeant(value) ? [path, ...inner] : inner;
}

describe('the JSON Schema of a flow file', () => {
  test('is draft 7 and plain JSON', () => {
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  test('requires flow, nodes and edges, and rejects unknown keys except for x-', () => {
    expect(schema).toMatchObject({
      required: ['flow', 'nodes', 'edges'],
      additionalProperties: false,
      patternProperties: { '^x-': {} },
    });
    const closed = pathsWhere(schema, (map) => map['additionalProperties'] === false);
    expect(closed.length).toBeGreaterThan(8);
    expect(pathsWhere(schema, (map) => map['additionalProperties'] === false && !map['patternProperties'])).toEqual([]);
  });

  test('describes every key of the file', () => {
    const { $schema, title, definitions, ...file } = schema;
    const undescribed = Object.keys(valueAt(file, ['properties', 'nodes', 'items', 'properties']) ?? {}).filter(
      (key) => valueAt(file, ['properties', 'nodes', 'items', 'properties', key, 'description']) === undefined,
    );
    expect([$schema, title, undescribed]).toEqual([expect.any(String), 'Flow', []]);
    expect(valueAt(definitions, ['condition', 'description'])).toEqual(expect.any(String));
  });

  test('resolves every reference', () => {
    const references = pathsWhere(schema, (map) => typeof map['$ref'] === 'string');
    expect(references.length).toBeGreaterThan(3);
    const targets = references.map((path) => valueAt(schema, [...path.split('/').slice(1), '$ref']));
    expect([...new Set(targets)]).toEqual(['#/definitions/condition']);
    expect(at('definitions', 'condition', 'anyOf')).toHaveLength(11);
  });

  test('includes conditions on edges, in every form', () => {
    expect(at('properties', 'edges', 'items', 'properties', 'when')).toEqual({
      allOf: [{ $ref: '#/definitions/condition' }],
      description: expect.any(String),
    });
    const forms = at('definitions', 'condition', 'anyOf');
    if (!isJsonList(forms)) throw new Error('No forms');
    expect(forms.map((form) => Object.keys(valueAt(form, ['properties']) ?? {}))).toEqual(
      ['equals', 'exists', 'lt', 'lte', 'gt', 'gte', 'contains', 'in', 'not', 'and', 'or'].map((key) => [key]),
    );
    expect(forms.filter((form) => valueAt(form, ['description']) === undefined)).toEqual([]);
    expect(valueAt(forms[2], ['properties', 'lt', 'properties', 'value', 'type'])).toEqual(['number', 'string']);
    expect(valueAt(forms[7], ['properties', 'in', 'properties', 'value', 'type'])).toBe('array');
    expect(valueAt(forms[8], ['properties', 'not', '$ref'])).toBe('#/definitions/condition');
  });

  test('includes node packs', () => {
    expect(at('properties', 'flow', 'properties', 'nodePacks')).toMatchObject({
      type: 'array',
      items: { type: 'string', minLength: 1 },
    });
  });

  test('suggests the known types with their titles', () => {
    expect(at('properties', 'nodes', 'items', 'properties', 'type', 'anyOf')).toEqual(
      specCatalog.list().map(({ type, title, description }) => ({ const: type, title, description })),
    );
  });
});

describe('the part of one node type', () => {
  test('accepts bindings for any input value, and numbers and booleans for text', () => {
    const bound = { type: 'string', pattern: '\\{\\{' };
    expect(nodeOf('ask')['input']).toMatchObject({
      required: ['prompt'],
      properties: {
        prompt: { anyOf: [{ type: 'string' }, { type: ['number', 'boolean'] }, bound] },
        count: { anyOf: [{ type: 'integer', minimum: 1 }, bound] },
        tags: { anyOf: [{ type: 'array', items: { anyOf: [{ type: 'string' }, expect.anything(), bound] } }, bound] },
      },
    });
    expect(nodeOf('constant')['input']).toMatchObject({ required: ['value'], properties: { value: {} } });
  });

  test('accepts no bindings in config', () => {
    expect(nodeOf('ask')['config']).toMatchObject({
      properties: {
        temperature: { type: 'number', maximum: 2 },
        model: { anyOf: [{ type: 'string' }, expect.anything()] },
      },
    });
    expect(pathsWhere(nodeOf('ask')['config'] ?? null, (map) => map['pattern'] !== undefined)).toEqual([]);
  });

  test('allows unknown keys, which only cause warnings', () => {
    const closed = specCatalog
      .list()
      .flatMap(({ type }) => pathsWhere(nodeOf(type), (map) => map['additionalProperties'] === false));
    expect(closed).toEqual([]);
  });

  test('may reference its own named schemas', () => {
    const [echo] = specCatalog.list();
    if (echo === undefined) throw new Error('The catalog is empty');
    const named = z.object({ text: z.object({ a: z.string() }).meta({ id: 'named-in-test' }) });
    const withReference = flowJsonSchema({ ...specCatalog, list: () => [{ ...echo, inputSchema: named }] });
    expect(valueAt(withReference, ['definitions', 'named-in-test', 'type'])).toBe('object');
    expect(valueAt(withReference, ['definitions', 'condition', 'anyOf'])).toHaveLength(11);
  });
});
