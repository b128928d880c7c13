/**
 * The page's own scheme: `app://millrace/` serves the built page and nothing else.
 */
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { pageOrigin } from '../ipc/channels.ts';
import { pageFileHeaders, resolvePageFile } from './page-file.ts';

const scheme = new URL(pageOrigin).protocol.slice(0, -1);

/** Gives the scheme an origin of its own, secure as https. Synchronously, before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the files of the built page. */
export function servePage(pageFolder: string): void {
  protocol.handle(scheme, (request) => answer(pageFolder, request));
}

async function answer(pageFolder: string, { method, url }: Request): Promise<Response> {
  const file = method === 'GET' ? resolvePageFile(pageFolder, url) : null;
  if (file === null) return notFound();
  try {
    return new Response(await readFile(file), { headers: pageFileHeaders(file) });
  } catch {
    return notFound();
  }
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } });
}
