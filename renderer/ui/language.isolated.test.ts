import { afterEach, describe, expect, test, vi } from 'vitest';

async function load(tag: string): Promise<typeof import('./language.ts')> {
  vi.resetModules();
  document.documentElement.lang = tag;
  return await import('./language.ts');
}

afterEach(() => {
  document.documentElement.lang = '';
  // Later tests in this process must not get modules in another language.
  vi.resetModules();
});

const english = {
  title: 'Settings',
  runs: ({ count }: { readonly count: number }) => `${count} runs`,
  group: { first: 'First', second: 'Second' },
};

describe('inLanguage', () => {
  test('returns the English table itself in an English window', async () => {
    const { inLanguage, language } = await load('en');
    expect(language).toBe('en');
    expect(inLanguage('settings', english)).toBe(english);
  });

  test('falls back to English for each missing text', async () => {
    const { addTranslation, inLanguage } = await load('de');
    addTranslation<typeof english>('settings', {
      runs: ({ count }) => `${count} Läufe`,
      group: { first: 'Erstes' },
    });
    const text = inLanguage('settings', english);
    expect(text.title).toBe('Settings');
    expect(text.runs({ count: 3 })).toBe('3 Läufe');
    expect(text.group).toEqual({ first: 'Erstes', second: 'Second' });
  });

  test('uses English for an area without a translation, and for an unknown language', async () => {
    const german = await load('de');
    expect(german.inLanguage('canvas', english)).toBe(english);
    const unknown = await load('xx');
    expect(unknown.language).toBe('en');
  });

  test('marks and lengthens every text in the pseudo-language', async () => {
    const { inLanguage } = await load('en-x-pseudo');
    const text = inLanguage('settings', english);
    expect(text.title).toBe('Séttíngs~~~');
    expect(text.runs({ count: 3 })).toBe('3 rüns~~');
    expect(text.group.first).toBe('Fírst~~');
  });
});

describe('plural', () => {
  const forms = { one: '1 run', other: 'many runs' };

  test('picks the form for a count, and the one for none if there is one', async () => {
    const { plural } = await load('en');
    expect([0, 1, 2, 21].map((count) => plural(count, forms))).toEqual([
      'many runs',
      '1 run',
      'many runs',
      'many runs',
    ]);
    expect(plural(0, { ...forms, zero: 'No runs' })).toBe('No runs');
  });
});

describe('numberText', () => {
  test('groups digits as the language does', async () => {
    expect((await load('en')).numberText(12_345.5)).toBe('12,345.5');
    expect((await load('de')).numberText(12_345.5)).toBe('12.345,5');
  });
});
