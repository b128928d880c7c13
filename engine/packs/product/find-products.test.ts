import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkspaceFlows } from '../../workspace-flows.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { findProduct, findProducts } from './find-products.ts';
import { flowToRun, type Product, textOf } from './product.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const flow = 'id: x\nsteps: [{ id: a, type: human_approval, message: Go on? }]\n';

async function product(name = 'shop'): Promise<Product> {
  const found = await findProduct(folder.path, name);
  if (found === undefined) throw new Error(`no product ${name}`);
  return found;
}

function names(files: Product['flows']): readonly string[] {
  return files.map(({ name }) => name);
}

/** Returns the lines as shown to people, with their severity. */
function said({ problems }: Product): readonly string[] {
  return problems.map((problem) => `${problem.severity} ${problem.code} ${textOf(problem)}`);
}

describe('contents of a product', () => {
  test('MF-004 flows are found only in the folder flows of the product', async () => {
    folder.write('products/shop/flows/refund.yaml', flow);
    folder.write('products/shop/flows/deeper/hidden.yaml', flow);
    folder.write('products/shop/other.yaml', flow);
    folder.write('flows/elsewhere.yaml', flow);
    folder.write('products/stray.yaml', flow);
    const shop = await product();
    expect(shop.flows).toEqual([{ name: 'refund', path: 'products/shop/flows/refund.yaml' }]);
    expect(flowToRun(shop, 'refund')).toEqual(shop.flows[0]);
    for (const name of ['hidden', 'other', 'elsewhere', 'stray', 'deeper/hidden', '../other'])
      expect(flowToRun(shop, name)).toHaveProperty('problem');
    expect(names((await findProducts(folder.path)) as never)).toEqual(['shop']);
    expect(said(shop)).toEqual([]);
  });

  test('every flow file counts without a manifest regardless of its extension, but a README does not', async () => {
    for (const file of ['a.yaml', 'b.yml', 'c.json', 'd.flow.yaml', 'e.v2.yaml', 'README.md', 'notes.txt', '.f.yaml'])
      folder.write(`products/shop/flows/${file}`, flow);
    expect(names((await product()).flows)).toEqual(['a', 'b', 'c', 'd', 'e.v2']);
  });

  test('MF-110 agents are the files directly in the folder agents', async () => {
    const files = ['agents/planner.aip', 'agents/refunder.mjs', 'agents/README.md', 'agents/old.py', 'agents/.x.aip'];
    for (const file of [...files, 'agents/deeper/y.aip', 'stray.aip', 'flows/z.aip', 'agents_2/q.aip'])
      folder.write(`products/shop/${file}`, '');
    folder.write('agents/outside.aip', '');
    expect((await product()).agents).toEqual([
      { name: 'shop.planner', path: 'products/shop/agents/planner.aip' },
      { name: 'shop.refunder', path: 'products/shop/agents/refunder.mjs' },
    ]);
  });

  test('a manifest sets names, descriptions and order, and unlisted flows do not count', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) folder.write(`products/shop/flows/${name}.yaml`, flow);
    const manifest = `name: shop
display_name: The shop
description: Sells things.
version: 1.5
default_flow: b
exposed_api: { allowed_flows: [a] }
ui: { icon: cart }
flows:
  - c
  - { id: a, description: first }
  - flows/b.yaml
  - ./flows/d.yaml
`;
    folder.write('products/shop/manifest.yaml', manifest);
    const shop = await product();
    expect(shop).toMatchObject({
      ...{ title: 'The shop', description: 'Sells things.', version: '1.5', defaultFlow: 'b', problems: [] },
      unlisted: ['products/shop/flows/e.yaml'],
    });
    expect(names(shop.flows)).toEqual(['c', 'a', 'b', 'd']);
    expect(flowToRun(shop, undefined)).toMatchObject({ name: 'b' });
    expect(flowToRun(shop, 'a.yaml')).toMatchObject({ name: 'a' });
    expect(flowToRun(shop, 'e')).toEqual({
      problem: 'Product shop has no flow "e". It has shop/c, shop/a, shop/b, shop/d.',
    });
    const listed = await openWorkspaceFlows(folder.path).listFlows();
    expect(listed.map(({ path }) => path)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `products/shop/flows/${name}.yaml`),
    );
  });

  test('a manifest may list flows as a map, and without a list all flows count', async () => {
    for (const name of ['a', 'b']) folder.write(`products/shop/flows/${name}.yaml`, flow);
    folder.write('products/shop/manifest.yaml', 'flows: { a: , second: { file: b.yaml } }');
    expect(names((await product()).flows)).toEqual(['a', 'b']);
    for (const text of ['', '# nothing\n', 'flows:\nname:\n']) {
      folder.write('products/shop/manifest.yaml', text);
      expect(names((await product()).flows)).toEqual(['a', 'b']);
    }
    folder.write('products/shop/manifest.yaml', 'flows: []');
    expect(flowToRun(await product(), undefined)).toEqual({
      problem: 'shop is a product. Choose one of its flows. It has no flows.',
    });
  });
});

