/**
 * Defines the program's own scheme: `app://millrace/` serves only the built page, and, in a separate session,
 * `app://docs/` serves only the documentation.
 */
import { type ProtocolRequest, protocol, type Session } from 'electron';
import { pageOrigin } from '../../ipc/channels.ts';
import { docsFileHeaders, pageFileHeaders, resolveDocsFile, resolvePageFile } from './page-file.ts';

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
  protocol.registerFileProtocol(scheme, (request, respond) =>
    respond(answer(request, (url) => resolvePageFile(pageFolder, url, language()), pageFileHeaders)),
  );
}

/** Serves the files of the documentation in its session. */
export function serveDocs({ protocol: ofSession }: Session, docsFolder: string): void {
  ofSession.registerFileProtocol(scheme, (request, respond) =>
    respond(answer(request, (url) => resolveDocsFile(docsFolder, url), docsFileHeaders)),
  );
}

function answer(
  { method, url }: ProtocolRequest,
  resolve: (url: string) => string | null,
  headersOf: (file: string) => Record<string, string>,
): Electron.ProtocolResponse {
  const file = method === 'GET' ? resolve(url) : null;
  return file === null ? { error: fileNotFound } : { path: file, headers: headersOf(file) };
}
