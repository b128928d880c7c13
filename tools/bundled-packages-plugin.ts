/**
 * Notes which packages went into a build, for the list of licences: `packages.json` beside the output, with their folders.
 */
import path from 'node:path';
import type { Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/**
 * The folder of the package that a module belongs to, relative to the repository and with `/`; undefined for our own
 * sources and for what is made while building.
 * @param id of a module, as bundlers name it
 */
export function packageFolderOf(id: string): string | undefined {
  const file = path.relative(root, id.replace(/^\0+/, '').replace(/\?.*$/s, '')).split(path.sep).join('/');
  return /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

interface BundledPackages {
  /** Writes the list at the end of the build. */
  readonly build: Plugin;
  /** For the builds of workers that the build starts. */
  readonly workers: Plugin;
  /** Takes in a module that was bundled otherwise. */
  note(id: string): void;
}

/** @param fileName of the list, relative to the output */
export function bundledPackages(fileName: string): BundledPackages {
  const found = new Set<string>();
  const note = (id: string): void => {
    const folder = packageFolderOf(id);
    if (folder !== undefined) found.add(folder);
  };
  return {
    note,
    workers: {
      name: 'bundled-packages-of-workers',
      generateBundle() {
        for (const id of this.getModuleIds()) note(id);
      },
    },
    build: {
      name: 'bundled-packages',
      generateBundle() {
        for (const id of this.getModuleIds()) note(id);
        this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify([...found].sort(), null, 2)}\n` });
      },
    },
  };
}
