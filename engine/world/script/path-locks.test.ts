import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { withPathLock } from './path-locks.ts';
import { createScriptHost } from './script-host.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld();
});
afterEach(() => at.end());

const { signal } = new AbortController();

/** Creates a promise that stays pending until it is released. */
function createGate(): { readonly gate: Promise<void>; readonly release: () => void } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { gate, release };
}

test('work on one path runs sequentially and in order, even after a failure', async () => {
  const log: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
    };
  const all = [
    withPathLock(['/a'], work('one', true)),
    withPathLock(['/a', '/b'], work('two')),
    withPathLock(['/b'], work('three')),
  ];
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(log).toEqual(['one starts', 'one ends', 'two starts', 'two ends', 'three starts', 'three ends']);
});

test('work on other paths does not wait', async () => {
  const { gate, release } = createGate();
  const held = withPathLock(['/a'], () => gate);
  expect(await withPathLock(['/b'], async () => 'done')).toBe('done');
  release();
  await held;
});

test('two runs that write the same file lose no changes', async () => {
  at.folder.write('workspace/code.txt', Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(''));
  const hosts = ['run-1', 'run-2'].map((id) => createScriptHost(at.world, { ...at.scope, runId: id as RunId }));
  await Promise.all(
    Array.from({ length: 20 }, async (_, line) => {
      const host = hosts[line % 2];
      const changes = `<<<<<<< SEARCH\nline ${line}\n=======\nchanged ${line}\n>>>>>>> REPLACE\n`;
      await host?.['file.saveChanges']({ path: line % 3 === 0 ? './code.txt' : 'code.txt', changes }, signal);
      await host?.['file.write']({ path: 'log.txt', content: `${line}\n`, mode: 'append' }, signal);
    }),
  );
  const lines = (file: string): string[] =>
    readFileSync(at.folder.at(`workspace/${file}`), 'utf8')
      .trimEnd()
      .split('\n');
  expect(lines('code.txt')).toEqual(Array.from({ length: 20 }, (_, line) => `changed ${line}`));
  expect(
    lines('log.txt')
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual(Array.from({ length: 20 }, (_, line) => line));
});

test('a script that was stopped while it waited writes nothing', async () => {
  const controller = new AbortController();
  const { gate, release } = createGate();
  const path = at.folder.at('workspace/a.md');
  const held = withPathLock([path], () => gate);
  const host = createScriptHost(at.world, at.scope);
  const write = host['file.write']({ path: 'a.md', content: 'x', mode: 'overwrite' }, controller.signal);
  const failure = write.catch((error: unknown) => error);
  const reason = new Error('stop');
  controller.abort(reason);
  release();
  await held;
  expect(await failure).toBe(reason);
  expect(() => readFileSync(path)).toThrow('ENOENT');
});
