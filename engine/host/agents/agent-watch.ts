/**
 * Detects changes to an agent: to its file, the scripts next to it, and its pack.
 */
import { dirname, join } from 'node:path';
import { watch } from 'chokidar';
import type { Clock } from '../../base/clock.ts';
import type { AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';

/** Changes within this time, in milliseconds, are reported together, because editors write a file in several steps. */
const gatherMs = 200;

/**
 * Starts a watch. Resolves, as soon as no change can be missed, to a function that ends the watch.
 * @param onChange called once after the last of several changes
 */
export async function watchAgent(place: AgentLocation, onChange: () => void, clock: Clock): Promise<() => void> {
  const folder = dirname(place.file);
  const watched = place.pack === undefined ? [place.file, join(folder, 'lua')] : [place.pack.folder, place.file];
  let endTimer: (() => void) | undefined;
  const watcher = watch(watched, { ignoreInitial: true, followSymlinks: false, atomic: true });
  watcher.on('all', () => {
    endTimer?.();
    endTimer = clock.setTimer(onChange, gatherMs);
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return () => {
    endTimer?.();
    void watcher.close();
  };
}
