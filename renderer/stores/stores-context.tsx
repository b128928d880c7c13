/**
 * Provides the window's stores to its components.
 */
import { createContext, type ReactNode, use, useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Stores } from './stores.ts';
import type { Workspace } from './workspace/workspace.ts';

const StoresContext = createContext<Stores | null>(null);

export function StoresProvider({ stores, children }: { stores: Stores; children: ReactNode }) {
  return <StoresContext value={stores}>{children}</StoresContext>;
}

/**
 * Returns the stores themselves, for actions: `useStores().selection.getState().selectNode(...)`.
 * @throws Error outside a `StoresProvider`
 */
export function useStores(): Stores {
  const stores = use(StoresContext);
  if (stores === null) throw new Error('useStores needs a StoresProvider above it');
  return stores;
}

/** Returns a function that reads values by their hash. Such values are too large to be sent with events. */
export function useReadValue(): (hash: string) => Promise<unknown> {
  const { engine } = useStores();
  return useCallback((hash) => engine.call('readValue', hash), [engine]);
}

/**
 * Returns the list of all files in the workspace. Reloaded when the component mounts; the previous list is available at
 * once.
 */
export function useFiles(): Pick<Workspace, 'files' | 'filesError'> {
  const { workspace } = useStores();
  const files = useStore(workspace, (state) => state.files);
  const filesError = useStore(workspace, (state) => state.filesError);
  useEffect(() => void workspace.getState().refreshFiles(), [workspace]);
  return { files, filesError };
}
