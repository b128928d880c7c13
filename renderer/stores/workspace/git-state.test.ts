import { expect, test } from 'vitest';
import { createEngineStandIn, settled } from '../../bridge/testing/engine-stand-in.ts';
import { createGitState } from './git-state.ts';

test('reads once more for all requests made during a read', async () => {
  let changed = 0;
  const engine = createEngineStandIn({ readGit: () => ({ branch: 'main', changed: ++changed }) });
  engine.connect();
  const git = createGitState(engine.client);
  await Promise.all([1, 2, 3, 4].map(() => git.getState().refresh()));
  expect(git.getState()).toMatchObject({ branch: 'main', changed: 2 });
  await git.getState().refresh();
  expect(git.getState().changed).toBe(3);
});

test('is empty without a repository, and does not change if nothing can be read', async () => {
  let git: { branch: string; changed: number } | null = { branch: 'main', changed: 1 };
  let isBroken = false;
  const engine = createEngineStandIn({
    readGit: () => {
      if (isBroken) throw new Error('gone');
      return git;
    },
  });
  engine.connect();
  const state = createGitState(engine.client);
  await state.getState().refresh();
  isBroken = true;
  await state.getState().refresh();
  expect(state.getState()).toMatchObject({ branch: 'main', changed: 1 });
  [isBroken, git] = [false, null];
  await state.getState().refresh();
  await settled();
  expect(state.getState()).toMatchObject({ branch: null, changed: 0 });
});
