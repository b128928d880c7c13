import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asRunId, EngineError, type RunComparison, type RunSummary } from '../../../../engine/isomorphic.ts';
import { createEngineStandIn } from '../../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../../bridge/testing/main-stand-in.ts';
import { createRunTeller, runEnd, runStart } from '../../../bridge/testing/run-events.ts';
import { createStores, type Stores } from '../../stores.ts';
import { createDirectDocuments } from '../../testing/direct-documents.ts';
import { showsTable, stepDifference } from '../run-picks.ts';
import { flowOnScreen, selectShownDefinition } from '../shown-run.ts';

const path = 'a.flow.yaml';
const text = `flow: { name: One }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: b, name: Greet, type: echo, input: { text: x } }
  - { id: c, type: echo, input: { text: x } }
edges: []`;

/** What the engine answers. */
let comparison: () => RunComparison;
let texts: Map<string, string>;
let stores: Stores;
beforeEach(() => {
  texts = new Map();
  const figures = { status: 'completed', tokens: 0, unpricedCalls: 0 } as const;
  comparison = () => ({ runs: { a: figures, b: figures }, nodes: [], edges: [], differing: ['b', 'old'] });
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
    readDefinition: (runId) => texts.get(runId) ?? text,
    compareRuns: () => comparison(),
    readEvents: (runId, afterSeq) => {
      const run = createRunTeller(runId);
      run.tell(runStart(path));
      run.tell(runEnd('completed'));
      return run.events.filter(({ seq }) => seq > afterSeq);
    },
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

/** Returns the flow as views show it. */
function onScreen() {
  const definition = selectShownDefinition(stores.liveRuns.getState(), path);
  return flowOnScreen(stores.openFiles.getState().files.get(path), definition);
}

function summary(number: number, more: Partial<RunSummary> = {}): RunSummary {
  return {
    ...{ runId: asRunId(`r${number}`), number, kind: 'flow', name: 'One', sourcePath: path, definitionHash: 'h' },
    ...{ status: 'completed', startedAt: 0, failedNodes: [], ...more },
  };
}

test('compares two chosen runs on the canvas of their flow, with the nodes that only the first flow has', async () => {
  texts.set('r1', `${text}\n# older`.replace('{ id: c,', '{ id: old, type: echo, input: { text: x } }\n  - { id: c,'));
  stores.runPicks.getState().toggle(summary(2));
  stores.runPicks.getState().toggle(summary(1));
  await vi.waitFor(() => expect(stores.selection.getState().views.get(path)?.nodeId).toBe('b'));
  const { runs, shown } = stores.liveRuns.getState();
  expect(shown.get(path)?.runId).toBe('r2');
  // The older run is the first one, in whichever order they were chosen.
  const comparison = runs.get('r2')?.comparison;
  expect(comparison).toMatchObject({ request: { a: 'r1', b: 'r2' }, numbers: { a: 1, b: 2 } });
  expect([...(comparison?.ghosts ?? [])]).toEqual(['old']);
  expect(onScreen()?.doc?.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'old']);
  expect(onScreen()?.readOnlyReason).toContain('end the comparison');
  expect(stores.panes.getState()).toMatchObject({ isOpen: { inspector: true, dock: true }, nodeTab: 'compare' });

  expect(stepDifference(stores, path, 1)).toBe(true);
  expect(stores.selection.getState().views.get(path)?.nodeId).toBe('old');
  expect(stepDifference(stores, path, 1)).toBe(false);

  stores.runPicks.getState().clear();
  expect(stores.liveRuns.getState().runs.get('r2')?.comparison).toBeNull();
  expect(onScreen()?.doc?.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('compares the shown run with the first one that is chosen, and more than two in a table', async () => {
  const picks = stores.runPicks.getState;
  picks().toggle(summary(1), summary(2));
  expect(picks().picked.map(({ number }) => number)).toEqual([2, 1]);
  expect(showsTable(picks(), path)).toBe(false);
  picks().toggle(summary(3));
  expect(showsTable(picks(), path)).toBe(true);
  picks().toggle(summary(3));
  expect(picks().picked.map(({ number }) => number)).toEqual([2, 1]);
  // A run of another flow replaces the chosen ones. Active runs and agents cannot be chosen.
  picks().toggle(summary(4, { sourcePath: 'other.flow.yaml' }));
  picks().toggle(summary(5, { sourcePath: 'other.flow.yaml', status: 'running' }));
  picks().toggle(summary(6, { sourcePath: 'other.flow.yaml', kind: 'agent' }));
  expect(picks().picked.map(({ number }) => number)).toEqual([4]);
});

test('says why two runs cannot be compared', async () => {
  comparison = () => {
    throw new EngineError({ code: 'run.too-long', message: 'The log of run "r1" is too long to compare.' });
  };
  await stores.runs.compare(summary(1), summary(2));
  expect(stores.notices.getState().list).toMatchObject([
    { tone: 'error', title: "Couldn't compare the runs", detail: 'The log of run "r1" is too long to compare.' },
  ]);
  expect(stores.liveRuns.getState().runs.get('r2')?.comparison).toBeNull();
});
