/** Tests every file effect against all known ways out of the workspace, and against special files. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { evilZip } from '../../testing/evil-zip.ts';
import { createFolderHolder, type FolderHolder } from '../files/folders/folder-holder.ts';
import { createWorkspaceFiles } from '../files/workspace-files.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { createScriptHost } from './script-host.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

const secret = 'PRIVATE KEY of somebody';
const { signal } = new AbortController();

type Effect = (host: ScriptHost, path: string) => Promise<unknown>;

const reading: Readonly<Record<string, Effect>> = {
  readText: (host, path) => host['file.readText']({ path }, signal),
  readBytes: (host, path) => host['file.readBytes']({ path }, signal),
  readSpan: (host, path) => host['file.readSpan']({ path, start: 0, end: 9 }, signal),
  hash: (host, path) => host['file.hash']({ path, algorithm: 'blake3' }, signal),
  pageCount: (host, path) => host['pdf.pageCount']({ path }, signal),
  docx: (host, path) => host['file.docxToMarkdown']({ path }, signal),
  zipList: (host, path) => host['zip.list']({ source: path }, signal),
  zipText: (host, path) => host['zip.readText']({ source: path, entry: 'f.md' }, signal),
  unzip: (host, path) => host['zip.extract']({ source: path, destination: 'unzipped' }, signal),
  copyFrom: (host, source) => host['file.copy']({ source, destination: 'stolen', overwrite: true }, signal),
  zipFrom: (host, source) => host['zip.create']({ source, destination: 'stolen.zip' }, signal),
};

const writing: Readonly<Record<string, Effect>> = {
  save: (host, path) => host['file.write']({ path, content: 'x', mode: 'overwrite' }, signal),
  append: (host, path) => host['file.write']({ path, content: 'x', mode: 'append' }, signal),
  ensure: (host, path) => host['file.write']({ path, content: 'x', mode: 'ensure', whenBlank: true }, signal),
  saveChanges: (host, path) => host['file.saveChanges']({ path, changes: 'x' }, signal),
  ensureDir: (host, path) => host['file.ensureDir']({ path }, signal),
  copyTo: (host, path) => host['file.copy']({ source: 'mine.md', destination: path, overwrite: true }, signal),
  moveTo: (host, path) => host['file.move']({ source: 'mine.md', destination: path, overwrite: true }, signal),
  moveFrom: (host, path) => host['file.move']({ source: path, destination: 'stolen', overwrite: true }, signal),
  zipTo: (host, path) => host['zip.create']({ source: 'd', destination: path }, signal),
  unzipTo: (host, path) => host['zip.extract']({ source: 'a.zip', destination: path }, signal),
};

const effects = Object.entries({ ...reading, ...writing });

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld();
  at.folder.write('elsewhere/s.md', secret);
  at.folder.write('workspace/mine.md', 'mine');
  at.folder.write('workspace/d/f.md', 'mine');
  at.folder.write('workspace/a.zip', evilZip([{ name: 'f.md', content: 'mine' }]));
});
afterEach(() => at.end());

/** Returns everything below a folder; does not follow links. */
function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });
}

function expectNothingOutside(title: string): void {
  const elsewhere = below(at.folder.at('elsewhere')).map((path) => `${path} ${readFileSync(path, 'utf8')}`);
  expect(elsewhere, title).toEqual([`${at.folder.at('elsewhere/s.md')} ${secret}`]);
  const taken = below(at.folder.at('workspace')).filter(
    (path) => lstatSync(path).isFile() && readFileSync(path, 'utf8').includes(secret),
  );
  expect(taken, title).toEqual([]);
}

