/** Calls `run_tests` through a protocol client. */
import { beforeAll, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';
import { connectMcpClient } from '../testing/mcp-client.ts';

const cli = setUpCli();
beforeAll(() => builtPart('cli'), 60_000);

test('13.13 run_tests tests the files, and a proposal with the permissions of the present text', async () => {
  const reading = (file: string): string =>
    `flow: { name: R }\nnodes: [{ id: a, type: file.read, input: { path: ${file} } }]\nedges: []\n`;
  cli.write('hello.flow.yaml', helloFlow);
  cli.write(
    'hello.test.yaml',
    'target: hello.flow.yaml\ncases: [{ name: one, expect: { outputs: { greet.text: hello world 1 } } }]\n',
  );
  cli.write('r.flow.yaml', reading('r.flow.yaml'));
  cli.write('broken.test.yaml', 'target: 7\n');
  const client = await connectMcpClient(cli.folder);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    await client.callTool({ name, arguments: args });
  try {
    expect((await call('run_tests')).structuredContent).toEqual({
      ...{ passed: 1, failed: 1 },
      failures: [{ file: 'broken.test.yaml', problems: expect.any(Array) }],
    });
    const text = helloFlow.replace('"hello {{', '"bye {{');
    const edit = { file: 'hello.flow.yaml', title: 'Say bye', text };
    const proposed = (await call('propose_edit', edit)).structuredContent;
    const { proposalId } = proposed as { proposalId: string };
    expect((await call('run_tests', { proposalId })).structuredContent).toMatchObject({
      ...{ passed: 0, failed: 1 },
      failures: [
        {
          ...{ file: 'hello.test.yaml', case: 'one', line: 2 },
          checks: [{ node: 'greet', difference: ['-hello world 1', '+bye world 1'] }],
        },
      ],
    });
    expect((await call('run_tests', { path: 'hello.flow.yaml' })).structuredContent).toMatchObject({
      passed: 1,
      failed: 0,
    });
    expect((await call('run_tests', { path: 'r.flow.yaml' })).isError).toBe(true);
  } finally {
    await client.close();
  }
});
