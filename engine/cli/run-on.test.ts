/** Tests `run --on` while no worker executes the run. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventsOf, helloFlow, setUpBuiltCli } from '../testing/cli-fixture.ts';
import { startCountingService } from '../testing/counting-service.ts';
import { type DurableWorld, openDurableTest } from '../testing/durable-world.ts';
import { freePort } from '../testing/free-port.ts';

/** Waits in a step until the service answers. */
const heldFlow = (url: string): string => `
flow: { name: Line }
nodes:
  - { id: first, type: echo, input: { text: one } }
  - { id: second, type: echo, input: { text: two } }
  - { id: hold, type: http.request, input: { method: POST, url: "${url}/hold/hold" } }
  - { id: last, type: echo, input: { text: three } }
edges: [{ from: first, to: second }, { from: second, to: hold }, { from: hold, to: last }]
`;

const cli = setUpBuiltCli();
let world: DurableWorld | { readonly missing: string };

beforeAll(async () => {
  world = await openDurableTest({ files: {} });
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
});

test('without a worker of the workspace, nothing is recorded, and the error says how to start one', async ({
  skip,
}) => {
  if ('missing' in world) return skip(world.missing);
  cli.write('hello.flow.yaml', helloFlow);
  const { on, historyUrl, history } = world;
  const { code, stderr } = await cli.call(['run', 'hello.flow.yaml', '--on', on, '--history', historyUrl]);
  expect(code).toBe(1);
  expect(stderr).toContain(`millrace.${history.workspace}`);
  expect(stderr).toContain('millrace worker --on URL');
  const nowhere = `restate://127.0.0.1:${await freePort()}/w?admin=${await freePort()}`;
  const unreachable = await cli.call(['run', 'hello.flow.yaml', '--on', nowhere, '--history', historyUrl]);
  expect(unreachable.code).toBe(1);
  expect(unreachable.stderr).toContain('Restate cannot be reached');
  expect(await history.listRuns({ limit: 9 })).toEqual([]);
}, 300_000);

test('while no worker answers, the command says so, and shows the run when one is started', async ({ skip }) => {
  if ('missing' in world) return skip(world.missing);
  const worker = await world.startWorker();
  await worker.kill();
  cli.write('hello.flow.yaml', helloFlow);
  const { on, historyUrl, history } = world;
  const { child, result } = cli.start(['run', 'hello.flow.yaml', '--json', '--on', on, '--history', historyUrl]);
  let noted = '';
  child.stderr?.on('data', (text: string) => {
    noted += text;
  });
  await vi.waitUntil(() => noted.includes('No worker'));
  expect(noted).toMatch(`note: No worker of workspace ${history.workspace} answers at http://127.0.0.1:`);
  await world.startWorker();
  const { code, stdout } = await result;
  expect(code).toBe(0);
  expect(eventsOf(stdout).at(-1)?.event).toMatchObject({ type: 'run:end', output: { never: { skipped: true } } });
}, 300_000);

test('13.14 a run on workers stops at a breakpoint, takes a step, and is paused and continued from the command line', async ({
  skip,
}) => {
  if ('missing' in world) return skip(world.missing);
  await world.startWorker(await freePort());
  const service = await startCountingService();
  onTestFinished(() => service.close());
  cli.write('line.flow.yaml', heldFlow(service.url));
  const { on, historyUrl, history } = world;
  const shared = ['--history', historyUrl, '--on', on];
  const paused = await cli.call(['run', 'line.flow.yaml', '--break', 'second', ...shared]);
  expect([paused.code, paused.stdout]).toEqual([3, expect.stringContaining('paused before second (breakpoint)')]);
  const stepped = await cli.call(['resume', 'latest', '--step', '--by', 'kim', ...shared]);
  expect([stepped.code, stepped.stdout]).toEqual([3, expect.stringMatching(/second.*paused before hold/s)]);
  const continued = cli.start(['resume', 'latest', '--continue', ...shared]);
  await vi.waitUntil(() => service.booked.has('hold'), { timeout: 120_000 });
  const pausing = cli.start(['pause', 'latest', ...shared]);
  let noted = '';
  pausing.child.stderr?.on('data', (text: string) => {
    noted += text;
  });
  await vi.waitUntil(() => noted.includes('Waiting for the running nodes'), { timeout: 120_000 });
  await vi.waitUntil(async () => (await history.openRequests('durable', 1)).length === 0, { timeout: 120_000 });
  service.release();
  const again = await pausing.result;
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('is paused.')]);
  expect((await continued.result).code).toBe(3);
  const end = await cli.call(['resume', 'latest', '--continue', ...shared]);
  expect([end.code, end.stderr]).toEqual([0, '']);
}, 300_000);

test('13.11 a run on this machine is copied to the history, and does not need it', async ({ skip }) => {
  if ('missing' in world) return skip(world.missing);
  cli.write('hello.flow.yaml', helloFlow);
  const { historyUrl } = world;
  const run = await cli.call(['run', 'hello.flow.yaml', '--json', '--history', historyUrl]);
  expect([run.code, run.stderr]).toEqual([0, '']);
  const list = await cli.call(['runs', 'list', '--json', '--history', historyUrl]);
  const runs = list.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { runId: string });
  expect(runs).toMatchObject([{ name: 'Hello', status: 'completed' }]);
  const events = await cli.call(['runs', 'events', runs[0]?.runId ?? '', '--history', historyUrl]);
  expect(eventsOf(events.stdout)).toEqual(eventsOf(run.stdout));
  const away = `postgres://kim:secret@127.0.0.1:${await freePort()}/db`;
  const alone = await cli.call(['run', 'hello.flow.yaml', '--history', away]);
  expect(alone.code).toBe(0);
  expect(alone.stderr).toContain('127.0.0.1');
  expect(alone.stderr).not.toContain('secret');
}, 300_000);
