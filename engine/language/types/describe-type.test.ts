/** Tests descriptions of node types that create their schemas on first use. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { builtinTypes } from '../../runtime/nodes/builtin-types.ts';
import { changedType, describeType, withFields } from './describe-type.ts';

function noted() {
  const made: string[] = [];
  const schema = (name: string) => () => {
    made.push(name);
    return z.object({ [name]: z.string() });
  };
  const spec = describeType({
    ...{
      type: 'noted',
      title: 'Noted',
      description: 'Notes which schemas were made.',
      category: 'text',
      icon: 'quote',
    },
    inputSchema: schema('input'),
    configSchema: schema('config'),
    outputSchema: schema('output'),
    effects: 'pure',
  });
  return { spec, made, schema };
}

test('creates a schema when it is first read, and only once', () => {
  const { spec, made } = noted();
  expect(made).toEqual([]);
  expect(spec.inputSchema).toBe(spec.inputSchema);
  expect(spec.inputSchema.safeParse({ input: 'a' }).success).toBe(true);
  expect(made).toEqual(['input']);
});

test('copies share the schemas of the description without creating them', () => {
  const { spec, made } = noted();
  const copy = withFields(spec, { key: 'noted#1', title: 'Copy' });
  expect(made).toEqual([]);
  expect(copy.outputSchema).toBe(spec.outputSchema);
  expect([copy.key, copy.title, copy.type]).toEqual(['noted#1', 'Copy', 'noted']);
  expect(made).toEqual(['output']);
});

test('a changed description has its own schemas and otherwise those of the original, without creating any', () => {
  const { spec, made, schema } = noted();
  const changed = changedType(spec, { configSchema: schema('changed'), effects: 'external' });
  expect(made).toEqual([]);
  expect(changed.configSchema.safeParse({ changed: 'a' }).success).toBe(true);
  expect(changed.inputSchema).toBe(spec.inputSchema);
  expect([changed.effects, spec.effects]).toEqual(['external', 'pure']);
  expect(made).toEqual(['changed', 'input']);
});

test('a spread copies the schemas', () => {
  const { spec } = noted();
  expect({ ...spec }.inputSchema).toBe(spec.inputSchema);
  expect(Object.keys(spec)).toContain('inputSchema');
});

test('an executable type has the schemas of its description', () => {
  for (const [index, node] of builtinNodes.entries()) {
    const spec = builtinTypes[index];
    expect(node.type).toBe(spec?.type);
    for (const key of ['inputSchema', 'configSchema', 'outputSchema'] as const)
      expect(node[key], `${node.type} ${key}`).toBe(spec?.[key]);
  }
});
