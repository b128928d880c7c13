/**
 * Tests the Debian package as users experience it: installed by apt, used by an ordinary user with Chromium's sandbox,
 * upgraded with all data kept, and removed completely. Does nothing on a machine where the program is already
 * installed.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect as baseExpect, chromium, type Page } from '@playwright/test';
import { test } from './program.ts';
import { approveRequest, expectRun, runList, showRuns } from './window.ts';

const { MILLRACE_OLDER_DEB: olderDeb, MILLRACE_DEB: currentDeb, MILLRACE_DEB_PROBLEM: problem } = process.env;
/**
 * Nothing is timed here. The limits, for the whole test and for each step, allow for a machine 30 times slower than
 * usual.
 */
const limitMs = 90 * 60_000;
const patienceMs = 15 * 60_000;
const expect = baseExpect.configure({ timeout: patienceMs });
const nobody = 65_534;
/** The environment of programs the user starts: only the display comes from the environment of the test. */
const bareEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  DISPLAY: process.env['MILLRACE_DISPLAYS']?.split(' ')[0],
};

// biome-ignore lint/suspicious/noSkippedTests: it changes the system, which requires root.
test.skip(
  olderDeb === undefined || currentDeb === undefined,
  `Packages cannot be installed here: ${problem ?? 'none were made'}.`,
);

/** Returns the dpkg status of the package; empty if dpkg does not know it. */
function installedStatus(): string {
  try {
    return execFileSync('dpkg', ['--status', 'millrace'], { stdio: 'pipe' }).toString();
  } catch {
    return '';
  }
}

function installedVersion(): string | undefined {
  const shown = installedStatus();
  return shown.includes('\nStatus: install ok installed\n') ? /^Version: (.*)$/m.exec(shown)?.[1] : undefined;
}

/** Removes the package if a test installed it, even one that was killed. Only test packages have the field. */
async function removeOwn(): Promise<void> {
  if (!/^(Millrace-Trial: |Version: 0\.0\.1$)/m.test(installedStatus())) return;
  await promisify(execFile)('dpkg', ['--configure', 'millrace']).catch(() => undefined);
  await promisify(execFile)('dpkg', ['--purge', '--force-remove-reinstreq', 'millrace']);
}

async function apt(...args: readonly string[]): Promise<string> {
  const options = ['DPkg::Lock::Timeout=300', 'Dpkg::Use-Pty=0', 'Dpkg::Options::=--force-unsafe-io'];
  const flags = ['-y', '--no-install-recommends', ...options.flatMap((option) => ['-o', option])];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (await promisify(execFile)('apt-get', [...flags, ...args], { env })).stdout;
}

/** Allows one such test at a time per machine. Resolves to a function that releases the lock. */
async function lock(): Promise<() => void> {
  const holder = spawn('flock', ['/run/lock/millrace-deb-test', 'sh', '-c', 'echo locked; cat >/dev/null']);
  await once(holder.stdout, 'data');
  return () => holder.stdin.end();
}

interface User {
  readonly home: string;
  readonly workspace: string;
}

async function makeUser(): Promise<User> {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-deb-user-'));
  const workspace = path.join(home, 'flows');
  await mkdir(workspace);
  const flow = 'flow: { name: Hi }\nnodes: [{ id: say, type: echo, input: { text: hello } }]\nedges: []\n';
  await writeFile(path.join(workspace, 'hi.flow.yaml'), flow);
  for (const place of [home, workspace, path.join(workspace, 'hi.flow.yaml')]) await chown(place, nobody, nobody);
  return { home, workspace };
}

