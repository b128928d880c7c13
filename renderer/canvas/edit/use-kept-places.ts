/**
 * Keeps the positions of cards that the user has moved until the file contains them, so that nothing jumps back in the
 * meantime.
 */
import { useCallback, useMemo, useRef, useState } from 'react';
import type { FlowChange, NodePosition } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { FlowProjection } from '../projection/flow-projection.ts';
import type { ChangeOptions } from '../state/canvas-editor.ts';

export type RetainedCardPositions = ReadonlyMap<string, NodePosition>;

const none: RetainedCardPositions = new Map();

/** Changes the file and keeps the positions of a change until the file contains them or the change is rejected. */
export function useRetainedCardPositions(path: string): {
  readonly kept: RetainedCardPositions;
  readonly change: (change: FlowChange, options?: ChangeOptions) => Promise<boolean>;
} {
  const { edits } = useStores();
  const [kept, setKept] = useState(none);
  const last = useRef(0);
  const change = useCallback(
    async (wanted: FlowChange, { places = none, mergeKey }: ChangeOptions = {}) => {
      const own = ++last.current;
      if (places.size > 0) setKept((before) => new Map([...before, ...places]));
      const isDone = await edits.change(path, wanted, mergeKey);
      if (last.current === own) setKept(none);
      return isDone;
    },
    [edits, path],
  );
  return { kept, change };
}

/** Returns the flow as if the file contained these positions. */
export function usePlaced(projection: FlowProjection, kept: RetainedCardPositions): FlowProjection {
  return useMemo(() => {
    if (kept.size === 0) return projection;
    const nodes = projection.nodes.map((node) => {
      const position = kept.get(node.id);
      return position === undefined ? node : { ...node, position };
    });
    return { ...projection, nodes };
  }, [projection, kept]);
}
