/**
 * Records the packages used in a build, for the list of licenses: `packages.json` beside the output, with their
 * folders.
 */
import path from 'node:path';
import type { Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Returns the package folder of a module, relative to the repository and with `/`. Undefined for our own sources and
 * for modules generated during the build.
 * @param id module ID used by bundlers
 */
export function packageFolderOf(id: string): string | undefined {
  const file = path.relative(root, id.replace(/^\0+/, '').replace(/\?.*$/s, '')).split(path.sep).join('/');
  return /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

interface BundledPackages {
  /** Writes the list at the end of the build. */
  readonly build: Plugin;
  /** For worker builds started by the build. */
  readonly workers: Plugin;
  /** Adds a module that was bundled in another way. */
  note(id: string): void;
}

/** @param fileName name of the list, relative to the output */
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