/** Resolves with the error's code regardless of the arguments of the call. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await work)}`;
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
}

const links: Readonly<Record<string, (world: TestWorld) => string>> = {
  link: ({ folder }) => folder.at('elsewhere'),
  'filelink.md': ({ folder }) => folder.at('elsewhere/s.md'),
  chain: () => 'link',
  relative: () => '../elsewhere',
  'd/up': () => '../../elsewhere',
  dangling: ({ folder }) => folder.at('elsewhere/not-there'),
  'dangling.md': () => '../elsewhere/new.md',
  loop: () => 'loop',
  back: () => '..',
  'into-git': () => '.git',
};

const waysOut: readonly string[] = [
  '../elsewhere/s.md',
  '../elsewhere/new.md',
  'd/../../elsewhere/s.md',
  './/..//elsewhere//s.md',
  'not-there/../../elsewhere/s.md',
  '~/../elsewhere/s.md',
  '$tmp/../../../../../elsewhere/s.md',
  'acme@tool/../../../../../../elsewhere/s.md',
  'acme@tool$workspace/../../../../../../../elsewhere/s.md',
  'ABSOLUTE',
  '/proc/self/root/ABSOLUTE',
  'link/s.md',
  'link/new.md',
  'link/deep/er/new.md',
  'filelink.md',
  'chain/s.md',
  'relative/s.md',
  'd/up/s.md',
  'dangling/new.md',
  'dangling.md',
  'loop',
  'loop/x.md',
  'back/elsewhere/s.md',
  'back/workspace/link/s.md',
  'into-git/hooks/post-commit',
  '.git/hooks/post-commit',
  '.GIT/config',
  '.millrace/runs.db',
  'x/.millrace./y',
  'nul\0byte',
];

describe.each([
  ['held by descriptors', undefined],
  ['watched', 'watch' as const],
])('folders that are %s', (_title, means) => {
  const holder: FolderHolder = createFolderHolder(means);

  test.skipIf(process.platform === 'win32').each(waysOut)('no effect leaves the workspace through %j', async (way) => {
    for (const [name, targetOf] of Object.entries(links)) {
      mkdirSync(at.folder.at('workspace/.git'), { recursive: true });
      symlinkSync(targetOf(at), at.folder.at(`workspace/${name}`));
    }
    const path = way
      .replace('/ABSOLUTE', at.folder.at('elsewhere/s.md'))
      .replace('ABSOLUTE', at.folder.at('elsewhere/s.md'));
    const host = createScriptHost({ ...at.world, holder }, at.scope);
    for (const [name, effect] of effects) {
      expect(await codeOf(effect(host, path)), name).toMatch(/^(?:effect\.denied|files\.[\w-]+)$/);
      expectNothingOutside(name);
    }
    expect(readdirSync(at.folder.at('workspace/.git'))).toEqual([]);
    const listed = await host['file.list']({ globs: [path], absolute: true, hasDefaultExcludes: false }, signal).catch(
      () => null,
    );
    expect(JSON.stringify(listed)).not.toMatch(/s\.md/);
    await host['file.delete']({ path }, signal).catch(() => undefined);
    expectNothingOutside('delete');
  });

  describe.skipIf(process.platform === 'win32')('special files', () => {
    let server: Server;
    beforeEach(async () => {
      execFileSync('mkfifo', [at.folder.at('workspace/pipe')]);
      server = createServer();
      await new Promise<void>((resolve) => server.listen(at.folder.at('workspace/socket'), resolve));
      symlinkSync('pipe', at.folder.at('workspace/to-pipe'));
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    // If one of them blocked, the test would not end.
    test.each(['pipe', 'socket', 'to-pipe'])('%s is neither read nor written', async (path) => {
      const host = createScriptHost({ ...at.world, holder }, at.scope);
      for (const [name, effect] of effects) expect(await codeOf(effect(host, path)), name).toMatch(/^files\./);
      const files = createWorkspaceFiles(at.folder.at('workspace'), holder);
      expect(await codeOf(files.readText(path, signal))).toBe('files.not-text');
      for (const mode of ['append', 'overwrite'] as const) {
        expect(await codeOf(files.writeText(path, 'x', mode))).toBe('files.not-writable');
      }
      expect(await files.readGlobs([`${path}*`], signal)).toEqual([]);
      expect(lstatSync(at.folder.at(`workspace/${path}`)).isFile()).toBe(false);
    });

    test('a pipe with a reader receives nothing', async () => {
      const end = openSync(at.folder.at('workspace/pipe'), constants.O_RDWR | constants.O_NONBLOCK);
      try {
        const host = createScriptHost({ ...at.world, holder }, at.scope);
        for (const [name, effect] of effects) expect(await codeOf(effect(host, 'pipe')), name).toMatch(/^files\./);
        expect(() => readSync(end, Buffer.alloc(1))).toThrow('EAGAIN');
      } finally {
        closeSync(end);
      }
    });
  });
});

describe('special files in a trusted workspace', () => {
  test.skipIf(process.platform !== 'linux').each(['/dev/zero', '/dev/stdin', '/dev/tty', '/proc/self/fd'])(
    '%s is neither read nor written in a trusted workspace',
    async (path) => {
      const host = createScriptHost({ ...at.world, isTrusted: () => true }, at.scope);
      for (const [name, effect] of Object.entries(reading)) {
        if (name === 'zipFrom' && path === '/proc/self/fd') continue;
        expect(await codeOf(effect(host, path)), name).toMatch(/^files\./);
      }
    },
  );
});
