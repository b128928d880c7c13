/**
 * Counts what is loaded before the first card, from what was built, so that no machine's speed changes the result.
 * Usage: `node bench/count-page-start.mjs [FOLDER]` after `npm run build`; the folder is `out` without one. Prints JSON:
 *
 * - `page`: files and bytes that the page loads before it draws: its document, the scripts of its static import graph and
 *   of the window, and their styles. `wideScripts` are those that V8 holds with two bytes a letter.
 * - `main`, `host`: files and bytes of the scripts that the main process and the engine host load when they start.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const staticImport = /(?:\bfrom|\bimport)\s*["'`](\.[^"'`]+)["'`]/g;
const windowImport = /\bimport\(\s*["'`](\.[^"'`]*\/window-[^"'`]+)["'`]\)/g;
const mappedFiles = /__vite__mapDeps.*?m\.f=\[([^\]]*)\]/;
/** At the start of a line or statement: others are inside of functions, and run later. */
const requiredFile = /(?:^|;)(?:(?:const|let) [\w$]+=)?require\("(\.[^"]+)"\)/gm;
const linkedFile = /(?:src|href)="(\.[^"]+)"/g;

/** @param {string} text @param {RegExp} pattern with one group */
function groupsOf(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

/**
 * Files that can be reached from one, itself included.
 * @param {string} first
 * @param {(text: string, file: string) => readonly string[]} linksOf relative to the file
 * @returns {ReadonlyMap<string, Buffer>} by path
 */
function reach(first, linksOf) {
  const found = new Map();
  const waiting = [first];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    const content = readFileSync(file);
    found.set(file, content);
    waiting.push(...linksOf(content.toString(), file).map((link) => path.resolve(path.dirname(String(file)), link)));
  }
  return found;
}

/** @param {string} text @param {string} file */
function linksOfPage(text, file) {
  if (file.endsWith('.html')) return groupsOf(text, linkedFile);
  if (!file.endsWith('.js')) return [];
  const mapped = groupsOf(mappedFiles.exec(text)?.[1] ?? '', /"([^"]+)"/g);
  const windows = groupsOf(text, windowImport);
  // Styles that the bundler loads before the window; those of other parts of the page are listed beside them.
  const styles = windows.length === 0 ? [] : mapped.filter((link) => /\/(?:window|index|start)-[^/]+\.css$/.test(link));
  return [...groupsOf(text, staticImport), ...windows, ...styles];
}

/** @param {string} text */
function linksOfScript(text) {
  return groupsOf(text, requiredFile);
}

/** @param {ReadonlyMap<string, Buffer>} files */
function sumOf(files) {
  return { files: files.size, bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0) };
}

/** Neither ASCII nor Latin-1: V8 then needs two bytes for every letter of the text. @param {Buffer} content */
function isWide(content) {
  return [...content.toString()].some((letter) => letter > '\u00FF');
}

/** @param {string} out folder of the build */
function countPageStart(out) {
  const page = reach(path.resolve(out, 'renderer/index.html'), linksOfPage);
  const scripts = [...page].filter(([file]) => file.endsWith('.js'));
  return {
    page: { ...sumOf(page), wideScripts: scripts.filter(([, content]) => isWide(content)).length },
    main: sumOf(reach(path.resolve(out, 'main/main.cjs'), linksOfScript)),
    host: sumOf(reach(path.resolve(out, 'main/engine-host.cjs'), linksOfScript)),
  };
}

const [, program = '', folder = 'out'] = process.argv;
if (import.meta.url === pathToFileURL(program).href) console.log(JSON.stringify(countPageStart(folder)));
