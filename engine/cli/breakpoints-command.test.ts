/** Tests breakpoints on the command line, and what a person gives the nodes that they hold. */
import { expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const flow = `flow: { name: Items }
nodes:
  - { id: each, type: control.foreach, input: { items: [3, 7, 9], body: [tick, tock] } }
  - { id: tick, type: echo, input: { text: "n {{item}}" } }
  - { id: tock, type: echo, input: { text: "{{tick.text}}!" } }
  - { id: last, type: echo, input: { text: done } }
edges: [{ from: tick, to: tock }, { from: each, to: last }]`;

test('13.14 a run pauses at a breakpoint, and continues with an input and an output of the person', async () => {
  cli.write('items.flow.yaml', flow);
  const paused = await cli.call([
    'run',
    'items.flow.yaml',
    '--break',
    'tick:2',
    '--break',
    'last',
    '--break',
    'tock if input.text is "n 9!"',
  ]);
  expect(paused.code).toBe(3);
  expect(paused.stdout).toMatch(/paused before each\[1\]\.tick \(breakpoint\)\n {2}input: \{"text":"n 7"\}/);
  expect(paused.stdout).toMatch(/resume \S+ --continue\n.*--step .*\n.*--edit FILE.*\n.*--skip FILE/);
  const [row = ''] = (await cli.call(['runs', 'list', '--json'])).stdout.split('\n');
  expect(JSON.parse(row)).toMatchObject({ status: 'suspended', waitStatus: 'PAUSED' });

  cli.write('input.json', '{ "text": "edited" }');
  const edited = await cli.call(['resume', '1', '--edit', 'input.json', '--by', 'Kim', '--json']);
  expect(edited.code).toBe(3);
  const events = eventsOf(edited.stdout).map(({ event }) => event);
  const before = { text: 'n 7' };
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'node:input', nodeId: 'each[1].tick', edited: { by: 'Kim', before } }),
  );
  const result = { type: 'task:complete', nodeId: 'each[1].tock', result: { text: 'edited!' } };
  expect(events).toContainEqual(expect.objectContaining(result));
  const because = { op: 'equals', var: 'input.text', value: 'n 9!', actual: 'n 9!', result: true };
  expect(events).toContainEqual(expect.objectContaining({ type: 'node:held', nodeId: 'each[2].tock', because }));

  cli.write('output.json', '{ "text": "given" }');
  const skip = ['--skip', 'output.json', '--node', 'each[2].tock', '--by', 'Kim', '--json'];
  const skipped = await cli.call(['resume', '1', ...skip]);
  expect(skipped.code).toBe(3);
  const outputs = eventsOf(skipped.stdout).map(({ event }) => event);
  const reused = { type: 'node:reused', nodeId: 'each[2].tock', output: { text: 'given' }, given: { by: 'Kim' } };
  expect(outputs).toContainEqual(expect.objectContaining(reused));
  expect(outputs.at(-1)).toEqual({ type: 'run:suspended', reason: 'breakpoint', nodeId: 'last' });
  expect((await cli.call(['resume', '1'])).stdout).toContain('paused before last (breakpoint)');
  const rest = await cli.call(['resume', '1', '--step', '--json']);
  expect([rest.code, eventsOf(rest.stdout).at(-1)?.event.type]).toEqual([0, 'run:end']);
});

test('13.14 wrong breakpoints, inputs and outputs are refused, and nothing changes', async () => {
  cli.write('items.flow.yaml', flow);
  const refusal = async (...args: string[]) => {
    const { code, stderr } = await cli.call(args);
    return `${code} ${stderr}`;
  };
  const run = ['run', 'items.flow.yaml', '--break'];
  expect(await refusal(...run, 'tikc')).toMatch(/^2 .*no node "tikc". It has: each, tick, tock, last/s);
  expect(await refusal(...run, 'tick when x')).toMatch(/^2 .*NODE if CONDITION/s);
  expect(await refusal(...run, 'tick if item is three')).toMatch(
    /"tick" in items\.flow\.yaml cannot be set.*JSON value/s,
  );
  const shared = ['--on', 'restate://localhost:8080/w', '--history', 'postgres://u@localhost/d'];
  expect(await refusal(...run, 'tick', ...shared)).toMatch(/^2 .*--break is not available with --on/s);
  expect((await cli.call(['runs', 'list', '--json'])).stdout).toBe('');
  await cli.call([...run, 'last']);
  cli.write('wrong.json', '[1]');
  expect(await refusal('resume', '1', '--edit', 'wrong.json')).toMatch(/^2 .*JSON object/s);
  expect(await refusal('resume', '1', '--skip', 'wrong.json')).toMatch(/output/);
  expect(await refusal('resume', '1', '--skip', 'wrong.json', '--step')).toMatch(/^2 .*cannot be used/s);
  expect((await cli.call(['resume', '1', '--continue'])).code).toBe(0);
});
