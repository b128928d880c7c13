/**
 * Determines the paths of the program's built parts, relative to the built main process (`out/main/main.cjs`).
 */
import path from 'node:path';
import { app } from 'electron';
import { examplesFolder } from './environment.ts';

const builtMain = import.meta.dirname;

/** Folder of the page: `index.html` and the files it loads. */
export const pageFolder = path.join(builtMain, '..', 'renderer');
/** Folder of the documentation: `index.html` and the pages below it. */
export const docsFolder = path.join(builtMain, '..', 'docs');
export const preloadFile = path.join(builtMain, '..', 'preload', 'preload.cjs');
export const engineHostFile = path.join(builtMain, 'engine-host.cjs');
export const cliHostFile = path.join(builtMain, 'cli-host.cjs');

/** Returns the folder of the original examples. A packaged program stores them next to its archive. */
export function shippedExamples(): string {
  return resource('workspace');
}

/** Returns the folder of the gallery of examples. A packaged program stores it next to its archive. */
export function shippedGallery(): string {
  return resource('gallery');
}

/** Returns the folder with the prompt and the tools of the assistant. A packaged program stores it next to its archive. */
export function assistantTexts(): string {
  return resource('assistant');
}

/** Returns the folder of the bundled packs, as `namespace/name`. A packaged program stores them next to its archive. */
export function builtInPacks(): string {
  return resource('packs');
}

/** Returns the icon for the system's tray; on macOS, one that takes the color of the menu bar. */
export function trayIcon(): string {
  return path.join(resource('tray'), process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png');
}

function resource(name: string): string {
  return app.isPackaged ? path.join(process.resourcesPath, name) : path.join(builtMain, '..', '..', 'resources', name);
}

/**
 * Returns the file with third-party licenses. A packaged program stores a copy next to its archive, where it can be
 * opened.
 */
export function thirdPartyLicenses(): string {
  const folder = app.isPackaged ? process.resourcesPath : path.join(builtMain, '..', 'licenses');
  return path.join(folder, 'THIRD-PARTY-LICENSES.txt');
}

/** Returns the folder for the user's copy of the examples. */
export function userExamples(): string {
  return examplesFolder ?? path.join(documentsFolder(), 'Millrace', 'examples');
}

function documentsFolder(): string {
  try {
    return app.getPath('documents');
  } catch {
    // Some systems have no documents folder, such as a minimal Linux system.
    return app.getPath('home');
  }
}
