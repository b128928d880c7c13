import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asRunId, EngineError } from '../../../engine/isomorphic.ts';
import { createEngineStandIn, type EngineStandIn, settled } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { createStores, type Stores } from '../stores.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';
import { shownStateOf } from './shown-run.ts';
import { staleAskDelayMs } from './stale-nodes.ts';

const path = 'a.flow.yaml';
const flowText = (a: string, more = '') => `flow: { name: One }
nodes:
  - { id: a, type: echo, input: { text: ${a} } }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [say] } }
  - { id: say, type: echo, input: { text: "{{item}} {{a.text}}" } }
  - { id: off, type: echo, input: { text: x }, disabled: true }
edges: [{ from: a, to: each }]
${more}`;

let engine: EngineStandIn;
let stores: Stores;
let asked: (string | undefined)[];
/** The content of every schema file. */
let held: string;
let plan: () => {
  nodeId: string;
  fate: 'reused' | 'runs' | 'maybe';
  why: string;
  whyParts: (string | { nodeId: string })[];
}[];

const a = {
  nodeId: 'a',
  fate: 'runs' as const,
  why: 'its definition has changed',
  whyParts: ['its definition has changed'],
};
const each = {
  nodeId: 'each',
  fate: 'maybe' as const,
  why: 'its input depends on a, and is known only then',
  whyParts: ['its input depends on ', { nodeId: 'a' }, ', and is known only then'],
};
const off = {
  nodeId: 'off',
  fate: 'runs' as const,
  why: 'it is disabled, so it is skipped',
  whyParts: ['it is disabled, so it is skipped'],
};

