/**
 * Runs every command in every type of broken environment: users never see a stack trace, and errors contain the path
 * and a fix.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import { testRounds } from '../testing/test-rounds.ts';
import { runCli } from './run-cli.ts';

const cli = setUpCli();
const flow = 'flow: { name: a }\nnodes: [{ id: a, type: control.noop, input: {} }]\nedges: []\n';
const agent = '# Data\n\n```lua\nreturn 1\n```\n';
const long = 'x'.repeat(300);
const places: Record<
  string,
  (f: string) => { target?: string; flags?: string[]; env?: Record<string, string>; cwd?: string }
> = {
  'target missing': () => ({ target: 'nope' }),
  'target in missing folder': () => ({ target: 'no/where' }),
  'target a folder': (f) => {
    mkdirSync(path.join(f, 'dir.flow.yaml'));
    mkdirSync(path.join(f, 'dir.aip'));
    return { target: 'dir' };
  },
  'target below a file': (f) => {
    writeFileSync(path.join(f, 'plain'), '');
    return { target: 'plain/x' };
  },
  'target too long': () => ({ target: long }),
  'target path too long': () => ({ target: `${`${'y'.repeat(200)}/`.repeat(30)}x` }),
  'target link circle': (f) => {
    symlinkSync('loop.flow.yaml', path.join(f, 'loop.flow.yaml'));
    symlinkSync('loop.aip', path.join(f, 'loop.aip'));
    return { target: 'loop' };
  },
  'workspace missing': () => ({ flags: ['--workspace', 'nope'] }),
  'workspace a file': () => ({ flags: ['--workspace', 'a.flow.yaml'] }),
  'workspace below a file': () => ({ flags: ['--workspace', 'a.flow.yaml/x'] }),
  'workspace too long': () => ({ flags: ['--workspace', long] }),
  'workspace empty': () => ({ flags: ['--workspace', ''] }),
  'store a folder': (f) => {
    mkdirSync(path.join(f, 'd'));
    return { flags: ['--store', 'd'] };
  },
  'store below a file': () => ({ flags: ['--store', 'a.flow.yaml/x.db'] }),
  'store in missing folder': () => ({ flags: ['--store', 'nope/x.db'] }),
  'store too long': () => ({ flags: ['--store', long] }),
  'store text': (f) => {
    writeFileSync(path.join(f, 't.db'), 'hello '.repeat(1000));
    return { flags: ['--store', 't.db'] };
  },
  'store half': (f) => {
    writeFileSync(path.join(f, 't.db'), `SQLite format 3\0${'\u0001'.repeat(3000)}`);
    return { flags: ['--store', 't.db'] };
  },
  'store wal folder': (f) => {
    mkdirSync(path.join(f, 't.db-wal'));
    return { flags: ['--store', 't.db'] };
  },
  'millrace a file': (f) => {
    writeFileSync(path.join(f, '.millrace'), '');
    return {};
  },
  'millrace broken link': (f) => {
    symlinkSync('nowhere', path.join(f, '.millrace'));
    return {};
  },
  'runs.db a folder': (f) => {
    mkdirSync(path.join(f, '.millrace/runs.db'), { recursive: true });
    return {};
  },
  'runs.db text': (f) => {
    mkdirSync(path.join(f, '.millrace'));
    writeFileSync(path.join(f, '.millrace/runs.db'), 'hello '.repeat(1000));
    return {};
  },
  'runs.db empty header': (f) => {
    mkdirSync(path.join(f, '.millrace'));
    writeFileSync(path.join(f, '.millrace/runs.db'), 'SQLite format 3\0');
    return {};
  },
  'runs.db-shm folder': (f) => {
    mkdirSync(path.join(f, '.millrace/runs.db-shm'), { recursive: true });
    return {};
  },
  'gitignore folder': (f) => {
    mkdirSync(path.join(f, '.millrace/.gitignore'), { recursive: true });
    return {};
  },
  'aipack a file': (f) => {
    writeFileSync(path.join(f, '.aipack'), '');
    return {};
  },
  'aipack config folder': (f) => {
    mkdirSync(path.join(f, '.aipack/config.toml'), { recursive: true });
    return {};
  },
  'aipack pack file': (f) => {
    mkdirSync(path.join(f, '.aipack'));
    writeFileSync(path.join(f, '.aipack/pack'), '');
    return {};
  },
  'home a file': (f) => {
    writeFileSync(path.join(f, 'home'), '');
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'home below a file': (f) => ({ env: { MILLRACE_HOME: path.join(f, 'a.flow.yaml/home') } }),
  'home too long': (f) => ({ env: { MILLRACE_HOME: path.join(f, long) } }),
  'home config folder': (f) => {
    mkdirSync(path.join(f, 'home/config-user.toml'), { recursive: true });
    mkdirSync(path.join(f, 'home/config-default.toml'), { recursive: true });
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'home config garbage': (f) => {
    mkdirSync(path.join(f, 'home'));
    writeFileSync(path.join(f, 'home/config-user.toml'), '= = [');
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'home millrace file': (f) => {
    mkdirSync(path.join(f, 'home'));
    writeFileSync(path.join(f, 'home/millrace'), '');
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'home trusted folder': (f) => {
    mkdirSync(path.join(f, 'home/millrace/trusted.json'), { recursive: true });
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'home trusted garbage': (f) => {
    mkdirSync(path.join(f, 'home/millrace'), { recursive: true });
    writeFileSync(path.join(f, 'home/millrace/trusted.json'), '{{{');
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'home pack file': (f) => {
    mkdirSync(path.join(f, 'home'));
    writeFileSync(path.join(f, 'home/pack'), '');
    return { env: { MILLRACE_HOME: path.join(f, 'home') } };
  },
  'cwd gone': (f) => ({ cwd: path.join(f, 'gone') }),
  'cwd a file': (f) => ({ cwd: path.join(f, 'a.flow.yaml') }),
};
const commands: Record<string, (t: string | undefined) => string[]> = {
  'run flow': (t) => ['run', `${t ?? 'a'}.flow.yaml`],
  'run agent': (t) => ['run', `${t ?? 'a'}.aip`, '-i', 'x'],
  'run files': (t) => ['run', 'a.aip', '-f', `${t ?? 'a'}.flow.yaml`],
  'run input-file': (t) => ['run', 'a.flow.yaml', '--input-file', `${t ?? 'in'}.json`],
  'run cassette': (t) => ['run', 'a.flow.yaml', '--cassette', `${t ?? 'rec'}.json`],
  'run pack': () => ['run', 'demo@proof'],
  validate: (t) => ['validate', `${t ?? 'a'}.flow.yaml`, `${t ?? 'a'}.aip`],
  format: (t) => ['format', `${t ?? 'a'}.flow.yaml`],
  'format check': (t) => ['format', '--check', `${t ?? 'a'}.flow.yaml`],
  'runs list': () => ['runs', 'list'],
  'runs show': () => ['runs', 'show', 'nope'],
  'runs events': () => ['runs', 'events', 'nope'],
  'runs export': (t) => ['runs', 'export', 'nope', ...(t ? ['--output', t] : [])],
  'runs delete': () => ['runs', 'delete', 'nope'],
  redo: () => ['redo', 'nope'],
  resume: () => ['resume', 'nope'],
  rerun: () => ['rerun', 'nope', '--from', 'a'],
  'new flow': (t) => ['new', 'flow', t ?? 'fresh'],
  'new agent': (t) => ['new', 'agent', t ?? 'fresh'],
  'new pack': (t) => ['new', 'pack', t ?? 'fresh'],
  init: (t) => ['init', ...(t === undefined ? [] : [t])],
  'init-base': () => ['init-base'],
  list: () => ['list'],
  install: (t) => ['install', `./${t ?? 'p'}.aipack`],
  update: () => ['update'],
  uninstall: (t) => ['uninstall', t ?? 'a@b'],
  unpack: (t) => ['unpack', t ?? 'a'],
  pack: (t) => ['pack', t ?? 'nopack'],
  'check-keys': () => ['check-keys'],
  schema: () => ['schema', 'flow'],
  self: () => ['self'],
};

const placeNames = Object.keys(places);
const commandNames = Object.keys(commands);
/** With more test rounds, every command runs in every environment. */
const commandsEach = Math.min(commandNames.length, testRounds(1));

