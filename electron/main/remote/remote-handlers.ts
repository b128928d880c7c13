/**
 * Handles a page's calls about remote histories. A page can never read a password, nor send a stored one anywhere except
 * to the server for which the user entered it.
 */
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import { type AskConsent, remoteQuestion } from '../consent/consent.ts';
import type { AppWindow } from '../windows/app-window.ts';
import type { RemoteConnections } from './remote-connections.ts';

type RemoteHandlers = Pick<RpcHandlers<typeof mainContract>, Extract<keyof typeof mainContract, `remotes.${string}`>>;

interface RemoteActions {
  readonly remotes: RemoteConnections;
  openWorkspace(window: AppWindow, folder: string): Promise<boolean>;
}

export function remoteHandlers(
  { remotes, openWorkspace }: RemoteActions,
  window: AppWindow,
  consent: AskConsent,
): RemoteHandlers {
  return {
    'remotes.list': () => ({
      connections: remotes.connections.map(({ id, name, place }) => ({
        ...{ id, name, place },
        hasPassword: remotes.passwordOf(id) !== undefined,
      })),
      vaultProblem: remotes.vaultProblem,
    }),
    'remotes.save': async (change) => {
      const isAsked = remotes.isElsewhere(change) || change.password !== undefined;
      const hasPassword = change.password !== undefined;
      if (isAsked && !(await consent(remoteQuestion({ ...change.place, hasPassword }))))
        return { isDone: false, id: null };
      return { isDone: true, id: await remotes.save(change) };
    },
    'remotes.remove': ({ id }) => remotes.remove(id),
    'remotes.listWorkspaces': async ({ id }) => {
      const { place } = remotes.get(id);
      const password = remotes.passwordOf(id) ?? null;
      // Waits without a limit: the connection itself has one.
      return {
        workspaces: await window.asPerson((person) => person.call('listRemoteWorkspaces', place, password), null),
      };
    },
    'remotes.open': async ({ id, workspace }) => ({
      opened: await openWorkspace(window, remotes.folderOf(id, workspace)),
    }),
  };
}
