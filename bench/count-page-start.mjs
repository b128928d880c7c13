/**
 * Counts what is loaded before the first card. Reads the build output, so that the speed of the machine does not affect
 * the result. Usage: `node bench/count-page-start.mjs [FOLDER]` after `npm run build`; the folder defaults to `out`.
 * Prints JSON:
 * - `page`: files and bytes that the page loads before it draws: its document, the scripts in its static import graph
 *   and in that of the window, and their styles. `wideScripts` are the scripts that V8 stores with two bytes per
 *   character.
 * - `main`, `host`: files and bytes of the scripts that the main process and the engine host load at startup.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const staticImport = /(?:\bfrom|\bimport)\s*["'`](\.[^"'`]+)["'`]/g;
const windowImport = /\bimport\(\s*["'`](\.[^"'`]*\/window-[^"'`]+)["'`]\)/g;
const mappedFiles = /__vite__mapDeps.*?m\.f=\[([^\]]*)\]/;
/** Only matches at the start of a line or statement. Other calls are inside functions and run later. */
const requiredFile = /(?:^|;)(?:(?:const|let) [\w$]+=)?require\("(\.[^"]+)"\)/gm;
const linkedFile = /(?:src|href)="(\.[^"]+)"/g;

/** @param {string} text @param {RegExp} pattern with one capture group */
function groupsOf(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

/**
 * Returns the files reachable from a file, including that file.
 * @param {string} first
 * @param {(text: string, file: string) => readonly string[]} linksOf returns links relative to the file
 * @returns {ReadonlyMap<string, Buffer>} contents by path
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
  // Styles that the bundler loads before the window. The list also contains styles of other parts of the page.
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

/**
 * Returns whether a file contains characters outside Latin-1. V8 then stores every character with two bytes. @param
 * {Buffer} content
 */
function isWide(content) {
  return [...content.toString()].some((letter) => letter > '\u00FF');
}

/** @param {string} out folder with the build output */
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
