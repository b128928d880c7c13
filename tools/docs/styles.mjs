/** Creates the colors and fonts of the documentation from those of the program. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the declarations of a rule.
 * @param {string} css
 * @param {string} selector
 */
function declarationsOf(css, selector) {
  const start = css.indexOf(`${selector} {`);
  if (start < 0) throw new Error(`No rule "${selector}" in the program's styles.`);
  return css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start)).trim();
}

/**
 * Converts the themes of the program, which its window chooses with attributes, to media queries.
 * @param {string} tokens content of `tokens.css`
 * @param {string} contrast content of `high-contrast.css`
 */
function siteTokens(tokens, contrast) {
  const sizes = declarationsOf(tokens, ':root');
  const rule = (/** @type {string} */ declarations) => `:root {\n${declarations}\n}\n`;
  return [
    rule(sizes),
    rule(declarationsOf(tokens, '[data-theme="light"]')),
    `@media (prefers-color-scheme: dark) {\n${rule(declarationsOf(tokens, '[data-theme="dark"]'))}}\n`,
    `@media (prefers-contrast: more) {\n${rule(declarationsOf(contrast, '[data-theme="light"][data-contrast="high"]'))}}\n`,
    `@media (prefers-contrast: more) and (prefers-color-scheme: dark) {\n${rule(
      declarationsOf(contrast, '[data-theme="dark"][data-contrast="high"]'),
    )}}\n`,
  ].join('');
}

/**
 * @param {string} root folder of the repository
 * @returns {Promise<string>}
 */
export async function readSiteTokens(root) {
  const read = (/** @type {string} */ name) => readFile(path.join(root, 'renderer', 'ui', name), 'utf8');
  return siteTokens(await read('tokens.css'), await read('high-contrast.css'));
}

/** The fonts of the site: name in the site, and file in the package tree. */
export const fonts = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'jetbrains-mono.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};
