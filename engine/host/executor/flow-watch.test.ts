import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { WatchedChange } from '../../world/files/flow-watcher.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { createSharedFlowWatch, type SharedFlowWatch } from './flow-watch.ts';

const patienceMs = 20_000;

let folder: TestFolder;
let watch: SharedFlowWatch;
beforeEach(() => {
  folder = createTestFolder();
  watch = createSharedFlowWatch({
    workspace: folder.path,
    clock: systemClock,
    onFailure: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  await watch.close();
  folder.remove();
});

/** Waits until listeners were notified about changes before the watch. */
async function untilAllTold(told: readonly (readonly string[])[]): Promise<void> {
  await vi.waitFor(() => expect(told).toContainEqual([]), patienceMs);
}

test('each listener is notified once that everything may have changed before the watch, and then misses nothing', async () => {
  folder.write('a.flow.yaml', '1');
  const flows: (readonly string[])[] = [];
  const files: WatchedChange[] = [];
  watch.subscribe((paths) => flows.push(paths));
  watch.subscribeToFiles((change) => files.push(change));
  // Before the system watches for changes.
  folder.write('a.flow.yaml', '2');
  folder.write('b.md', '1');
  await untilAllTold(flows);
  await vi.waitFor(() => expect(files).toContainEqual({ paths: [], isTree: true }), patienceMs);

  folder.write('a.flow.yaml', '3');
  await vi.waitFor(() => expect(flows).toContainEqual(['a.flow.yaml']), patienceMs);
  folder.write('b.md', '2');
  await vi.waitFor(() => expect(files.flatMap(({ paths }) => paths)).toContain('b.md'), patienceMs);
  expect(flows.filter((paths) => paths.length === 0)).toHaveLength(1);
});

test('a later listener is notified in the same way, and earlier ones are not notified again', async () => {
  const first: (readonly string[])[] = [];
  watch.subscribe((paths) => first.push(paths));
  await untilAllTold(first);
  const second: (readonly string[])[] = [];
  watch.subscribe((paths) => second.push(paths));
  await untilAllTold(second);
  expect(first).toEqual([[]]);
});

test('a removed listener is not notified', async () => {
  const ended = vi.fn();
  watch.subscribe(ended)();
  const staying: (readonly string[])[] = [];
  watch.subscribe((paths) => staying.push(paths));
  await untilAllTold(staying);
  expect(ended).not.toHaveBeenCalled();
});
