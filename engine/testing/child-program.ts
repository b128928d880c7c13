/**
 * Bundles test programs that must run as separate processes, like the product.
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { luaWorker } from '../../tools/lua-worker-plugin.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface ChildProgram {
  /** Path of the bundle, for Node. */
  readonly file: string;
  /** Deletes the bundle. */
  remove(): void;
}

/** Bundles the program with the entry point `entry`. The package with native code stays external. */
export async function bundleChildProgram(entry: string): Promise<ChildProgram> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-child-'));
  await build({
    configFile: false,
    plugins: [luaWorker()],
    logLevel: 'error',
    root,
    ssr: { external: ['@photostructure/sqlite'], noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'child.mjs' } },
    },
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return {
    file: path.join(folder, 'child.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
