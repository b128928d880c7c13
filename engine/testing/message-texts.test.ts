import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Code that makes decisions based on the text of a message: `message.includes(…)`, `/…/.test(error.message)`, `message
 * === 'is missing'`. Checking whether there is a message at all (`=== ''`, `typeof message`) is allowed.
 */
const decisions = [
  /\b\w*[mM]essage\b[)\]]*[?!]?\.(?:includes|match|matchAll|startsWith|endsWith|search|indexOf|replace|replaceAll|split)\(/,
  /\.(?:test|exec)\((?:\w+\??\.)*\w*[mM]essage\b/,
  /(?<!typeof (?:\w+\??\.)*)\b\w*[mM]essage (?:===|!==) (?:['"`](?!['"`])|\w*Message\b)/,
];

/** Allowed lines: an external program provides no other information, or the displayed text is only trimmed. */
const allowed = [
  // Lua reports the line of an error only at the start of its message.
  'const line = message.startsWith(start) ? /^(\\d+):/.exec(message.slice(start.length))?.[1] : undefined;',
  "const [, line = '1', rest = message] = /^script:(\\d+): ([\\s\\S]*)$/.exec(message) ?? [];",
  // The first line of a parser's message.
  "const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\\n');",
  "const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\\n');",
  "const problem = error instanceof Error ? error.message.split('\\n')[0] : String(error);",
  // The position after a parser's message.
  "const reason = message.replace(/\\s*\\(\\d+:\\d+\\)$/, '');",
  // A sentence within another one has no period.
  "throw unreadable(file, thrown.message.replace(/\\.$/, ''));",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of source
  "message: `${names[language]} syntax error: ${message.replace(/\\.$/, '')}.`,",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of source
  'const text = `"${name}" ${message.replace(/\\.$/, \'\')}.`;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of source
  "addIssue({ code: 'custom', path: [...path], message: `is not valid: ${message.replace(/\\.$/, '')}` });",
];

function productFiles(): string[] {
  return ['engine', 'electron', 'renderer'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .filter((file) => !file.startsWith('engine/testing/')),
  );
}

function decidingLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => decisions.some((decision) => decision.test(line)));
}

test('no decision is based on the text of a message, because errors and problems have codes and fields', () => {
  const files = productFiles();
  const found = files.flatMap((file) => decidingLines(readFileSync(path.join(root, file), 'utf8')));
  expect(files.length).toBeGreaterThan(500);
  expect(found.sort()).toEqual(allowed.sort());
});

test.each([
  "if (error.message.includes('API KEY missing')) {",
  "const text = error.message.replace('an archive', 'a file');",
  'if (/not found/i.test(error.message)) return;',
  "return issue.message === 'is missing';",
  'return issue.message === missingMessage;',
  'const [line] = /^x:/.exec(message) ?? [];',
  "return String(cause.message).startsWith('EACCES');",
])('detects %s', (line) => {
  expect(decidingLines(line)).toEqual([line]);
});

test.each(["engine.message === '' ? 'The engine stopped.' : engine.message", 'if (message === undefined) return;'])(
  'ignores %s',
  (line) => {
    expect(decidingLines(line)).toEqual([]);
  },
);
