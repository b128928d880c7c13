import { describe, expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { outputJsonSchema } from './json-schemas.ts';

const catalog = createNodeRegistry(builtinNodes);

describe('outputJsonSchema', () => {
  test('lists the fields of an output with their descriptions', () => {
    expect(outputJsonSchema(catalog.get('file.write')!)).toMatchObject({
      type: 'object',
      properties: { path: { type: 'string', description: 'Path relative to the workspace' } },
    });
  });

  test.each(builtinNodes.map((spec) => [spec.type, spec] as const))('can be created from %s', (_type, spec) => {
    expect(outputJsonSchema(spec)).toBeTypeOf('object');
  });
});
