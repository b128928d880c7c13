/**
 * Keeps the window's runs, pins, breakpoints and selection consistent with a file's text.
 */
import type { StoreApi } from 'zustand/vanilla';
import { followHits, followSelection } from './follow-selection.ts';
import { type Breakpoints, followBreakpoints } from './runs/breakpoints.ts';
import { followNodes } from './runs/follow-nodes.ts';
import { loosenOutdatedRuns } from './runs/live/loosen-outdated-runs.ts';
import { followPins } from './runs/pins.ts';
import { followStaleNodes } from './runs/stale-nodes.ts';
import type { OpenFile } from './text/file.ts';

type Followers = Parameters<typeof followPins>[0] &
  Parameters<typeof followStaleNodes>[0] &
  Parameters<typeof followSelection>[0] & { readonly breakpoints: StoreApi<Breakpoints> };

/** Returns a function that unsubscribes. */
export function followTexts(
  stores: Followers,
  onScreen: (path: string) => OpenFile | undefined,
): readonly (() => void)[] {
  return [
    loosenOutdatedRuns(stores.openFiles, stores.liveRuns),
    followStaleNodes(stores),
    followNodes(stores.openFiles, [followPins(stores), followBreakpoints(stores.breakpoints)]),
    followSelection(stores, onScreen),
    followHits(stores),
  ];
}
