/** Tests permissions that nodes wait for, granted in a terminal. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;

/** Simulates an interactive terminal with an optional answer. */
function atTerminal(words?: string): void {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  if (words !== undefined) terminal.write(`${words}\n`);
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => terminal });
}
function withoutTerminal(): void {
  Object.defineProperty(process, 'stdin', stdin);
}
afterEach(withoutTerminal);

const server = createServer((_request, response) => response.end('forty-two'));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Writes a flow that sends a request to a server on this machine. */
function writeFlow(): string {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nodes = `[{ id: show, type: http.request, input: { url: "http://${host}/" } }]`;
  cli.write('show.flow.yaml', `flow: { name: Show }\nnodes: ${nodes}\nedges: []\n`);
  return host;
}

test('13.6 a run in a terminal waits for a missing permission, and resume --allow asks for it by name', async () => {
  const host = writeFlow();
  atTerminal();
  const waits = await cli.call(['run', 'show.flow.yaml']);
  expect(waits).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('needs your permission to send requests to'),
  });
  expect(waits.stdout).toMatch(/To continue: millrace resume \S+ --allow/);
  withoutTerminal();
  expect((await cli.call(['inbox'])).stdout).toContain('millrace resume 1 --node show --allow');
  expect((await cli.call(['runs', 'show', '1', '--json'])).stdout).toContain('"waitStatus":"PENDING_PERMISSION"');
  // Neither another answer nor a call without a terminal grants it.
  expect(await cli.call(['resume', '1', '--approve'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--allow'),
  });
  expect(await cli.call(['resume', '1', '--allow'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('at a terminal'),
  });
  atTerminal('n');
  expect(await cli.call(['resume', '1', '--allow'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`- send requests to ${host}, an address on this machine`),
  });
  atTerminal('y');
  expect(await cli.call(['resume', '1', '--allow'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('forty-two'),
  });
  expect((await cli.call(['resume', '1', '--allow'])).code).toBe(2);
  withoutTerminal();
  expect((await cli.call(['run', 'show.flow.yaml'])).code).toBe(0);
});

test('13.6 a run without a terminal fails, and --trust with --allow grants nothing permanently', async () => {
  writeFlow();
  expect(await cli.call(['run', 'show.flow.yaml'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('private-address'),
  });
  atTerminal();
  expect((await cli.call(['run', 'show.flow.yaml'])).code).toBe(3);
  withoutTerminal();
  expect((await cli.call(['resume', '2', '--allow', '--trust'])).code).toBe(0);
  expect((await cli.call(['run', 'show.flow.yaml'])).code).toBe(1);
});
