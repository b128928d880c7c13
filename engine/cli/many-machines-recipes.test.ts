/** Checks the configuration files of the page about many machines with the programs that read them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { setUpCli } from '../testing/cli-fixture.ts';
import { readDocsBlocks } from '../testing/docs-blocks.ts';

const page = path.resolve(import.meta.dirname, '../../docs/how-to/run-on-many-machines.md');
const files = new Map(
  readDocsBlocks(readFileSync(page, 'utf8')).blocks.flatMap(({ file, code }) =>
    file === undefined ? [] : [[file, code] as const],
  ),
);

const cli = setUpCli();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-recipes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function contentOf(file: string): string {
  const content = files.get(file);
  if (content === undefined) throw new Error(`The page has no block for ${file}.`);
  return content;
}

function isInstalled(...command: readonly [string, ...string[]]): boolean {
  try {
    const [program, ...args] = command;
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface ComposeService {
  readonly command?: string;
  readonly image?: string;
  readonly build?: { readonly dockerfile: string };
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[];
}

function services(): Readonly<Record<string, ComposeService>> {
  const { services: all } = parse(contentOf('compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  return all;
}

test('the commands of workers use only options that the program has', async () => {
  const { stdout: help } = await cli.call(['worker', '--help']);
  const unit = /ExecStart=([\s\S]*?[^\\])\n/.exec(contentOf('millrace-worker.service'))?.[1] ?? '';
  const commands = [services()['worker-a']?.command ?? '', services()['worker-b']?.command ?? '', unit];
  for (const command of commands) {
    expect(command).toMatch(/\bworker\b/);
    const options = [...command.matchAll(/(--[a-z-]+)/g)].map(([option]) => option);
    expect(options).toContain('--history');
    for (const option of options) expect(help).toContain(option);
  }
});

test('the services of Compose name files, services and servers that exist', () => {
  const all = services();
  for (const [name, { depends_on = [], build, image, volumes = [] }] of Object.entries(all)) {
    expect(image ?? build, name).toBeDefined();
    for (const other of depends_on) expect(Object.keys(all)).toContain(other);
    if (build !== undefined) expect(files.has(build.dockerfile)).toBe(true);
    const named = volumes.flatMap((volume) => /^\.\/([\w.]+\.\w+):/.exec(volume)?.[1] ?? []);
    for (const file of named) expect(files.has(file), file).toBe(true);
  }
  const balanced = [...contentOf('haproxy.cfg').matchAll(/server \w+ ([\w-]+):/g)].map(([, name]) => name);
  expect(balanced).toEqual(['worker-a', 'worker-b']);
});

test.runIf(isInstalled('haproxy', '-v'))('HAProxy accepts its configuration', () => {
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, contentOf('haproxy.cfg'));
  execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' });
});

test.runIf(isInstalled('systemd-analyze', '--version'))('systemd accepts the units', () => {
  for (const name of ['restate.service', 'millrace-worker.service']) {
    const file = path.join(folder, name);
    // The programs are not installed here.
    writeFileSync(file, contentOf(name).replace(/ExecStart=\S+/, 'ExecStart=/bin/true'));
    execFileSync('systemd-analyze', ['verify', '--man=no', file], { stdio: 'pipe' });
  }
});
