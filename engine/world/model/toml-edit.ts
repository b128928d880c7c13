/**
 * Finds the positions of statements in TOML text, to report mistakes with their line and to make small edits that
 * preserve the rest of the text: comments, order, spaces, line ends. The parser has positions only for syntax errors.
 * Format: TOML 1.0, https://toml.io/en/v1.0.0
 */

interface TomlStatement {
  readonly kind: 'table' | 'value';
  /**
   * All keys from the outside in. A table in a list, and everything inside it, has a path that no other statement
   * has.
   */
  readonly path: readonly string[];
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character, without the comment. */
  readonly end: number;
  /** Offset of the value; for a table, the same as `end`. */
  readonly valueStart: number;
}

/** Reads the statements of TOML text in order. For invalid TOML, returns an unspecified list and never throws. */
export function readTomlStatements(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let at = skipBlank(text, 0); at < text.length; ) {
    const statement = text[at] === '[' ? readHeader(text, at) : readValue(text, at, table);
    if (statement.kind === 'table') table = statement.path;
    statements.push(statement);
    at = skipBlank(text, Math.max(statement.end, at + 1));
  }
  return statements;
}

/** Returns the line of an offset, from 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/**
 * Returns the line of a key, or of its nearest enclosing table if the key has no line; undefined if nothing on the path
 * exists.
 */
export function lineOfPath(text: string, path: readonly string[]): number | undefined {
  const statements = readTomlStatements(text);
  for (let length = path.length; length > 0; length--) {
    const found = statements.find((statement) => isPath(statement.path, path.slice(0, length)));
    if (found !== undefined) return lineAt(text, found.start);
  }
  return undefined;
}

/** Whether two paths are equal. */
function isPath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && startsWithPath(left, right);
}

/** Whether `path` equals `start` or is inside it. */
function startsWithPath(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => path[index] === key);
}

function readHeader(text: string, start: number): TomlStatement {
  const isList = text.startsWith('[[', start);
  const { keys, end } = readKeys(text, start + (isList ? 2 : 1));
  const close = end + (isList ? 2 : 1);
  return { kind: 'table', path: isList ? [`\0${start}`] : keys, start, end: close, valueStart: close };
}

function readValue(text: string, start: number, table: readonly string[]): TomlStatement {
  const { keys, end } = readKeys(text, start);
  const valueStart = skipSpaces(text, end + 1);
  return { kind: 'value', path: [...table, ...keys], start, end: endOfValue(text, valueStart), valueStart };
}

/** Reads a dotted key. */
function readKeys(text: string, from: number): { readonly keys: readonly string[]; readonly end: number } {
  const keys: string[] = [];
  let at = skipSpaces(text, from);
  for (;;) {
    const quote = text[at];
    const end = quote === '"' || quote === "'" ? endOfString(text, at) : endOfBareKey(text, at);
    keys.push(quote === '"' || quote === "'" ? unquoted(text.slice(at, end)) : text.slice(at, end));
    at = skipSpaces(text, end);
    if (text[at] !== '.') return { keys, end: at };
    at = skipSpaces(text, at + 1);
  }
}

function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** Returns the end of the line, or of the brackets and quotes that start in it. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length; ) {
    const character = text[at] ?? '';
    if (depth === 0 && '\n#'.includes(character)) break;
    if ('[{'.includes(character)) depth++;
    if (']}'.includes(character)) depth--;
    at = endOfToken(text, at);
    if (/[^\s#]/.test(character)) end = at;
  }
  return end;
}

/** Returns the position after a comment, a string, or a single other character. */
function endOfToken(text: string, start: number): number {
  const character = text[start];
  if (character === '#') return endOfLine(text, start);
  return character === '"' || character === "'" ? endOfString(text, start) : start + 1;
}

/** Returns the position after the closing quotes. One or three quotes open a string. */
function endOfString(text: string, start: number): number {
  const quote = text[start] ?? '';
  const marks = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let at = start + marks.length; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text.startsWith(marks, at)) {
      let end = at + marks.length;
      // Up to two additional quotes belong to the text of a multiline string.
      while (marks.length === 3 && text[end] === quote) end++;
      return end;
    }
  }
  return text.length;
}

function endOfBareKey(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\w-]/.test(text[at] ?? '')) at++;
  return at;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

/** Skips blank lines and comments. */
function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    if (text[at] === '#') at = endOfLine(text, at);
    else if (/\s|\uFEFF/.test(text[at] ?? '')) at++;
    else break;
  }
  return at;
}

/**
 * Sets a string value. It is written where the key is, otherwise at the end of its table, otherwise in a new table at
 * the end of the file. Some texts cannot be edited this way (for example inline tables), so check the result.
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

/** Removes a key, or an entire table with the comments inside. Returns the text unchanged if it does not exist. */
export function removeToml(text: string, path: readonly string[]): string {
  const statements = readTomlStatements(text);
  let result = text;
  // From the end, so that earlier offsets stay valid.
  for (const [from, to] of blocksOf(statements, path).reverse()) {
    result = cutLines(result, from, to);
  }
  return result;
}

/** Returns the offsets of adjacent statements that belong together. */
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

/** Removes entire lines, and a blank line that would then be superfluous. */
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

/** Inserts a line below the line of an offset. */
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

/** Basic strings in TOML are JSON strings except for this character. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
