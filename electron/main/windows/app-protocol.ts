/**
 * Defines the page's own scheme: `app://millrace/` serves only the built page.
 */
import { type ProtocolRequest, protocol } from 'electron';
import { pageOrigin } from '../../ipc/channels.ts';
import { pageFileHeaders, resolvePageFile } from './page-file.ts';

const scheme = new URL(pageOrigin).protocol.slice(0, -1);

/** Chromium's error code for a file that does not exist. */
const fileNotFound = -6;

/**
 * Registers the scheme with its own origin and the same security as https. Must run synchronously before the app is
 * ready.
 */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/**
 * Serves the files of the built page. Chromium itself reads them: `protocol.handle` would load all of Node's `fetch`
 * before the first file, and pass every file through this process's JavaScript.
 * @param language of the page that is served next; see `Preferences`
 */
export function servePage(pageFolder: string, language: () => string): void {
  protocol.registerFileProtocol(scheme, (request, respond) => respond(answer(pageFolder, request, language())));
}

function answer(pageFolder: string, { method, url }: ProtocolRequest, language: string): Electron.ProtocolResponse {
  const file = method === 'GET' ? resolvePageFile(pageFolder, url, language) : null;
  return file === null ? { error: fileNotFound } : { path: file, headers: pageFileHeaders(file) };
}
