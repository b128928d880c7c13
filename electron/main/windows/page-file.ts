/**
 * Resolves the file that a page requests, and its response headers.
 */
import path from 'node:path';
import { docsOrigin, pageOrigin } from '../../ipc/channels.ts';

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

/** The pages of the documentation need less: nothing in them has a style attribute. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.webm': 'video/webm',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * Returns the file in `root` that a URL names, or null if it names none: another origin, a path outside of `root`, an unknown type.
 * @param language of the page: the build makes one `index.html` per language
 */
export function resolvePageFile(root: string, url: string, language = 'en'): string | null {
  return resolveFile(root, url, { origin: pageOrigin, index: pageName(language) });
}

/** Returns the file in `root` that a URL of the documentation names, or null as above. */
export function resolveDocsFile(root: string, url: string): string | null {
  return resolveFile(root, url, { origin: docsOrigin, index: 'index.html' });
}

function resolveFile(root: string, url: string, { origin, index }: { origin: string; index: string }): string | null {
  const prefix = `${origin}/`;
  if (!url.startsWith(prefix)) return null;
  const relative = decodePath(url.slice(prefix.length).replace(/[?#].*$/s, ''));
  if (relative === null || relative.includes('\0') || relative.includes('\\')) return null;
  const file = path.resolve(root, relative === '' ? index : relative);
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

/** Returns the response headers for a file of the page. */
export function pageFileHeaders(file: string): Record<string, string> {
  return headersWith(contentSecurityPolicy, file);
}

/** Returns the response headers for a file of the documentation. */
export function docsFileHeaders(file: string): Record<string, string> {
  return headersWith(docsPolicy, file);
}

function headersWith(policy: string, file: string): Record<string, string> {
  return {
    'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  };
}
