/**
 * Opens engines that show runs of others, for the desktop's engine process: those in shared histories, and sent ones.
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
 * Opens an engine that shows the run in a file that someone sent. The caller must close it.
 * @param options `workspace` is an empty folder, and `file` the absolute path of the file
 * @throws EngineError `files.*` | `sent.*`, or as `createEngine`
 */
export async function openSentEngine({ file, ...rest }: EngineOptions & { readonly file: string }): Promise<Engine> {
  const { clock = systemClock, ...options } = rest;
  const { openReceivedRun } = await import('./host/send/received-run.ts');
  const { createSentEngine } = await import('./host/send/sent-engine.ts');
  const received = await openReceivedRun(file, clock);
  try {
    return createSentEngine(await createEngine({ ...options, clock, storeFile: inMemory }), received, clock);
  } catch (error) {
    received.store.close();
    throw error;
  }
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
