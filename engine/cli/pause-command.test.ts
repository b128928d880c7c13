/** Tests `millrace pause` with runs of other processes. */
import { expect, test } from 'vitest';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

/** Takes 40 seconds, unless there is a file `go`. */
const flow = `flow: { name: Items }
nodes:
  - { id: each, type: control.foreach, input: { items: ${JSON.stringify(Array.from({ length: 200 }, (_, n) => n))}, body: [tick] } }
  - { id: tick, type: command.run, input: { args: [-c, "[ -e go ] || sleep 0.2"] }, config: { program: sh } }
edges: []`;

const typesOf = (stdout: string): readonly string[] => eventsOf(stdout).map(({ event }) => event.type);

const startsOf = (stdout: string): number => typesOf(stdout).filter((type) => type === 'task:start').length;

test('13.14 pauses a run of another process; it takes a step and continues in others', async () => {
  cli.write('items.flow.yaml', flow);
  const started = cli.start(['run', 'items.flow.yaml', '--json', '--trust']);
  await started.whenPrinted('each[0].tick');
  const paused = await cli.run(['pause', 'latest']);
  const shown = /^Run #1 is paused\.\n {2}millrace resume \S+ --continue\n {2}millrace resume \S+ --step/;
  expect([paused.code, paused.stderr]).toEqual([0, expect.stringMatching(shown)]);
  const { code, stdout } = await started.result;
  const last = eventsOf(stdout).at(-1)?.event;
  expect([code, last]).toMatchObject([3, { type: 'run:suspended', reason: 'paused' }]);
  const next = String((last as { readonly nodeId?: string }).nodeId);
  expect(next).toMatch(/^each\[\d+\]\.tick$/);
  const [row = ''] = (await cli.call(['runs', 'list', '--json'])).stdout.split('\n');
  expect(JSON.parse(row)).toMatchObject({ status: 'suspended', waitStatus: 'PAUSED' });
  expect((await cli.run(['resume', '1'])).stdout).toContain(`paused before ${next}`);

  const step = await cli.run(['resume', '1', '--step', '--json', '--by', 'Kim', '--trust']);
  expect([step.code, startsOf(step.stdout)]).toEqual([3, 1]);
  const [resumed] = eventsOf(step.stdout);
  expect(resumed?.event).toEqual({ type: 'run:resumed', action: 'step', by: 'Kim' });
  cli.write('go', '');
  const rest = await cli.run(['resume', '1', '--continue', '--json', '--trust']);
  expect([rest.code, typesOf(rest.stdout).at(-1)]).toEqual([0, 'run:end']);
  expect(startsOf(stdout) + startsOf(step.stdout) + startsOf(rest.stdout)).toBe(201);
  const late = [await cli.run(['pause', '1']), await cli.run(['resume', '1', '--step'])];
  expect(late).toMatchObject([{ code: 2 }, { code: 2 }]);
});
