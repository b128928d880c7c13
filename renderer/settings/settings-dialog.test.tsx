import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { EngineResult } from '../bridge/engine-client.ts';
import type { ModelSettingsState, PreferencesTab } from '../stores/window/preferences.ts';
import { typeInto } from '../ui/testing/type-into.ts';
import { SettingsDialog } from './settings-dialog.tsx';

interface World {
  models: ModelSettingsState;
  /** Names of variables in the vault. */
  variables: string[];
  vaultProblem: string | null;
  isTrusted: boolean;
  /** The team that has locked the trust setting. */
  trustLockedBy?: string;
  team: EngineResult<'readTeam'>;
  /** The user's response in system dialogs. */
  isAllowed: boolean;
  /** The requests to main and to the engine, in order. */
  readonly asked: unknown[];
}

let window: TestWindow;
afterEach(() => window.close());

const anthropic = {
  name: 'anthropic',
  kind: 'anthropic',
  baseUrl: 'https://api.example.org/v1',
  keyVariable: 'ANTHROPIC_API_KEY',
  hasKey: false,
  isKeyAllowed: true,
  isBuiltIn: true,
} as const;

async function openSettings(tab: PreferencesTab, more: Partial<World> = {}): Promise<World> {
  const models = { file: '/base/config-user.toml', providers: [anthropic], defaultModel: null, aliases: {} };
  const world: World = {
    models,
    variables: [],
    vaultProblem: null,
    isTrusted: false,
    team: null,
    isAllowed: true,
    asked: [],
    ...more,
  };
  const note = (...what: unknown[]) => {
    world.asked.push(what.length === 1 ? what[0] : what);
  };
  const decide = (what: unknown) => {
    note(what);
    return { isDone: world.isAllowed };
  };
  window = openTestWindow(
    {
      readModelSettings: () => world.models,
      ...{ setDefaultModel: note, setAlias: note },
      testProvider: () => ({ ok: true, message: 'It answers.', models: ['small', 'large'] }),
      listPrivateHosts: () => [],
      readTrust: () => ({
        isTrusted: world.isTrusted,
        ...(world.trustLockedBy === undefined ? {} : { lockedBy: world.trustLockedBy }),
      }),
      readTeam: () => world.team,
    },
    {
      'preferences.write': ({ preferences }) => note(preferences),
      'settings.setTheme': note,
      'models.saveProvider': decide,
      'models.allowKey': decide,
      'trust.set': ({ isTrusted }) => {
        if (world.isAllowed) world.isTrusted = isTrusted;
        return { isDone: world.isAllowed };
      },
      'zoom.set': ({ change }) => {
        note({ change });
        return { factor: change === 'in' ? 1.1 : 1 };
      },
      'vault.list': () => ({ variables: world.variables, problem: world.vaultProblem }),
      'vault.set': ({ variable, value }) => {
        world.variables.push(variable);
        return decide({ variable, value });
      },
      'vault.remove': ({ variable }) => {
        world.variables = world.variables.filter((kept) => kept !== variable);
      },
    },
  );
  window.engine.connect();
  window.draw(<SettingsDialog onShortcuts={() => world.asked.push('shortcuts')} />);
  act(() => window.stores.preferences.getState().open(tab));
  await window.settle();
  return world;
}

function dialog(): HTMLElement {
  return document.querySelector<HTMLElement>('[role="dialog"]')!;
}

async function press(name: string): Promise<void> {
  const all = [...dialog().querySelectorAll('button')];
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
  if (found === undefined) throw new Error(`There is no button ${name}`);
  act(() => found.click());
  await window.settle();
}

function field(label: string): HTMLInputElement {
  const found = [...dialog().querySelectorAll('label')].find((one) => one.firstChild?.textContent === label);
  return document.getElementById(found?.htmlFor ?? '') as HTMLInputElement;
}

function type(label: string, value: string): void {
  act(() => typeInto(field(label), value));
}

async function submit(label: string): Promise<void> {
  act(() => field(label).form?.requestSubmit());
  await window.settle();
}

