import { useCallback } from 'react';
import { useStores } from './stores-context.tsx';

/** Reads values that are too large to travel with events, by their hash. */
export function useReadValue(): (hash: string) => Promise<unknown> {
  const { engine } = useStores();
  return useCallback(async (hash) => (await engine.call('value.read', { hash })).value, [engine]);
}
