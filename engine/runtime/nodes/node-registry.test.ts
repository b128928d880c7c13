import { expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { testNode } from '../../testing/test-node.ts';
import { createNodeRegistry } from './node-registry.ts';

const order = testNode('shop.order', async () => null);
const shop = { name: 'shop', version: '1.4', nodeTypes: [order] };

function refusal(make: () => unknown) {
  try {
    make();
    return undefined;
  } catch (thrown) {
    return toErrorRecord(thrown);
  }
}

test("lists types of packs after the others, with the pack's name and version", () => {
  const own = testNode('own', async () => null);
  const registry = createNodeRegistry([own], { nodePacks: [shop, { name: 'empty', version: '1', nodeTypes: [] }] });
  expect(registry.list().map(({ type }) => type)).toEqual(['own', 'shop.order']);
  expect(registry.get('shop.order')).toEqual({ ...order, pack: 'shop', version: '1.4' });
  expect(registry.get('own')).toBe(own);
  expect(registry.packs()).toEqual(['shop', 'empty']);
});

test('rejects two types with the same id and names the sources of both', () => {
  expect(refusal(() => createNodeRegistry([order, order]))).toMatchObject({ code: 'node-type.duplicate' });
  const mail = { ...shop, name: 'mail' };
  expect(refusal(() => createNodeRegistry([], { nodePacks: [shop, mail] }))).toEqual({
    code: 'node-type.duplicate',
    message: 'Two node types are named "shop.order", in pack "shop" and in pack "mail". Rename one of them.',
  });
  expect(refusal(() => createNodeRegistry([order], { nodePacks: [shop] }))?.message).toContain(
    'in the built-in types and in pack "shop"',
  );
});

test('rejects two packs with the same name', () => {
  const packs = [shop, { ...shop, nodeTypes: [] }];
  expect(refusal(() => createNodeRegistry([], { nodePacks: packs }))).toEqual({
    code: 'node-pack.duplicate',
    message: 'Two node packs are named "shop". Rename one of them.',
  });
});

test('rejects a pack with the name of the built-in types', () => {
  expect(refusal(() => createNodeRegistry([], { nodePacks: [{ ...shop, name: 'core' }] }))).toMatchObject({
    code: 'node-pack.duplicate',
    message: expect.stringContaining('reserved for the built-in types'),
  });
});

test('allows long-lived types only by name', () => {
  const registry = createNodeRegistry([order], { allowLongLived: ['server'] });
  expect([registry.allowsLongLived('server'), registry.allowsLongLived('shop.order')]).toEqual([true, false]);
  expect(createNodeRegistry([order]).allowsLongLived('server')).toBe(false);
});
