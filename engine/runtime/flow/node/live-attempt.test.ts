import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { createHub, type Hub } from '../../kernel/hub/hub.ts';
import { LiveAttempt } from './live-attempt.ts';
import type { NodeJob } from './node-job.ts';

test('work waits until its events are stored, and not at all if they are', async () => {
  const { hub } = createHub({ runId: asRunId('run'), sessionId: asSessionId('session') });
  const done: string[] = [];
  const work = async (own: Hub): Promise<void> => {
    own.emit({ type: 'log', level: 'info', text: 'a' });
    await own.whenStored?.();
    done.push('first');
    await own.whenStored?.();
    done.push('second');
  };
  // The attempt uses nothing but the hub.
  const attempt = new LiveAttempt({ hub } as NodeJob, async (job) => {
    await work(job.hub);
    return { kind: 'value', value: null };
  });
  expect((await attempt.next()).told).toHaveLength(1);
  expect(done).toEqual([]);
  expect(await attempt.next()).toEqual({ end: { kind: 'value', value: null }, told: [] });
  expect(done).toEqual(['first', 'second']);
});
