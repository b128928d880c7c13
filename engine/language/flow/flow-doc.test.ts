import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  type EdgeDoc,
  edgeDocSchema,
  type FlowDoc,
  flowDocSchema,
  flowHeaderSchema,
  type NodeDoc,
  nodeDocSchema,
} from './flow-doc.ts';

test('the schema and the types have the same keys', () => {
  // Only documents converted from a list of steps have its steps; files in this format do not.
  expectTypeOf<keyof z.output<typeof flowDocSchema>>().toEqualTypeOf<keyof Omit<FlowDoc, 'steps'>>();
  expectTypeOf<keyof z.output<typeof flowHeaderSchema>>().toEqualTypeOf<keyof FlowDoc['flow']>();
  expectTypeOf<keyof z.output<typeof nodeDocSchema>>().toEqualTypeOf<keyof NodeDoc>();
  expectTypeOf<keyof z.output<typeof edgeDocSchema>>().toEqualTypeOf<keyof EdgeDoc>();
});

test('every key of the file has a description', () => {
  const shapes = [flowDocSchema.shape, flowHeaderSchema.shape, nodeDocSchema.shape, edgeDocSchema.shape];
  const undescribed = shapes.flatMap((shape) =>
    Object.entries(shape).flatMap(([key, schema]) => (schema.description === undefined ? key : [])),
  );
  expect(undescribed).toEqual([]);
});

test('accepts a document produced by the schema unchanged', () => {
  const doc: FlowDoc = {
    flow: { name: 'n', input: { a: [1, { b: null }] } },
    nodes: [{ id: 'a', type: 't', input: {}, when: { not: { or: [{ equals: { var: 'a.b', value: null } }] } } }],
    edges: [{ from: 'a', to: 'a' }],
  };
  expect(flowDocSchema.parse(doc)).toEqual(doc);
});
