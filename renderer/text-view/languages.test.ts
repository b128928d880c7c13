import { describe, expect, test } from 'vitest';
import { languageOf, type TextLanguage } from './languages.ts';

describe('languageOf', () => {
  test.each([
    ['flow', 'odd-name.txt', 'yaml'],
    ['agent', 'agents/a.aip', 'markdown'],
    ['file', 'notes/README.MD', 'markdown'],
    ['file', 'pack.toml', 'ini'],
    ['file', 'data.json', 'json'],
    ['file', 'config.yml', 'yaml'],
    ['file', 'lib/a.lua', 'lua'],
    ['file', 'LICENSE', 'plaintext'],
  ] as const)('a %s named %s is %s', (kind, path, id) => {
    expect(languageOf({ kind, path }).id).toBe(id);
  });

  test('languages of other features take precedence', () => {
    const agents: TextLanguage = { id: 'aip', isFor: ({ kind }) => kind === 'agent' };
    expect(languageOf({ kind: 'agent', path: 'a.aip' }, [agents])).toBe(agents);
    expect(languageOf({ kind: 'file', path: 'a.md' }, [agents]).id).toBe('markdown');
  });
});
