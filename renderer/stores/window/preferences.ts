/**
 * What the person sets for models and for this workspace, and the dialog that shows it. Keys only pass through here on
 * their way to main; none is kept.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainArgs, MainClient } from '../../bridge/main-client.ts';

export type ModelSettings = EngineResult<'readModelSettings'>;
export type Provider = ModelSettings['providers'][number];
export type PreferencesTab =
  | 'editor'
  | 'models'
  | 'secrets'
  | 'trust'
  | 'tools'
  | 'servers'
  | 'policies'
  | 'team'
  | 'messages'
  | 'updates';
export type TeamSettings = NonNullable<EngineResult<'readTeam'>>;

/** A provider as its form has it. */
export interface ProviderDraft {
  readonly name: string;
  readonly kind: Provider['kind'];
  /** Empty = the kind's own address. */
  readonly baseUrl: string;
  /** Empty = the kind's own variable, or none. */
  readonly keyVariable: string;
}

export type ProviderTest =
  | { readonly isRunning: true }
  | (EngineResult<'testProvider'> & { readonly isRunning: false });

/** What a model is set up for. */
export interface ModelSetup {
  /** The provider to begin with; absent = the person chooses. */
  readonly provider?: string;
  /** Takes the model that the person chooses in the end. */
  readonly onModel: (model: string) => void;
}

export interface Preferences {
  /** What the dialog that sets up a model is open for; null = it is closed. */
  readonly setup: ModelSetup | null;
  /** The open part of the dialog; null = it is closed. */
  readonly tab: PreferencesTab | null;
  readonly models: ModelSettings | null;
  /** Variables that have a key in the vault, and why it can keep none. */
  readonly vault: { readonly variables: readonly string[]; readonly problem: string | null };
  readonly isTrusted: boolean | null;
  /** The team that has decided about the trust; null = the person does. */
  readonly trustLockedBy: string | null;
  /** What a team sets on this machine; null = none does, undefined = that is not known. */
  readonly team: TeamSettings | null | undefined;
  /** Why the settings could not be read. */
  readonly error: string | null;
  /** By name of the provider, since the dialog was opened. */
  readonly tests: ReadonlyMap<string, ProviderTest>;
  /** Null closes the dialog. */
  setUpModel(setup: ModelSetup | null): void;
  open(tab: PreferencesTab): void;
  close(): void;
  refresh(): Promise<void>;
  /** Each of these reads everything anew afterwards, and gives the reason when it failed. */
  saveProvider(draft: ProviderDraft): Promise<string | null>;
  removeProvider(name: string): Promise<string | null>;
  /** Lets the key of a provider go to the host that the workspace's settings name. */
  allowKey(name: string): Promise<string | null>;
  setKey(variable: string, value: string): Promise<string | null>;
  removeKey(variable: string): Promise<string | null>;
  setDefaultModel(model: string | null): Promise<string | null>;
  setAlias(alias: string, model: string | null): Promise<string | null>;
  setTrust(isTrusted: boolean): Promise<string | null>;
  /** Lets the person choose a team's package, which main asks about. */
  installTeam(): Promise<string | null>;
  /** Removes the installed package of a team; main asks first. */
  removeTeam(): Promise<string | null>;
  /** Asks the provider something small. */
  test(name: string): Promise<void>;
}

function entryOf({ name, kind, baseUrl, keyVariable }: ProviderDraft): MainArgs<'models.saveProvider'>[0] {
  return { name, kind, ...(baseUrl === '' ? {} : { baseUrl }), ...(keyVariable === '' ? {} : { keyVariable }) };
}

/** Undefined when it cannot be read: the other settings are shown all the same. */
async function readTeam(engine: EngineClient): Promise<TeamSettings | null | undefined> {
  return await engine.call('readTeam').catch(() => undefined);
}

async function readSettings(
  engine: EngineClient,
  main: MainClient,
): Promise<Pick<Preferences, 'models' | 'vault' | 'isTrusted' | 'trustLockedBy' | 'team'>> {
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

function teamActions(main: MainClient, decide: Decide): Pick<Preferences, 'installTeam' | 'removeTeam'> {
  return {
    installTeam: () => decide(() => main.call('team.install')),
    removeTeam: () => decide(() => main.call('team.remove')),
  };
}

export function createPreferences(engine: EngineClient, main: MainClient): StoreApi<Preferences> {
  return createStore<Preferences>()((set, get) => {
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
    /** Main may ask the person in a dialog of the system. */
    const decide: Decide = async (act) => {
      let isDone = true;
      const problem = await change(async () => ({ isDone } = await act()));
      return problem ?? (isDone ? null : 'Nothing was changed: you did not allow it.');
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
