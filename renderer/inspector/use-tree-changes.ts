import { useEffect, useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';

/** How often files have come into the workspace, or have gone, since the component is there: a reason to look at them anew. */
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
