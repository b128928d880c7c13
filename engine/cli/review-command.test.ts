import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
afterEach(() => Object.defineProperty(process, 'stdin', stdin));

/** Simulates an interactive terminal with this answer. */
function answering(words: string): void {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  terminal.write(`${words}\n`);
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => terminal });
}

const flow = (node: object): string =>
  JSON.stringify({ flow: { name: 'F' }, nodes: [{ id: 'a', ...node }], edges: [] });

beforeEach(async () => {
  cli.write('tools/deploy.tool.yaml', 'tool_id: deploy\n# first\n');
  cli.write('plain.flow.yaml', flow({ type: 'echo', input: { text: 'hi' } }));
  const input = { path: 'tools/deploy.tool.yaml', text: 'tool_id: deploy\n# second\n' };
  cli.write('write.flow.yaml', flow({ type: 'file.write', input }));
});

test('13.1 without a terminal, the next start exits with 4 and names the file and the command that shows it', async () => {
  cli.write('no-home/policy.yaml', 'may_write: ["tools/*"]\n');
  expect((await cli.call(['run', 'write.flow.yaml'])).code).toBe(0);
  const { code, stderr, stdout } = await cli.call(['run', 'plain.flow.yaml']);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain('tools/deploy.tool.yaml');
  expect(stderr).toContain('millrace review tools/deploy.tool.yaml');
  const shown = await cli.call(['review', 'tools/deploy.tool.yaml']);
  expect(shown).toMatchObject({
    code: 4,
    stdout: '--- tools/deploy.tool.yaml\n+++ tools/deploy.tool.yaml\n-# first\n+# second\n',
  });
  expect((await cli.call(['review'])).stdout).toBe('tools/deploy.tool.yaml: a tool manifest\n');
});

test('13.1 in a terminal, the next start shows the change and asks', async () => {
  cli.write('no-home/policy.yaml', 'may_write: ["tools/*"]\n');
  await cli.call(['run', 'write.flow.yaml']);
  answering('n');
  expect((await cli.call(['run', 'plain.flow.yaml'])).code).toBe(4);
  answering('y');
  expect((await cli.call(['run', 'plain.flow.yaml'])).code).toBe(0);
  Object.defineProperty(process, 'stdin', stdin);
  expect((await cli.call(['run', 'plain.flow.yaml'])).code).toBe(0);
  expect((await cli.call(['review'])).stdout).toContain('No files are waiting');
});

test('13.1 without may_write the run is rejected, and no file awaits review', async () => {
  expect(await cli.call(['run', 'write.flow.yaml'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('deciding-file'),
  });
  expect((await cli.call(['run', 'plain.flow.yaml'])).code).toBe(0);
  expect((await cli.call(['review', 'tools/deploy.tool.yaml'])).code).toBe(2);
});
