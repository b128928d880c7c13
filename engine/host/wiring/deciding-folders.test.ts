/** Tests folders and archives that would move deciding files, or turn files into deciding ones. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evilZip } from '../../testing/evil-zip.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { changed, expectRefused, move, writeFiles } from './test-deciding-files.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

test.each([
  [
    'moved away',
    [
      'products',
      'products/shop',
      'products/shop/agents',
      'tools',
      '.aipack',
      '.aipack/pack',
      '.aipack/pack/custom/acme',
      'desk',
      'desk/hooks',
      'desk/notes',
      'skills',
      'tests',
    ].map((one) => move(one, 'taken')),
  ],
  [
    'deleted',
    [
      'products',
      'products/shop',
      'products/shop/tools',
      'tools',
      '.aipack',
      '.aipack/pack/custom',
      'desk',
      'desk/hooks',
      'skills/plan',
    ].map((one) => `aip.file.delete("${one}")`),
  ],
])('13.1 no folder with deciding files is %s', async (_, codes) => {
  writeFiles(at);
  await expectRefused(at, codes);
  expect(changed(at)).toEqual([]);
});

test('13.1 no folder is moved to a path where its files would become deciding files', async () => {
  for (const path of [
    'x/deploy.tool.yaml',
    'y/agents/a.aip',
    'y/policy.yaml',
    'z/custom/acme/kit/main.aip',
    'w/config.toml',
  ]) {
    at.write(`workspace/${path}`, 'x');
  }
  const places = [
    ...[
      ['x', 'tools'],
      ['x', 'Tools'],
      ['y', 'products/p'],
      ['y', 'Products/P'],
      ['y', 'products'],
    ],
    ...[
      ['y/agents', 'products/q/agents'],
      ['x', 'products/q/tools'],
      ['w', '.aipack'],
      ['z', '.aipack/pack'],
      ['x', '.aipack/pack/custom/acme'],
    ],
  ];
  await expectRefused(
    at,
    places.map(([from = '', to = '']) => move(from, to)),
  );
  await expectRefused(
    at,
    ['x/../tools', 'a/../products/p/agents'].map((to) => move('x', to)),
  );
});

test('13.1 no archive adds a deciding file', async () => {
  at.write('workspace/product.zip', evilZip([{ name: 'flows/a.yaml' }, { name: 'policy.yaml' }]));
  at.write('workspace/tools.zip', evilZip([{ name: 'tools/a.tool.yaml' }, { name: 'a.md' }]));
  at.write('workspace/pack.zip', evilZip([{ name: 'pack.toml' }]));
  const zips = [
    ['product.zip', 'products/p'],
    ['tools.zip', '.'],
    ['pack.zip', '.aipack/pack/custom/a/b'],
  ];
  await expectRefused(
    at,
    zips.map(([from, to]) => `aip.zip.extract("${from}", "${to}")`),
  );
  expect(existsSync(at.at('workspace/a.md'))).toBe(false);
});