test('a key is sent only to the vault and appears nowhere afterward', async () => {
  const world = await openSettings('models');
  expect(dialog().textContent).toContain('no key');
  await press('Edit anthropic');
  expect(field('Key').type).toBe('password');
  type('Key', ' sk-secret ');
  await submit('Key');
  expect(world.asked).toEqual([{ variable: 'ANTHROPIC_API_KEY', value: 'sk-secret' }]);
  expect(dialog().textContent).toContain('key set');
  await press('Edit anthropic');
  expect(field('Key').value).toBe('');
  await press('Remove the key');
  expect(dialog().textContent).toContain('no key');
  expect(JSON.stringify(window.stores.preferences.getState())).not.toContain('sk-secret');
});

test('without a vault the key field shows why', async () => {
  await openSettings('models', { vaultProblem: 'There is no keyring.' });
  await press('Edit anthropic');
  expect(field('Key').disabled).toBe(true);
  expect(dialog().textContent).toContain('There is no keyring.');
});

test('a new provider is validated before it is sent', async () => {
  const world = await openSettings('models');
  await press('Add a provider');
  type('Name', 'anthropic');
  type('Base URL', 'example.org');
  await submit('Name');
  expect(['Name', 'Base URL'].map((label) => field(label).getAttribute('aria-invalid'))).toEqual(['true', 'true']);
  expect(world.asked).toEqual([]);
  type('Name', 'my-cloud');
  type('Base URL', 'https://example.org/v1');
  type('Key', 'sk-1');
  await submit('Name');
  expect(world.asked).toEqual([
    {
      name: 'my-cloud',
      kind: 'openai-compatible',
      baseUrl: 'https://example.org/v1',
      keyVariable: 'MY_CLOUD_API_KEY',
    },
    { variable: 'MY_CLOUD_API_KEY', value: 'sk-1' },
  ]);
});

test('the result of a connection test is shown with the models', async () => {
  await openSettings('models');
  await press('Test the connection to anthropic');
  expect(dialog().querySelector('.provider-test')?.textContent).toBe('It answers.2 modelssmall, large');
});

test('sets and removes the default model and aliases', async () => {
  const aliases = { fast: 'a::b' };
  const world = await openSettings('models');
  world.models = { ...world.models, defaultModel: 'x::y', aliases };
  type('Default model', 'x::y');
  await submit('Default model');
  expect(field('Default model').value).toBe('x::y');
  type('Alias', 'fast');
  type('Model', 'a::c');
  await submit('Alias');
  await press('Remove fast');
  expect(world.asked).toEqual(['x::y', ['fast', 'a::c'], ['fast', null]]);
});

test('an error in the settings file is shown above the available providers', async () => {
  const local = { name: 'local', kind: 'ollama', baseUrl: 'http://h/v1', keyVariable: null } as const;
  const providers = [{ ...local, hasKey: false, isKeyAllowed: true, isBuiltIn: false }];
  const models = { file: '/base/config-user.toml', problem: 'Line 3 is no TOML.', providers, aliases: {} };
  await openSettings('models', { models: { ...models, defaultModel: null } });
  expect(dialog().querySelector('[role="alert"]')?.textContent).toBe('Line 3 is no TOML.');
  for (const shown of ['/base/config-user.toml', 'local']) expect(dialog().textContent).toContain(shown);
});

test('trust is granted by main, which asks first, and shows if the user declined', async () => {
  const world = await openSettings('trust', { isAllowed: false });
  const trust = () => dialog().querySelector('[role="switch"]')?.getAttribute('aria-checked');
  await press('Trust this workspace');
  expect([trust(), world.isTrusted]).toEqual(['false', false]);
  expect(dialog().querySelector('[role="alert"]')?.textContent).toBe('Nothing was changed: you did not allow it.');
  world.isAllowed = true;
  await press('Trust this workspace');
  expect([trust(), world.isTrusted]).toEqual(['true', true]);
  expect(dialog().querySelector('[role="alert"]')).toBeNull();
  await press('Trust this workspace');
  expect([trust(), world.isTrusted]).toEqual(['false', false]);
});

