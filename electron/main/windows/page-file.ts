/**
 * Resolves the file that the page requests, and its response headers.
 */
import path from 'node:path';
import { pageOrigin } from '../../ipc/channels.ts';

/**
 * Allows only the page's own scripts, fonts and workers, and nothing from other origins. Inline styles are allowed
 * because the canvas and the text editor position elements with style attributes.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * Returns the file in `root` that a URL names, or null if it names none: another origin, a path outside of `root`, an unknown type.
 * @param language of the page: the build makes one `index.html` per language
 */
export function resolvePageFile(root: string, url: string, language = 'en'): string | null {
  const prefix = `${pageOrigin}/`;
  if (!url.startsWith(prefix)) return null;
  const relative = decodePath(url.slice(prefix.length).replace(/[?#].*$/s, ''));
  if (relative === null || relative.includes('\0') || relative.includes('\\')) return null;
  const file = path.resolve(root, relative === '' ? pageName(language) : relative);
  const isInside = file.startsWith(path.resolve(root) + path.sep);
  return isInside && path.extname(file) in contentTypes ? file : null;
}

function pageName(language: string): string {
  return language === 'en' ? 'index.html' : `index.${language}.html`;
}

function decodePath(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** Returns the response headers for a file. */
export function pageFileHeaders(file: string): Record<string, string> {
  return {
    'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
  };
}
