import { expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import type { AttemptFailure } from './restate-client.ts';
import { ProgressWatch } from './shared-runs.ts';

const unreachable = { address: 'http://w:1/', isUnreachable: true, reason: 'refused' };

/** Creates a watch, and a client that returns or throws `failures` in order. */
function watchOf(failures: (AttemptFailure | EngineError | undefined)[]) {
  const clock = createManualClock();
  const notes: string[] = [];
  const client = {
    async attemptFailure() {
      const failure = failures.shift();
      if (EngineError.is(failure)) throw failure;
      return failure;
    },
  };
  const onNote = ({ message }: EngineError) => notes.push(message);
  const watch = new ProgressWatch({ client, reference: 'inv_1', workspace: 'orders', clock, onNote });
  const checkLater = async (ms: number, seq: number) => {
    clock.put(ms);
    await watch.check(seq);
    return notes.splice(0);
  };
  return { failures, checkLater };
}

test('a run without events for a while is reported once, and again only after it has continued', async () => {
  const { checkLater } = watchOf([unreachable, unreachable, unreachable]);
  expect(await checkLater(4999, -1)).toEqual([]);
  const [note] = await checkLater(1, -1);
  expect(note).toContain('No worker of workspace orders answers at http://w:1/.');
  expect(await checkLater(60_000, -1)).toEqual([]);
  expect(await checkLater(60_000, 3)).toEqual([]);
  expect(await checkLater(5000, 3)).toHaveLength(1);
});

test('a run with a long step is not reported, and a failure that comes later is', async () => {
  const { failures, checkLater } = watchOf([undefined, { ...unreachable, isUnreachable: false, reason: '503' }]);
  expect(await checkLater(5000, -1)).toEqual([]);
  expect(await checkLater(1000, -1)).toEqual([]);
  expect(failures).toHaveLength(1);
  expect(await checkLater(4000, -1)).toEqual([expect.stringMatching(/cannot continue the run .* 503$/)]);
});

test('a server that cannot be reached is reported', async () => {
  const { checkLater } = watchOf([new EngineError({ code: 'restate.unreachable', message: 'Restate is away' })]);
  expect(await checkLater(5000, -1)).toEqual(['Restate is away']);
});