describe.each(placeNames.map((place, index) => ({ place, index })))('$place', ({ place, index }) => {
  const chosen = Array.from(
    { length: commandsEach },
    (_, n) => commandNames[(index * 7 + n * 11) % commandNames.length] ?? '',
  );

  test.each(chosen)('%s', async (name) => {
    const folder = mkdtempSync(path.join(cli.folder, 'place-'));
    writeFileSync(path.join(folder, 'a.flow.yaml'), flow);
    writeFileSync(path.join(folder, 'a.aip'), agent);
    writeFileSync(path.join(folder, 'in.json'), '{}');
    const { target, flags = [], env = {}, cwd = folder } = places[place]?.(folder) ?? {};
    const { code, stdout, stderr } = await cli.call([...(commands[name]?.(target) ?? []), ...flags], { cwd, env });
    rmSync(folder, { recursive: true, force: true });
    expect(stdout + stderr).not.toMatch(
      /\n\s+at |illegal operation|no such file or directory|not a directory,|name too long,/,
    );
    expect([0, 1, 2, 4]).toContain(code);
    if (code === 0) return;
    expect(stderr).toMatch(/^(?:millrace: |note: |error: |\S+:\d+:\d+ )/);
    expect(stderr).not.toContain('undefined');
    // One sentence states the problem, and another a fix.
    const isTold =
      / \(E[A-Z]+\)\.|[.!?] [A-Z`"-]|Install it with|full path|no run nope|no pack|no reference|reason: |is not /.test(
        stderr,
      );
    expect({ stderr, isTold }).toEqual({ stderr, isTold: true });
  });
});

test('reports that the current folder does not exist', async () => {
  let said = '';
  const stream = {
    on: () => undefined,
    write: (text: string) => {
      said += text;
    },
  };
  const cwd = () => {
    throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' });
  };
  const own = { argv: ['node', import.meta.filename, 'runs', 'list'], env: {}, cwd, stdout: stream, stderr: stream };
  expect(await runCli(own as unknown as NodeJS.Process)).toBe(1);
  expect(said).toBe(
    'millrace: The folder in which the program was started no longer exists. Change to another folder (ENOENT).\n',
  );
});
