/**
 * Small changes to a TOML text that leave all the rest as it is: comments, order, spaces, line ends.
 */
import { isPath, readTomlStatements, startsWithPath, type TomlStatement } from './toml-statements.ts';

/**
 * Sets one text. It goes where the key is, else to the end of its table, else into a table of its own at the end of the
 * file. Not every text can be changed in this way (a table may be written in one line); so compare what comes out.
 * @param path keys from the outside in, at least two
 */
export function setTomlText(text: string, path: readonly string[], value: string): string {
  const statements = readTomlStatements(text);
  const present = statements.find(({ kind, path: other }) => kind === 'value' && isPath(other, path));
  if (present !== undefined) return `${text.slice(0, present.valueStart)}${quoted(value)}${text.slice(present.end)}`;
  const parent = path.slice(0, -1);
  const line = `${keyText(path.at(-1) ?? '')} = ${quoted(value)}`;
  const header = statements.findIndex(({ kind, path: other }) => kind === 'table' && isPath(other, parent));
  if (header !== -1) return insertLine(text, endOfTable(statements, header), line);
  const newLine = newLineOf(text);
  const gap = text === '' ? '' : `${text.endsWith('\n') ? '' : newLine}${newLine}`;
  return `${text}${gap}[${parent.map(keyText).join('.')}]${newLine}${line}${newLine}`;
}

/** Takes a key or a whole table out, with the comments in between; unchanged when it is not there. */
export function removeToml(text: string, path: readonly string[]): string {
  const statements = readTomlStatements(text);
  let result = text;
  // From the end, so that offsets before stay right.
  for (const [from, to] of blocksOf(statements, path).reverse()) {
    result = cutLines(result, from, to);
  }
  return result;
}

/** Offsets of what belongs together: neighbours without anything of others between them. */
function blocksOf(statements: readonly TomlStatement[], path: readonly string[]): [number, number][] {
  const blocks: [number, number][] = [];
  let isOpen = false;
  for (const statement of statements) {
    const isMeant = startsWithPath(statement.path, path);
    const last = blocks.at(-1);
    if (isMeant && isOpen && last !== undefined) last[1] = statement.end;
    else if (isMeant) blocks.push([statement.start, statement.end]);
    isOpen = isMeant;
  }
  return blocks;
}

/** Whole lines, and a blank line that would be one too many afterwards. */
function cutLines(text: string, from: number, to: number): string {
  const before = text.slice(0, text.lastIndexOf('\n', from - 1) + 1);
  const lineEnd = text.indexOf('\n', to);
  const after = lineEnd === -1 ? '' : text.slice(lineEnd + 1);
  const isBetweenBlanks = /(?:^|\n)\r?\n$/.test(before) && /^(?:\r?\n|$)/.test(after);
  return (isBetweenBlanks ? before.replace(/\r?\n$/, '') : before) + after;
}

function endOfTable(statements: readonly TomlStatement[], header: number): number {
  const next = statements.findIndex(({ kind }, index) => index > header && kind === 'table');
  return statements[(next === -1 ? statements.length : next) - 1]?.end ?? 0;
}

/** Below the line of an offset. */
function insertLine(text: string, offset: number, line: string): string {
  const newLine = newLineOf(text);
  const lineEnd = text.indexOf('\n', offset);
  if (lineEnd === -1) return `${text}${newLine}${line}${newLine}`;
  return `${text.slice(0, lineEnd + 1)}${line}${newLine}${text.slice(lineEnd + 1)}`;
}

function newLineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : quoted(key);
}

/** A basic string of TOML is one of JSON, but for this one character. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
