/**
 * Where the built parts of the program lie, seen from the built main process (`out/main/main.cjs`).
 */
import path from 'node:path';
import { app } from 'electron';
import { examplesFolder } from './environment.ts';

const builtMain = import.meta.dirname;

/** The page: `index.html` and what it loads. */
export const pageFolder = path.join(builtMain, '..', 'renderer');
export const preloadFile = path.join(builtMain, '..', 'preload', 'preload.cjs');
export const engineHostFile = path.join(builtMain, 'engine-host.cjs');
export const cliHostFile = path.join(builtMain, 'cli-host.cjs');

/** The examples as they were shipped; a packaged program keeps them beside its archive. */
export function shippedExamples(): string {
  return app.isPackaged
    ? path.join(process.resourcesPath, 'workspace')
    : path.join(builtMain, '..', '..', 'resources', 'workspace');
}

/** The packs that come with the program, as `namespace/name`; a packaged program keeps them beside its archive. */
export function builtInPacks(): string {
  return app.isPackaged
    ? path.join(process.resourcesPath, 'packs')
    : path.join(builtMain, '..', '..', 'resources', 'packs');
}

/** The terms of what others have written; a packaged program keeps them beside its archive, too, where they can be shown. */
export function thirdPartyLicenses(): string {
  const folder = app.isPackaged ? process.resourcesPath : path.join(builtMain, '..', 'licenses');
  return path.join(folder, 'THIRD-PARTY-LICENSES.txt');
}

/** Where the user's copy of the examples goes. */
export function userExamples(): string {
  return examplesFolder ?? path.join(documentsFolder(), 'Millrace', 'examples');
}

function documentsFolder(): string {
  try {
    return app.getPath('documents');
  } catch {
    // A system without a documents folder, such as a bare Linux.
    return app.getPath('home');
  }
}
