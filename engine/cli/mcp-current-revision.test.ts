/** `millrace mcp`, used by a client that speaks the revision 2026-07-28. */
import { beforeAll, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';
import { connectMcpClient } from '../testing/mcp-client.ts';

const cli = setUpCli();
beforeAll(() => builtPart('cli'), 60_000);

test('13.10 a client that speaks the revision of 2026 is served without a session, and is known by its name', async () => {
  cli.write('hello.flow.yaml', helloFlow);
  const versionNegotiation = { mode: { pin: '2026-07-28' } };
  const current = await connectMcpClient(cli.folder, 'current agent', { versionNegotiation });
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
