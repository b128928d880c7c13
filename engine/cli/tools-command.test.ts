import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import { writeOddMcpProgram } from '../testing/odd-mcp-program.ts';

const cli = setUpCli();

test('tools lists all tools, and reports an invalid manifest with exit 2', async () => {
  const { code, stdout } = await cli.call(['tools', '--workspace', '.']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('core.file_read')]);
  cli.write('tools/bad.tool.yaml', 'tool_id: bad\n');
  const broken = await cli.call(['tools', 'list', '--workspace', '.']);
  expect([broken.code, broken.stdout]).toEqual([2, expect.stringContaining('error: tools/bad.tool.yaml:1 ')]);
});

test('tools and mcp servers show a tool that an MCP server describes incorrectly, with the reason', async () => {
  cli.write('.mcp.json', JSON.stringify({ mcpServers: { odd: writeOddMcpProgram(cli.folder, 'no schema') } }));
  const tools = await cli.call(['tools', '--workspace', '.', '--trust']);
  expect(tools).toMatchObject({ code: 0, stderr: '' });
  expect(tools.stdout).toMatch(/^odd\.echo {2,}mcp/m);
  expect(tools.stdout).toMatch(/^odd\.other +error: The tool "other" was skipped: it has no inputSchema/m);
  const servers = await cli.call(['mcp', 'servers', '--workspace', '.', '--trust']);
  expect(servers.stdout).toContain('The tool "other" was skipped: it has no inputSchema');
  const tried = await cli.call(['tools', 'try', 'odd.other', '--workspace', '.', '--trust']);
  expect(JSON.parse(tried.stdout)).toMatchObject({ status: 'error', message: expect.stringContaining('inputSchema') });
});

test('tools show prints the details of a tool, and suggests the nearest name for a missing one', async () => {
  const { stdout } = await cli.call(['tools', 'show', 'core.file_read', '--workspace', '.']);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'core.file_read', inputSchema: { required: ['path'] }, usedBy: [] });
  const unknown = await cli.call(['tools', 'show', 'core.file_raed', '--workspace', '.']);
  expect(unknown.stderr).toContain('Did you mean "core.file_read"?');
});

test('tools try calls a tool with the JSON of a file, and exits with 1 if the tool fails', async () => {
  cli.write('a.md', 'hello');
  cli.write('params.json', '{"path":"a.md"}');
  const good = await cli.call(['tools', 'try', 'core.file_read', '--params', 'params.json', '--workspace', '.']);
  expect([good.code, JSON.parse(good.stdout)]).toMatchObject([0, { status: 'success', result: { text: 'hello' } }]);
  const bad = await cli.call(['tools', 'try', 'core.file_read', '--workspace', '.']);
  expect([bad.code, JSON.parse(bad.stdout)]).toMatchObject([1, { error_category: 'validation_error' }]);
});
