import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const echo = `
flow: { name: Echo, input: { who: world } }
nodes: [{ id: say, type: echo, input: { text: "Hello {{flow.input.who}}" } }]
edges: []`;

const broken = `
flow: { name: Stop }
nodes: [{ id: stop, type: control.fail, input: { message: no luck } }]
edges: []`;

/** Runs two flows, the first one twice. */
async function runSome(): Promise<void> {
  cli.write('echo.flow.yaml', echo);
  cli.write('stop.flow.yaml', broken);
  await cli.call(['run', 'echo.flow.yaml', '--input', 'who=Kim']);
  await cli.call(['run', 'echo.flow.yaml', '--input', 'who=Lea']);
  await cli.call(['run', 'stop.flow.yaml']);
}

async function listed(...options: readonly string[]): Promise<readonly number[]> {
  const { stdout } = await cli.call(['runs', 'list', '--json', ...options]);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).number));
}

test('runs list selects runs by file, status, time, label and text', async () => {
  await runSome();
  expect(await listed('--flow', 'echo.flow.yaml')).toEqual([2, 1]);
  expect(await listed('--status', 'failed')).toEqual([3]);
  expect(await listed('--text', 'hello lea')).toEqual([2]);
  expect(await listed('--text', 'no luck')).toEqual([3]);
  expect(await listed('--since', '2000-01-01', '--limit', '1')).toEqual([3]);
  expect(await listed('--until', '2000-01-01T10:00')).toEqual([]);
  await cli.call(['runs', 'label', '1', 'good', 'for the demo']);
  expect(await listed('--label', 'good')).toEqual([1]);
  expect((await cli.call(['runs', 'list', '--label', 'good'])).stdout).toContain('[for the demo] [good]');
  const refused = await cli.call(['runs', 'list', '--since', 'yesterday']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Write a date such as')]);
});

test('runs label and runs note change what people have written about a run', async () => {
  await runSome();
  expect((await cli.call(['runs', 'label', '#2', 'a', 'b'])).stderr).toBe('Run #2: [a] [b]\n');
  expect((await cli.call(['runs', 'label', 'latest', 'a', '--remove'])).stderr).toBe('Run #3: no labels, no note\n');
  await cli.call(['runs', 'note', '2', 'Kim has\nread it']);
  const { stdout } = await cli.call(['runs', 'show', '2']);
  expect(stdout).toContain('labels   a, b\nnote     Kim has read it\n');
  const { stdout: json } = await cli.call(['runs', 'note', '2', '', '--json']);
  expect(JSON.parse(json)).toMatchObject({ labels: ['a', 'b'], note: '' });
  const refused = await cli.call(['runs', 'label', '2', 'x'.repeat(61)]);
  expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('up to 60 characters')]);
  expect((await cli.call(['runs', 'label', '99', 'a'])).stderr).toContain('#99');
});

test('runs stats shows times, nodes and failures, and the same as JSON', async () => {
  await runSome();
  const { stdout } = await cli.call(['runs', 'stats']);
  expect(stdout).toContain('3 runs: 1 failed, 2 completed');
  expect(stdout).toMatch(/Flows\n.*\n {2}stop\.flow\.yaml +1 +1 /);
  const flow = await cli.call(['runs', 'stats', 'stop.flow.yaml']);
  expect(flow.stdout).toMatch(/Nodes in the newest 1 run\n.*p50.*\n {2}stop .* 1 +1\n/);
  expect(flow.stdout).toMatch(/Failures\n {2}stop: failed in 1 run; in every run since #3 \(.*, 1 run\)\n {4}no luck/);
  const { stdout: json } = await cli.call(['runs', 'stats', 'echo.flow.yaml', '--json']);
  expect(JSON.parse(json)).toMatchObject({
    ...{ runs: 2, statuses: { completed: 2 }, nodes: [{ nodeId: 'say', count: 2 }], failures: [] },
  });
  expect((await cli.call(['runs', 'stats', '--status', 'cancelled'])).stderr).toBe('No runs match.\n');
});
