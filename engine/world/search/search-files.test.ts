// The worker code is bundled on its first import; importing it here excludes that time from the tests.
import 'virtual:search-worker';
import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { type SearchLimits, type SearchRequest, searchFiles, searchLimits } from './search-files.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const plain = { isCaseSensitive: false, isWholeWord: false, isRegExp: false, include: '', exclude: '', unsaved: [] };

function search(request: Partial<SearchRequest> & { text: string }, limits: Partial<SearchLimits> = {}) {
  const options = { clock: systemClock, signal: new AbortController().signal, limits: { ...searchLimits, ...limits } };
  return searchFiles(folder.path, { ...plain, ...request }, options);
}

/** Returns each match as `path:line:column text`. */
async function placesOf(request: Partial<SearchRequest> & { text: string }): Promise<string[]> {
  const { files } = await search(request);
  return files.flatMap(({ path, matches }) =>
    matches.map(({ line, column, text, start, end }) => `${path}:${line}:${column} ${text.slice(start, end)}`),
  );
}

describe('text', () => {
  test('searches all files in path order, and reports each match with its position', async () => {
    folder.write('b.md', 'one\ntwo one\n');
    folder.write('a/deep/x.toml', 'name = "One"\n');
    folder.write('plain', 'one one');
    expect(await placesOf({ text: 'one' })).toEqual([
      'a/deep/x.toml:1:9 One',
      'b.md:1:1 one',
      'b.md:2:5 one',
      'plain:1:1 one',
      'plain:1:5 one',
    ]);
    expect(await search({ text: 'four' })).toEqual({
      files: [],
      end: 'all',
      slowPath: null,
      tooLarge: 0,
      isCut: false,
    });
  });

  test('supports all line endings, a byte order mark, and non-ASCII letters', async () => {
    folder.write('crlf.txt', 'first\r\nsecond end\r\nend');
    folder.write('mac.txt', 'first\rend');
    folder.write('mark.txt', '\uFEFFend here');
    folder.write('world.txt', 'Größe 🙂 end, ÄNDERUNG');
    expect(await placesOf({ text: '^end|end$', isRegExp: true })).toEqual([
      'crlf.txt:2:8 end',
      'crlf.txt:3:1 end',
      'mac.txt:2:1 end',
      'mark.txt:1:2 end',
    ]);
    expect(await placesOf({ text: 'größe 🙂' })).toEqual(['world.txt:1:1 Größe 🙂']);
    expect(await placesOf({ text: 'änderung' })).toEqual(['world.txt:1:15 ÄNDERUNG']);
  });

  test('searches unsaved text instead of the file on disk, even if the file does not exist', async () => {
    folder.write('a.md', 'old words');
    const unsaved = [
      { path: 'a.md', text: 'new words' },
      { path: 'gone.md', text: 'new' },
    ];
    expect(await placesOf({ text: 'new', unsaved })).toEqual(['a.md:1:1 new', 'gone.md:1:1 new']);
    expect(await placesOf({ text: 'old', unsaved })).toEqual([]);
    expect(await placesOf({ text: 'new', unsaved, include: 'a.*' })).toEqual(['a.md:1:1 new']);
    await expect(search({ text: 'x', unsaved: [{ path: '../x', text: 'x' }] })).rejects.toMatchObject({
      code: 'files.outside',
    });
  });
});

test('options: case sensitivity, whole words, regular expressions', async () => {
  folder.write('a.txt', 'Word sword word_2 word. wörd {{word}}');
  expect(await placesOf({ text: 'Word', isCaseSensitive: true })).toEqual(['a.txt:1:1 Word']);
  const places = (request: Partial<SearchRequest> & { text: string }) =>
    placesOf(request).then((found) => found.map((place) => Number(/:(\d+) /.exec(place)?.[1])));
  expect(await places({ text: 'word', isWholeWord: true })).toEqual([1, 19, 32]);
  expect(await places({ text: 'w.rd\\b', isRegExp: true })).toEqual([1, 7, 19, 25, 32]);
  expect(await places({ text: '{{w', isRegExp: true })).toEqual([30]);
  expect(await places({ text: 'w.rd' })).toEqual([]);
  expect(await places({ text: 'x*', isRegExp: true })).toEqual([]);
});

