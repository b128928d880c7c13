import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modelAliases } from './model-data.ts';
import { knownProviders, providerKinds } from './provider-config.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/models.md'), 'utf8');

function cellsOf(section: string): string[][] {
  const [, rest = ''] = text.split(`## ${section}\n`);
  const rows =
    rest
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? [];
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('docs/models.md lists every known provider with its URL and key variable', () => {
  const rows = cellsOf('Providers').filter((cells) => cells.length === 4);
  const told = rows.flatMap(([names = '', ...rest]) => names.split(', ').map((name) => [name, ...rest]));
  const known = [...knownProviders].map(([name, { kind, baseUrl, apiKeyEnv = 'none' }]) => [
    name,
    kind,
    baseUrl,
    apiKeyEnv,
  ]);
  expect(told).toEqual(known);
});

test('docs/models.md lists every kind of provider', () => {
  const rows = cellsOf('Providers').filter((cells) => cells.length === 2);
  expect(rows.map(([kind]) => kind)).toEqual(providerKinds);
});

test('the aliases in docs/models.md exist', () => {
  const [, sentence = ''] = /\*\*Aliases\*\*[^:]*:([^(]*)and others/.exec(text) ?? [];
  const named = Array.from(sentence.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(modelAliases).toHaveProperty(name);
});
