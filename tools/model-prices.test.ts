/** Tests the generation of the prices and aliases of models. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changedLines, modelDataText, sourceIn } from './model-prices.mjs';
import { newestOf, readSource } from './model-source.mjs';

const root = path.join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

test('model-data.ts is what npm run prices generates from the installed version', async () => {
  const text = textOf('engine/world/model/model-data.ts');
  const { version, published } = sourceIn(text) ?? {};
  const source = '@pydantic/genai-prices';
  expect(version).toBe(JSON.parse(textOf(`node_modules/${source}/package.json`)).version);
  expect(published).toMatch(/^20\d\d-\d\d-\d\d$/);
  const data = await readSource(published ?? '');
  expect(text).toBe(modelDataText({ package: source, version: version ?? '', published: published ?? '' }, data));
});

test('an alias of a family is its newest model', () => {
  const prices = (names: string[]) => Object.fromEntries(names.map((name) => [name, { input: 1, output: 1 }]));
  expect(newestOf('grok', { 'api.x.ai': prices(['grok-4', 'grok-4.20', 'grok-4.6', 'grok-4.6-mini']) })).toBe(
    'grok-4.6',
  );
  expect(
    newestOf('opus', { 'api.anthropic.com': prices(['claude-opus-4-8', 'claude-opus-5-5', 'claude-opus-5']) }),
  ).toBe('claude-opus-5-5');
  const fireworks = ['accounts/fireworks/models/glm-5p2', 'accounts/fireworks/models/glm-4p7'];
  expect(newestOf('f-glm', { 'api.fireworks.ai': prices(fireworks) })).toBe('fireworks::glm-5p2');
  expect(() => newestOf('grok', {})).toThrow('No model for the alias grok.');
});

test('changes are listed by host', () => {
  const version = { package: 'p', version: '1', published: '2026-01-01' };
  const text = (input: number, opus: string) =>
    modelDataText(version, { prices: { 'a.example': { m: { input, output: 2 } } }, aliases: { opus } });
  expect(changedLines(text(1, 'x'), text(1.5, 'y'))).toEqual([
    '- a.example m: { input: 1, output: 2 }',
    '+ a.example m: { input: 1.5, output: 2 }',
    "- modelAliases opus: 'x'",
    "+ modelAliases opus: 'y'",
  ]);
});
