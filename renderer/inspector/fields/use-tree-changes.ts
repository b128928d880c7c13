import { useEffect, useState } from 'react';
import { useStores } from '../../stores/stores-context.tsx';

/**
 * Counts how often files were added to or removed from the workspace since the component was mounted. A change is a
 * reason to list them again.
 */
export function useTreeChanges(): number {
  const { engine } = useStores();
  const [count, setCount] = useState(0);
  useEffect(
    () =>
      engine.stream('watchFiles', ({ isTree }) => {
        if (isTree) setCount((before) => before + 1);
      }),
    [engine],
  );
  return count;
}
