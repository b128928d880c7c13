import { describe, expect, test } from 'vitest';
import type { ModelSettings, Provider } from '../window/preferences.ts';
import { modelChoices } from './models.ts';

function provider(name: string, rest: Partial<Provider> = {}): Provider {
  const keyVariable = `${name.toUpperCase()}_KEY`;
  return {
    ...{ name, kind: 'openai', baseUrl: `https://${name}.example/v1`, keyVariable },
    ...{ hasKey: false, isKeyAllowed: true, isBuiltIn: true },
    ...rest,
  };
}

const settings: ModelSettings = {
  file: '',
  providers: [
    provider('cloud', { hasKey: true }),
    provider('other'),
    provider('bound', { hasKey: true, isKeyAllowed: false }),
    provider('here', { keyVariable: null }),
    provider('off', { keyVariable: null }),
  ],
  defaultModel: 'cloud::big',
  aliases: { fast: 'cloud::small' },
};

describe('what there is to choose', () => {
  const known = {
    defaultModel: 'cloud::big',
    scripted: ['scripted::talk.yaml'],
    used: ['cloud::big', 'a::b'],
    priced: ['cloud::dear', 'cloud::big'],
  };

  test('the default, what is used, scripts, short names, models of servers here and of providers with a key', () => {
    const listed = new Map([
      ['cloud', ['cloud::big', 'cloud::new']],
      ['here', ['here::llama']],
      ['off', null],
    ]);
    expect(
      modelChoices(settings, { known, listed }, ['x::y']).map(({ text, detail }) => `${text} (${detail})`),
    ).toEqual([
      'cloud::big (default)',
      'x::y (used in this flow)',
      'scripted::talk.yaml (scripted, works offline)',
      'a::b (used in this workspace)',
      'fast (cloud::small)',
      'cloud::new (cloud)',
      'here::llama (local)',
      'cloud:: (cloud)',
      'other:: (needs a key)',
      'bound:: (key not allowed here)',
      'here:: (local)',
      'off:: (does not answer)',
    ]);
  });

  test('until a provider has answered, models whose price is known', () => {
    const texts = modelChoices(settings, { known, listed: new Map() }, []).map(({ text }) => text);
    expect(texts).toContain('cloud::dear');
  });

  test('without settings, what stands in files', () => {
    expect(modelChoices(null, { known, listed: new Map() }, []).map(({ text }) => text)).toContain(
      'scripted::talk.yaml',
    );
    expect(modelChoices(null, { known: null, listed: new Map() }, [])).toEqual([]);
  });
});
