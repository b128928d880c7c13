/**
 * Keeps the window's state about a text (runs, pins and selection) consistent with the text.
 */
import { followSelection } from './follow-selection.ts';
import { loosenOutdatedRuns } from './runs/live/loosen-outdated-runs.ts';
import { followPins } from './runs/pins.ts';
import { followStaleNodes } from './runs/stale-nodes.ts';
import type { Stores } from './stores.ts';
import type { OpenFile } from './text/file.ts';

type Followers = Pick<Stores, 'engine' | 'main' | 'openFiles' | 'liveRuns' | 'pins' | 'notices' | 'selection'>;

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
