/**
 * The user's settings for models and for this workspace, and the dialog that shows them. Keys only pass through on
 * their way to main; none is stored here.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainArgs, MainClient } from '../../bridge/main-client.ts';
import { text } from './text.ts';

export type ModelSettingsState = EngineResult<'readModelSettings'>;
export type Provider = ModelSettingsState['providers'][number];
export type PreferencesTab =
  | 'editor'
  | 'models'
  | 'secrets'
  | 'trust'
  | 'tools'
  | 'servers'
  | 'policies'
  | 'team'
  | 'history'
  | 'remote'
  | 'messages'
  | 'background'
  | 'updates';
export type TeamSettings = NonNullable<EngineResult<'readTeam'>>;

/** A provider as edited in its form. */
export interface ProviderDraft {
  readonly name: string;
  readonly kind: Provider['kind'];
  /** Empty for the default URL of the kind. */
  readonly baseUrl: string;
  /** Empty for the default variable of the kind, or none. */
  readonly keyVariable: string;
}

export type ProviderTest =
  | { readonly isRunning: true }
  | (EngineResult<'testProvider'> & { readonly isRunning: false });

/** The purpose of a model setup. */
export interface ModelSetup {
  /** The initial provider. If undefined, the user chooses. */
  readonly provider?: string;
  /** Called with the model that the user finally selects. */
  readonly onModel: (model: string) => void;
}

export interface PreferencesState {
  /** The purpose of the open model setup dialog. Null while it is closed. */
  readonly setup: ModelSetup | null;
  /** The open tab of the dialog. Null while it is closed. */
  readonly tab: PreferencesTab | null;
  readonly models: ModelSettingsState | null;
  /** Variables with a key in the vault, and why the vault cannot store any. */
  readonly vault: { readonly variables: readonly string[]; readonly problem: string | null };
  readonly isTrusted: boolean | null;
  /** The team that has set the trust. Null if the user decides. */
  readonly trustLockedBy: string | null;
  /** The settings of a team on this machine. Null if there are none, undefined if that is not known. */
  readonly team: TeamSettings | null | undefined;
  /** Why the settings could not be read. */
  readonly error: string | null;
  /** Results of the tests since the dialog was opened, by provider name. */
  readonly tests: ReadonlyMap<string, ProviderTest>;
  /** Null closes the dialog. */
  setUpModel(setup: ModelSetup | null): void;
  open(tab: PreferencesTab): void;
  close(): void;
  refresh(): Promise<void>;
  /** Each of these reloads everything afterward, and resolves to the reason if the operation failed. */
  saveProvider(draft: ProviderDraft): Promise<string | null>;
  removeProvider(name: string): Promise<string | null>;
  /** Allows the key of a provider to be sent to the host in the workspace's settings. */
  allowKey(name: string): Promise<string | null>;
  setKey(variable: string, value: string): Promise<string | null>;
  removeKey(variable: string): Promise<string | null>;
  setDefaultModel(model: string | null): Promise<string | null>;
  setAlias(alias: string, model: string | null): Promise<string | null>;
  setTrust(isTrusted: boolean): Promise<string | null>;
  /** Lets the user select a team package. Main asks for confirmation. */
  installTeam(): Promise<string | null>;
  /** Removes the installed team package. Main asks first. */
  removeTeam(): Promise<string | null>;
  /** Sends a small test request to the provider. */
  test(name: string): Promise<void>;
}

function entryOf({ name, kind, baseUrl, keyVariable }: ProviderDraft): MainArgs<'models.saveProvider'>[0] {
  return { name, kind, ...(baseUrl === '' ? {} : { baseUrl }), ...(keyVariable === '' ? {} : { keyVariable }) };
}

/** Returns undefined if it cannot be read, so that the other settings are shown anyway. */
async function readTeam(engine: EngineClient): Promise<TeamSettings | null | undefined> {
  return await engine.call('readTeam').catch(() => undefined);
}

async function readSettings(
  engine: EngineClient,
  main: MainClient,
): Promise<Pick<PreferencesState, 'models' | 'vault' | 'isTrusted' | 'trustLockedBy' | 'team'>> {
  const [models, vault, { isTrusted, lockedBy = null }] = await Promise.all([
    engine.call('readModelSettings'),
    main.call('vault.list'),
    engine.call('readTrust'),
  ]);
  return { models, vault, isTrusted, trustLockedBy: lockedBy, team: await readTeam(engine) };
}

async function testProvider(engine: EngineClient, name: string): Promise<EngineResult<'testProvider'>> {
  try {
    return await engine.call('testProvider', name);
  } catch (thrown) {
    return { ok: false, message: toErrorRecord(thrown).message };
  }
}

type Decide = (act: () => Promise<{ readonly isDone: boolean }>) => Promise<string | null>;

function teamActions(main: MainClient, decide: Decide): Pick<PreferencesState, 'installTeam' | 'removeTeam'> {
  return {
    installTeam: () => decide(() => main.call('team.install')),
    removeTeam: () => decide(() => main.call('team.remove')),
  };
}

export function createPreferences(engine: EngineClient, main: MainClient): StoreApi<PreferencesState> {
  return createStore<PreferencesState>()((set, get) => {
    const refresh = async (): Promise<void> => {
      try {
        set({ ...(await readSettings(engine, main)), error: null });
      } catch (thrown) {
        set({ error: toErrorRecord(thrown).message });
      }
    };
    const change = async (act: () => Promise<unknown>): Promise<string | null> => {
      const problem = await act().then(
        () => null,
        (thrown: unknown) => toErrorRecord(thrown).message,
      );
      await refresh();
      return problem;
    };
    /** Main may ask the user in a system dialog. */
    const decide: Decide = async (act) => {
      let isDone = true;
      const problem = await change(async () => ({ isDone } = await act()));
      return problem ?? (isDone ? null : text.notAllowed);
    };
    return {
      setup: null,
      tab: null,
      models: null,
      vault: { variables: [], problem: null },
      isTrusted: null,
      trustLockedBy: null,
      team: undefined,
      error: null,
      tests: new Map(),
      setUpModel(setup) {
        set({ setup, tests: new Map() });
        void refresh();
      },
      open(tab) {
        set({ tab, tests: get().tab === null ? new Map() : get().tests });
        void refresh();
      },
      close: () => set({ tab: null }),
      refresh,
      saveProvider: (draft) => decide(() => main.call('models.saveProvider', entryOf(draft))),
      removeProvider: (name) => decide(() => main.call('models.removeProvider', { name })),
      allowKey: (name) => decide(() => main.call('models.allowKey', { name })),
      setKey: (variable, value) => decide(() => main.call('vault.set', { variable, value })),
      removeKey: (variable) => change(() => main.call('vault.remove', { variable })),
      setDefaultModel: (model) => change(() => engine.call('setDefaultModel', model)),
      setAlias: (alias, model) => change(() => engine.call('setAlias', alias, model)),
      setTrust: (isTrusted) => decide(() => main.call('trust.set', { isTrusted })),
      ...teamActions(main, decide),
      async test(name) {
        const put = (test: ProviderTest): void => set({ tests: new Map(get().tests).set(name, test) });
        put({ isRunning: true });
        put({ isRunning: false, ...(await testProvider(engine, name)) });
      },
    };
  });
}
