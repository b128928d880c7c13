/** Serves the built documentation over HTTP. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** @type {Readonly<Record<string, string>>} */
const contentTypes = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.webm': 'video/webm',
  '.svg': 'image/svg+xml',
};

/**
 * @param {string} folder of the site
 * @returns {import('node:http').RequestListener}
 */
export function createSiteHandler(folder) {
  return async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const file = path.join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    const type = contentTypes[path.extname(file)];
    const content = type === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (content === undefined || type === undefined) response.writeHead(404).end('Not found');
    else response.writeHead(200, { 'content-type': type }).end(content);
  };
}
