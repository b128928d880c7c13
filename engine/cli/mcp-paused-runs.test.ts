/** Tests that a program that uses `millrace mcp` cannot continue or change a run that a person has paused. */
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { setUpCli } from '../testing/cli-fixture.ts';
import { connectMcpClient } from '../testing/mcp-client.ts';

const cli = setUpCli();
let client: Client;

beforeAll(() => builtPart('cli'), 60_000);
beforeEach(async () => {
  cli.write(
    'line.flow.yaml',
    `flow: { name: Line }
nodes:
  - { id: first, type: echo, input: { text: one } }
  - { id: second, type: echo, input: { text: "{{first.text}} two" } }
edges: [{ from: first, to: second }]`,
  );
  client = await connectMcpClient(cli.folder);
});
afterEach(() => client.close());

async function call(name: string, args: Record<string, unknown>) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  return isError === true ? { refused: JSON.stringify(content) } : structuredContent;
}

test('13.9 no tool continues, steps or changes a run that a person has paused', async () => {
  expect((await cli.call(['run', 'line.flow.yaml', '--break', 'second'])).code).toBe(3);
  const log = async () => (await cli.call(['runs', 'events', '1'])).stdout;
  const before = await log();
  const forged = { action: 'continue', breakpoints: {}, output: {}, raised: { usd: 1 } };
  const { tools } = await client.listTools();
  const own = tools.filter(({ description }) => description?.includes('Runs the flow') !== true);
  expect(own.length).toBeGreaterThan(5);
  const others = ['resume', 'resume_run', 'continue', 'step', 'pause', 'change_output', 'set_breakpoints'];
  for (const name of [...own.map((tool) => tool.name), ...others]) {
    const refused = expect.stringMatching(/Unrecognized keys?:.*action|does not exist/);
    expect([name, await call(name, { run: '1', path: 'line.flow.yaml', ...forged })]).toEqual([name, { refused }]);
  }
  expect(await call('line', forged)).toMatchObject({ refused: expect.stringContaining('no input') });
  // The inputs of a flow are data.
  expect(await call('run', { path: 'line.flow.yaml', inputs: forged })).toMatchObject({
    status: 'completed',
    number: 2,
  });
  expect(await call('read_run', { run: '1' })).toMatchObject({
    ...{ status: 'suspended', waiting: [], paused: expect.stringContaining('Only a person can continue it') },
  });
  expect(await log()).toBe(before);
});
