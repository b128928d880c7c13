import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import type { EngineAnswers } from '../bridge/testing/engine-stand-in.ts';
import type { ModelProblem } from '../stores/workspace/models.ts';
import { element, field, keys, press, show, type, useModelAnyway, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const cloud = {
  name: 'cloud',
  kind: 'openai',
  baseUrl: 'https://cloud.example/v1',
  keyVariable: 'CLOUD_KEY',
  isKeyAllowed: true,
  isBuiltIn: true,
} as const;

/** Returns an engine with one script, one local server and one provider that needs a key. */
function answers(hasKey: () => boolean, problemOf: (model: string | null) => ModelProblem | null): EngineAnswers {
  const here = { ...cloud, name: 'here', keyVariable: null, hasKey: false };
  return {
    readModelSettings: () => ({
      ...{ file: '', defaultModel: null, aliases: {} },
      providers: [{ ...cloud, hasKey: hasKey() }, here],
    }),
    listModels: () => ({ defaultModel: null, scripted: ['scripted::talk.yaml'], used: [], priced: [] }),
    checkModels: (models) => models.flatMap((model) => problemOf(model) ?? []),
    testProvider: (name) => ({ ok: true, message: '', models: name === 'here' ? ['llama', 'embed-text'] : ['big'] }),
  };
}

const missing: ModelProblem = { model: null, code: 'model.missing', message: 'No model is set.' };
const fine = (): null => null;

const model = (): string | undefined => field('Model').querySelector('.select-text')?.textContent ?? undefined;

describe('the model of a prompt', () => {
  test('a warning links to the model settings', async () => {
    await show(
      'ask',
      {},
      answers(
        () => false,
        (one) => (one === null ? missing : null),
      ),
    );
    await press('Settings > Models');
    expect(window.stores.preferences.getState().tab).toBe('models');
  });

  test('shows a hint if no model is selected', async () => {
    await show(
      'ask',
      {},
      answers(
        () => false,
        (one) => (one === null ? missing : null),
      ),
    );
    expect(element.textContent).toContain('No model is chosen, and there is no default.');
    expect(model()).toBe('Choose a model');
  });

  test('has no warning if the model can be used', async () => {
    await show(
      'ask',
      {},
      answers(() => false, fine),
    );
    expect(element.querySelector('.model-note, .model-key')).toBeNull();
  });

  test('accepts its key in place: the key is sent to the vault, the form disappears, and the model gets the focus', async () => {
    let hasKey = false;
    const keyless = (one: string | null): ModelProblem | null =>
      hasKey || one === null
        ? null
        : { model: one, code: 'model.missing-key', message: 'No key.', provider: 'cloud', variable: 'CLOUD_KEY' };
    await show(
      'ask',
      {},
      answers(() => hasKey, keyless),
    );
    await useModelAnyway('cloud::big');
    await window.settle();
    expect(element.textContent).toContain('cloud needs a key');
    type('cloud needs a key', 'two words');
    await press('Save key');
    expect(element.textContent).toContain("A key can't contain spaces");
    expect(keys).toEqual([]);
    type('cloud needs a key', 'sk-1');
    hasKey = true;
    await press('Save key');
    await window.settle();
    expect(keys).toEqual([{ variable: 'CLOUD_KEY', value: 'sk-1' }]);
    expect(element.querySelector('.model-key')).toBeNull();
    expect(document.activeElement).toBe(field('Model'));
    expect(element.innerHTML).not.toContain('sk-1');
  });

  test('shows other problems of the model', async () => {
    const gone = (one: string | null): ModelProblem | null =>
      one === null ? null : { model: one, code: 'files.not-found', message: 'There is no file gone.yaml.' };
    await show(
      'ask',
      {},
      answers(() => false, gone),
    );
    await useModelAnyway('scripted::gone.yaml');
    await window.settle();
    expect(element.textContent).toContain('There is no file gone.yaml.');
  });
});

test('a typed key is kept while models are checked again', async () => {
  const keyless = (one: string | null): ModelProblem | null =>
    one === null
      ? null
      : { model: one, code: 'model.missing-key', message: 'No key.', provider: 'team', variable: 'TEAM_KEY' };
  let whenAsked: Promise<void> | undefined;
  let answer = (): void => undefined;
  await show(
    'ask',
    {},
    {
      ...answers(() => false, keyless),
      async checkModels(models) {
        await whenAsked;
        return models.flatMap((one) => keyless(one) ?? []);
      },
    },
  );
  await useModelAnyway('team::big');
  await window.settle();
  type('team needs a key', 'sk-typed');
  whenAsked = new Promise((resolve) => {
    answer = resolve;
  });
  await act(() => window.stores.models.getState().refresh());
  await window.settle();
  expect(field('team needs a key').value).toBe('sk-typed');
  answer();
  await window.settle();
  expect(field('team needs a key').value).toBe('sk-typed');
});
