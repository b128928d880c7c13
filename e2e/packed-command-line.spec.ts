/** Tests the packaged command line on a machine without a display and without Node. */
import { chmod, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { millrace, packedMillrace, packedScript } from './command-line.ts';
import { test } from './program.ts';

const flows = {
  'hi.flow.yaml': 'flow: { name: Hi }\nnodes: [{ id: say, type: echo, input: { text: hello } }]\nedges: []\n',
  'slow.flow.yaml':
    'flow: { name: Slow }\nnodes: [{ id: wait, type: control.wait, input: { ms: 60000 } }]\nedges: []\n',
};

// biome-ignore lint/suspicious/noSkippedTests: only the program for Linux contains the script.
test.skip(process.platform !== 'linux', 'Only the program for Linux brings it.');

test('runs flows, lists packs, uses the same exit codes and does not treat arguments as Electron switches', async ({
  program,
}) => {
  const folder = await program.makeWorkspace({ ...flows, 'temporary/note.txt': 'x' });
  // Other tests start programs at the same time.
  const temporary = path.join(folder, 'temporary');
  const packed = (args: readonly string[]) => packedMillrace(args, { folder, env: { TMPDIR: temporary } });

  const ran = await packed(['run', 'hi.flow.yaml', '--json']);
  expect(ran).toMatchObject({ code: 0, errors: [] });
  const events = ran.out.trimEnd().split('\n');
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ event: { type: 'run:end', status: 'completed' } });
  // Both command lines share one history.
  expect((await millrace(folder, ['runs', 'list'])).out).toContain('hi.flow.yaml');

  const listed = await packed(['list']);
  expect(listed.out).toContain('demo@proof');
  expect(listed.out).toEqual((await millrace(folder, ['list'])).out);

  const examples = await packed(['examples']);
  expect(examples.out).toContain('weekly-digest');
  expect(examples.out).toEqual((await millrace(folder, ['examples'])).out);

  const licenses = await packed(['licenses']);
  for (const name of ['@photostructure/sqlite', 'monaco-editor', 'react', 'wasmoon', '@fontsource-variable/inter']) {
    expect(licenses.out).toMatch(new RegExp(`^={80}\\n${name} \\d\\S* \\(.+\\)$`, 'm'));
  }
  expect(licenses).toEqual(await millrace(folder, ['licenses']));

  for (const args of [
    ['validate', 'none.flow.yaml'],
    ['run', '--remote-debugging-port=0', 'hi.flow.yaml'],
    ['--help'],
  ]) {
    expect(await packed(args)).toEqual(await millrace(folder, args));
  }
  // Each command deletes its folder when its last process exits.
  const left = async () => (await readdir(temporary)).filter((name) => name.startsWith('millrace-cli-'));
  await expect.poll(left).toEqual([]);
});

test('the service of systemd starts the packaged command line', async ({ program }) => {
  const folder = await program.makeWorkspace({ ...flows, 'bin/systemctl': '#!/bin/sh\n' });
  await chmod(path.join(folder, 'bin/systemctl'), 0o755);
  const env = { PATH: `${folder}/bin:${process.env['PATH']}`, XDG_CONFIG_HOME: path.join(folder, 'config') };
  expect(await packedMillrace(['serve', 'install'], { folder, env })).toMatchObject({ code: 0 });
  const units = path.join(folder, 'config/systemd/user');
  const [name = ''] = await readdir(units);
  expect(await readFile(path.join(units, name), 'utf8')).toContain(
    `ExecStart="${packedScript()}" "serve" "--workspace" "${folder}"\n`,
  );
});

test('commands read stdin to its end', async ({ program }) => {
  const folder = await program.makeWorkspace(flows);
  const input = 'long '.repeat(40_000);
  const set = ['secrets', 'set', 'KEY', '--workspace', folder];
  expect(await packedMillrace(set, { folder, input })).toMatchObject({ code: 0, errors: [] });
  expect(await readFile(path.join(folder, '.millrace/.env'), 'utf8')).toContain(input);
});

test('a signal cancels the run, which is stored as cancelled', { tag: '@thorough' }, async ({ program }) => {
  const folder = await program.makeWorkspace(flows);
  const stop = new AbortController();
  const running = packedMillrace(['run', 'slow.flow.yaml'], { folder, signal: stop.signal });
  await expect.poll(async () => (await millrace(folder, ['runs', 'list', '--json'])).out).toContain('"running"');
  stop.abort();
  expect((await running).code).toBe(130);
  expect((await millrace(folder, ['runs', 'list', '--json'])).out).toContain('"cancelled"');
});