test('a key that may not be sent to a host of the workspace is shown, and can be allowed', async () => {
  const provider = { ...anthropic, hasKey: true, isKeyAllowed: false };
  const models = { file: '/base/config-user.toml', providers: [provider], defaultModel: null, aliases: {} };
  const world = await openSettings('models', { models });
  expect(dialog().textContent).toContain('key not allowed for this host');
  await press('Allow the key of anthropic for this host');
  expect(world.asked).toEqual([{ name: 'anthropic' }]);
});

test('editor settings are saved at once', async () => {
  const world = await openSettings('editor');
  await press('Compact');
  await press('High');
  await press('Zoom');
  await press('Snap to grid');
  const chosen = { density: 'compact', contrast: 'high', wheel: 'zoom', snap: false };
  expect(window.stores.editorSettings.getState()).toMatchObject({ ...chosen, guides: true });
  expect(world.asked.at(-1)).toMatchObject(chosen);
  await press('Deutsch');
  expect(world.asked.at(-1)).toMatchObject({ density: 'compact', language: 'de' });
  await press('Dark');
  expect(world.asked.at(-1)).toEqual({ theme: 'dark' });
});

test('shows the zoom level as it changes', async () => {
  await openSettings('editor');
  const size = () => dialog().querySelector('output')?.textContent;
  expect(size()).toBe('100%');
  await press('Zoom in');
  expect(size()).toBe('110%');
});

test('the list of shortcuts replaces the settings', async () => {
  const world = await openSettings('editor');
  await press('Keyboard shortcuts…');
  expect(world.asked.at(-1)).toBe('shortcuts');
  expect(window.stores.preferences.getState().tab).toBeNull();
});

const lockedBy = 'Acme (/etc/millrace/team.yaml)';

test('settings of a team are shown as locked with their origin, and only a key can be entered', async () => {
  const acme = { ...anthropic, name: 'acme', isBuiltIn: false, lockedBy, keyHelp: 'Ask IT for one.' };
  const models = {
    ...{ file: '/base/config-user.toml', providers: [acme], aliases: {} },
    ...{ defaultModel: 'acme::small', defaultModelLockedBy: lockedBy, providersLockedBy: lockedBy },
  };
  await openSettings('models', { models });
  expect(field('Default model').disabled).toBe(true);
  expect([...dialog().querySelectorAll('.settings-locked')].map((one) => one.textContent)).toEqual(
    Array(3).fill(`Set by ${lockedBy}`),
  );
  const names = [...dialog().querySelectorAll('button')].map((one) => one.textContent);
  expect(names).not.toContain('Add a provider');
  expect(names.filter((name) => name === 'Save' || name === 'Remove')).toEqual([]);
  await press('Edit acme');
  expect(field('Base URL')).toBeNull();
  expect(dialog().textContent).toContain('Ask IT for one.');
  expect(field('Key').disabled).toBe(false);
});

test('trust that is set by a team cannot be changed', async () => {
  await openSettings('trust', { isTrusted: true, trustLockedBy: lockedBy });
  expect(dialog().querySelector<HTMLButtonElement>('[role="switch"]')?.disabled).toBe(true);
  expect(dialog().querySelector('.settings-locked')?.textContent).toBe(`Set by ${lockedBy}`);
});

test.each([
  [null, 'No team settings on this computer.'],
  [
    {
      ...{ name: 'Acme', file: '/etc/t.yaml', closed: ['no model'], settings: [{ name: 'Updates', value: 'stable' }] },
      problems: [{ severity: 'error', line: 3, column: 9, message: 'It is wrong.' }],
    },
    '/etc/t.yaml:3:9 It is wrong.Until this is fixed, the following applies: no model.Updatesstable',
  ],
] as const)('the team tab shows the settings of the team, their file, and any problems', async (team, said) => {
  await openSettings('team', { team });
  expect(dialog().textContent).toContain(said);
});
