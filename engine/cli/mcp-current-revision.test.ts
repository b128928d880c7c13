/** `millrace mcp`, used by a client that speaks the revision 2026-07-28. */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
beforeAll(() => builtPart('cli'), 60_000);

test('13.10 a client that speaks the revision of 2026 is served without a session, and is known by its name', async () => {
  cli.write('hello.flow.yaml', helloFlow);
  const current = new Client(
    { name: 'current agent', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await current.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(await builtPart('cli'), 'cli.cjs'), 'mcp', '--workspace', cli.folder],
      env: { MILLRACE_HOME: path.join(cli.folder, 'home') },
      stderr: 'ignore',
    }),
  );
  try {
    expect(current.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(current.getInstructions()).toContain('Millrace runs flows');
    const { tools } = await current.listTools();
    expect(tools.map(({ name }) => name)).toContain('hello');
    const done = await current.callTool({ name: 'hello', arguments: { who: 'you' } });
    expect(done.structuredContent).toMatchObject({ status: 'completed' });
    const text = helloFlow.replace('"hello', '"good day');
    await current.callTool({ name: 'propose_edit', arguments: { file: 'hello.flow.yaml', title: 'Greet', text } });
    const { structuredContent } = await current.callTool({ name: 'list_proposals', arguments: {} });
    expect(JSON.stringify(structuredContent)).toContain('current agent');
  } finally {
    await current.close();
  }
});
