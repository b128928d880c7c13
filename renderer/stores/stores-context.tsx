/**
 * Hands the window's stores to its components.
 */
import { createContext, type ReactNode, use, useCallback } from 'react';
import type { Stores } from './stores.ts';

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
