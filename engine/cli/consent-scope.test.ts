/** Tests the duration of tool approvals given in a terminal. */
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import { writeMcpProgram } from '../testing/mcp-program.ts';

const cli = setUpCli();

const flow = `
flow: { name: Write }
nodes: [{ id: put, type: tool, config: { tool: files.put }, input: { text: "a\\e[2Jb" } }]
edges: []
`;

function writeWorkspace(): void {
  const put = { name: 'put', title: 'Put', inputSchema: { type: 'object' }, annotations: { openWorldHint: false } };
  cli.write('.mcp.json', JSON.stringify({ mcpServers: { files: writeMcpProgram(cli.folder, { tools: [put] }) } }));
  cli.write('put.flow.yaml', flow);
}

test('13.17 a terminal shows tool, risk and arguments, and approves one call or the tool for the workspace', async () => {
  writeWorkspace();
  const run = () => cli.call(['run', 'put.flow.yaml', '--trust']);
  const first = await run();
  expect(first.code).toBe(3);
  expect(first.stdout).toContain('put · Call Put?');
  expect(first.stdout).toContain('files.put, high risk, with {"text":"a\\u001b[2Jb"}');
  expect(first.stdout).toContain('--scope workspace allows the tool in this workspace.');
  expect((await cli.call(['inbox'])).stdout).toContain('Call Put? files.put, high risk, with {"text"');
  expect((await cli.call(['resume', '1', '--approve', '--trust'])).code).toBe(0);
  expect((await run()).code).toBe(3);
  expect((await cli.call(['resume', '2', '--scope', 'workspace', '--trust'])).stderr).toContain('requires --approve');
  expect((await cli.call(['resume', '2', '--approve', '--scope', 'always', '--trust'])).code).toBe(2);
  expect((await cli.call(['resume', '2', '--approve', '--scope', 'workspace', '--trust'])).code).toBe(0);
  expect((await cli.call(['tools', 'allowed'])).stdout).toMatch(/^files\.put allowed on \d{4}-\d\d-\d\d\n$/);
  expect((await run()).code).toBe(0);
  expect((await cli.call(['tools', 'withdraw', 'files.nothing'])).code).toBe(2);
  expect((await cli.call(['tools', 'withdraw', 'files.put'])).code).toBe(0);
  expect((await run()).code).toBe(3);
});
