import { expect, test } from 'vitest';
import { emptyRunState, foldRun, type RunEvent } from '../../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart } from '../../../bridge/testing/run-events.ts';
import { countAtWork, countDone } from './loop-progress.ts';

const loopStart: RunEvent = { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' };
const boom: RunEvent = {
  type: 'task:failed',
  taskId: 'node:each[1].a',
  nodeId: 'each[1].a',
  error: { code: 'node.failed', message: 'no' },
  durationMs: 1,
  attempts: 1,
};

test('an item is done when its whole body has ended, or when one of its nodes failed and nothing is running', () => {
  const teller = createRunTeller('r1');
  for (const event of [
    loopStart,
    nodeStart('each[0].a'),
    nodeComplete('each[0].a'),
    nodeStart('each[1].a'),
    boom,
    { type: 'node:skipped', nodeId: 'each[0].b', reason: 'when' } as const,
    nodeStart('each[2].a'),
    nodeComplete('each[2].a'),
    nodeStart('each[3].a'),
  ]) {
    teller.tell(event);
  }
  const each = foldRun(emptyRunState, teller.events).tallies.loops.get('each')!;
  expect([countDone(each, 2), countAtWork(each)]).toEqual([2, 1]);
});
