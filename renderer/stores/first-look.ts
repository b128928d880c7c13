/**
 * Determines when a window shows its first file after the start. Everything else waits until then.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { OpenFiles } from './text/files.ts';
import type { Workspace } from './workspace/workspace.ts';

interface LookedAt {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly workspace: StoreApi<Workspace>;
}

/** Maximum wait in milliseconds, regardless of what is shown. */
const patienceMs = 2000;

/** Returns whether the active file is loaded and validated, or cannot be loaded. */
function isThere({ openFiles, workspace }: LookedAt): boolean {
  const { files, activePath } = openFiles.getState();
  const file = activePath === null ? undefined : files.get(activePath);
  if (file !== undefined) return file.status === 'unreadable' || (file.status === 'ready' && !file.isCheckStale);
  const { flows, flowsStatus } = workspace.getState();
  return flowsStatus === 'failed' || (flowsStatus === 'ready' && flows.length === 0);
}

/**
 * Resolves when the window shows its first file, or when there is none to show, but after two seconds at the latest.
 */
export function whenFirstShown(stores: LookedAt): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isThere(stores)) end();
    };
    const ends = [stores.openFiles.subscribe(look), stores.workspace.subscribe(look)];
    const timer = setTimeout(() => end(), patienceMs);
    const end = (): void => {
      for (const stop of ends) stop();
      clearTimeout(timer);
      resolve();
    };
    look();
  });
}

/** The example that introduces the program. A workspace that contains it is a copy of the examples. */
export const welcomeFlow = 'welcome-letter.flow.yaml';

/**
 * Opens the welcome example, or else the first flow of the list, as soon as there is one. Returns a function that stops
 * waiting.
 */
export function openFirstFlow(workspace: StoreApi<Workspace>, openFiles: StoreApi<OpenFiles>): () => void {
  let end = (): void => undefined;
  const look = ({ flowsStatus, flows }: Workspace): void => {
    if (flowsStatus !== 'ready' || flows.length === 0) return;
    end();
    const first =
      flows.find(({ path }) => path === welcomeFlow) ?? flows.find(({ path }) => !path.includes('/')) ?? flows[0];
    if (first !== undefined && openFiles.getState().tabs.length === 0) void openFiles.getState().open(first.path);
  };
  end = workspace.subscribe(look);
  look(workspace.getState());
  return () => end();
}
