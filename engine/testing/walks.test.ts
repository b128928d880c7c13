import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readImports } from './read-imports.ts';

/** Walks are lists of files that something passes, in order. See `docs/walks`. */
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/walks');

/** How many different files a walk may pass: whoever follows one must be able to keep it in mind. */
const longest = 25;
const longestOf: Readonly<Record<string, number>> = { 'cancel.md': 12 };

interface Stop {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
  /** What the line has in backticks. */
  readonly names: readonly string[];
}

type ReadFile = (file: string) => string;

function stopsIn(walk: string): Stop[] {
  return Array.from(walk.matchAll(/^- (\S+) — (.+)$/gm), ([, file = '', text = '']) => ({
    file,
    text,
    names: Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  }));
}

function imports(from: string, to: string, read: ReadFile): boolean {
  return readImports(from, read(from)).some((one) => path.posix.join(path.posix.dirname(from), one.from) === to);
}

/** Whether the name is in the text as a whole word: `run` is not in `runner`. */
function contains(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(text);
}

/** Where the walk cannot go on, in words. */
function gapsIn(stops: readonly Stop[], read: ReadFile): string[] {
  return stops.slice(1).flatMap((to, index) => {
    const from = stops[index] ?? to;
    if (imports(from.file, to.file, read) || imports(to.file, from.file, read)) return [];
    const isNamed = to.names.some((name) => [from, to].every(({ file }) => contains(read(file), name)));
    return isNamed
      ? []
      : [`${from.file} and ${to.file}: no import, and the second line names nothing that both contain`];
  });
}

function readSource(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

describe.each(readdirSync(folder).sort())('the walk %s', (name) => {
  const walk = readFileSync(path.join(folder, name), 'utf8');
  const stops = stopsIn(walk);

  test('opens with a title and one sentence, and has nothing else but stops', () => {
    const [title = '', sentence = '', ...lines] = walk.split('\n').filter((line) => line !== '');
    expect(title).toMatch(/^# \S/);
    expect(sentence).toMatch(/^[A-Z`].*\.$/);
    expect(lines).toEqual(stops.map(({ file, text }) => `- ${file} — ${text}`));
  });

  test('passes files that there are, and not too many', () => {
    const files = [...new Set(stops.map(({ file }) => file))];
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(longestOf[name] ?? longest);
  });

  test('passes from each file to one that it is connected with', () => {
    expect(gapsIn(stops, readSource)).toEqual([]);
  });
});

describe('a walk has a gap', () => {
  const texts: Readonly<Record<string, string>> = {
    'engine/a.ts': `import { b } from './b/b.ts';`,
    'engine/b/b.ts': `export const b = (onText: () => void) => onText();`,
    'electron/c.ts': `call({ onText: () => undefined });`,
    'electron/d.ts': `call({ onTextual: () => undefined });`,
  };
  const gaps = (...lines: readonly string[]): number =>
    gapsIn(stopsIn(lines.map((line) => `- ${line}`).join('\n')), (file) => texts[file] ?? '').length;

  test('not between files of which one imports the other', () => {
    expect(gaps('engine/a.ts — x', 'engine/b/b.ts — x')).toBe(0);
    expect(gaps('engine/b/b.ts — x', 'engine/a.ts — x')).toBe(0);
  });

  test('not where the second line names what both contain', () => {
    expect(gaps('engine/b/b.ts — x', 'electron/c.ts — takes it in `onText`')).toBe(0);
    expect(gaps('engine/b/b.ts — gives it to `onText`', 'electron/c.ts — x')).toBe(1);
  });

  test('where one of them does not contain the name, or contains a longer one only', () => {
    expect(gaps('engine/a.ts — x', 'electron/c.ts — takes it in `onText`')).toBe(1);
    expect(gaps('engine/b/b.ts — x', 'electron/d.ts — takes it in `onText`')).toBe(1);
  });
});
