/**
 * Reads the values of a node in two compared runs.
 */
import { useEffect, useState } from 'react';
import type { NodeInRuns } from '../../engine/isomorphic.ts';
import { comparedPlace, readComparedNode, type ShownComparison } from '../stores/runs/comparison.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useChosenItems } from '../stores/use-flow.ts';
import { text } from './text.ts';

type ComparedNodeRead =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'read'; readonly node: NodeInRuns };

const loading: ComparedNodeRead = { status: 'loading' };

interface DatedRead {
  readonly comparison: ShownComparison;
  readonly place: string;
  readonly read: ComparedNodeRead;
}

/** Returns the place of a node that the views of a comparison show. */
export function usePlace(path: string, comparison: ShownComparison, nodeId: string): string {
  return comparedPlace(comparison, nodeId, useChosenItems(path));
}

/** Reads the values of a node at one place. */
export function useComparedNode(comparison: ShownComparison, place: string): ComparedNodeRead {
  const { engine } = useStores();
  const [dated, setDated] = useState<DatedRead | null>(null);
  useEffect(() => {
    let isMeant = true;
    const take = (read: ComparedNodeRead): void => {
      if (isMeant) setDated({ comparison, place, read });
    };
    readComparedNode(engine, comparison, place).then(
      (node) => take({ status: 'read', node }),
      (error: unknown) =>
        take({ status: 'failed', message: error instanceof Error ? error.message : text.values.readFailed }),
    );
    return () => {
      isMeant = false;
    };
  }, [engine, comparison, place]);
  return dated?.comparison === comparison && dated.place === place ? dated.read : loading;
}
