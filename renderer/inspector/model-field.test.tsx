import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import type { EngineAnswers } from '../bridge/testing/engine-stand-in.ts';
import type { ModelProblem } from '../stores/workspace/models.ts';
import { element, field, key, keys, leave, press, show, type, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const cloud = {
  name: 'cloud',
  kind: 'openai',
  baseUrl: 'https://cloud.example/v1',
  keyVariable: 'CLOUD_KEY',
  isKeyAllowed: true,
  isBuiltIn: true,
} as const;

/** An engine with one script, one local server and one provider that needs a key. */
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

function options(): string[] {
  return [...element.querySelectorAll('[role="option"]')].map((one) => one.textContent ?? '');
}

async function openList(): Promise<void> {
  act(() => field('Model').focus());
  await window.settle();
  key('Model', 'ArrowDown');
  await window.settle();
}

describe('the model of a prompt', () => {
  test('is asked for where none is chosen, and the list has scripts, local models and providers', async () => {
    await show(
      'ask',
      {},
      answers(
        () => false,
        (model) => (model === null ? missing : null),
      ),
    );
    expect(element.textContent).toContain('No model is chosen, and there is no default.');
    expect(field('Model').getAttribute('placeholder')).toBe('Choose a model');
    await openList();
    expect(options()).toEqual([
      'scripted::talk.yamlscripted, works offline',
      'here::llamalocal',
      'cloud::needs a key',
      'here::local',
    ]);
  });

  test('is there without a word when nothing stands in its way', async () => {
    await show(
      'ask',
      {},
      answers(
        () => false,
        () => null,
      ),
    );
    expect(element.querySelector('.model-note, .model-key')).toBeNull();
  });

  test('gets its key in place: the key goes to the vault, its form away, the focus to the model', async () => {
    let hasKey = false;
    const keyless = (model: string | null): ModelProblem | null =>
      hasKey || model === null
        ? null
        : { model, code: 'model.missing-key', message: 'No key.', provider: 'cloud', variable: 'CLOUD_KEY' };
    await show(
      'ask',
      {},
      answers(() => hasKey, keyless),
    );
    type('Model', 'cloud::big');
    await leave('Model');
    await window.settle();
    expect(element.textContent).toContain('cloud needs a key');
    type('cloud needs a key', 'two words');
    await press('Save key');
    expect(element.textContent).toContain('A key has no spaces');
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

  test('a provider that was only begun asks for its key as well', async () => {
    await show(
      'ask',
      {},
      answers(
        () => false,
        () => null,
      ),
    );
    type('Model', 'cloud::');
    await leave('Model');
    await window.settle();
    expect(element.textContent).toContain('cloud needs a key');
  });

  test('says what else stands in its way', async () => {
    const gone = (model: string | null): ModelProblem | null =>
      model === null ? null : { model, code: 'files.not-found', message: 'There is no file gone.yaml.' };
    await show(
      'ask',
      {},
      answers(() => false, gone),
    );
    type('Model', 'scripted::gone.yaml');
    await leave('Model');
    await window.settle();
    expect(element.textContent).toContain('There is no file gone.yaml.');
  });
});

test('what is typed as a key stays while models are looked at anew', async () => {
  const keyless = (model: string | null): ModelProblem | null =>
    model === null
      ? null
      : { model, code: 'model.missing-key', message: 'No key.', provider: 'team', variable: 'TEAM_KEY' };
  let whenAsked: Promise<void> | undefined;
  let answer = (): void => undefined;
  const engine = answers(() => false, keyless);
  await show(
    'ask',
    {},
    {
      ...engine,
      async checkModels(models) {
        await whenAsked;
        return models.flatMap((model) => keyless(model) ?? []);
      },
    },
  );
  type('Model', 'team::big');
  await leave('Model');
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
