import { appendFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { type FlowWatch, type WatchedChange, watchFlows } from './flow-watcher.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
let watch: FlowWatch | undefined;
let told: (readonly string[])[];
let reportedFiles: WatchedChange[];
beforeEach(() => {
  folder = createTestFolder();
  told = [];
  reportedFiles = [];
});
afterEach(async () => {
  await watch?.end();
  folder.remove();
});

async function start(): Promise<void> {
  watch = watchFlows({
    workspace: folder.path,
    clock: systemClock,
    onChange: (paths) => told.push(paths),
    onFiles: (change) => reportedFiles.push(change),
    onFailure: (error) => {
      throw error;
    },
  });
  await watch.ready;
}

/** Waits until all of these paths were reported, then clears the reports. */
async function expectTold(...paths: string[]): Promise<void> {
  await expect.poll(() => [...new Set(told.flat())].sort(), { timeout: 5_000 }).toEqual(paths);
  told.length = 0;
}

/** Causes a change that is certain to be reported. Anything not reported before it will not be. */
async function expectNothingElse(): Promise<void> {
  folder.write('end.flow.yaml', String(performance.now()));
  await expectTold('end.flow.yaml');
}

test('reports flows that are added, changed and removed, also in new folders', async () => {
  folder.write('a.flow.yaml', '1');
  await start();
  folder.write('a.flow.yaml', '2');
  await expectTold('a.flow.yaml');
  folder.write('new/deep/b.flow.yaml', '1');
  await expectTold('new/deep/b.flow.yaml');
  renameSync(folder.at('new'), folder.at('moved'));
  await expectTold('moved/deep/b.flow.yaml', 'new/deep/b.flow.yaml');
  rmSync(folder.at('a.flow.yaml'));
  await expectTold('a.flow.yaml');
});

test('reports an atomic save as one change of the file', async () => {
  folder.write('a.flow.yaml', '1');
  await start();
  await writeFileAtomically(folder.at('a.flow.yaml'), '2');
  await expectTold('a.flow.yaml');
  await writeFileAtomically(folder.at('a.flow.yaml'), '3');
  await expectTold('a.flow.yaml');
});

test('ignores other files and third-party folders', async () => {
  await start();
  folder.write('notes.md', 'x');
  folder.write('node_modules/p/x.flow.yaml', 'x');
  folder.write('.millrace/x.flow.yaml', 'x');
  await expectNothingElse();
});

test('reports an empty list when the git state changes: a commit, a staged file, another branch', async () => {
  folder.git('init', '-q');
  folder.write('ws/a.flow.yaml', '1');
  folder.git('add', '.');
  await start();
  const steps = [
    ['commit', '-q', '-m', 'Start'],
    ['rm', '-q', '--cached', 'ws/a.flow.yaml'],
    ['reset', '-q'],
    ['checkout', '-q', '-b', 'other'],
    ['commit', '-q', '--allow-empty', '-m', 'Empty'],
  ];
  for (const step of steps) {
    folder.git(...step);
    await expect.poll(() => told.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect(told.flat()).toEqual([]);
    told.length = 0;
  }
});

describe('for all files', () => {
  let reportedBefore: readonly string[] = [];
  beforeEach(() => {
    reportedBefore = [];
  });

  /**
   * Waits until exactly these changes were reported, then clears the reports. A busy system may repeat earlier changes.
   */
  async function expectChange(paths: readonly string[], isTree: boolean): Promise<void> {
    const told = () => [...new Set(reportedFiles.flatMap((change) => change.paths))].sort();
    const reportedNew = () => told().filter((path) => paths.includes(path) || !reportedBefore.includes(path));
    await expect.poll(reportedNew, { timeout: 5_000 }).toEqual([...paths].sort());
    reportedBefore = paths;
    expect(reportedFiles.some((change) => change.isTree)).toBe(isTree);
    reportedFiles.length = 0;
  }

  test('reports additions, changes and removals without watching each file', async () => {
    folder.write('notes/a.aip', '1');
    folder.write('b.flow.yaml', '1');
    await start();
    appendFileSync(folder.at('notes/a.aip'), '2');
    await expectChange(['notes/a.aip'], false);
    appendFileSync(folder.at('b.flow.yaml'), '2');
    await expectChange(['b.flow.yaml'], false);
    folder.write('notes/new.md', '1');
    await expectChange(['notes/new.md'], true);
    rmSync(folder.at('notes/a.aip'));
    await expectChange(['notes/a.aip'], true);
    expect(told.flat()).toEqual(['b.flow.yaml']);
  });

  test('reports an atomic save only under the name of the file', async () => {
    folder.write('a.md', '1');
    await start();
    await writeFileAtomically(folder.at('a.md'), '2');
    await expectChange(['a.md'], true);
  });

  test('reports folders for everything in them, and continues in new folders', async () => {
    folder.write('old/a.md', '1');
    await start();
    renameSync(folder.at('old'), folder.at('new'));
    await expectChange(['new', 'old'], true);
    await expect
      .poll(
        () => {
          appendFileSync(folder.at('new/a.md'), '2');
          return reportedFiles.flatMap(({ paths }) => paths);
        },
        { interval: 200, timeout: 5_000 },
      )
      .toContain('new/a.md');
  });

  test('reports nothing for files that programs keep, and no names when the git state changes', async () => {
    folder.git('init', '-q');
    folder.write('.millrace/x', '1');
    folder.write('a.md', '1');
    folder.git('add', '.');
    await start();
    appendFileSync(folder.at('.millrace/x'), '2');
    appendFileSync(folder.at('a.md'), '2');
    await expectChange(['a.md'], false);
    reportedFiles.length = 0;
    // Done last, because git writes several files, and the number of notifications depends on the system.
    folder.git('commit', '-q', '-a', '-m', 'Start');
    await expect.poll(() => reportedFiles.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect(reportedFiles[0]).toEqual({ paths: [], isTree: true });
  });
});

test('reports nothing after it has ended', async () => {
  folder.write('a.flow.yaml', '1');
  await start();
  folder.write('a.flow.yaml', '2');
  await watch?.end();
  const second: (readonly string[])[] = [];
  const other = watchFlows({
    workspace: folder.path,
    clock: systemClock,
    onChange: (paths) => second.push(paths),
    onFiles: () => undefined,
    onFailure: () => undefined,
  });
  await other.ready;
  folder.write('a.flow.yaml', '3');
  await expect.poll(() => second.length, { timeout: 5_000 }).toBeGreaterThan(0);
  await other.end();
  expect(told).toEqual([]);
});
