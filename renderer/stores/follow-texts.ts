/**
 * Keeps the window's runs, pins and selection consistent with a file's text.
 */
import { followSelection } from './follow-selection.ts';
import { loosenOutdatedRuns } from './runs/live/loosen-outdated-runs.ts';
import { followPins } from './runs/pins.ts';
import { followStaleNodes } from './runs/stale-nodes.ts';
import type { OpenFile } from './text/file.ts';

type Followers = Parameters<typeof followPins>[0] &
  Parameters<typeof followStaleNodes>[0] &
  Parameters<typeof followSelection>[0];

/** Returns a function that unsubscribes. */
export function followTexts(
  stores: Followers,
  onScreen: (path: string) => OpenFile | undefined,
): readonly (() => void)[] {
  return [
    loosenOutdatedRuns(stores.openFiles, stores.liveRuns),
    followStaleNodes(stores),
    followPins(stores),
    followSelection(stores, onScreen),
  ];
}
