/**
 * Hooks for views of a run beyond its state: the progress of loops, and earlier runs.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { isValueHandle, itemCount, type JsonValue, type LoopTally, type RunId } from '../../engine/isomorphic.ts';
import type { EngineClient } from '../bridge/engine-client.ts';
import { useStores } from './stores-context.tsx';
import { useShownRunPart } from './use-flow.ts';

/** A larger loop input is not fetched only to count its items. */
const mostBytesToCount = 4_000_000;

/** Counts by the hash of the input. An input never changes. */
const countsOf = new WeakMap<EngineClient, Map<string, Promise<number | null>>>();

function countItems(engine: EngineClient, hash: string): Promise<number | null> {
  const counts = countsOf.get(engine) ?? new Map<string, Promise<number | null>>();
  countsOf.set(engine, counts);
  const known = counts.get(hash);
  if (known !== undefined) return known;
  const count = engine.call('readValue', hash).then(
    itemCount,
    // A count that cannot be read is not shown. Opening the value shows the error.
    () => null,
  );
  counts.set(hash, count);
  return count;
}

function hashToCount(input: JsonValue | undefined): string | null {
  return isValueHandle(input) && input.bytes <= mostBytesToCount ? input.$value : null;
}

/** Returns the item counts of a loop at its path in the run. Undefined until it has started. */
export function useLoop(path: string, place: string): LoopTally | undefined {
  const { engine } = useStores();
  const tally = useShownRunPart(path, ({ state }) => state.tallies.loops.get(place));
  const hash = useShownRunPart(path, ({ state }) => hashToCount(state.nodes.get(place)?.input)) ?? null;
  const [counted, setCounted] = useState<{ hash: string; total: number | null } | null>(null);
  useEffect(() => {
    if (hash === null) return;
    let isMeant = true;
    void countItems(engine, hash).then((total) => {
      if (isMeant) setCounted({ hash, total });
    });
    return () => {
      isMeant = false;
    };
  }, [engine, hash]);
  if (tally === undefined || tally.total !== null || counted?.hash !== hash) return tally;
  return { ...tally, total: counted.total };
}

/** Returns the number of a run in its workspace. Null if the loaded lists do not contain it. */
export function useRunNumber(runId: RunId | null): number | null {
  return useStore(useStores().runHistory, ({ lists }) => {
    if (runId === null) return null;
    for (const list of lists.values()) {
      const found = list.runs.find((run) => run.runId === runId);
      if (found !== undefined) return found.number;
    }
    return null;
  });
}

interface EarlierRunLink {
  /** Epoch milliseconds. Null if the loaded lists do not contain it. */
  readonly startedAt: number | null;
  /** Shows it over its flow. */
  readonly open: () => void;
}

/** Returns an earlier run of a flow. */
export function useEarlierRun(path: string, runId: RunId): EarlierRunLink {
  const { runHistory, runs } = useStores();
  const startedAt = useStore(runHistory, ({ lists }) => {
    for (const list of lists.values()) {
      const found = list.runs.find((run) => run.runId === runId);
      if (found !== undefined) return found.startedAt;
    }
    return null;
  });
  return { startedAt, open: () => void runs.openRun(path, runId) };
}
