import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hardCodedText } from './testing/hard-coded-text.ts';

const root = path.resolve(import.meta.dirname, '..');

function sourceFiles(): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !/\.test\.tsx?$|(?:^|\/)test-|(?:^|\/)testing\/|(?:^|\/)text(?:\.de)?\.ts$|\.d\.ts$/.test(file));
}

const textIn = (source: string): string[] => hardCodedText(source).map(({ text }) => text);

describe('the window', () => {
  const files = sourceFiles();

  test('has no hard-coded text outside of the tables', () => {
    expect(files.length).toBeGreaterThan(400);
    const found = files.flatMap((file) =>
      hardCodedText(readFileSync(path.join(root, file), 'utf8'), file.endsWith('.ts') ? 'ts' : 'tsx').map(
        ({ line, text }) => `${file}:${line} ${text}`,
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('the check', () => {
  test('finds text between tags, in attributes and in fields', () => {
    expect(textIn('const a = <b>Save</b>;')).toEqual(['Save']);
    expect(textIn('const a = <b title="Save" className="two words" />;')).toEqual(['Save']);
    expect(textIn("const a = <b aria-label={isOpen ? 'Close' : 'Open'} />;")).toEqual(['Close', 'Open']);
    expect(textIn("const a = { label: 'Save', id: 'save' };")).toEqual(['Save']);
  });

  test('finds sentences anywhere, also in templates', () => {
    expect(textIn("notices.addError('The file was not saved', error);")).toEqual(['The file was not saved']);
    expect(textIn('const a = `Delete $' + '{name} now`;')).toEqual(['Delete \0 now']);
    expect(textIn('const a = `$' + '{x} $' + '{y}`;')).toEqual([]);
  });

  test('ignores types, imports, keys of code and errors for developers', () => {
    expect(textIn("import { a } from './a b c.ts'; type B = 'two words';")).toEqual([]);
    expect(textIn("const a = { kind: 'node' }; throw new Error('A bug of the program');")).toEqual([]);
  });
});
