import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();
const value = 'a "quoted" välue 123';

let server: Server;
let base: string;
let heard: (string | string[] | undefined)[];

beforeEach(async () => {
  heard = [];
  server = createServer((request, response) => {
    heard.push(request.headers['x-key']);
    response.writeHead(200, { 'x-echo': String(request.headers['x-key']) }).end(`got ${request.headers['x-key']}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const writeFlow = (): void =>
  cli.write(
    'call.flow.yaml',
    `flow: { name: Call }\nnodes: [{ id: call, type: http.request, input: { url: "${base}", headers: { x-key: "{{secret.KEY}}" } } }]\nedges: []\n`,
  );

test('sets a value from stdin, lists its name, uses it in a run, and removes it', async () => {
  writeFlow();
  const missing = await cli.call(['run', 'call.flow.yaml', '--trust']);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('KEY');
  const set = await cli.run(['secrets', 'set', 'KEY'], { input: 'first-value-1\n' });
  expect(set).toMatchObject({ code: 0, stdout: 'KEY is stored in .millrace/.env. Only you can read the file.\n' });
  expect(statSync(path.join(cli.folder, '.millrace/.env')).mode & 0o777).toBe(0o600);
  const ran = await cli.run(['run', 'call.flow.yaml', '--trust', '--json']);
  expect(ran.code).toBe(0);
  expect(heard).toEqual(['first-value-1']);
  expect(ran.stdout).not.toContain('first-value-1');
  expect(ran.stdout).toContain('got •••KEY•••');
  const list = await cli.call(['secrets', 'list', '--json']);
  expect(JSON.parse(list.stdout)).toEqual({ name: 'KEY', source: 'file', hosts: [] });
  expect((await cli.call(['secrets', 'remove', 'KEY'])).code).toBe(0);
  expect((await cli.call(['secrets', 'remove', 'KEY'])).code).toBe(2);
});

test('stores any value unchanged', async () => {
  await cli.run(['secrets', 'set', 'KEY'], { input: value });
  expect(readFileSync(path.join(cli.folder, '.millrace/.env'), 'utf8')).toBe(`KEY='${value}'\n`);
});

test('BB-16 without trust and without a terminal a flow gets no secret, exit code 4; once allowed, it starts', async () => {
  writeFlow();
  await cli.run(['secrets', 'set', 'KEY'], { input: 'first-value-1' });
  expect((await cli.run(['run', 'call.flow.yaml'])).code).toBe(4);
  expect(heard).toEqual([]);
  expect((await cli.call(['secrets', 'allow', 'call.flow.yaml'])).stdout).toContain(
    'may use KEY until its text changes',
  );
  // Now the next rule applies: without trust, requests can only reach public addresses.
  const ran = await cli.call(['run', 'call.flow.yaml']);
  expect([ran.code, ran.stderr + ran.stdout]).toEqual([1, expect.stringContaining('private-address')]);
});

test('allowing a flow includes the secrets of its webhooks', async () => {
  const signature = '{ style: github, secret: "{{secret.SIGN}}" }';
  cli.write(
    'hook.flow.yaml',
    `flow: { name: Hook, triggers: [{ id: hook, webhook: { path: a, secret: "{{secret.HOOK}}" } }] }
nodes: [{ id: call, type: http.request, input: { url: "${base}", headers: { x-key: "{{secret.KEY}}" } } }]
edges: []
`,
  );
  cli.write('triggers.yaml', `[{ id: more, flow: hook.flow.yaml, webhook: { path: b, signature: ${signature} } }]\n`);
  const allowed = await cli.call(['secrets', 'allow', 'hook.flow.yaml']);
  expect(allowed.stdout).toContain('may use KEY, HOOK, SIGN until its text changes');
  const plain = 'flow: { name: Plain }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n';
  cli.write('plain.flow.yaml', plain);
  expect(await cli.call(['secrets', 'allow', 'plain.flow.yaml'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not name any secrets'),
  });
});

describe('hosts', () => {
  test('a secret with an allowed host is sent to no other host', async () => {
    writeFlow();
    await cli.run(['secrets', 'set', 'KEY'], { input: 'first-value-1' });
    expect((await cli.call(['secrets', 'allow-host', 'KEY', 'api.example.com'])).code).toBe(0);
    expect((await cli.call(['run', 'call.flow.yaml', '--trust'])).code).toBe(1);
    expect(heard).toEqual([]);
    expect((await cli.call(['secrets', 'list'])).stdout).toContain('api.example.com');
    expect((await cli.call(['secrets', 'allow-host', 'KEY', 'https://x'])).code).toBe(2);
  });
});

test('warns about a secrets file that is tracked by git', async () => {
  await cli.run(['secrets', 'set', 'KEY'], { input: 'first-value-1' });
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: cli.folder, stdio: 'ignore' });
  git('init');
  expect((await cli.call(['secrets', 'list'])).stderr).not.toContain('git tracks');
  git('add', '-f', '.millrace/.env');
  expect((await cli.call(['secrets', 'list'])).stderr).toContain('git tracks .millrace/.env');
});
