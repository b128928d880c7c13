import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { isLargeValue } from '../../ui/value-parts.ts';

/** Returns a value, or for a large one the loaded value. Undefined if it is not loaded. */
export function useKeptValue(value: unknown): unknown {
  const { panes } = useStores();
  const hash = isLargeValue(value) ? value.$value : undefined;
  const kept = useStore(panes, ({ loadedValues }) => (hash === undefined ? undefined : loadedValues.get(hash)));
  return hash === undefined ? value : kept?.value;
}
