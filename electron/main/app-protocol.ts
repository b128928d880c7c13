/**
 * The page's own scheme: `app://millrace/` serves the built page and nothing else.
 */
import { type ProtocolRequest, protocol } from 'electron';
import { pageOrigin } from '../ipc/channels.ts';
import { pageFileHeaders, resolvePageFile } from './page-file.ts';

const scheme = new URL(pageOrigin).protocol.slice(0, -1);

/** Chromium's own number for a file that is not there. */
const fileNotFound = -6;

/** Gives the scheme an origin of its own, secure as https. Synchronously, before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/**
 * Serves the files of the built page. They are read by Chromium itself: `protocol.handle` would load the whole of Node's
 * `fetch` before the first of them, and pass each through this process's JavaScript.
 * @param language of the page that is served next; see `Preferences`
 */
export function servePage(pageFolder: string, language: () => string): void {
  protocol.registerFileProtocol(scheme, (request, respond) => respond(answer(pageFolder, request, language())));
}

function answer(pageFolder: string, { method, url }: ProtocolRequest, language: string): Electron.ProtocolResponse {
  const file = method === 'GET' ? resolvePageFile(pageFolder, url, language) : null;
  return file === null ? { error: fileNotFound } : { path: file, headers: pageFileHeaders(file) };
}
