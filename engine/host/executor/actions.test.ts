import { expect, test } from 'vitest';
import { Actions } from './actions.ts';

/** Creates work that continues until the test ends it. */
function createWork() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

function watched() {
  const actions = new Actions();
  const log: string[] = [];
  actions.subscribe(({ type }) => log.push(type));
  return { actions, log };
}

test('actions start in order; a slow one does not delay later ones, and each returns its own result', async () => {
  const { actions, log } = watched();
  const slow = createWork();
  const first = actions.run(async () => {
    log.push('redo');
    await slow.ended;
    return 'r1';
  });
  expect(await actions.run(() => log.push('cancel'))).toBe(3);
  expect(log).toEqual(['exec:start', 'redo', 'cancel']);
  slow.end();
  expect(await first).toBe('r1');
  expect(log.at(-1)).toBe('exec:end');
});

test('a rejected action reports the error to its sender, affects no other actions and is not counted anymore', async () => {
  const { actions, log } = watched();
  const refused = actions.run(() => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await actions.run(() => undefined);
  expect(log).toEqual(['exec:start', 'exec:end', 'exec:start', 'exec:end']);
});

test('an action is active until everything it started has ended', async () => {
  const { actions, log } = watched();
  const started = createWork();
  await actions.run(
    () => 'r1',
    () => started.ended,
  );
  await actions.run(() => undefined);
  expect(log).toEqual(['exec:start']);
  started.end();
  await expect.poll(() => log).toEqual(['exec:start', 'exec:end']);
});

test('closing rejects new actions and waits until active ones are handled', async () => {
  const { actions, log } = watched();
  const slow = createWork();
  const first = actions.run(() => slow.ended);
  const closed = actions.close().then(() => log.push('closed'));
  await expect(actions.run(() => undefined)).rejects.toMatchObject({ code: 'engine.closed' });
  expect(log).not.toContain('closed');
  slow.end();
  await first;
  await closed;
  expect(log.at(-1)).toBe('closed');
});
