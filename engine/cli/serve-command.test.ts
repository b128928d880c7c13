/** Tests `millrace serve` and `millrace triggers`. The base folder must not be in the workspace. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';
import { unitNameOf, unitText } from './actions/serve-unit.ts';
import { takeWorkspaces } from './commands/run.ts';

const cli = setUpBuiltCli();

function flow(trigger: string): string {
  return `flow:
  name: Tick
  inputs: { at: { type: string } }
  triggers:
    - { id: tick, ${trigger} }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.at}}" } }]
edges: []
`;
}

const everySecond = flow('schedule: { every: 1s }, missed: all, overlap: queue, inputs: { at: "{{event.dueAt}}" }');

interface ListedTrigger {
  readonly state: string;
  readonly problem?: string;
  readonly next: readonly string[];
}

function triggersIn({ stdout }: CliResult): readonly ListedTrigger[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ListedTrigger);
}

/** Returns the inputs of all completed runs. */
async function startedAt(): Promise<readonly string[]> {
  const { stdout } = await cli.run(['runs', 'list', '--workspace', 'ws', '--limit', '500', '--json']);
  const runs = stdout.split('\n').filter((line) => line !== '');
  const ids = runs.map((line) => JSON.parse(line) as { readonly runId: string; readonly status: string });
  expect(ids.filter(({ status }) => status !== 'completed')).toEqual([]);
  const all: string[] = [];
  for (const { runId } of ids) {
    const { stdout: events } = await cli.call(['runs', 'events', runId, '--workspace', 'ws']);
    const starts = eventsOf(events).flatMap(({ event }) => (event.type === 'run:start' ? [event.inputs] : []));
    all.push(...starts.map((inputs) => (inputs as { readonly at: string }).at));
  }
  return all.sort();
}

describe('13.8 a service that is killed while it fires', () => {
  test('loses no time and starts none twice', { timeout: 300_000 }, async () => {
    cli.write('ws/tick.flow.yaml', everySecond);
    const serve = ['serve', '--workspace', 'ws', '--trust', '--enable', 'tick.flow.yaml', '--json'];
    for (const times of [2, 4]) {
      const service = cli.start(serve);
      await service.whenPrinted('"tick"');
      await expect.poll(async () => (await runCount()) >= times, { timeout: 200_000 }).toBe(true);
      service.child.kill('SIGKILL');
      await service.result;
    }
    const last = cli.start(serve);
    await last.whenPrinted('"tick"');
    await expect.poll(async () => (await runCount()) >= 6, { timeout: 200_000 }).toBe(true);
    last.child.kill('SIGTERM');
    expect((await last.result).code).toBe(0);
    const found = await startedAt();
    const first = Date.parse(found[0] ?? '');
    expect(found).toEqual(found.map((_, index) => new Date(first + index * 1_000).toISOString()));
  });
});

async function runCount(): Promise<number> {
  const { stdout } = await cli.call(['runs', 'list', '--workspace', 'ws', '--limit', '500', '--json']);
  return stdout.split('\n').filter((line) => line.includes('"completed"')).length;
}

test('13.8 starts a flow for a file, and another one after it', async () => {
  const inputs = 'overlap: queue, inputs: { at: "{{event.path}}" }';
  cli.write('ws/tick.flow.yaml', flow(`files: { glob: "inbox/*", debounce: 1s }, ${inputs}`));
  const next = flow('after: { flow: tick.flow.yaml }, inputs: { at: "after {{event.outputs.say.text}}" }');
  cli.write('ws/next.flow.yaml', next);
  cli.write('ws/inbox/old.eml', 'x');
  const service = cli.start(['serve', '--workspace', 'ws', '--trust', '--enable-all', '--json']);
  await service.whenPrinted('"tick"');
  cli.write('ws/inbox/new.eml', 'x');
  await expect.poll(runCount, { timeout: 200_000 }).toBe(2);
  service.child.kill('SIGTERM');
  await service.result;
  expect(await startedAt()).toEqual(['after inbox/new.eml', 'inbox/new.eml']);
});

test('a priority of a trigger is listed', async () => {
  cli.write('ws/tick.flow.yaml', flow('schedule: { every: 1h }, priority: 5'));
  const list = ['triggers', '--workspace', 'ws', '--trust'];
  expect((await cli.call(list)).stdout).toContain('tick.flow.yaml  tick  off  priority 5');
  expect(triggersIn(await cli.call([...list, '--json']))).toMatchObject([{ priority: 5 }]);
});