describe('problems of a product', () => {
  test('unknown keys cause a warning with the nearest known one, and everything else still counts', async () => {
    folder.write('products/shop/flows/a.yaml', flow);
    folder.write('products/shop/manifest.yaml', 'name: shop\ndefualt_flow: a\nowner: kim\n');
    const shop = await product();
    expect(said(shop)).toEqual([
      'warning product.unknown-key products/shop/manifest.yaml:2: defualt_flow is unknown and has no effect. Did you mean "default_flow"?',
      'warning product.unknown-key products/shop/manifest.yaml:3: owner is unknown and has no effect.',
    ]);
    expect(shop.refusal).toBeUndefined();
    expect(names(shop.flows)).toEqual(['a']);
  });

  test('reports flows that are outside, duplicate, missing or ambiguous with their lines, and the others count', async () => {
    for (const file of ['a.yaml', 'b.yaml', 'b.json']) folder.write(`products/shop/flows/${file}`, flow);
    folder.write('products/other/flows/x.yaml', flow);
    const listed = [
      '../../other/flows/x.yaml',
      'a',
      'a.yaml',
      'refnd',
      '/etc/passwd',
      'C:\\x.yaml',
      'tools/a.yaml',
      'b',
      7,
    ];
    folder.write(
      'products/shop/manifest.yaml',
      `default_flow: gone\nflows:\n${listed.map((one) => `  - ${one}\n`).join('')}`,
    );
    const shop = await product();
    const outside = (line: number, written: string): string =>
      `error product.outside products/shop/manifest.yaml:${line}: flows: ${JSON.stringify(written)} is outside the flows folder of the product. Choose a flow in that folder.`;
    expect(said(shop).toSorted()).toEqual(
      [
        outside(3, '../../other/flows/x.yaml'),
        'error product.duplicate products/shop/manifest.yaml:5: flows: products/shop/flows/a.yaml is already listed (line 4). Remove one of the entries.',
        'error product.missing-flow products/shop/manifest.yaml:6: flows: the flows folder of the product has no file for "refnd".',
        outside(7, '/etc/passwd'),
        outside(8, 'C:\\x.yaml'),
        outside(9, 'tools/a.yaml'),
        'error product.duplicate products/shop/manifest.yaml:10: flows: "b" can be products/shop/flows/b.json or products/shop/flows/b.yaml. Write the file name.',
        'error product.wrong-type products/shop/manifest.yaml:11: flows.8 is not a flow. Write the name of a flow, such as refund, or its file, such as flows/refund.yaml.',
        'error product.missing-flow products/shop/manifest.yaml:1: default_flow: the product has no flow "gone".',
      ].toSorted(),
    );
    expect(names(shop.flows)).toEqual(['a']);
    expect(shop.defaultFlow).toBeUndefined();
  });

  test('two files with the same name are both ignored', async () => {
    for (const file of ['a.yaml', 'a.flow.yaml', 'A.json', 'b.yaml']) folder.write(`products/shop/flows/${file}`, flow);
    const shop = await product();
    expect(names(shop.flows)).toEqual(['b']);
    expect(shop.problems).toHaveLength(2);
    const asked = flowToRun(shop, 'a');
    expect(asked).toHaveProperty('problem');
    expect((asked as { problem: string }).problem).toContain('products/shop/flows/a.yaml:1:');
  });

  test('rejects both of two products with names that differ only in letter case', async () => {
    for (const name of ['shop', 'Shop', 'bar']) folder.write(`products/${name}/flows/a.yaml`, flow);
    const refusals = (await findProducts(folder.path)).map(({ name, refusal, flows }) => [
      name,
      refusal?.code,
      flows.length,
    ]);
    expect(refusals).toEqual([
      ['Shop', 'product.duplicate', 0],
      ['bar', undefined, 1],
      ['shop', 'product.duplicate', 0],
    ]);
    expect(flowToRun(await product('Shop'), 'a')).toEqual({
      problem:
        'Product Shop cannot be used: products/Shop:1: The name differs from the product shop only in case. Rename one of the folders.',
    });
  });

  test('rejects a manifest that names another product, with the line', async () => {
    folder.write('products/shop/flows/a.yaml', flow);
    folder.write('products/shop/manifest.yaml', 'version: "1"\nname: store\n');
    const shop = await product();
    expect(said(shop)).toEqual([
      'error product.bad-name products/shop/manifest.yaml:2: The manifest has the name "store", but the folder is named shop. Use the same name for both.',
    ]);
    expect(shop.refusal).toEqual(shop.problems[0]);
    expect(shop.flows).toEqual([]);
  });

  test.each([
    ['name: [', /^error yaml\./],
    ['- a', /product\.not-a-map products\/shop\/manifest\.yaml:1: The manifest of a product must be a map/],
    ['name: {}', /product\.wrong-type products\/shop\/manifest\.yaml:1: name must be text/],
    ['name: shop\nname: shop', /yaml\.duplicate-key products\/shop\/manifest\.yaml:2/],
    ['\0', /products\/shop\/manifest\.yaml/],
    [`a: ${'['.repeat(5000)}`, /products\/shop\/manifest\.yaml:1/],
  ])('rejects a product with an invalid manifest: %j', async (text, expected) => {
    folder.write('products/shop/flows/a.yaml', flow);
    folder.write('products/shop/manifest.yaml', text);
    const shop = await product();
    expect(said(shop)[0]).toMatch(expected);
    expect(shop.refusal).toBeDefined();
    expect(shop.flows).toEqual([]);
  });

  test.each(['core', 'Core', 'a b', 'a.b', 'a__b', 'a_', '-a', 'ä', 'x'.repeat(81)])(
    'a product cannot be called %s',
    async (name) => {
      folder.write(`products/${name}/flows/a.yaml`, flow);
      const { refusal, flows } = await product(name);
      expect(refusal?.code).toBe('product.bad-name');
      expect(flows).toEqual([]);
    },
  );

  test('does not follow links out of the workspace', async () => {
    const other = createTestFolder();
    other.write('shop/flows/a.yaml', flow);
    other.write('shop/manifest.yaml', 'name: inner');
    mkdirSync(folder.at('products/inner/flows'), { recursive: true });
    symlinkSync(other.at('shop'), folder.at('products/linked'));
    symlinkSync(other.at('shop/flows/a.yaml'), folder.at('products/inner/flows/a.yaml'));
    symlinkSync(folder.at('nowhere'), folder.at('products/inner/flows/b.yaml'));
    expect((await product('linked')).refusal?.code).toBe('product.outside');
    expect((await product('inner')).flows).toEqual([]);
    symlinkSync(other.at('shop/manifest.yaml'), folder.at('products/inner/manifest.yaml'));
    expect((await product('inner')).refusal?.code).toBe('product.unreadable');
    other.remove();
  });

  test('reports that settings of other programs have no effect', async () => {
    folder.write('products/shop/flows/a.yaml', flow);
    folder.write('products/shop/config/product.yaml', 'limits: { steps: 3 }');
    expect(said(await product())).toEqual([
      'info product.unused-file products/shop/config/product.yaml:1: The file has no effect here. Limits and permissions belong in products/shop/policy.yaml, values in the params of steps.',
    ]);
  });
});

test('returns nothing for a workspace without products', async () => {
  expect(await findProducts(folder.path)).toEqual([]);
  expect(await findProduct(folder.path, 'shop')).toBeUndefined();
  folder.write('products', 'a file');
  expect(await findProducts(folder.path)).toEqual([]);
});
