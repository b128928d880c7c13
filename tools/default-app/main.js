/**
 * What a bare Electron loads: the program in the folder, or the file, that the command line names. Electron's own
 * builds bring such an app; the fallback runtime (`electron-fallback.mjs`) does not, so it gets this one.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const named = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (named === undefined) {
  process.stderr.write('Usage: electron FOLDER_OR_FILE\n');
  process.exit(2);
}

/**
 * Not in Electron's documented interface, but what its own default app calls.
 * @typedef {Electron.App & { setAppPath(folder: string): void, setVersion(version: string): void }} DevelopmentApp
 */
const program = /** @type {DevelopmentApp} */ (app);
const target = path.resolve(named);
Object.assign(process, { defaultApp: true });
if (statSync(target).isDirectory()) {
  const manifest = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'));
  program.setAppPath(target);
  program.setName(manifest.productName ?? manifest.name);
  program.setVersion(manifest.version);
  await import(pathToFileURL(path.join(target, manifest.main)).href);
} else {
  program.setAppPath(path.dirname(target));
  await import(pathToFileURL(target).href);
}
