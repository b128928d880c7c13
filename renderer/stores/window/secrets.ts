/**
 * The window's information about secrets: names, sources, and where they may be sent. Values only pass through on their
 * way to main; none is stored here.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { EngineError, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { EnvNames, MainClient } from '../../bridge/main-client.ts';
import { text as words } from './text.ts';

export type { EnvNames } from '../../bridge/main-client.ts';

/** A secret, identified by name. */
export type SecretRow = EngineResult<'listSecrets'>[number];

export interface Secrets {
  /** The known secrets. Null until they are loaded. */
  readonly rows: readonly SecretRow[] | null;
  /** The files of flows that use each secret, by name. Null until they are searched. */
  readonly usedBy: ReadonlyMap<string, readonly string[]> | null;
  /** Names of missing secrets that a flow needs. */
  readonly wanted: readonly string[];
  /** Why they could not be loaded. */
  readonly error: string | null;
  /** Reloads the names. */
  list(): Promise<void>;
  /** Reloads the names and searches for flows that use them. */
  refresh(): Promise<void>;
  /** Each of these reloads everything afterward, and resolves to the reason if nothing was changed. */
  put(name: string, value: string): Promise<string | null>;
  remove(name: string): Promise<string | null>;
  forgetHost(name: string, host: string): Promise<string | null>;
  /** Returns the names of the secrets in a `.env` text, and the invalid names. @throws EngineError */
  readEnv(text: string): Promise<EnvNames>;
  /** Saves those with the given names. */
  putEnv(text: string, names: readonly string[]): Promise<string | null>;
  allowHost(name: string, host: string): Promise<string | null>;
  /**
   * Starts a run. Asks about a flow that may not use its secrets, and records missing secrets in `wanted`.
   * @throws EngineError the error of `start` if this does not help
   */
  startWith<Started>(start: () => Promise<Started>): Promise<Started>;
}

type Unsaved = EngineArgs<'searchFiles'>[0]['unsaved'];

/** @param readUnsaved returns the texts that have not been saved yet */
export function createSecrets(engine: EngineClient, main: MainClient, readUnsaved: () => Unsaved): StoreApi<Secrets> {
  return createStore<Secrets>()((set, get) => {
    const list = async (): Promise<void> => {
      try {
        const rows = await engine.call('listSecrets');
        const names = new Set(rows.map(({ name }) => name));
        set({ rows, wanted: get().wanted.filter((name) => !names.has(name)), error: null });
      } catch (thrown) {
        set({ error: toErrorRecord(thrown).message });
      }
    };
    const refresh = async (): Promise<void> => {
      await list();
      // Finding the flows that use them requires a search. The list is complete without it.
      set({ usedBy: await findUses(engine, readUnsaved()).catch(() => null) });
    };
    const change = async (act: () => Promise<unknown>): Promise<string | null> => {
      const problem = await act().then(
        (answer) => (isRefused(answer) ? words.notAllowed : null),
        (thrown: unknown) => toErrorRecord(thrown).message,
      );
      await refresh();
      return problem;
    };
    return {
      rows: null,
      usedBy: null,
      wanted: [],
      error: null,
      list,
      refresh,
      put: (name, value) => change(() => main.call('secrets.set', { name, value })),
      remove: (name) => change(() => main.call('secrets.remove', { name })),
      forgetHost: (name, host) => change(() => main.call('secrets.forgetHost', { name, host })),
      readEnv: (text) => main.call('secrets.readEnv', { text }),
      putEnv: (text, names) => change(() => main.call('secrets.setEnv', { text, names })),
      allowHost: (name, host) => change(() => main.call('secrets.allowHost', { name, host })),
      async startWith(start) {
        try {
          return await start();
        } catch (error) {
          const wish = wishOf(error);
          if (wish.kind === 'missing') set({ wanted: wish.names });
          if (wish.kind !== 'not-allowed') throw error;
          const { isDone } = await main.call('secrets.allowFlow', wish.request);
          if (!isDone) throw error;
          return await start();
        }
      },
    };
  });
}

const naming = /(?:\{\{\s*\??\s*secret\.|\baip\.secret\s*\(?\s*["'])([A-Z][A-Z0-9_]*)/g;

const usePattern = '(\\{\\{\\s*\\??\\s*secret\\.|aip\\.secret\\s*\\(?\\s*["\'])[A-Z]';
const filesWithUses = ['*.flow.yaml', '*.flow.yml', 'products/*/flows/*', '*.aip'];

/** Returns the flows and agents of the workspace that use each secret, according to the texts in the window. */
async function findUses(engine: EngineClient, unsaved: Unsaved): Promise<ReadonlyMap<string, readonly string[]>> {
  const { files } = await engine.call('searchFiles', {
    text: usePattern,
    isCaseSensitive: true,
    isWholeWord: false,
    isRegExp: true,
    include: filesWithUses.join(', '),
    exclude: '',
    unsaved,
  });
  const uses = new Map<string, Set<string>>();
  for (const { path, matches } of files) {
    for (const [, name = ''] of matches.flatMap(({ text }) => [...text.matchAll(naming)])) {
      uses.set(name, (uses.get(name) ?? new Set()).add(path));
    }
  }
  return new Map([...uses].map(([name, paths]) => [name, [...paths]]));
}

function isRefused(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'isDone' in answer && answer.isDone === false;
}

type SecretsDialogRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  | { readonly kind: 'not-allowed'; readonly request: FlowWish };

/** A flow, identified by its file and the hash of its text, and the secrets it needs. */
interface FlowWish {
  readonly path: string;
  readonly definitionHash: string;
  readonly names: readonly string[];
}

function wishOf(error: unknown): SecretsDialogRequest {
  if (!EngineError.is(error)) return { kind: 'none' };
  const isMissing = error.code === 'secret.missing';
  if (!isMissing && error.code !== 'secret.not-allowed') return { kind: 'none' };
  const { path, definitionHash, names } = error.details as FlowWish;
  if (isMissing) return { kind: 'missing', names };
  return { kind: 'not-allowed', request: { path, definitionHash, names } };
}
