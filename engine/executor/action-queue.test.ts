import { expect, test } from 'vitest';
import { asRunId } from '../base/ids.ts';
import { createActionQueue } from './action-queue.ts';

function createWorld() {
  const log: string[] = [];
  let release = (): void => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const refuse = async (): Promise<never> => {
    throw new Error('refused');
  };
  const queue = createActionQueue({
    cmdRun: refuse,
    resumeRun: refuse,
    rerunFrom: refuse,
    cmdRunAgent: refuse,
    workConfirm: refuse,
    workCancel: refuse,
    redo: async ({ runId = asRunId('last') }) => {
      log.push(`redo ${runId}`);
      await blocked;
      log.push('redo done');
      return { runId, ended: new Promise(() => {}) };
    },
    cancelRun: async ({ runId }) => {
      log.push(`cancel ${runId}`);
      return undefined;
    },
  });
  return { log, release, queue };
}

const runId = asRunId('r1');

test('a slow action does not keep a later one waiting, and each gives its own answer', async () => {
  const { log, release, queue } = createWorld();
  const redo = queue.send('redo', { runId });
  await queue.send('cancelRun', { runId });
  expect(log).toEqual(['redo r1', 'cancel r1']);
  release();
  expect((await redo).runId).toBe('r1');
});

test('a refused action tells its sender and harms nobody else', async () => {
  const { log, queue } = createWorld();
  const request = { path: 'a', text: '', inputs: {} };
  await expect(queue.send('cmdRun', { request })).rejects.toThrow('refused');
  await queue.send('cancelRun', { runId });
  expect(log).toEqual(['cancel r1']);
});

test('closing refuses new actions and waits for those under way', async () => {
  const { log, release, queue } = createWorld();
  const redo = queue.send('redo', { runId });
  const closed = queue.close().then(() => log.push('closed'));
  await expect(queue.send('cancelRun', { runId })).rejects.toMatchObject({ code: 'engine.closed' });
  release();
  await redo;
  await closed;
  expect(log).toEqual(['redo r1', 'redo done', 'closed']);
});