beforeEach(async () => {
  asked = [];
  held = 'first';
  plan = () => [a, each, off];
  engine = createEngineStandIn({
    readNotices: () => [],
    listFlows: () => [],
    listAgents: () => [],
    listRuns: () => [],
    readFlow: () => ({ text: flowText('hi') }),
    readDefinition: () => flowText('hi'),
    readSchemas: ({ names }) => names.map((name) => [name, { schema: { title: held } }]),
    planRerun: ({ text, nodeId }) => {
      expect(nodeId).toBeUndefined();
      asked.push(text);
      return plan();
    },
    getRun: (runId) => ({
      runId,
      number: 1,
      kind: 'flow',
      name: 'F',
      sourcePath: path,
      definitionHash: 'h',
      status: 'completed',
      startedAt: 1,
      failedNodes: [],
    }),
  });
  const documents = createDirectDocuments();
  stores = createStores({
    engine: engine.client,
    main: createMainStandIn().client,
    documents,
    nextFrame(callback) {
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  });
  engine.connect();
  await stores.openFiles.getState().open(path);
  const run = createRunTeller('r1');
  run.tell(runStart(path));
  for (const nodeId of ['a', 'each']) {
    run.tell(nodeStart(nodeId));
    run.tell(nodeComplete(nodeId));
  }
  run.tell(runEnd('completed'));
  engine.push('subscribe', run.events);
  await settled();
  stores.liveRuns.getState().setDefinition(asRunId('r1'), stores.openFiles.getState().files.get(path)!);
});

afterEach(() => stores.dispose());

/** Types a text, and waits until the engine could have been called. */
async function type(text: string): Promise<void> {
  const before = stores.openFiles.getState().files.get(path)?.text ?? '';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stores.edits.type(path, [{ start: 0, end: before.length, text }]);
  await stores.openFiles.getState().checked(path);
  await vi.advanceTimersByTimeAsync(staleAskDelayMs);
  vi.useRealTimers();
  await settled();
}

function states(): Record<string, string> {
  const run = stores.liveRuns.getState().runs.get('r1')!;
  return Object.fromEntries(
    ['a', 'each', 'say', 'off'].map((nodeId) => [
      nodeId,
      shownStateOf(run, { nodeId, place: nodeId, isTolerated: false }),
    ]),
  );
}

const asRan = { a: 'completed', each: 'completed', say: 'idle', off: 'idle' };

test('an edit keeps the run on screen and marks all nodes that a full plan would run or may run, including bodies of loops', async () => {
  await type(flowText('ho'));
  expect(asked).toEqual([flowText('ho')]);
  expect(states()).toEqual({ a: 'stale', each: 'stale', say: 'stale', off: 'stale' });
  const stale = stores.liveRuns.getState().runs.get('r1')?.stale;
  expect([stale?.get('a'), stale?.get('say')]).toEqual([a.why, `its loop each runs again: ${each.why}`]);
  expect(stores.liveRuns.getState().runs.get('r1')?.state.nodes.get('a')?.output).toEqual({ text: 'x' });
});

test('reasons use the current names of nodes', async () => {
  const named = flowText('ho')
    .replace('id: a,', 'id: a, name: Greet,')
    .replace('id: each,', 'id: each, name: For each,');
  await type(named);
  const whyOf = (nodeId: string) => stores.liveRuns.getState().runs.get('r1')?.stale.get(nodeId);
  expect(whyOf('each')).toBe('its input depends on Greet, and is known only then');
  expect(whyOf('say')).toBe('its loop For each runs again: its input depends on Greet, and is known only then');
  await type(named.replace('Greet', 'Welcome'));
  expect(whyOf('each')).toBe('its input depends on Welcome, and is known only then');
});

test('restoring the text removes the marks without a request', async () => {
  await type(flowText('ho'));
  await type(flowText('hi'));
  expect([asked.length, states()]).toEqual([1, asRan]);
});

test('positions, notes, names and comments cause no request and mark nothing', async () => {
  await type(`${flowText('hi', 'layout: { nodes: { a: [10, 20] } }')}# a comment\n`);
  await type(flowText('hi').replace('id: a,', 'id: a, name: Greet, policy: { timeoutMs: 5 },'));
  expect([asked, states()]).toEqual([[], asRan]);
});

test('an invalid text does not change the marks', async () => {
  await type(flowText('ho'));
  await type(flowText('ho').replace('type: echo', 'type: ech'));
  await type('nodes: [');
  expect([asked.length, states()['a']]).toEqual([1, 'stale']);
});

test('an error of the planner does not change the run', async () => {
  plan = () => {
    throw new EngineError({ code: 'run.not-found', message: 'Run r1 does not exist.' });
  };
  await type(flowText('ho'));
  expect([asked.length, states()]).toEqual([1, asRan]);
});

test('a plan that arrives after the text has changed again marks nothing', async () => {
  const { edits, openFiles } = stores;
  plan = () => {
    edits.type(path, [{ start: 0, end: flowText('ho').length, text: flowText('hi') }]);
    return [a];
  };
  await type(flowText('ho'));
  await openFiles.getState().checked(path);
  expect(states()).toEqual(asRan);
});

test('the first edit causes a request at once, and those that follow closely share one', async () => {
  const typeQuickly = async (text: string): Promise<void> => {
    const before = stores.openFiles.getState().files.get(path)?.text ?? '';
    stores.edits.type(path, [{ start: 0, end: before.length, text }]);
    await stores.openFiles.getState().checked(path);
    await vi.advanceTimersByTimeAsync(1);
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await typeQuickly(flowText('h'));
  await typeQuickly(flowText('ho'));
  await typeQuickly(flowText('hoo'));
  const atOnce = [...asked];
  await vi.advanceTimersByTimeAsync(staleAskDelayMs);
  vi.useRealTimers();
  expect([atOnce, asked]).toEqual([[flowText('h')], [flowText('h'), flowText('hoo')]]);
});

test('BB-05 a changed schema file causes a request, even if the text is that of the run', async () => {
  const text = flowText('hi').replace(
    'nodes:\n',
    'nodes:\n  - { id: read, type: json.parse, input: { text: "1" }, config: { schemaFile: one.json } }\n',
  );
  await type(text);
  stores.liveRuns.getState().setDefinition(asRunId('r1'), stores.openFiles.getState().files.get(path)!);
  await vi.waitFor(() => expect(stores.openFiles.getState().files.get(path)?.schemas.size).toBe(1), 20_000);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), 20_000);
  held = 'second';
  plan = () => [{ ...a, nodeId: 'read' }];
  engine.push('watchFiles', { paths: ['one.json'], isTree: false });
  await vi.waitFor(
    () => expect([...(stores.liveRuns.getState().runs.get('r1')?.stale ?? [])].map(([id]) => id)).toEqual(['read']),
    20_000,
  );
});