describe('switching on', () => {
  test('asks again after any change, and needs a trusted workspace', async () => {
    cli.write('ws/tick.flow.yaml', flow('schedule: { cron: "30 7 * * 1-5", timezone: Europe/Berlin }'));
    expect(triggersIn(await cli.call(['triggers', '--workspace', 'ws', '--trust', '--json']))).toMatchObject([
      { state: 'off' },
    ]);
    const refused = await cli.run(['serve', '--workspace', 'ws', '--enable', 'tick.flow.yaml']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('cannot be switched on: The workspace is not trusted.');
    const service = cli.start(['serve', '--workspace', 'ws', '--trust', '--enable', 'tick.flow.yaml', '--json']);
    await service.whenPrinted('"tick"');
    service.child.kill('SIGTERM');
    await service.result;
    const [on] = triggersIn(await cli.call(['triggers', '--workspace', 'ws', '--trust', '--json']));
    expect(on).toMatchObject({ state: 'on' });
    expect(on?.next).toHaveLength(5);
    cli.write('ws/tick.flow.yaml', flow('schedule: { cron: "31 7 * * 1-5", timezone: Europe/Berlin }'));
    expect(triggersIn(await cli.call(['triggers', '--workspace', 'ws', '--trust', '--json']))).toMatchObject([
      { state: 'changed' },
    ]);
    await cli.call(['triggers', 'tick.flow.yaml', '--workspace', 'ws', '--off', '--trust']);
    expect(triggersIn(await cli.call(['triggers', '--workspace', 'ws', '--trust', '--json']))).toMatchObject([
      { state: 'off' },
    ]);
  });

  test('takes effect in a service that is running, which prints the change as JSON', async () => {
    cli.write('ws/tick.flow.yaml', flow('schedule: { cron: "30 7 * * 1-5", timezone: Europe/Berlin }'));
    const service = cli.start(['serve', '--workspace', 'ws', '--trust', '--enable-all', '--json']);
    await service.whenPrinted('"state":"on"');
    await cli.call(['triggers', 'tick.flow.yaml', '--workspace', 'ws', '--off', '--trust']);
    await service.whenPrinted('"state":"off"');
    service.child.kill('SIGTERM');
    expect((await service.result).code).toBe(0);
  });

  test('several workspaces are served by one process', async () => {
    for (const name of ['ws', 'other']) cli.write(`${name}/tick.flow.yaml`, everySecond.replace('1s', '24h'));
    const service = cli.start(['serve', '--workspace', 'ws', '--workspace', 'other', '--port', '0', '--json']);
    await service.whenPrinted('"origin"');
    service.child.kill('SIGTERM');
    const { stdout } = await service.result;
    for (const name of ['ws', 'other']) expect(stdout).toContain(`"workspace":"${path.join(cli.folder, name)}"`);
  });

  test.each([
    [[], undefined],
    [['--workspace', 'a'], 'a'],
    [
      ['--workspace', 'a', '--workspace', 'b', '--workspace', 'c'],
      ['a', 'b', 'c'],
    ],
  ])('a command that takes workspaces gets %j as %j', (args, workspace) => {
    const program = new Command().option('--workspace <dir>');
    const worker = program.command('worker').action(() => undefined);
    takeWorkspaces(program, worker);
    program.parse(['worker', ...args], { from: 'user' });
    expect(worker.optsWithGlobals()).toEqual(workspace === undefined ? {} : { workspace });
  });

  test('an unknown flow is refused with the flows that have triggers', async () => {
    cli.write('ws/tick.flow.yaml', everySecond);
    const { code, stderr } = await cli.run(['serve', '--workspace', 'ws', '--trust', '--enable', 'tock.flow.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('The flow tock.flow.yaml has no triggers. Flows with triggers: tick.flow.yaml.');
  });
});

test('triggers of a flow that does not exist are an error, and not an empty list', async () => {
  cli.write('ws/plain.flow.yaml', 'flow: { name: Plain }\nnodes: [{ id: a, type: control.noop }]\nedges: []\n');
  expect(await cli.run(['triggers', 'plain.flow.yaml', '--workspace', 'ws'])).toMatchObject({ code: 0 });
  const { code, stderr } = await cli.run(['triggers', 'gone.flow.yaml', '--workspace', 'ws']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('The workspace has no flow gone.flow.yaml.')]);
});

describe('several workspaces', () => {
  test('run although one does not exist, and one has a file with triggers that cannot be read', async () => {
    cli.write('ws/tick.flow.yaml', everySecond);
    cli.write('other/tick.flow.yaml', everySecond);
    mkdirSync(path.join(cli.folder, 'other/triggers.yaml'));
    const folders = ['gone', 'ws', 'other'].flatMap((folder) => ['--workspace', folder]);
    const service = cli.start(['serve', ...folders, '--trust', '--enable-all', '--json', '--port', '0']);
    await service.whenPrinted('"origin"');
    service.child.kill('SIGTERM');
    const { code, stdout, stderr } = await service.result;
    expect(code).toBe(0);
    expect(stderr).toContain('note: Folder gone does not exist. Set --workspace to an existing folder.\n');
    expect(stderr).toMatch(/triggers\.yaml:1:1 .*The file cannot be read: it is a folder, not a file/);
    for (const folder of ['ws', 'other']) {
      const first = stdout.split('\n').find((line) => line.includes(`${path.sep}${folder}"`));
      expect(JSON.parse(first ?? '')).toMatchObject({ triggers: [{ trigger: 'tick', state: 'on' }] });
    }
  });

  test('are refused if none exists', async () => {
    const { code, stderr } = await cli.run(['serve', '--workspace', 'gone', '--workspace', 'lost']);
    expect(code).toBe(2);
    expect(stderr).toContain('Folder gone does not exist.');
  });
});

describe('the HTTP service', () => {
  test('says where it listens, and refuses a port that is in use only if it was asked for', async () => {
    cli.write('ws/tick.flow.yaml', everySecond);
    const serve = ['serve', '--workspace', 'ws', '--trust', '--json', '--port'];
    const first = cli.start([...serve, '0', '--public-address', 'https://flows.example.com']);
    await first.whenPrinted('"origin"');
    const refused = await cli.run(['serve', '--workspace', 'ws', '--public-address', 'https://a.example/path']);
    expect(refused.stderr).toContain('It must be an address without a path');
    first.child.kill('SIGTERM');
    const { stdout, code } = await first.result;
    expect(code).toBe(0);
    const line = stdout.split('\n').find((text) => text.includes('"origin"')) ?? '';
    const { origin, publicAddress } = JSON.parse(line) as { readonly origin: string; readonly publicAddress: string };
    expect(publicAddress).toBe('https://flows.example.com');
    const { port } = new URL(origin);
    const other = createServer().listen(Number(port), '127.0.0.1');
    const taken = await cli.run([...serve, port]);
    expect(taken).toMatchObject({ code: 2 });
    expect(taken.stderr).toContain(`Port ${port} is used by another program`);
    // The triggers run without a port that the command does not name.
    const usual = cli.start(serve.slice(0, -1), { env: { MILLRACE_PORT: port } });
    await usual.whenPrinted('"triggers"');
    usual.child.kill('SIGTERM');
    expect((await usual.result).stderr).toContain(`Port ${port} is used by another program`);
    other.close();
  });
});

describe('the unit of systemd', () => {
  const packaged = ['/opt/Mill $race/bin/millrace'];

  test('keeps spaces, quotes and signs of paths', () => {
    const text = unitText({ command: packaged, workspaces: ['/home/kim/50% "x" $HOME', '/home/kim/a\nExecStart=b\\'] });
    expect(text).toContain(
      'ExecStart="/opt/Mill $race/bin/millrace" "serve" "--workspace" "/home/kim/50%% \\"x\\" $$HOME" ' +
        '"--workspace" "/home/kim/a\\x0aExecStart=b\\\\"\n',
    );
    expect(text).toContain('Description=Millrace triggers of 50%% "x" $HOME, a ExecStart=b/\n');
    expect(unitNameOf(['/home/kim/my flows'])).toMatch(/^millrace-my_flows-[0-9a-f]{8}\.service$/);
    expect(unitNameOf(['/home/kim/my flows'])).not.toBe(unitNameOf(['/home/lee/my flows']));
    expect(unitNameOf(['/a', '/b'])).not.toBe(unitNameOf(['/a']));
  });

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('passes the check of systemd', () => {
    const workspaces = ['a b', '50% "x" $HOME', 'c\nd'].map((name) => path.join(cli.folder, name));
    const program = path.join(cli.folder, 'Mill $race 5%', 'bin', 'millrace');
    mkdirSync(path.dirname(program), { recursive: true });
    writeFileSync(program, '', { mode: 0o755 });
    const verify = (text: string): string => {
      const file = path.join(cli.folder, unitNameOf(workspaces));
      writeFileSync(file, text);
      const { stdout, stderr } = spawnSync('/usr/bin/systemd-analyze', ['--user', 'verify', file], {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: cli.folder, SYSTEMD_LOG_LEVEL: 'warning' },
      });
      return stdout + stderr;
    };
    const text = unitText({ command: [program], workspaces });
    expect(verify(text)).toBe('');
    expect(verify(text.replace('/bin/millrace', '/bin/other'))).toContain('other');
  });

  test('is installed for several workspaces, and removed', async () => {
    const bin = path.join(cli.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'systemctl'), `#!/bin/sh\necho "$@" >> '${cli.folder}/calls'\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}`, XDG_CONFIG_HOME: path.join(cli.folder, 'config') };
    const install = ['serve', 'install', '--workspace', cli.folder, '--workspace', bin];
    const installed = await cli.run(install, { env });
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('Installed millrace-') });
    const folder = path.join(cli.folder, 'config', 'systemd', 'user');
    const [name = ''] = readdirSync(folder);
    const unit = readFileSync(path.join(folder, name), 'utf8');
    expect(unit).toMatch(new RegExp(`ExecStart="${process.execPath}" ".*cli.cjs" "serve" "--workspace" `));
    expect(unit).toContain(`"--workspace" "${cli.folder}" "--workspace" "${bin}"\n`);
    expect(readFileSync(path.join(cli.folder, 'calls'), 'utf8').split('\n')).toEqual([
      ...['--user show-environment', '--user daemon-reload', `--user enable ${name}`, `--user restart ${name}`, ''],
    ]);
    await cli.run(['serve', 'uninstall', ...install.slice(2)], { env });
    expect(readdirSync(folder)).toEqual([]);
  });
});
