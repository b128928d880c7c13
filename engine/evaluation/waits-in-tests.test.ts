/** Waits of flows take no time in tests. */
import { afterEach, expect, test } from 'vitest';
import { EvaluationTestWorld, messagesOf } from '../testing/evaluation-world.ts';
import { SavedTests } from '../testing/saved-tests.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function openWorld(): Promise<EvaluationTestWorld> {
  const world = await EvaluationTestWorld.open();
  opened.push(world);
  return world;
}

const hour = 3_600_000;

test('13.13 a wait passes at once, also if it is longer than its timeout, and reports its full length', async () => {
  const world = await openWorld();
  world.write(
    'a.flow.yaml',
    `flow: { name: A }
nodes:
  - { id: pause, type: control.wait, input: { ms: ${hour} }, policy: { timeoutMs: 60000 } }
edges: []
`,
  );
  world.write(
    'a.test.yaml',
    `target: a.flow.yaml\ncases: [{ name: one, expect: { outputs: { pause.waitedMs: ${hour} } } }]\n`,
  );
  const { results } = await world.test();
  expect(messagesOf(results.get('one'))).toEqual([]);
});

test('13.13 parallel waits end in the order of their lengths', async () => {
  const world = await openWorld();
  const wait = (id: string, ms: number): string => `  - { id: ${id}, type: control.wait, input: { ms: ${ms} } }\n`;
  world.write(
    'a.flow.yaml',
    `flow: { name: A, policy: { maxParallel: 2 } }
nodes:
${wait('long', 3 * hour)}${wait('short', hour)}${wait('next', hour)}edges: [{ from: short, to: next }]
`,
  );
  world.write('a.test.yaml', 'target: a.flow.yaml\ncases: [{ name: one }]\n');
  const engine = await world.engine();
  const ended: string[] = [];
  const stop = engine.watchTests((report) => {
    if (report.type === 'case') expect(messagesOf(report.result)).toEqual([]);
    if (report.type === 'case' && report.result.runId !== undefined) ended.push(report.result.runId);
  });
  await engine.runTests();
  stop();
  const events = await engine.readEvents(ended[0] as never, -1, 100);
  const order = events.flatMap(({ event }) => (event.type === 'task:complete' ? event.taskId : []));
  expect(order).toEqual(['node:short', 'node:next', 'node:long']);
});

test('13.13 waits take their time while calls are recorded', async () => {
  const world = await openWorld();
  world.write(
    'a.flow.yaml',
    'flow: { name: A }\nnodes: [{ id: pause, type: control.wait, input: { ms: 60 } }]\nedges: []\n',
  );
  world.write('a.test.yaml', 'target: a.flow.yaml\ncassette: a.cassette.yaml\ncases: [{ name: one }]\n');
  const durationOf = async (record: 'missing' | 'none') =>
    (await world.test({ record })).results.get('one')?.durationMs ?? 0;
  expect(await durationOf('missing')).toBeGreaterThanOrEqual(55);
});

test('13.13 a run with retries and a wait is saved and replayed without waiting', async () => {
  const tests = await SavedTests.open();
  opened.push(tests);
  let count = 0;
  tests.world.answer = () => (++count < 3 ? { status: 429, body: '{}' } : { body: '{"ok":true}' });
  const text = (backoffMs: number) => `flow: { name: A }
nodes:
  - id: fetch
    type: http.request
    input: { url: "${tests.world.base}/busy" }
    config: { retryOn: [429] }
    policy: { retry: { maxAttempts: 3, backoffMs: ${backoffMs} } }
  - { id: pause, type: control.wait, input: { ms: 20 } }
edges: [{ from: fetch, to: pause }]
`;
  const runId = await tests.run(text(700));
  const startedAt = performance.now();
  await tests.save(runId);
  expect(performance.now() - startedAt).toBeLessThan(1_400);
  tests.write('a.flow.yaml', text(hour));
  expect(await tests.test('a.test.yaml')).toMatchObject([{ isOk: true }]);
});
