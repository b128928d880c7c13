import { expect, test } from 'vitest';
import { WatchedChanges } from './watched-changes.ts';

/** Returns whether a change is waiting. */
async function hasNext(changes: WatchedChanges): Promise<boolean> {
  return await Promise.race([
    changes.next().then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
  ]);
}

test('what a command writes each time does not start it again, but edits do', async () => {
  const changes = new WatchedChanges();
  changes.add([]);
  const run = (...paths: readonly string[]): Promise<void> => changes.during(async () => changes.add(paths));
  await run('report.xml', 'a.flow.yaml');
  expect(await hasNext(changes)).toBe(true);
  await run('report.xml', 'a.flow.yaml');
  expect(await hasNext(changes)).toBe(true);
  await run('report.xml');
  expect(await hasNext(changes)).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  changes.add(['report.xml']);
  expect(await hasNext(changes)).toBe(true);
  await run();
  changes.end();
  expect(await hasNext(changes)).toBe(true);
});
