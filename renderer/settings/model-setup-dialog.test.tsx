import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { ModelSetup, Provider } from '../stores/window/preferences.ts';
import { typeInto } from '../ui/testing/type-into.ts';
import { ModelSetupDialog } from './model-setup-dialog.tsx';

let window: TestWindow;
afterEach(() => window.close());

interface World {
  readonly providers: Provider[];
  defaultModel: string | null;
  /** The changes made, in order, and the model that was selected in the end. */
  readonly done: unknown[];
}

function provider(name: string, more: Partial<Provider> = {}): Provider {
  const keyVariable = `${name.toUpperCase()}_KEY`;
  return {
    ...{ name, kind: 'openai', baseUrl: `https://${name}.example/v1`, keyVariable },
    ...{ hasKey: false, isKeyAllowed: true, isBuiltIn: true },
    ...more,
  };
}

/**
 * Opens the dialog with three providers: one that needs a key, one on this computer, and one that rejects the
 * connection.
 */
async function open(setup: Omit<ModelSetup, 'onModel'> = {}, defaultModel: string | null = null): Promise<World> {
  const world: World = {
    providers: [provider('cloud'), provider('here', { keyVariable: null }), provider('grump', { hasKey: true })],
    defaultModel,
    done: [],
  };
  const { providers, done } = world;
  window = openTestWindow(
    {
      readModelSettings: () => ({ file: '', providers, defaultModel: world.defaultModel, aliases: {} }),
      readTrust: () => ({ isTrusted: true }),
      setDefaultModel: (model) => {
        done.push({ default: model });
        world.defaultModel = model;
      },
      testProvider: (name) =>
        name === 'grump'
          ? { ok: false, message: 'Provider "grump" refused the key.' }
          : {
              ok: true,
              message: `Provider "${name}" answers.`,
              models: [`${name}-mini`, `${name}-embed`, `${name}-large`],
            },
    },
    {
      'vault.list': () => ({ variables: [], problem: null }),
      'vault.set': ({ variable, value }) => {
        done.push({ variable, value });
        return { isDone: true };
      },
      'models.saveProvider': (entry) => {
        done.push(entry);
        const { name, baseUrl = '', keyVariable = null } = entry;
        providers.push(provider(name, { kind: entry.kind, baseUrl, keyVariable, isBuiltIn: false }));
        return { isDone: true };
      },
    },
  );
  window.engine.connect();
  window.draw(<ModelSetupDialog />);
  act(() => window.stores.preferences.getState().setUpModel({ ...setup, onModel: (model) => done.push({ model }) }));
  await window.settle();
  return world;
}

const dialog = (): HTMLElement => document.querySelector<HTMLElement>('[role="dialog"]') ?? document.body;

function control<Kind extends HTMLElement>(label: string): Kind {
  const found = [...dialog().querySelectorAll('label')].find((one) => one.firstChild?.textContent === label);
  return document.getElementById(found?.htmlFor ?? '') as Kind;
}

function type(label: string, value: string): void {
  const field = control<HTMLInputElement>(label);
  act(() => typeInto(field, value));
}

async function press(name: string): Promise<void> {
  const found = [...dialog().querySelectorAll('button')].find((one) => one.textContent === name);
  if (found === undefined) throw new Error(`No button ${name}`);
  act(() => found.click());
  await window.settle();
}

async function choose(name: string): Promise<void> {
  const row = [...dialog().querySelectorAll<HTMLElement>('.model-setup-provider')].find((one) =>
    one.textContent?.startsWith(name),
  );
  act(() => row?.querySelector('input')?.click());
  await window.settle();
}

const chosen = (): string | null | undefined =>
  dialog().querySelector<HTMLInputElement>(':checked')?.closest('label')?.textContent;

describe('setting up a model', () => {
  test('starts with the provider of the model, and shows what each provider needs', async () => {
    await open({ provider: 'here' });
    expect(chosen()).toBe('hereneeds no key');
    expect([...dialog().querySelectorAll('.model-setup-provider')].map(({ textContent }) => textContent)).toEqual([
      'cloudneeds a key',
      'hereneeds no key',
      'grumpkey set by the environment',
      'Another providerany address, key optional',
    ]);
  });

  test('saves the key in the vault, tests it, and offers the models that generate text', async () => {
    const world = await open();
    type('Key', 'sk-1');
    await press('Save and test');
    expect(world.done).toEqual([{ variable: 'CLOUD_KEY', value: 'sk-1' }]);
    expect(dialog().innerHTML).not.toContain('sk-1');
    expect(dialog().textContent).toContain('Provider "cloud" answers.');
    expect(control('Model').textContent).toContain('cloud-mini');
    expect(document.activeElement?.textContent).toBe('Use cloud-mini');
    await press('Use cloud-mini');
    expect(world.done.slice(1)).toEqual([{ default: 'cloud::cloud-mini' }, { model: 'cloud::cloud-mini' }]);
    expect(document.querySelector('[role="dialog"]')).toBeNull();
  });

  test('keeps the focus in the list of providers if one of them was tested before', async () => {
    await open({ provider: 'here' });
    await press('Save and test');
    await choose('cloud');
    dialog().querySelector<HTMLElement>(':checked')?.focus();
    await choose('here');
    expect(dialog().textContent).toContain('Use here-mini');
    expect(document.activeElement?.textContent).not.toBe('Use here-mini');
  });

  test('makes the model the default only if that option is left on', async () => {
    const world = await open({ provider: 'here' });
    await press('Save and test');
    act(() => dialog().querySelector<HTMLElement>('[role="switch"]')?.click());
    await press('Use here-mini');
    expect(world.done).toEqual([{ model: 'here::here-mini' }]);
  });

  test('does not change an existing default', async () => {
    const world = await open({ provider: 'here' }, 'cloud::big');
    await press('Save and test');
    expect(dialog().querySelector('[role="switch"]')).toBeNull();
    await press('Use here-mini');
    expect(world.done).toEqual([{ model: 'here::here-mini' }]);
  });

  test('shows why a test fails, and offers no model', async () => {
    await open({ provider: 'grump' });
    await press('Save and test');
    expect(dialog().textContent).toContain('Provider "grump" refused the key.');
    expect([...dialog().querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContain('Use');
  });

  test('adds another provider, then tests that one', async () => {
    const world = await open();
    await choose('Another provider');
    type('Name', 'lab');
    type('Base URL', 'http://127.0.0.1:9/v1');
    await press('Save and test');
    expect(world.done).toEqual([{ name: 'lab', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' }]);
    expect(chosen()).toContain('lab');
    expect(dialog().textContent).toContain('Provider "lab" answers.');
  });

  test('shows what is wrong with the form and saves nothing', async () => {
    const world = await open();
    await choose('Another provider');
    type('Name', '9lives');
    await press('Save and test');
    expect(world.done).toEqual([]);
    expect(dialog().textContent).toContain('This kind needs a base URL.');
  });

  test('changes nothing when it is canceled', async () => {
    const world = await open();
    type('Key', 'sk-1');
    await press('Cancel');
    expect(world.done).toEqual([]);
    expect(window.stores.preferences.getState().setup).toBeNull();
  });
});
