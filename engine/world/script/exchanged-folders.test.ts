/** Tests folders that are repeatedly replaced by links while scripts use them. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { evilZip } from '../../testing/evil-zip.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { createFolderHolder, type FolderHolder } from '../files/folders/folder-holder.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { createScriptHost } from './script-host.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { type Exchanger, startExchanging } from './testing/exchanger.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';
import { listZip } from './zip-calls.ts';

vi.setConfig({ testTimeout: 600_000 });

const { signal } = new AbortController();

/** Nothing inside the workspace has this text or this length. */
const secret = `-----BEGIN PRIVATE KEY-----\n${'secret '.repeat(11_000)}`;

const hashOfSecret = createHash('sha256').update(secret).digest('hex');

type Effect = (host: ScriptHost, round: number, at: TestWorld) => Promise<unknown>;

/**
 * `d` is the swapped folder. Inside the workspace it contains what each round needs; outside, secrets with the same
 * names.
 */
const effects: Readonly<Record<string, Effect>> = {
  'file.readText': (host) => host['file.readText']({ path: 'd/f.md' }, signal),
  'file.readBytes': (host) => host['file.readBytes']({ path: 'd/sub/f.md' }, signal),
  'file.readSpan': (host) => host['file.readSpan']({ path: 'd/f.md', start: 0, end: 400 }, signal),
  'file.hash': async (host) => {
    const { bytes } = await host['file.hash']({ path: 'd/f.md', algorithm: 'sha256' }, signal);
    return Buffer.from(bytes as Uint8Array).toString('hex');
  },
  'file.info': (host) => host['file.info']({ path: 'd/f.md' }, signal),
  'path.kind': async (host) => {
    const { kind } = await host['path.kind']({ path: 'd/only-outside.md' }, signal);
    return kind === null ? null : 'secret';
  },
  'file.list': (host) => host['file.list']({ globs: ['d/**/*.md'], absolute: false, hasDefaultExcludes: true }, signal),
  'file.write, over': (host, round) =>
    host['file.write']({ path: 'd/f.md', content: `inside ${round}`, mode: 'overwrite' }, signal),
  'file.write, new': (host, round) =>
    host['file.write']({ path: `d/made-${round}.md`, content: 'inside', mode: 'overwrite' }, signal),
  'file.write, append': (host) => host['file.write']({ path: 'd/f.md', content: '+', mode: 'append' }, signal),
  'file.write, append new': (host, round) =>
    host['file.write']({ path: `d/added-${round}.md`, content: 'inside', mode: 'append' }, signal),
  'file.write, ensure': (host, round) =>
    host['file.write']({ path: `d/deep-${round}/er/f.md`, content: 'inside', mode: 'ensure' }, signal),
  'file.saveChanges': (host, round) => host['file.saveChanges']({ path: 'd/f.md', changes: `inside ${round}` }, signal),
  'file.ensureDir': (host, round) => host['file.ensureDir']({ path: `d/dir-${round}/in` }, signal),
  'file.copy, out of it': (host, round) =>
    host['file.copy']({ source: 'd/f.md', destination: `copy-${round}.md`, overwrite: true }, signal),
  'file.copy, into it': (host) =>
    host['file.copy']({ source: 'mine.md', destination: 'd/sub/f.md', overwrite: true }, signal),
  'file.move, out of it': async (host, round) => {
    await host['file.write']({ path: 'd/f.md', content: 'inside', mode: 'ensure' }, signal).catch(() => undefined);
    await host['file.move']({ source: 'd/f.md', destination: `moved-${round}.md`, overwrite: true }, signal);
  },
  'file.move, into it': async (host, _round, at) => {
    at.folder.write('workspace/mover.md', 'inside');
    await host['file.move']({ source: 'mover.md', destination: 'd/sub/f.md', overwrite: true }, signal);
  },
  'file.move, of the folder itself': async (host, round) => {
    await host['file.move']({ source: 'd', destination: `folder-${round}`, overwrite: false }, signal);
    await host['file.move']({ source: `folder-${round}`, destination: 'd', overwrite: false }, signal);
  },
  'file.delete': async (host) => {
    await host['file.write']({ path: 'd/f.md', content: 'inside', mode: 'ensure' }, signal).catch(() => undefined);
    await host['file.delete']({ path: 'd/f.md' }, signal);
  },
  'file.delete, of a folder': async (host) => {
    await host['file.write']({ path: 'd/sub/f.md', content: 'inside', mode: 'ensure' }, signal).catch(() => undefined);
    await host['file.delete']({ path: 'd/sub' }, signal);
  },
  'zip.create, of it': async (host, round, at) => {
    await host['zip.create']({ source: 'd', destination: `all-${round}.zip` }, signal);
    const file = at.folder.at(`workspace/all-${round}.zip`);
    const names = await listZip(file);
    const texts = await Promise.all(
      names.map((entry) => host['zip.readText']({ source: `all-${round}.zip`, entry }, signal)),
    );
    rmSync(file);
    return [names, texts];
  },
  'zip.create, into it': (host, round) =>
    host['zip.create']({ source: 'src', destination: `d/sub/made-${round}.zip` }, signal),
  'zip.extract, into it': (host) => host['zip.extract']({ source: 'a.zip', destination: 'd/sub' }, signal),
  'zip.list': (host) => host['zip.list']({ source: 'd/a.zip' }, signal),
};

