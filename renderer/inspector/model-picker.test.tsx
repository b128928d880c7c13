import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import type { EngineAnswers } from '../bridge/testing/engine-stand-in.ts';
import {
  changes,
  element,
  field,
  key,
  press,
  searchModel,
  show,
  useModelAnyway,
  window,
} from './testing/test-inspector.tsx';

afterEach(() => window.close());

const cloud = {
  name: 'cloud',
  kind: 'openai',
  baseUrl: 'https://cloud.example/v1',
  keyVariable: 'CLOUD_KEY',
  isKeyAllowed: true,
  isBuiltIn: true,
} as const;

/** Returns the visible headings of groups and the options below them. */
function shown(): string[] {
  return [...element.querySelectorAll('.menu-label, [role="option"], .model-empty')].map((one) =>
    one.getAttribute('role') === 'option'
      ? `- ${[...one.children]
          .map(({ textContent }) => textContent)
          .filter(Boolean)
          .join(': ')}`
      : (one.textContent ?? ''),
  );
}

function active(): string | undefined {
  const id = field('Find a model').getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.querySelector('.menu-text')?.textContent ?? undefined;
}

const isOpen = (): boolean => element.querySelector('[role="listbox"]') !== null;
const model = (): string | undefined => field('Model').querySelector('.select-text')?.textContent ?? undefined;

/**
 * Returns an engine with aliases, scripts, a provider with a key and known prices, one without, and a server on this
 * computer.
 */
function rich(): EngineAnswers {
  const here = { ...cloud, name: 'here', baseUrl: 'http://127.0.0.1:11434/v1', keyVariable: null, hasKey: false };
  const silent = { ...cloud, name: 'silent', keyVariable: null, baseUrl: 'https://silent.example/v1', hasKey: false };
  const lists: Readonly<Record<string, readonly string[]>> = {
    here: ['llama'],
    cloud: ['big', 'small-2026-01-01', 'tts-1'],
  };
  return {
    readModelSettings: () => ({
      ...{ file: '', defaultModel: null, aliases: { fast: 'cloud::small', odd: 'here::llama' } },
      providers: [{ ...cloud, hasKey: true }, { ...cloud, name: 'other', hasKey: false }, here, silent],
    }),
    listModels: () => ({
      ...{ defaultModel: null, scripted: ['scripted::talk.yaml'], used: ['a::b'], aliases: ['opus'] },
      priced: [
        { model: 'cloud::big', input: 2, output: 8 },
        { model: 'cloud::small', input: 0.15, output: 0.6 },
      ],
    }),
    checkModels: (models) =>
      models.flatMap((one) =>
        one === null || /^(cloud|here|scripted)::/.test(one) || one === 'fast'
          ? []
          : [{ model: one, code: 'model.unknown-provider', message: `Nothing is known of ${one}.` }],
      ),
    testProvider: (name) =>
      lists[name] === undefined ? { ok: false, message: 'Gone.' } : { ok: true, message: '', models: lists[name] },
  };
}

describe('the list of models', () => {
  test('has groups: aliases of the workspace, scripts, each provider with a key, this computer, and then a link to set one up', async () => {
    await show('ask', {}, rich());
    await searchModel('');
    expect(shown()).toEqual([
      'Names in this workspace',
      '- fast: cloud::small',
      '- odd: here::llama',
      '- a::b: used in this workspace',
      'Scripts, work offline',
      '- scripted::talk.yaml',
      'cloud, key set',
      '- big: $2 / $8',
      '- small-2026-01-01: $0.15 / $0.6',
      'silent, does not respond',
      'No models listed',
      'On this computer, no key needed',
      '- here::llama',
      '- Set up a model…: provider, key, test',
    ]);
  });

  test('is filtered by the typed text, shows how many models of a provider match, and offers to use the text anyway', async () => {
    await show('ask', {}, rich());
    await searchModel('small');
    expect(shown()).toEqual([
      'Names in this workspace, 1 of 3 models match',
      '- fast: cloud::small',
      'Scripts, work offline, 0 of 1 model matches',
      'No match in 1 model',
      'cloud, key set, 1 of 2 models match',
      '- small-2026-01-01: $0.15 / $0.6',
      'silent, does not respond',
      'No models listed',
      'On this computer, no key needed, 0 of 1 model matches',
      'No match in 1 model',
      '- Use “small” anyway…: no provider offers it',
      '- Set up a model…: provider, key, test',
    ]);
  });

  test('explains why it does not contain a name', async () => {
    await show('ask', {}, rich());
    const reasons: Readonly<Record<string, string>> = {
      'cloud::huge': 'cloud does not list it',
      'nowhere::big': 'no provider offers it',
      quil: 'no provider offers it',
      'other::x': 'not in these lists',
    };
    for (const [name, reason] of Object.entries(reasons)) {
      await searchModel(name);
      expect(shown()).toContain(`- Use “${name}” anyway…: ${reason}`);
    }
  });
});