/** Runs a command as the test user, who has no other rights and can gain rights only through the sandbox helper. */
function asUser({ home, workspace }: User, command: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const flags = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=+all'];
  return spawn('setpriv', [...flags, ...command], {
    cwd: workspace,
    env: { ...bareEnvironment, HOME: home, MILLRACE_EXAMPLES_DIR: path.join(home, 'examples'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts the installed program and drives it. Resolves to its exit code. */
async function withWindow(
  user: User,
  act: (page: Page, pid: number) => Promise<void>,
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const flags = ['--remote-debugging-port=0', '--force-prefers-reduced-motion'];
  const child = asUser(user, ['/usr/lib/millrace/millrace', ...flags], { MILLRACE_ALLOW_DEBUGGING: '1', ...env });
  try {
    return await drive(child, act);
  } finally {
    child.kill();
  }
}

async function drive(child: ChildProcess, act: (page: Page, pid: number) => Promise<void>): Promise<number> {
  const ended = once(child, 'exit');
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
      said += `${line}\n`;
      const found = /^DevTools listening on (ws:.*)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`It ended before it listened:\n${said}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (page === undefined) throw new Error('It shows no page.');
  await act(page, child.pid ?? 0);
  await page.close();
  const [code] = await ended;
  return code;
}

/** Returns the ids of descendants of a process with `part` in their command line. */
async function processesOf(pid: number, part: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []);
  const below = (parent: string): string[] =>
    rows.flatMap(([, own = '', of = '', args = '']) =>
      of === parent ? [...(args.includes(part) ? [own] : []), ...below(own)] : [],
    );
  return below(String(pid));
}

async function output(child: ChildProcess): Promise<{ code: number; out: string; errors: string }> {
  let out = '';
  let errors = '';
  child.stdout?.on('data', (data) => (out += data));
  child.stderr?.on('data', (data) => (errors += data));
  const [code] = await once(child, 'close');
  return { code, out, errors };
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

interface Feed {
  /** The content of `resources/updates.json` in the programs built for this source. */
  readonly source: string;
  readonly close: () => void;
}

/** Publishes the newer package as 99.0.0 and the older one as the version that both programs report. */
async function publish(folder: string): Promise<Feed> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const server = createServer(({ url = '' }, response) => {
    const file = createReadStream(path.join(folder, url));
    file.on('error', () => response.writeHead(404).end()).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await mkdir(path.join(folder, 'stable'), { recursive: true });
  const tool = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, ['tools/run.mjs', 'manifest', ...args]);
  const key = path.join(folder, 'update.key');
  const { stderr } = await tool('new-key', key);
  const publicKey: string = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  const name = path.basename(currentDeb ?? '');
  for (const [offered, deb] of [
    [version, olderDeb],
    ['99.0.0', currentDeb],
  ]) {
    await copyFile(deb ?? '', path.join(folder, name.replace(version, offered)));
    const places = ['--folder', folder, '--out', path.join(folder, 'stable'), '--base-url', feed, '--key', key];
    await tool(...places, '--version', offered, '--notes', 'https://millrace.example/notes');
  }
  return { source: JSON.stringify({ feed, keys: [publicKey] }), close: () => server.close() };
}

/** Ends the program that was started by a restart. */
async function endRestarted(): Promise<void> {
  const find = () =>
    promisify(execFile)('pgrep', ['-o', '-u', String(nobody), '-f', '^/usr/lib/millrace/millrace --remote']);
  const started = async () => Number((await find().catch(() => ({ stdout: '' }))).stdout);
  await expect.poll(started, { timeout: patienceMs }).toBeGreaterThan(0);
  process.kill(await started());
  await expect.poll(started, { timeout: patienceMs }).toBe(0);
}

/** Finds, downloads and checks the newer package on a system without a password prompt. */
async function updateByHand(user: User): Promise<void> {
  const feed = await publish(path.join(user.home, 'feed'));
  const bin = path.join(user.home, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'pkexec'), '#!/bin/sh\nexit 127\n');
  await chmod(path.join(bin, 'pkexec'), 0o755);
  await writeFile('/usr/lib/millrace/resources/updates.json', feed.source);
  try {
    let command = '';
    const look = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: 'Millrace 99.0.0 is available' }).click({ timeout: patienceMs });
      const settings = page.getByRole('dialog');
      await expect(settings).toContainText('https://millrace.example/notes');
      await settings.getByRole('button', { name: 'Download' }).click();
      await expect(settings).toContainText('Millrace 99.0.0 is downloaded and verified.', { timeout: patienceMs });
      await expect(settings).toContainText('Millrace offers it if the new version fails to start twice');
      await settings.getByRole('button', { name: 'Install and restart' }).click();
      await expect(settings).toContainText('The system did not let this program ask for the password.');
      command = (await settings.locator('code').textContent()) ?? '';
      // Simulates that the user entered the password: the program restarts.
      await writeFile(path.join(bin, 'pkexec'), '#!/bin/sh\nexit 0\n');
      await settings.getByRole('button', { name: 'Try again' }).click();
      await page.waitForEvent('close', { timeout: patienceMs });
    };
    expect(await withWindow(user, look, { PATH: `${bin}:${bareEnvironment.PATH}` })).toBe(0);
    await endRestarted();
    expect(installedVersion()).toBe('0.0.1');
    const file = /^sudo apt install (\S+)$/.exec(command)?.[1] ?? '';
    expect((await readFile(file)).equals(await readFile(currentDeb ?? ''))).toBe(true);
    await apt('install', file);
  } finally {
    feed.close();
  }
}

test.setTimeout(limitMs);

test('installs, runs in the sandbox as an ordinary user, upgrades with all data kept, and is removed', async () => {
  const unlock = await lock();
  const user = await makeUser();
  try {
    await removeOwn();
    // biome-ignore lint/suspicious/noSkippedTests: an existing installation of the user must not be changed.
    test.skip(installedStatus() !== '', 'Millrace is installed on this machine, and not by this test.');
    await apt('install', olderDeb ?? '');
    expect(installedVersion()).toBe('0.0.1');
    expect(await readFile('/usr/lib/millrace/resources/package-type', 'utf8')).toBe('deb');

    const firstEnd = await withWindow(user, async (page, pid) => {
      const run = page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first();
      await run.click({ timeout: patienceMs });
      await approveRequest(page);
      await expectRun(page, 'completed');
      // The page is sandboxed by seccomp filters, and by user namespaces or the setuid helper.
      const [renderer] = await processesOf(pid, '--type=renderer');
      expect(await readFile(`/proc/${renderer}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
      expect(await readFile(`/proc/${renderer}/cmdline`, 'utf8')).not.toContain('--no-sandbox');
    });
    expect(firstEnd).toBe(0);

    await updateByHand(user);
    expect(installedVersion()).not.toBe('0.0.1');
    const secondEnd = await withWindow(user, async (page) => {
      await showRuns(page);
      await expect(runList(page)).toContainText('Run 1');
    });
    expect(secondEnd).toBe(0);

    // Run in a pipe, without a display.
    const piped = ['bash', '-c', 'set -o pipefail; millrace run hi.flow.yaml --json | tail -n 1'];
    const { code, out, errors } = await output(asUser(user, piped, { DISPLAY: undefined }));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(JSON.parse(out)).toMatchObject({ event: { type: 'run:end', status: 'completed' } });
    const refused = await output(asUser(user, ['millrace', 'validate', 'none.flow.yaml'], { DISPLAY: undefined }));
    expect(refused).toMatchObject({ code: 2, out: '' });

    // Check the MIME types only if a desktop has installed the database tool.
    if (await isThere('/usr/bin/update-mime-database')) {
      expect(await isThere('/usr/share/mime/application/vnd.millrace.flow+yaml.xml')).toBe(true);
    }
    await apt('purge', 'millrace');
    expect(installedVersion()).toBeUndefined();
    for (const place of [
      '/usr/lib/millrace',
      '/usr/bin/millrace',
      '/etc/apparmor.d/millrace',
      '/usr/share/doc/millrace',
    ]) {
      expect([place, await isThere(place)]).toEqual([place, false]);
    }
    expect(await isThere(path.join(user.home, 'examples', '.millrace', 'runs.db'))).toBe(true);
  } finally {
    await removeOwn();
    unlock();
    await rm(user.home, { recursive: true, force: true, maxRetries: 10 });
  }
});
