import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId, type EventEnvelope, type RunEvent } from '../../../engine/isomorphic.ts';
import { createEngineStandIn } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { createStores, type Stores } from '../stores.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';
import type { NumberedRun } from './history-actions.ts';

const path = 'a.flow.yaml';
const text = `flow: { name: One }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: b, name: Greet, type: echo, input: { text: x } }
  - { id: c, type: echo, input: { text: x } }
edges: []`;

/** Returns the events of a run in which the nodes produced these texts. */
function told(runId: string, outputs: Readonly<Record<string, string>>): readonly EventEnvelope[] {
  const run = createRunTeller(runId);
  run.tell(runStart(path));
  for (const [nodeId, output] of Object.entries(outputs)) {
    run.tell(nodeStart(nodeId));
    run.tell({ ...nodeComplete(nodeId), result: { text: output } } as RunEvent);
  }
  run.tell(runEnd('completed'));
  return run.events;
}

function numbered(number: number): NumberedRun {
  return { runId: asRunId(`r${number}`), number, sourcePath: path };
}

let logs: Map<string, readonly EventEnvelope[]>;
let stores: Stores;
beforeEach(() => {
  logs = new Map();
  const engine = createEngineStandIn({
    readNotices: () => [],
    listFlows: () => [],
    listAgents: () => [],
    listRuns: () => [],
    readFlow: () => ({ text }),
    getRun: (runId) => ({
      ...{ runId, number: 1, kind: 'flow', name: 'One', sourcePath: path, definitionHash: 'h', status: 'completed' },
      ...{ startedAt: 0, failedNodes: [] },
    }),
    readDefinition: () => text,
    readEvents: (runId, afterSeq) => (logs.get(runId) ?? []).filter(({ seq }) => seq > afterSeq),
  });
  stores = createStores({
    engine: engine.client,
    main: createMainStandIn().client,
    documents: createDirectDocuments(),
    nextFrame: (callback) => {
      callback();
      return () => undefined;
    },
  });
  engine.connect();
});
afterEach(() => stores.dispose());

test('opens the run beside the other one, shows which nodes differ and selects the first of them', async () => {
  logs.set('r1', told('r1', { a: 'same', b: 'old' }));
  logs.set('r2', told('r2', { a: 'same', b: 'new', c: 'more' }));
  await stores.runs.compare(numbered(2), numbered(1));
  const { runs, shown } = stores.liveRuns.getState();
  expect([shown.get(path)?.runId, runs.get('r2')?.comparedWith]).toEqual(['r2', 'r1']);
  expect(stores.notices.getState().list).toMatchObject([
    { tone: 'info', title: 'Run 2 compared with run 1', detail: 'Different outputs: Greet, c.' },
  ]);
  expect(stores.selection.getState().views.get(path)?.nodeId).toBe('b');
  expect(stores.panes.getState()).toMatchObject({ isOpen: { inspector: true }, nodeTab: 'output' });
});

test('runs with equal outputs do not change the selection', async () => {
  for (const runId of ['r1', 'r2']) logs.set(runId, told(runId, { a: 'same' }));
  await stores.runs.compare(numbered(2), numbered(1));
  expect(stores.notices.getState().list).toMatchObject([{ detail: 'All nodes have the same output.' }]);
  expect(stores.selection.getState().views.get(path)?.nodeId ?? null).toBeNull();
});
