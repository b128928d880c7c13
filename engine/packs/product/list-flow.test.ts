import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { findProduct } from './find-products.ts';
import { listFlow, withListedFlow } from './list-flow.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

test.each([
  [
    'lines with comments',
    '# ours\nname: shop # the shop\nflows:\n  # money\n  - refund # first\n\n# for people\nversion: 1\n',
    '# ours\nname: shop # the shop\nflows:\n  # money\n  - refund # first\n  - pack\n\n# for people\nversion: 1\n',
  ],
  ['files', 'flows:\n- flows/refund.yaml\n', 'flows:\n- flows/refund.yaml\n- flows/pack.yaml\n'],
  ['one line', 'flows: [ refund.yaml, "a.yaml" ] # all\n', 'flows: [ refund.yaml, "a.yaml", pack.yaml ] # all\n'],
  ['JSON', '{"name": "shop", "flows": ["refund"]}', '{"name": "shop", "flows": ["refund", "pack"]}'],
  ['maps', 'flows:\n  - id: refund\n    x: 1\n', 'flows:\n  - id: refund\n    x: 1\n  - id: pack\n'],
  [
    'maps on one line',
    'flows:\n  - { file: refund.yaml }\n',
    'flows:\n  - { file: refund.yaml }\n  - { file: pack.yaml }\n',
  ],
  [
    'a map from names to files',
    'flows:\n  refund: refund.yaml\n',
    'flows:\n  refund: refund.yaml\n  pack: pack.yaml\n',
  ],
  ['names only', 'flows:\n  refund:\n', 'flows:\n  refund:\n  pack: null\n'],
  ['an empty list', 'flows: []\nname: shop\n', 'flows:\n  - pack\nname: shop\n'],
  [
    'Windows line endings',
    'flows:\r\n  - refund\r\nname: shop\r\n',
    'flows:\r\n  - refund\r\n  - pack\r\nname: shop\r\n',
  ],
])('adds a flow to %s and changes nothing else', (_, before, after) => {
  expect(withListedFlow(before, 'pack.yaml')).toBe(after);
});

test.each([
  ['the manifest has no list', 'name: shop\n'],
  ['the list is null', 'flows:\nname: shop\n'],
  ['it is already listed by its name', 'flows: [pack]\n'],
  ['it is already listed by its file', 'flows: [flows/pack.yaml]\n'],
  ['the manifest is empty', ''],
  ['the manifest is invalid', 'flows: [a\n'],
])('adds nothing if %s', (_, text) => {
  expect(withListedFlow(text, 'pack.yaml')).toBeUndefined();
});

test('the added flow counts as one of the product', async () => {
  const flow = 'id: x\nsteps: [{ id: a, type: human_approval, message: Go on? }]\n';
  folder.write('products/shop/manifest.yaml', 'flows:\n  - refund # first\n');
  folder.write('products/shop/flows/refund.yaml', flow);
  folder.write('products/shop/flows/pack.flow.yaml', flow);
  expect((await findProduct(folder.path, 'shop'))?.unlisted).toEqual(['products/shop/flows/pack.flow.yaml']);
  expect(await listFlow(folder.path, 'products/shop/flows/pack.flow.yaml')).toBe('products/shop/manifest.yaml');
  expect(await findProduct(folder.path, 'shop')).toMatchObject({
    unlisted: [],
    flows: [{ name: 'refund' }, { name: 'pack' }],
  });
  expect(await listFlow(folder.path, 'products/shop/flows/pack.flow.yaml')).toBeUndefined();
  expect(await listFlow(folder.path, 'products/bank/flows/a.yaml')).toBeUndefined();
  expect(await listFlow(folder.path, 'flows/a.flow.yaml')).toBeUndefined();
});
