import { describe, expect, test } from 'vitest';
import type { ModelSettingsState, Provider } from '../window/preferences.ts';
import { modelGroups, modelHint, unlistedReason } from './models.ts';

function provider(name: string, rest: Partial<Provider> = {}): Provider {
  const keyVariable = `${name.toUpperCase()}_KEY`;
  return {
    ...{ name, kind: 'openai', baseUrl: `https://${name}.example/v1`, keyVariable },
    ...{ hasKey: false, isKeyAllowed: true, isBuiltIn: true },
    ...rest,
  };
}

const settings: ModelSettingsState = {
  file: '',
  providers: [
    provider('cloud', { hasKey: true }),
    provider('other'),
    provider('bound', { hasKey: true, isKeyAllowed: false }),
    provider('here', { keyVariable: null, baseUrl: 'http://localhost:11434/v1' }),
    provider('off', { keyVariable: null }),
  ],
  defaultModel: 'cloud::big',
  aliases: { fast: 'cloud::small' },
};

const known = {
  defaultModel: 'cloud::big',
  scripted: ['scripted::talk.yaml'],
  used: ['cloud::big', 'scripted::talk.yaml', 'a::b'],
  priced: [
    { model: 'cloud::dear', input: 10, output: 50 },
    { model: 'cloud::big', input: 1, output: 2 },
  ],
};

/** Returns the groups as lines. */
function lines(...given: Parameters<typeof modelGroups>): string[] {
  return modelGroups(...given).map(
    ({ title, note, choices }) =>
      `${title} (${note}): ${choices.map(({ text, detail }) => (detail === '' ? text : `${text} (${detail})`)).join(', ')}`,
  );
}

describe('available models', () => {
  test('are aliases of the workspace, scripts, those of usable providers, and those on this computer', () => {
    const listed = new Map([
      ['cloud', ['cloud::big', 'cloud::new', 'cloud::whisper-1']],
      ['here', ['here::llama']],
      ['off', null],
    ]);
    expect(lines(settings, { known, listed }, ['x::y'])).toEqual([
      'Names in this workspace (): cloud::big (default), fast (cloud::small), x::y (used in this flow), a::b (used in this workspace)',
      'Scripts (work offline): scripted::talk.yaml',
      'cloud (key set): new',
      'off (does not respond): ',
      'On this computer (no key needed): here::llama',
    ]);
  });

  test('are those with a known price until a provider has responded', () => {
    expect(lines(settings, { known, listed: new Map() }, [])).toContain('cloud (key set): dear ($10 / $50)');
  });

  test('are those in files without any settings', () => {
    expect(lines(null, { known, listed: new Map() }, [])).toContain('Scripts (work offline): scripted::talk.yaml');
    expect(lines(null, { known: null, listed: new Map() }, [])).toEqual([]);
  });
});

test.each([
  ['fast', 'cloud::small'],
  ['scripted::talk.yaml', 'works offline'],
  ['cloud::big', 'key set'],
  ['other::x', 'needs a key'],
  ['bound::x', 'key not allowed here'],
  ['here::x', 'no key needed'],
  ['nowhere::x', ''],
  ['quil', ''],
])('the description of %s: "%s"', (model, words) => {
  expect(modelHint(model, settings)).toBe(words);
});

test.each([
  ['quil', 'no provider offers it'],
  ['nowhere::x', 'no provider offers it'],
  ['cloud::x', 'cloud does not list it'],
  ['cloud::big', undefined],
  ['cloud::whisper-1', undefined],
  ['off::x', undefined],
  ['other::x', undefined],
  ['fast', undefined],
  ['opus', undefined],
  ['big', undefined],
  ['scripted::gone.yaml', undefined],
])('why %s is in no list: %s', (model, reason) => {
  const listed = new Map([
    ['cloud', ['cloud::big', 'cloud::whisper-1']],
    ['off', null],
  ]);
  expect(unlistedReason(model, settings, { known: { ...known, aliases: ['opus'] }, listed })).toBe(reason);
});