test('rejects an invalid regular expression with the reason', async () => {
  await expect(search({ text: 'a(', isRegExp: true })).rejects.toMatchObject({
    code: 'files.bad-pattern',
    message: '"a(" is not a valid regular expression: Unterminated group. Fix it, or turn off regular expressions.',
  });
  expect((await search({ text: 'a(' })).end).toBe('all');
});

test('globs select files: names in any folder, folders with their content, several separated by commas', async () => {
  for (const path of ['a.md', 'notes/b.md', 'notes/deep/c.txt', '.hidden/d.md', 'out/e.md']) folder.write(path, 'x');
  const found = async (include: string, exclude = '') =>
    (await search({ text: 'x', include, exclude })).files.map(({ path }) => path);
  expect(await found('*.md')).toEqual(['.hidden/d.md', 'a.md', 'notes/b.md', 'out/e.md']);
  expect(await found('./*.md')).toEqual(['a.md']);
  expect(await found('notes')).toEqual(['notes/b.md', 'notes/deep/c.txt']);
  expect(await found('notes/deep/, *.{txt,toml}')).toEqual(['notes/deep/c.txt']);
  expect(await found('', 'notes/**, out/, .hidden')).toEqual(['a.md']);
  expect(await found('*.md', '*.md')).toEqual([]);
});

test('skips files outside the workspace, third-party files, and files that are not text', async () => {
  const outside = createTestFolder();
  outside.write('secret.md', 'find me');
  folder.git('init', '-q');
  folder.write('.gitignore', 'ignored/\n');
  folder.write('real/a.md', 'find me');
  for (const path of ['ignored/b.md', 'node_modules/c.js', '.millrace/d.json']) folder.write(path, 'find me');
  folder.write('binary', Buffer.from([0, ...Buffer.from('find me')]));
  folder.write('latin', Buffer.from([0xff, ...Buffer.from('find me')]));
  symlinkSync(outside.path, folder.at('out'));
  symlinkSync(outside.at('secret.md'), folder.at('secret.md'));
  symlinkSync(folder.at('real/a.md'), folder.at('again.md'));
  const { files } = await search({ text: 'find me' });
  outside.remove();
  expect(files.map(({ path }) => path)).toEqual(['real/a.md']);
});

describe('limits', () => {
  test('number of matches: truncates the result and reports that there are more', async () => {
    folder.write('a.txt', 'x\n'.repeat(10));
    folder.write('b.txt', 'x\n'.repeat(10));
    const cut = await search({ text: 'x' }, { maxMatches: 15 });
    expect([cut.end, cut.files.map(({ matches }) => matches.length)]).toEqual(['matches', [10, 5]]);
    const whole = await search({ text: 'x' }, { maxMatches: 20 });
    expect([whole.end, whole.files.map(({ matches }) => matches.length)]).toEqual(['all', [10, 10]]);
  });

  test('size: skips and counts larger files', async () => {
    folder.write('large.txt', 'x'.repeat(101));
    folder.write('small.txt', 'x'.repeat(100));
    const { files, tooLarge } = await search({ text: 'xx' }, { maxFileBytes: 100 });
    expect([files.map(({ path }) => path), tooLarge]).toEqual([['small.txt'], 1]);
  });

  test('time: stops a regular expression that does not terminate, and reports earlier matches', async () => {
    folder.write('a.txt', 'aaa');
    folder.write('b.txt', `${'a'.repeat(60)}!`);
    folder.write('c.txt', 'aaa');
    const answer = await search({ text: '^(a+)+$', isRegExp: true }, { fileMs: 500 });
    expect(answer).toMatchObject({ end: 'slow', slowPath: 'b.txt', files: [{ path: 'a.txt' }] });
    const short = await search({ text: '^(a+)+$', isRegExp: true }, { fileMs: 60_000, totalMs: 300 });
    expect(short).toMatchObject({ end: 'time', slowPath: null });
  });

  test('a canceled search does not block', async () => {
    folder.write('b.txt', `${'a'.repeat(60)}!`);
    const ending = new AbortController();
    const options = { clock: systemClock, signal: ending.signal };
    const searching = searchFiles(folder.path, { ...plain, text: '^(a+)+$', isRegExp: true }, options);
    setTimeout(() => ending.abort(new EngineError({ code: 'files.search-ended', message: 'Ended.' })), 300);
    await expect(searching).rejects.toMatchObject({ code: 'files.search-ended' });
  });
});
