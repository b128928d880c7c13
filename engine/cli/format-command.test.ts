/** Tests `millrace format` with real files. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const run = (...args: string[]) => cli.call(args);
const read = (name: string): string => readFileSync(path.join(cli.folder, name), 'utf8');

const untidy = '\uFEFFflow:\r\n    name:   A # note\r\nnodes: []\r\n';
const tidy = '\uFEFFflow:\r\n  name: A # note\r\nnodes: []\r\n';

test('format writes changed files and reports the result for each file', async () => {
  cli.write('a.flow.yaml', untidy);
  cli.write('b.flow.yaml', 'flow: { name: B }\nnodes: []\n');
  const first = await run('format', 'a.flow.yaml', 'b.flow.yaml');
  expect(first).toEqual({ code: 0, stdout: 'a.flow.yaml: formatted\nb.flow.yaml: unchanged\n', stderr: '' });
  expect(read('a.flow.yaml')).toBe(tidy);
  const again = await run('format', 'a.flow.yaml', '--json');
  expect(again).toEqual({ code: 0, stdout: '{"file":"a.flow.yaml","changed":false}\n', stderr: '' });
});

test('format --check writes nothing and exits with 1', async () => {
  cli.write('a.flow.yaml', untidy);
  const result = await run('format', '--check', 'a.flow.yaml');
  expect(result).toEqual({ code: 1, stdout: 'a.flow.yaml: would change\n', stderr: '' });
  expect(read('a.flow.yaml')).toBe(untidy);
});

test('format rejects files that are not flows, and files it would damage', async () => {
  cli.write('bad.flow.yaml', 'flow: [\n');
  cli.write('bytes.flow.yaml', Buffer.from([0x66, 0x3a, 0x20, 0xff, 0x0a]));
  const { code, stdout, stderr } = await run('format', 'bad.flow.yaml', 'bytes.flow.yaml', 'gone.yaml');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/bad\.flow\.yaml: .*Line 2, column 1/);
  expect(stderr).toContain('bytes.flow.yaml contains bytes that are not UTF-8 text');
  expect(stderr).toContain('gone.yaml');
});