describe('keyboard use of the list of models', () => {
  test.each([
    [['ArrowUp', 'ArrowUp', 'Enter'], 'here::llama'],
    [['PageDown', 'PageUp', 'ArrowDown', 'Enter'], 'odd'],
  ])('is used by keyboard: %j selects %s, and the focus returns to the field', async (keys, chosen) => {
    await show('ask', {}, rich());
    key('Model', 'ArrowDown');
    await window.settle();
    expect(document.activeElement).toBe(field('Find a model'));
    for (const pressed of keys) key('Find a model', pressed);
    await window.settle();
    expect(changes().come.join()).toContain(chosen);
    expect(model()).toBe(chosen);
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(field('Model'));
  });

  test('opens with the letter that is typed on the closed field', async () => {
    await show('ask', {}, rich());
    key('Model', 's');
    await window.settle();
    expect(field('Find a model').value).toBe('s');
    expect(active()).toBe('fast');
  });

  test('is a combobox: the field and its search refer to the list and the active option', async () => {
    await show('ask', {}, rich());
    expect(field('Model').getAttribute('aria-expanded')).toBe('false');
    await searchModel('big');
    const list = element.querySelector('[role="listbox"]');
    expect([field('Model').getAttribute('role'), field('Model').getAttribute('aria-expanded')]).toEqual([
      'combobox',
      'true',
    ]);
    expect(field('Find a model').getAttribute('aria-controls')).toBe(list?.id);
    expect(active()).toBe('big');
    expect([...(list?.querySelectorAll('[aria-selected="true"]') ?? [])]).toHaveLength(1);
    expect(
      [...element.querySelectorAll('[role="listbox"] > *')].every((one) => one.getAttribute('role') === 'group'),
    ).toBe(true);
  });

  test('closes on Escape and writes nothing, whatever is typed', async () => {
    await show('ask', {}, rich());
    await searchModel('quil');
    key('Find a model', 'Escape');
    await window.settle();
    expect(isOpen()).toBe(false);
    expect(changes()).toEqual({ gone: [], come: [] });
    expect(document.activeElement).toBe(field('Model'));
  });

  test('a click selects', async () => {
    await show('ask', {}, rich());
    await searchModel('');
    const option = [...element.querySelectorAll<HTMLElement>('[role="option"]')].find((one) =>
      one.textContent?.startsWith('big'),
    );
    act(() => option?.click());
    await window.settle();
    expect(changes().come.join()).toContain('cloud::big');
    expect(field('Model').textContent).toContain('key set');
  });
});

describe('a name that no list contains', () => {
  test('asks once, and writes the name only after confirmation', async () => {
    await show('ask', {}, rich());
    await searchModel('cloud::huge');
    key('Find a model', 'Enter');
    await window.settle();
    expect(changes().come).toEqual([]);
    expect(element.textContent).toContain('It is unknown here: cloud does not list it.');
    expect(document.activeElement?.textContent).toBe('Use “cloud::huge”');
    await press('Use “cloud::huge”');
    expect(changes().come.join()).toContain('cloud::huge');
    expect(element.querySelector('.model-note')?.textContent).toContain('“cloud::huge” is unknown here');
  });

  test('is not written if the question is answered with no', async () => {
    await show('ask', {}, rich());
    await searchModel('quil');
    key('Find a model', 'Enter');
    await window.settle();
    await press('Cancel');
    expect(changes()).toEqual({ gone: [], come: [] });
    expect(document.activeElement).toBe(field('Model'));
  });

  test('is not written when the field loses the focus, but is shown and can still be used', async () => {
    await show('ask', {}, rich());
    await searchModel('quil');
    act(() => field('Prompt').focus());
    await window.settle();
    expect(changes()).toEqual({ gone: [], come: [] });
    expect(element.textContent).toContain('“quil” was not set: no list contains it.');
    await press('Use it anyway');
    expect(changes().come.join()).toContain('quil');
    expect(element.textContent).toContain('Nothing is known of quil.');
  });

  test('is written in full if it matches a selected option when the field loses the focus', async () => {
    await show('ask', {}, rich());
    await searchModel('here::llama');
    act(() => field('Prompt').focus());
    await window.settle();
    expect(changes().come.join()).toContain('here::llama');
    expect(document.activeElement).toBe(field('Prompt'));
  });

  test('that is a built-in alias needs no confirmation', async () => {
    await show('ask', {}, { ...rich(), checkModels: () => [] });
    await searchModel('opus');
    key('Find a model', 'Enter');
    await window.settle();
    expect(changes().come.join()).toContain('opus');
    expect(element.querySelector('.model-note')).toBeNull();
  });

  test('asks and warns even if the engine would request it from a local server', async () => {
    await show('ask', {}, { ...rich(), checkModels: () => [] });
    await useModelAnyway('quil');
    expect(changes().come.join()).toContain('quil');
    expect(element.querySelector('.model-note')?.textContent).toContain(
      '“quil” is unknown here: no provider offers it.',
    );
  });

  test('that can be checked here, such as a new script, needs no confirmation', async () => {
    await show('ask', {}, rich());
    await searchModel('scripted::new.yaml');
    key('Find a model', 'Enter');
    await window.settle();
    expect(changes().come.join()).toContain('scripted::new.yaml');
  });
});

describe('setting up a model', () => {
  test.each([
    [
      'from the list',
      async () => {
        await searchModel('');
        key('Find a model', 'ArrowUp');
        key('Find a model', 'Enter');
      },
    ],
    [
      'from the warning about an unknown provider',
      async () => {
        await useModelAnyway('nowhere::big');
        await press('Set up a model…');
      },
    ],
  ])('is opened %s, and puts the selected model into the field', async (_, begin) => {
    await show('ask', {}, rich());
    await begin();
    await window.settle();
    const { setup } = window.stores.preferences.getState();
    expect(isOpen()).toBe(false);
    await act(async () => setup?.onModel('cloud::big'));
    await window.settle();
    expect(changes().come.join()).toContain('cloud::big');
  });
});
