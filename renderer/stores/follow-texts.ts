/**
 * What the window knows of a text beside the text itself: its runs, pins and selection. All of it follows the text.
 */
import { followSelection } from './follow-selection.ts';
import { loosenOutdatedRuns } from './runs/loosen-outdated-runs.ts';
import { followPins } from './runs/pins.ts';
import { followStaleNodes } from './runs/stale-nodes.ts';
import type { Stores } from './stores.ts';
import type { OpenFile } from './text/file.ts';

type Followers = Pick<Stores, 'engine' | 'main' | 'openFiles' | 'liveRuns' | 'pins' | 'notices' | 'selection'>;

/** Returns the subscriptions' ends. */
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
