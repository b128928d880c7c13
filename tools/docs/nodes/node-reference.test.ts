import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtinTypes, checkFlow, createNodeRegistry } from '../../../engine/isomorphic.ts';
import { readPages } from '../pages.mjs';
import { type NodeUse, nodeIndex, nodePage, pageName } from './node-reference.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'docs', 'nodes');
const uses: Readonly<Record<string, NodeUse>> = parse(
  readFileSync(path.join(import.meta.dirname, 'uses.yaml'), 'utf8'),
);

function readExample(type: string): string {
  return readFileSync(path.join(import.meta.dirname, `${type}.flow.yaml`), 'utf8');
}

// Run this after changing a node type: npx vitest run tools/docs/nodes/node-reference.test.ts --update
describe('docs/nodes', async () => {
  const pages = await readPages(root);
  const titles = new Map(
    pages.flatMap(({ source, title, headings }) => {
      const file = source.replace(/^docs\//, '');
      const sections = headings.map(({ slug, text }) => [`${file}#${slug}`, `${title}: ${text}`] as const);
      return [[file, title] as const, ...sections];
    }),
  );

  test.each(builtinTypes.map((spec) => [spec.type, spec] as const))(
    'the page of %s matches the code',
    async (type, spec) => {
      const use = uses[type];
      if (use === undefined) throw new Error(`tools/docs/nodes/uses.yaml doesn't contain ${type}.`);
      const page = nodePage({ spec, use, example: readExample(type), titles });
      await expect(page).toMatchFileSnapshot(path.join(folder, pageName(type)));
    },
  );

  test('the index matches the code', async () => {
    await expect(nodeIndex(builtinTypes)).toMatchFileSnapshot(path.join(folder, 'index.md'));
  });

  test('there are no pages, examples or entries for other types', () => {
    const types = builtinTypes.map(({ type }) => type).sort();
    expect(readdirSync(folder).sort()).toEqual([...types.map(pageName), 'index.md'].sort());
    const examples = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.flow.yaml'));
    expect(examples.sort()).toEqual(types.map((type) => `${type}.flow.yaml`).sort());
    expect(Object.keys(uses).sort()).toEqual(types);
  });

  test('every example is valid and contains its type', () => {
    const catalog = createNodeRegistry(builtinTypes);
    for (const { type } of builtinTypes) {
      const text = readExample(type);
      const { diagnostics } = checkFlow(text, catalog);
      const used = parse(text).nodes.map((node: { type: string }) => node.type);
      expect([type, diagnostics.map(({ code, message }) => `${code}: ${message}`)]).toEqual([type, []]);
      expect(used).toContain(type);
    }
  });
});
