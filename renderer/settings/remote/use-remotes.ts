/**
 * The connections to remote histories, as main stores them, and the workspaces of those that were connected.
 */
import { useCallback, useEffect, useState } from 'react';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { RemoteList } from '../../stores/window/remotes.ts';

/** The result of connecting to a history. */
export type Connected =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected'; readonly workspaces: readonly string[] }
  | { readonly state: 'failed'; readonly message: string };

const none: RemoteList = { connections: [], vaultProblem: null };

/** Returns the connections, why the last action failed, and the actions. */
export function useRemotes() {
  const { main } = useStores();
  const [listed, setListed] = useState<RemoteList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [connected, setConnected] = useState<ReadonlyMap<string, Connected>>(new Map());
  const tolerant = useCallback(async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
      setProblem(null);
    } catch (error) {
      setProblem(toErrorRecord(error).message);
    }
  }, []);
  const refresh = useCallback(() => tolerant(async () => setListed(await main.call('remotes.list'))), [main, tolerant]);
  useEffect(() => void refresh(), [refresh]);
  return {
    ...(listed ?? none),
    isLoaded: listed !== null,
    problem,
    connected,
    refresh,
    async connect(id: string): Promise<void> {
      const put = (state: Connected): void => setConnected((former) => new Map(former).set(id, state));
      put({ state: 'connecting' });
      await main.call('remotes.listWorkspaces', { id }).then(
        ({ workspaces }) => put({ state: 'connected', workspaces }),
        (error: unknown) => put({ state: 'failed', message: toErrorRecord(error).message }),
      );
    },
    remove: (id: string) =>
      tolerant(async () => {
        await main.call('remotes.remove', { id });
        setListed(await main.call('remotes.list'));
      }),
    open: (id: string, workspace: string) => tolerant(() => main.call('remotes.open', { id, workspace })),
  };
}
