import { expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { envelopes } from '../../testing/run-samples.ts';
import { publicStatus, transitionsOf } from './run-records.ts';

const runId = asRunId('r1');

test('13.14 a paused run is not shown as one that waits for an approval', () => {
  expect(publicStatus({ status: 'suspended', waitStatus: 'PAUSED' })).toBe('PAUSED');
  expect(publicStatus({ status: 'suspended' })).toBe('PENDING_APPROVAL');
  const events: RunEvent[] = [
    { type: 'run:start', kind: 'flow', name: 'A', sourcePath: 'a', definitionHash: 'h', inputs: {} },
    { type: 'run:suspended', reason: 'paused', nodeId: 'b' },
    { type: 'run:resumed', action: 'step' },
    { type: 'run:suspended', reason: 'user_input', nodeId: 'b' },
    { type: 'run:resumed' },
    { type: 'run:suspended', reason: 'operator', nodeId: 'b' },
  ];
  expect(transitionsOf(envelopes(runId, events), runId)).toEqual([
    ...['RUNNING', 'PAUSED', 'RUNNING', 'PENDING_USER_INPUT', 'RUNNING', 'PENDING_APPROVAL'],
  ]);
});
