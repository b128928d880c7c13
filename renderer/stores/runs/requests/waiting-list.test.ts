import { expect, test } from 'vitest';
import { emptyRunState, foldRun } from '../../../../engine/isomorphic.ts';
import type { EngineResult } from '../../../bridge/engine-client.ts';
import { createEngineStandIn, settled } from '../../../bridge/testing/engine-stand-in.ts';
import { createRunTeller, nodeStart, runStart } from '../../../bridge/testing/run-events.ts';
import { createRunHistory } from '../history/run-history.ts';
import { createWaitingList, waitingNodes } from './waiting-list.ts';

type Entry = EngineResult<'listWaiting'>[number];

function entry(runId: string, name: string, more: Partial<Entry> = {}): Entry {
  const run = { runId, number: 1, flow: 'Report', sourcePath: 'a.flow.yaml' };
  return { ...run, name, key: 'k', kind: 'approval', message: 'Publish?', askedAt: 1000, ...more };
}

const text =
  'flow: { name: Report }\nnodes: [{ id: check, name: Editor, type: human_approval, input: { title: x } }]\nedges: []\n';

async function listOf(entries: readonly Entry[]) {
  const engine = createEngineStandIn({
    listRuns: () => [],
    listWaiting: () => entries,
    readDefinition: () => text,
    readEvents: () => [],
  });
  const list = createWaitingList(engine.client, createRunHistory(engine.client));
  engine.connect();
  const end = list.getState().follow();
  while (list.getState().isLoading) await settled();
  end();
  const reads = engine.calls.filter((name) => name.startsWith('read'));
  return { items: list.getState().items, reads };
}

test('nodes have the names on their cards with their item in a loop, and requests with a deadline come before older ones', async () => {
  const { items } = await listOf([
    entry('r1', 'each[3].check', { askedAt: 5 }),
    entry('r1', 'check', { askedAt: 9, deadlineAt: 90 }),
    entry('r2', 'gone', { askedAt: 4 }),
  ]);
  expect(items.map(({ name, since, run }) => [name, since, run.runId])).toEqual([
    ['Editor', 9, 'r1'],
    ['gone', 4, 'r2'],
    ['Editor, item 4', 5, 'r1'],
  ]);
});

test('10,000 requests are listed with few reads, whether they are in one run or in one run each', async () => {
  const ofOne = Array.from({ length: 10_000 }, (_, index) => entry('r1', `each[${index}].check`));
  const one = await listOf(ofOne);
  expect([one.items.length, one.items[9_999]?.name, one.reads]).toEqual([
    10_000,
    'Editor, item 10,000',
    ['readDefinition'],
  ]);
  const many = await listOf(Array.from({ length: 10_000 }, (_, index) => entry(`r${index}`, 'check')));
  expect([many.items.length, many.reads.length]).toEqual([10_000, 100]);
});

test('finds requests in a running run, but not nodes interrupted by a crash, which cannot be answered yet', () => {
  const teller = createRunTeller('r1');
  teller.tell(runStart('a.flow.yaml'));
  const request = { kind: 'approval', title: 'Publish?' } as const;
  for (const nodeId of ['check', 'cut', 'works']) teller.tell(nodeStart(nodeId), nodeId);
  teller.tell({ type: 'approval:requested', nodeId: 'check', key: 'k', requestHash: 'h', request }, 'check');
  for (const nodeId of ['check', 'cut'])
    teller.tell({ type: 'node:suspended', nodeId, request: { reason: 'approval', message: '' } }, nodeId);
  const goesOn = foldRun(emptyRunState, teller.events);
  expect(goesOn.status).toBe('running');
  expect(waitingNodes(goesOn, null).map(({ nodeId }) => nodeId)).toEqual(['check']);
});