let at: TestWorld;
let exchanger: Exchanger;

function build(holder: FolderHolder, over: Partial<ScriptHostOptions> = {}): ScriptHost {
  at = createTestWorld(over);
  const { folder } = at;
  const outside = { 'f.md': secret, 'sub/f.md': secret, 'only-outside.md': secret, 'a.zip': zipOf('secret.md') };
  for (const [path, text] of Object.entries(outside)) folder.write(`elsewhere/${path}`, text);
  const inside = {
    'd/f.md': 'mine',
    'd/sub/f.md': 'mine',
    'mine.md': 'mine',
    'src/x.md': 'mine',
    'a.zip': zipOf('f.md'),
  };
  for (const [path, text] of Object.entries(inside)) folder.write(`workspace/${path}`, text);
  folder.write('workspace/d/a.zip', zipOf('inside.md'));
  symlinkSync(folder.at('elsewhere'), folder.at('workspace/link'));
  mkdirSync(folder.at('home/trash'));
  return createScriptHost({ ...at.world, holder }, at.scope);
}

function zipOf(name: string): Buffer {
  return evilZip([{ name, content: 'inside' }]);
}

/** Returns the paths of everything below a folder; does not follow links. */
function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });
}

/**
 * Returns everything below a folder with the content and modification time of files. Times of folders count only if
 * nothing is temporarily created in a wrong place.
 */
function stateOf(folder: string, hasFolderTimes: boolean): string[] {
  return below(folder)
    .sort()
    .map((path) => {
      const state = lstatSync(path);
      if (!state.isFile()) return `${path} ${state.ino} ${hasFolderTimes ? state.mtimeMs : ''}`;
      return `${path} ${state.ino} ${state.mtimeMs} ${readFileSync(path, 'latin1')}`;
    });
}

/** Returns files in the workspace with content from outside, and unexpected links. */
function stolen(): string[] {
  const places = ['link', 'd', 'd-aside'].map((name) => at.folder.at(`workspace/${name}`));
  return below(at.folder.at('workspace')).filter((path) => {
    const state = lstatSync(path);
    if (state.isSymbolicLink()) return !places.includes(path);
    return state.isFile() && readFileSync(path, 'utf8').includes('PRIVATE KEY');
  });
}

async function race(effect: Effect, how: 'descriptors' | 'watch', rounds: number): Promise<void> {
  const host = build(how === 'watch' ? createFolderHolder('watch') : createFolderHolder());
  const outside = (): string[] => stateOf(at.folder.at('elsewhere'), how === 'descriptors');
  const before = outside();
  exchanger = await startExchanging(at.folder.at('workspace/d'), at.folder.at('workspace/link'));
  const told: string[] = [];
  const failures = new Set<string>();
  try {
    for (let round = 0; round < rounds; round += 1) {
      try {
        told.push(JSON.stringify(await effect(host, round, at)) ?? '');
      } catch (error) {
        if (!EngineError.is(error)) throw error;
        failures.add(error.code);
      }
    }
  } finally {
    await exchanger.stop();
  }
  expect(outside()).toEqual(before);
  expect(stolen()).toEqual([]);
  const signs = ['PRIVATE', 'secret', 'only-outside.md"', `"size":${secret.length}`, hashOfSecret];
  expect(told.filter((text) => signs.some((sign) => text.includes(sign)))).toEqual([]);
  expect([...failures].filter((code) => !/^(?:files|effect)\./.test(code))).toEqual([]);
}

afterEach(() => at.end());

const names = Object.keys(effects);

describe.runIf(process.platform === 'linux')('a folder that is swapped for a link while scripts use it', () => {
  test.each(names)('%s stays in the workspace', async (name) => {
    await race(effects[name] as Effect, 'descriptors', testRounds(12));
  });
});

describe.skipIf(process.platform === 'win32')('systems without descriptor paths', () => {
  test.each(names)('%s stays in the workspace', async (name) => {
    await race(effects[name] as Effect, 'watch', testRounds(6));
  });

  test('the trash gets nothing from outside when the folder is exchanged just before', async () => {
    const taken: string[] = [];
    const host = build(createFolderHolder('watch'), {
      trash: async (path) => {
        const [folder, link] = [at.folder.at('workspace/d'), at.folder.at('workspace/link')];
        renameSync(folder, `${folder}-aside`);
        renameSync(link, folder);
        try {
          renameSync(path, at.folder.at('home/trash/taken'));
          taken.push(path);
        } finally {
          renameSync(folder, link);
          renameSync(`${folder}-aside`, folder);
        }
      },
    });
    const state = () => below(at.folder.path).sort();
    const before = state();
    await host['file.delete']({ path: 'd/sub' }, signal).catch(() => undefined);
    expect(taken).toEqual([]);
    expect(state()).toEqual(before);
  });
});
