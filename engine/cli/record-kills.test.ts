/** Kills `millrace test` with -9 while it records and updates, and reads every file that it leaves. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCassette } from '../history/cassette/cassette-file.ts';
import { parseCases } from '../language/cases/parse-cases.ts';
import { createDice } from '../testing/chaos-sessions.ts';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';
import { testRounds } from '../testing/test-rounds.ts';

const cli = setUpBuiltCli();
const cases = 12;
let base: string;
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ path: request.url }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const names = Array.from({ length: cases }, (_, index) => `case ${index}`);
const testFile = `target: get.flow.yaml # kept
cassette: get.cassette.yaml
cases:
${names.map((name) => `  - { name: ${name}, input: { q: ${name} }, expect: { outputs: { get.body.path: old } } }`).join('\n')}
`;

const read = (name: string): string => readFileSync(path.join(cli.folder, 'ws', name), 'utf8');

test('13.13 a test that is killed while it records leaves no half-written file, and the next one finishes', async () => {
  const roll = createDice(40);
  let interrupted = 0;
  for (let round = 0; round < testRounds(2); round++) {
    cli.write(
      'ws/get.flow.yaml',
      `flow: { name: Get, input: { q: x } }\nnodes: [{ id: get, type: http.request, input: { url: "${base}/{{flow.input.q}}" } }]\nedges: []\n`,
    );
    cli.write('ws/get.test.yaml', testFile);
    cli.write('ws/get.cassette.yaml', 'cassette: 1\ncalls: []\n');
    const args = [
      'test',
      '--record',
      'missing',
      '--update',
      '--junit',
      'ws/result.xml',
      '--trust',
      '--workspace',
      'ws',
    ];
    const { child, result } = cli.start(args);
    const until = Math.floor(roll() * cases);
    const recorded = (): number => (read('get.cassette.yaml').match(/kind: http/g) ?? []).length;
    while (recorded() < until && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await result;
    expect(parseCassette('get', read('get.cassette.yaml')).length).toBe(recorded());
    const left = read('get.test.yaml');
    expect(parseCases(left).diagnostics).toEqual([]);
    expect(left.startsWith('target: get.flow.yaml # kept\n')).toBe(true);
    if (existsSync(path.join(cli.folder, 'ws/result.xml')))
      expect(read('result.xml').trimEnd().endsWith('</testsuites>')).toBe(true);
    if (recorded() < cases || left === testFile) interrupted++;

    const rest = await cli.call([...args, '--json']);
    expect(rest.stderr).not.toContain('millrace:');
    expect(recorded()).toBe(cases);
    const updated = (parse(read('get.test.yaml')) as { cases: { name: string; expect: { outputs: object } }[] }).cases;
    expect(updated.map(({ name, expect: { outputs } }) => [name, outputs])).toEqual(
      names.map((name) => [name, { 'get.body.path': `/${encodeURI(name)}` }]),
    );
    const again = await cli.call(['test', '--workspace', 'ws']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(`${cases} passed`)]);
  }
  expect(interrupted).toBeGreaterThan(0);
  expect(
    readdirSync(path.join(cli.folder, 'ws'))
      .filter((name) => !name.endsWith('.tmp'))
      .sort(),
  ).toEqual(['.millrace', 'get.cassette.yaml', 'get.flow.yaml', 'get.test.yaml', 'result.xml']);
}, 600_000);
