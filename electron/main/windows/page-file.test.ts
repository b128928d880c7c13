import { describe, expect, test } from 'vitest';
import { docsFileHeaders, pageFileHeaders, resolveDocsFile, resolvePageFile } from './page-file.ts';

const root = '/opt/millrace/out/renderer';

describe('requests of the page', () => {
  test.each([
    ['app://millrace/', `${root}/index.html`],
    ['app://millrace/index.html', `${root}/index.html`],
    ['app://millrace/assets/a%20b.js?v=1#top', `${root}/assets/a b.js`],
    ['app://millrace/assets/../index.html', `${root}/index.html`],
    ['app://millrace/assets/editor.worker-C1.js', `${root}/assets/editor.worker-C1.js`],
  ])('%s resolves to %s', (url, file) => {
    expect(resolvePageFile(root, url)).toBe(file);
  });

  test.each([
    'app://millrace/../main/main.js',
    'app://millrace/%2e%2e/main/main.js',
    'app://millrace/..%2fmain%2fmain.js',
    'app://millrace/assets/..%5c..%5cmain.js',
    'app://millrace//etc/passwd.js',
    'app://millrace/%2Fetc/app.js',
    'app://millrace/a%00.js',
    'app://millrace/%zz.js',
    'app://millrace/../renderer-other/index.html',
    'app://millrace/notes.txt',
    'app://millrace/assets',
    'app://elsewhere/index.html',
    'app://millrace.evil/index.html',
    'file:///etc/passwd',
    'https://example.com/index.html',
  ])('%s is rejected', (url) => {
    expect(resolvePageFile(root, url)).toBe(null);
  });

  test.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['codicon.ttf', 'font/ttf'],
    ['inter.woff2', 'font/woff2'],
    ['glue.wasm', 'application/wasm'],
  ])('%s is sent as %s, with nosniff and the content policy', (file, type) => {
    const headers = pageFileHeaders(file);
    expect(headers).toMatchObject({ 'content-type': type, 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
  });
});

describe('requests of the documentation', () => {
  const docs = '/opt/millrace/out/docs';

  test.each([
    ['app://docs/', `${docs}/index.html`],
    ['app://docs/nodes/file.read.html#input', `${docs}/nodes/file.read.html`],
    ['app://docs/site/site.mjs', `${docs}/site/site.mjs`],
  ])('%s resolves to %s', (url, file) => {
    expect(resolveDocsFile(docs, url)).toBe(file);
  });

  test.each([
    'app://docs/../main/main.js',
    'app://docs/%2e%2e/renderer/index.html',
    'app://docs//etc/passwd.html',
    'app://docs/nodes',
    'app://millrace/index.html',
    'https://example.com/index.html',
  ])('%s is rejected', (url) => {
    expect(resolveDocsFile(docs, url)).toBe(null);
  });

  test('pages may load only files of the documentation', () => {
    expect(docsFileHeaders('index.html')).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
  });
});
