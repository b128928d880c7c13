/**
 * Hands the window's stores to its components.
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
 * The stores themselves, for actions: `useStores().selection.getState().selectNode(...)`.
 * @throws Error outside of a `StoresProvider`
 */
export function useStores(): Stores {
  const stores = use(StoresContext);
  if (stores === null) throw new Error('useStores needs a StoresProvider above it');
  return stores;
}

/** Reads values that are too large to travel with events, by their hash. */
export function useReadValue(): (hash: string) => Promise<unknown> {
  const { engine } = useStores();
  return useCallback((hash) => engine.call('readValue', hash), [engine]);
}

/** The list of all files of the workspace, read anew when the component appears. What was known before is there at once. */
export function useFiles(): Pick<Workspace, 'files' | 'filesError'> {
  const { workspace } = useStores();
  const files = useStore(workspace, (state) => state.files);
  const filesError = useStore(workspace, (state) => state.filesError);
  useEffect(() => void workspace.getState().refreshFiles(), [workspace]);
  return { files, filesError };
}
