import { expect, test } from 'vitest';
import { createEngineStandIn, settled } from '../../../bridge/testing/engine-stand-in.ts';
import { allFlows, createRunHistory } from './run-history.ts';

const listed = {
  runId: 'r1',
  number: 1,
  kind: 'flow',
  name: 'Flow',
  sourcePath: 'a.flow.yaml',
  definitionHash: 'h',
  status: 'completed',
  startedAt: 1,
  failedNodes: [],
} as const;

test('runs are listed for one flow or for all', async () => {
  const asked: unknown[] = [];
  const engine = createEngineStandIn({
    listRuns: (params) => {
      asked.push(params);
      return [listed];
    },
  });
  engine.connect();
  const store = createRunHistory(engine.client);
  await store.getState().load('a.flow.yaml');
  await store.getState().load(allFlows);
  expect(asked).toEqual([{ sourcePath: 'a.flow.yaml', limit: 200 }, { limit: 200 }]);
  expect(store.getState().lists.get(allFlows)).toEqual({ runs: [listed], firings: [], status: 'ready', error: '' });
});

test('several refresh requests during one read cause only one more read', async () => {
  const answers: (() => void)[] = [];
  const engine = createEngineStandIn({
    listRuns: () => new Promise((resolve) => answers.push(() => resolve([]))),
  });
  engine.connect();
  const store = createRunHistory(engine.client);
  const loading = store.getState().load('a.flow.yaml');
  await settled();
  for (let count = 0; count < 5; count++) void store.getState().load('a.flow.yaml');
  answers[0]?.();
  await settled();
  answers[1]?.();
  await loading;
  expect(answers).toHaveLength(2);
});

test('a list that cannot be read keeps its entries and shows why', async () => {
  let isBroken = false;
  const engine = createEngineStandIn({
    listRuns: () => {
      if (isBroken) throw new Error('disk');
      return [listed];
    },
  });
  engine.connect();
  const store = createRunHistory(engine.client);
  store.getState().watch(allFlows);
  await settled();
  isBroken = true;
  await store.getState().refresh();
  expect(store.getState().lists.get(allFlows)).toEqual({
    runs: [listed],
    firings: [],
    status: 'failed',
    error: 'disk',
  });
});

test('only watched lists are read again', async () => {
  const asked: (string | undefined)[] = [];
  const engine = createEngineStandIn({
    listRuns: ({ sourcePath }) => {
      asked.push(sourcePath);
      return [];
    },
  });
  engine.connect();
  const store = createRunHistory(engine.client);
  const ends = ['a', 'a', 'b'].map((key) => store.getState().watch(key));
  await settled();
  asked.length = 0;
  ends[0]?.();
  ends[2]?.();
  await store.getState().refresh();
  expect(asked).toEqual(['a']);
  ends[1]?.();
  await store.getState().refresh();
  expect(asked).toEqual(['a']);
});

test('a search matches a number, words, or words followed by a number', async () => {
  let asked: unknown[] = [];
  const engine = createEngineStandIn({
    listRuns: ({ find }) => {
      asked.push(find);
      return find?.number === 7 ? [] : [listed];
    },
  });
  engine.connect();
  const { find } = createRunHistory(engine.client).getState();
  const searchesFor = async (query: string): Promise<unknown[]> => {
    asked = [];
    await find(query);
    return asked;
  };
  expect(await searchesFor('512')).toEqual([{ number: 512 }, { text: '512' }]);
  expect(await searchesFor(' #512 ')).toEqual([{ number: 512 }, { text: '#512' }]);
  expect(await searchesFor('run 512')).toEqual([{ number: 512 }, { text: 'run 512' }]);
  expect(await searchesFor('Nightly build, run 512')).toEqual([
    { text: 'Nightly build', number: 512 },
    { text: 'Nightly build, run 512' },
  ]);
  expect(await searchesFor('nightly 7')).toEqual([{ text: 'nightly', number: 7 }, { text: 'nightly 7' }]);
  expect(await searchesFor('v2')).toEqual([{ text: 'v2' }]);
  expect(await searchesFor('  ')).toEqual([]);
  expect((await find('run 3')).map(({ runId }) => runId)).toEqual(['r1']);
});
