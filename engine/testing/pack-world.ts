/**
 * A separate base folder, workspace, trash and clock, for tests of packs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { PackInstallOptions } from '../packs/pack/install/installer.ts';
import { createTestFolder, type TestFolder } from '../world/files/testing/test-folder.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export interface PackWorld extends TestFolder {
  readonly clock: ManualClock;
  readonly baseFolder: string;
  readonly workspace: string;
  /** Options for the pack functions. */
  readonly options: PackInstallOptions & { readonly workspace: string };
  /** Returns the text of a file; undefined if it does not exist. */
  read(path: string): string | undefined;
  /** Returns the names of items in the trash. */
  trash(): string[];
  /** Writes a pack's folder: a manifest, and files by path. */
  writePack(
    at: string,
    identity: string,
    files?: Readonly<Record<string, string>> & { readonly version?: string },
  ): void;
  /** Returns what installations left behind. */
  leftovers(): string[];
}

/** Creates the folders on disk. */
export function createPackWorld(): PackWorld {
  const folder = createTestFolder();
  const clock = createManualClock();
  const baseFolder = folder.at('base');
  const workspace = folder.at('work');
  folder.write('work/.keep', '');
  folder.write('data/.keep', '');
  const list = (path: string): string[] => (existsSync(folder.at(path)) ? readdirSync(folder.at(path)).sort() : []);
  return {
    ...folder,
    clock,
    baseFolder,
    workspace,
    options: {
      baseFolder,
      workspace,
      folder: workspace,
      clock,
      env: {
        ...process.env,
        XDG_DATA_HOME: folder.at('data'),
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
      platform: 'linux',
      signal: new AbortController().signal,
    },
    read: (path) => (existsSync(folder.at(path)) ? readFileSync(folder.at(path), 'utf8') : undefined),
    trash: () => list('data/Trash/files'),
    leftovers: () => list('base/pack/.download'),
    writePack(at, identity, { version = '1.0.0', ...files } = {}) {
      const [namespace, name] = identity.split('@');
      folder.write(`${at}/pack.toml`, `[pack]\nnamespace = "${namespace}"\nname = "${name}"\nversion = "${version}"\n`);
      for (const [path, text] of Object.entries(files)) folder.write(`${at}/${path}`, text);
    },
  };
}
