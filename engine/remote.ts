/**
 * Opens engines for shared histories, for the desktop's engine process.
 */
import { systemClock } from './base/clock.ts';
import type { Engine } from './engine.ts';
import { inMemory } from './history/store/open-workspace-store.ts';
import { type RemotePlace, remoteUrl } from './host/remote/remote-place.ts';
import { createEngine, type EngineOptions } from './index.ts';

export interface RemoteOptions extends EngineOptions {
  /** The server. */
  readonly place: RemotePlace;
  /** Name of the workspace in the history. */
  readonly remoteWorkspace: string;
  /** Returns the current password; undefined if none is stored. */
  readonly password: () => string | undefined;
}

/**
 * Opens an engine that shows the runs in a shared history, and answers and cancels them. It connects when it is first
 * used, and again after the server was unreachable; `notices` tells why it is not connected. The caller must close it.
 * @param options `workspace` is an empty folder
 * @throws EngineError as `createEngine`
 */
export async function openRemoteEngine(options: RemoteOptions): Promise<Engine> {
  const { place, remoteWorkspace, password, clock = systemClock, ...rest } = options;
  const { createRemoteEngine } = await import('./host/remote/remote-engine.ts');
  const { openSharedHistory } = await import('./history/postgres/open-shared-history.ts');
  const base = await createEngine({ ...rest, clock, storeFile: inMemory });
  const open = (secret: string | undefined) =>
    openSharedHistory({ url: remoteUrl(place, secret), workspace: remoteWorkspace, isReadOnly: true });
  return createRemoteEngine({ base, open, password, clock });
}

/**
 * Connects to a shared history, and lists the names of its workspaces.
 * @throws EngineError `store.*`; the message contains no password
 */
export async function listRemoteWorkspaces(
  place: RemotePlace,
  password: string | undefined,
): Promise<readonly string[]> {
  const { listSharedWorkspaces } = await import('./history/postgres/list-workspaces.ts');
  return await listSharedWorkspaces(remoteUrl(place, password));
}
