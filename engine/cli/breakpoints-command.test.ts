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

test('13.14 the output of a completed node of a paused run is changed, and the run stays paused or continues', async () => {
  const line = `flow: { name: Line }
nodes:
  - { id: first, type: echo, input: { text: one } }
  - { id: second, type: echo, input: { text: "{{first.text}} two" } }
edges: [{ from: first, to: second }]`;
  cli.write('line.flow.yaml', line);
  cli.write('output.json', '{ "text": "changed" }');
  await cli.call(['run', 'line.flow.yaml', '--break', 'second']);
  const change = ['resume', '1', '--output', 'first=output.json', '--by', 'Kim'];
  const kept = await cli.call(change);
  expect([kept.code, kept.stdout]).toEqual([3, expect.stringMatching(/first .*by Kim.*paused before second/s)]);
  const { code, stdout } = await cli.call([...change, '--continue', '--json']);
  const events = eventsOf(stdout).map(({ event }) => event);
  const given = { by: 'Kim', before: { text: 'one' } };
  const log = eventsOf((await cli.call(['runs', 'events', '1'])).stdout).map(({ event }) => event);
  expect(log.filter(({ type }) => type === 'node:reused')).toMatchObject([{ nodeId: 'first', given }]);
  expect([code, events.at(-1)]).toEqual([0, expect.objectContaining({ output: { second: { text: 'changed two' } } })]);

  const late = await cli.call([...change, '--continue']);
  expect([late.code, late.stderr]).toEqual([
    expect.any(Number),
    expect.stringMatching(/Run it again with this output/),
  ]);
  const twice = await cli.call([...change, '--output', 'second=output.json']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('one by one')]);
});

test('13.14 the value of a secret is neither in the log of what a person sees and changes, nor in exports', async () => {
  const secret = 'first-value-1';
  cli.write('.millrace/.env', `KEY=${secret}\n`);
  const headers = 'headers: { x-key: "{{secret.KEY}}" }';
  cli.write(
    'call.flow.yaml',
    `flow: { name: Call }
nodes:
  - { id: first, type: echo, input: { text: a } }
  - { id: call, type: http.request, input: { url: "http://127.0.0.1:9", method: POST, body: "{{first.text}}", ${headers} } }
edges: [{ from: first, to: call }]
`,
  );
  const printed = [await cli.call(['run', 'call.flow.yaml', '--break', 'call', '--trust', '--json'])];
  const [held] = eventsOf(printed[0]?.stdout ?? '').filter(({ event }) => event.type === 'node:held');
  expect(held?.event).toMatchObject({ input: { headers: { 'x-key': expect.stringContaining('KEY') } } });
  cli.write('first.json', JSON.stringify({ text: `b ${secret}` }));
  printed.push(await cli.call(['resume', '1', '--output', 'first=first.json', '--trust', '--json']));
  const input = { url: 'http://127.0.0.1:9', method: 'POST', body: `c ${secret}`, headers: { 'x-key': secret } };
  cli.write('input.json', JSON.stringify(input));
  printed.push(await cli.call(['resume', '1', '--edit', 'input.json', '--trust', '--json']));
  printed.push(await cli.call(['rerun', '1', '--output', 'first=first.json', '--trust', '--json']));
  for (const run of ['1', '2']) {
    printed.push(await cli.call(['runs', 'export', run]));
    printed.push(await cli.call(['runs', 'export', run, '--format', 'otlp', '--content']));
  }
  const all = printed.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(all).toMatch(/"edited"/);
  expect(all.match(/"given":/g)?.length).toBeGreaterThan(2);
  expect(all).not.toContain(secret);
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
  expect((await cli.call(['runs', 'list', '--json'])).stdout).toBe('');
  await cli.call([...run, 'last']);
  cli.write('wrong.json', '[1]');
  expect(await refusal('resume', '1', '--edit', 'wrong.json')).toMatch(/^2 .*JSON object/s);
  expect(await refusal('resume', '1', '--skip', 'wrong.json')).toMatch(/output/);
  expect(await refusal('resume', '1', '--skip', 'wrong.json', '--step')).toMatch(/^2 .*cannot be used/s);
  expect((await cli.call(['resume', '1', '--continue'])).code).toBe(0);
});
