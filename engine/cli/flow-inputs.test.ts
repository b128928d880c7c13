import { beforeEach, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const flow = `flow:
  name: Order
  inputs:
    zip: { type: string, required: true }
    count: { type: integer, default: 1 }
  outputs: { line: "{{say.text}}", zip: "{{flow.input.zip}}" }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.count}} to {{flow.input.zip}}" } }]
edges: []
`;
beforeEach(() => cli.write('order.flow.yaml', flow));

const run = (...args: string[]) => cli.call(['run', 'order.flow.yaml', '--json', ...args]);

test('BB-09 inputs are checked before the start, with exit code 2 and a sentence for each problem', async () => {
  expect(await run()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('"zip" is missing') });
  const both = await run('--input', 'count=x', '--input', 'zipp=1');
  expect(both).toMatchObject({ code: 2, stdout: '' });
  for (const part of ['"zip" is missing', '"count" must be a whole number, not "x"', 'no input "zipp"'])
    expect(both.stderr).toContain(part);
  expect((await cli.call(['runs', '--json'])).stdout).toBe('');
});

test('BB-09 an input that the flow declares as text is always text, and the outputs are the declared ones', async () => {
  const { code, stdout } = await run('--input', 'zip=00123', '--input', 'count=2');
  expect(code).toBe(0);
  expect(eventsOf(stdout).at(-1)?.event).toMatchObject({ output: { line: '2 to 00123', zip: '00123' } });
  const number = eventsOf((await run('--input', 'zip=8000')).stdout).at(-1)?.event;
  expect(number).toMatchObject({ output: { line: '1 to 8000', zip: '8000' } });
});

test('BB-09 a run is not repeated with inputs that have become invalid', async () => {
  const [first] = eventsOf((await run('--input', 'zip=1')).stdout);
  cli.write('order.flow.yaml', flow.replace('zip: { type: string', 'zip: { type: boolean'));
  const again = await cli.call(['redo', first?.runId ?? '']);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('"zip" must be true or false, not "1"') });
});

test('BB-09 prints the schema of the inputs', async () => {
  const { code, stdout } = await cli.call(['schema', 'inputs', 'order.flow.yaml']);
  expect({ code, schema: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    schema: { properties: { zip: { type: 'string' }, count: { type: 'integer', default: 1 } }, required: ['zip'] },
  });
  expect(await cli.call(['schema', 'inputs'])).toMatchObject({ code: 2 });
  expect(await cli.call(['schema', 'flow', 'order.flow.yaml'])).toMatchObject({ code: 2 });
  cli.write('broken.flow.yaml', 'nodes: []');
  expect(await cli.call(['schema', 'inputs', 'broken.flow.yaml'])).toMatchObject({ code: 2 });
});
