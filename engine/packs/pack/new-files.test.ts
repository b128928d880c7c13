import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAgent } from '../../language/agent/parse-agent.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createPackWorld, type PackWorld } from '../../testing/pack-world.ts';
import { checkKeys } from './check-keys.ts';
import { findAgent } from './find-agent.ts';
import {
  newAgentText,
  newFlowText,
  newManifestText,
  newPackFiles,
  suggestedManifest,
  writeNewFiles,
} from './new-files.ts';
import { parsePackManifest } from './pack-manifest.ts';

let world: PackWorld;

beforeEach(() => {
  world = createPackWorld();
});

afterEach(() => world.remove());

describe('new files are valid without changes', () => {
  test('creates an agent', () => {
    const { doc, diagnostics } = parseAgent(newAgentText('My\n# agent'));
    expect(diagnostics).toEqual([]);
    expect(Object.keys(doc?.scripts ?? {}).sort()).toEqual(['data', 'output']);
    expect(doc?.options).toEqual({ input_concurrency: 2 });
  });

  test('creates a flow', () => {
    for (const title of ['My flow', 'a: "b" # c', '']) {
      expect(checkFlow(newFlowText(title), createNodeRegistry(builtinNodes)).diagnostics).toEqual([]);
    }
  });

  test('creates a pack, which is found immediately', async () => {
    const files = newPackFiles('acme', 'tools');
    const places = await writeNewFiles(world.at('work/.aipack/pack/custom/acme/tools'), files);
    expect(places).toHaveLength(3);
    const { file } = await findAgent('acme@tools', { ...world.options, from: world.workspace });
    expect(parseAgent(world.read(file.slice(world.path.length + 1)) ?? '').diagnostics).toEqual([]);
    expect(() => newPackFiles('a b', 'tools')).toThrow(expect.objectContaining({ code: 'pack.bad-ref' }));
  });

  test('creates a manifest named after its folder as far as possible', () => {
    expect(parsePackManifest(newManifestText('acme', 'tools'), '')).toEqual({
      namespace: 'acme',
      name: 'tools',
      version: '0.1.0',
    });
    for (const [folder, name] of [
      ['/a/my-pack', 'my-pack'],
      ['/a/my pack!', 'my_pack_'],
      ['/a/1st', 'pack_1st'],
      ['/', 'pack'],
    ] as const) {
      expect(parsePackManifest(suggestedManifest(folder), folder)).toMatchObject({ namespace: 'my', name });
    }
  });
});

test('writes all new files or none, and overwrites nothing', async () => {
  world.write('work/b.md', 'mine');
  const files = [
    { path: 'a.md', text: 'a' },
    { path: 'b.md', text: 'b' },
  ];
  await expect(writeNewFiles(world.workspace, files)).rejects.toMatchObject({ code: 'files.exists' });
  expect(world.read('work/a.md')).toBeUndefined();
  expect(world.read('work/b.md')).toBe('mine');
});

test('removes the new files if a later one cannot be written', async () => {
  const files = [
    { path: 'a.md', text: 'a' },
    { path: `${'b'.repeat(300)}.md`, text: 'b' },
  ];
  await expect(writeNewFiles(world.at('work/new'), files)).rejects.toThrow('bbb');
  expect(readdirSync(world.at('work/new'))).toEqual([]);
});

test('reports keys by name, never by value', () => {
  const keys = checkKeys({ OPENAI_API_KEY: 'sk-secret', GEMINI_API_KEY: '  ', OTHER: 'x' }, ['MY_KEY', 'XAI_API_KEY']);
  expect(keys.filter(({ isSet }) => isSet)).toEqual([{ variable: 'OPENAI_API_KEY', isSet: true }]);
  expect(keys.map(({ variable }) => variable)).toContain('MY_KEY');
  expect(keys).toHaveLength(14);
  expect(JSON.stringify(keys)).not.toContain('secret');
});
