import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { runLua } from '../../testing/run-lua.ts';
import { createScriptHost } from './script-host.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld();
});
afterEach(() => at.end());

function lua(code: string, globals: JsonMap = {}): Promise<JsonValue> {
  return runLua(code, { host: createScriptHost(at.world, at.scope), globals });
}

function write(path: string, content: string | Uint8Array = path): void {
  at.folder.write(`workspace/${path}`, content);
}

/** An empty list would be returned as an empty map, as for every script. */
async function paths(code: string): Promise<JsonValue> {
  return await lua(`local out = { "" } for _, f in ipairs(${code}) do out[#out + 1] = f.path end return out`).then(
    (found) => (found as JsonValue[]).slice(1),
  );
}

describe('load', () => {
  test('returns the content and the file information with the path as given', async () => {
    write('notes/tea.md', 'Grüner Tee');
    const record = await lua('return aip.file.load("./notes/tea.md")');
    expect(record).toMatchObject({
      _type: 'FileRecord',
      path: './notes/tea.md',
      dir: './notes',
      name: 'tea.md',
      stem: 'tea',
      ext: 'md',
      size: 11,
      is_likely_text: true,
      content: 'Grüner Tee',
    });
    const { mtime, ctime } = record as { mtime: number; ctime: number };
    expect([mtime, ctime].map((time) => Math.abs(time / 1000 - Date.now()) < 600_000)).toEqual([true, true]);
  });

  test('accepts a base folder, including a pack', async () => {
    at.folder.write('base/pack/installed/acme/tool/docs/a.md', 'of the pack');
    write('sub/a.md', 'of sub');
    expect(
      await lua(`return { aip.file.load("a.md", { base_dir = "sub" }).content,
        aip.file.load("docs/a.md", { base_dir = "acme@tool" }).content, aip.file.load("acme@tool/docs/a.md").content }`),
    ).toEqual(['of sub', 'of the pack', 'of the pack']);
  });

  test.each([
    ['none.md', 'files.not-found'],
    ['latin.txt', 'files.not-text'],
    ['folder', 'files.not-text'],
    ['huge.txt', 'files.too-large'],
    ['../elsewhere/a.md', 'effect.denied'],
  ])('raises an error for %s', async (path, code) => {
    write('latin.txt', Uint8Array.of(0x47, 0x72, 0xfc));
    write('folder/x');
    write('huge.txt', '');
    truncateSync(at.folder.at('workspace/huge.txt'), 64 * 1024 * 1024 + 1);
    at.folder.write('elsewhere/a.md', 'secret');
    await expect(lua('return aip.file.load(path)', { path })).rejects.toMatchObject({
      code: 'lua.error',
      details: { cause: { code } },
    });
    expect(await lua('return pcall(aip.file.load, path)', { path })).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('does not block on a named pipe', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', at.folder.at('workspace/pipe')]);
    for (const code of ['load("pipe")', 'hash_sha256("pipe")', 'read_span("pipe", 0, 1)', 'line_spans("pipe")']) {
      expect(await lua(`return (pcall(function() aip.file.${code} end))`)).toBe(false);
    }
  });
});

test('info returns nil for a missing file', async () => {
  write('a/b.md', 'x');
  const code = `local out = {}
    for i, path in ipairs({ "a/b.md", "none", "a", " ", "" }) do out[i] = aip.file.info(path) and "there" or "nil" end
    return { out, aip.file.info(nil) == nil }`;
  expect(await lua(code)).toEqual([['there', 'nil', 'nil', 'nil', 'nil'], true]);
});

test('exists, is_file and is_dir distinguish files and folders, and a missing pack does not exist', async () => {
  write('a/b.md', 'x');
  symlinkSync('nowhere', at.folder.at('workspace/dangling'));
  const code = `local out = {}
    for i, path in ipairs({ "a/b.md", "a", "none", "other@pack/x", "dangling" }) do
      out[i] = { aip.file.exists(path), aip.path.exists(path), aip.path.is_file(path), aip.path.is_dir(path) }
    end
    return out`;
  expect(await lua(code)).toEqual([
    [true, true, true, false],
    [true, true, false, true],
    ...Array.from({ length: 3 }, () => [false, false, false, false]),
  ]);
});

test('resolve returns absolute paths without accessing the file system', async () => {
  expect(
    await lua('return { aip.path.resolve("a/../b"), aip.path.resolve("$tmp/x"), aip.path.resolve("~/y") }'),
  ).toEqual([at.folder.at('workspace/b'), at.folder.at('workspace/.aipack/.session/s1/tmp/x'), at.folder.at('home/y')]);
});

describe('list', () => {
  const files = [
    'a.md',
    'b.txt',
    '.hidden.md',
    'docs/c.md',
    'docs/deep/d.md',
    'docs/e.txt',
    'node_modules/p/n.md',
    'target/t.md',
    '.git/g.md',
    '.aipack/x.md',
    'sub/node_modules/m.md',
    'a.swp',
    '.DS_Store',
  ];
  beforeEach(() => {
    for (const file of files) write(file);
  });

  test.each([
    ['"*.md"', ['.hidden.md', 'a.md']],
    ['"./*.md"', ['.hidden.md', 'a.md']],
    ['"**/*.md"', ['.hidden.md', 'a.md', 'docs/c.md', 'docs/deep/d.md']],
    ['"**"', ['.hidden.md', 'a.md', 'b.txt', 'docs/c.md', 'docs/deep/d.md', 'docs/e.txt']],
    ['{ "docs/**", "*.txt", "a.md" }', ['docs/c.md', 'docs/deep/d.md', 'docs/e.txt', 'b.txt', 'a.md']],
    ['{ "a.md", "**/*.md" }', ['.hidden.md', 'a.md', 'docs/c.md', 'docs/deep/d.md']],
    ['{ "**/*.md", "a.md" }', ['.hidden.md', 'docs/c.md', 'docs/deep/d.md', 'a.md']],
    ['{ "**/*.md", "!docs/**", "!.*" }', ['a.md']],
    ['{ "docs/{c,e}.*", "!**/*.txt" }', ['docs/c.md']],
    ['"node_modules/**/*.md"', ['node_modules/p/n.md']],
    ['{ "**/*.md", "target/*" }', ['.hidden.md', 'a.md', 'docs/c.md', 'docs/deep/d.md', 'target/t.md']],
    ['"none/*.md"', []],
    ['{}', []],
    ['"docs"', []],
    ['"docs/c.md"', ['docs/c.md']],
    ['"docs/../a.md"', ['a.md']],
  ])('lists %s', async (globs, expected) => {
    expect(await paths(`aip.file.list(${globs})`)).toEqual(expected);
  });

  test('returns paths relative to a base folder, and absolute ones on request or if outside', async () => {
    at.folder.write('base/pack/installed/acme/tool/p.md', 'p');
    expect(await paths('aip.file.list("**/*.md", { base_dir = "docs" })')).toEqual(['c.md', 'deep/d.md']);
    expect(await paths('aip.file.list("c.md", { base_dir = "docs", absolute = true })')).toEqual([
      at.folder.at('workspace/docs/c.md'),
    ]);
    expect(await paths('aip.file.list({ "acme@tool/*.md", "a.md" })')).toEqual([
      at.folder.at('base/pack/installed/acme/tool/p.md'),
      'a.md',
    ]);
    const absolute = `${at.folder.at('workspace')}/docs/*.md`;
    expect(await paths(`aip.file.list("${absolute}")`)).toEqual(['docs/c.md']);
    write('.aipack/.session/s1/tmp/t.md');
    expect(await paths('aip.file.list("$tmp/*.md")')).toEqual(['.aipack/.session/s1/tmp/t.md']);
  });

  test.each(['../*.md', 'docs/../../*.md', '../elsewhere/a.md'])('rejects %s', async (glob) => {
    await expect(lua('return aip.file.list(glob)', { glob })).rejects.toMatchObject({
      details: { cause: { code: 'files.bad-glob' } },
    });
  });

  test('does not leave the workspace through an absolute glob or a link, nor enter private folders', async () => {
    at.folder.write('elsewhere/s.md', 'secret');
    at.folder.write('base/millrace/trusted.json', '{}');
    symlinkSync(at.folder.at('elsewhere'), at.folder.at('workspace/linked'));
    symlinkSync(at.folder.at('elsewhere/s.md'), at.folder.at('workspace/docs/s.md'));
    symlinkSync('c.md', at.folder.at('workspace/docs/alias.md'));
    expect(await paths('aip.file.list("docs/*.md")')).toEqual(['docs/alias.md', 'docs/c.md']);
    expect(await paths('aip.file.list("*/s.md")')).toEqual([]);
    const refused = ['linked/*.md', `${at.folder.at('elsewhere')}/*.md`, `${at.folder.at('base')}/millrace/*`];
    for (const glob of refused) {
      await expect(lua('return aip.file.list(glob)', { glob })).rejects.toMatchObject({
        details: { cause: { code: 'effect.denied' } },
      });
    }
    expect(await paths(`aip.file.list("${at.folder.at('base')}/**")`)).toEqual([]);
  });

  test('first matches nothing, stats returns totals, and list_load returns the contents', async () => {
    expect(await lua('return { aip.file.first("**/n.md").path, aip.file.first("none/*") == nil }')).toEqual([
      'node_modules/p/n.md',
      true,
    ]);
    const stats = await lua('return aip.file.stats({ "*.md", "docs/**" })');
    expect(stats).toMatchObject({ _type: 'FileStats', number_of_files: 5, total_size: 4 + 10 + 9 + 14 + 10 });
    expect(await lua('return { aip.file.stats("none/*"), aip.file.stats(nil) == nil }')).toEqual([
      {
        _type: 'FileStats',
        total_size: 0,
        number_of_files: 0,
        ctime_first: 0,
        ctime_last: 0,
        mtime_first: 0,
        mtime_last: 0,
      },
      true,
    ]);
    write('docs/me@home', 'at');
    const loaded = await lua('return aip.file.list_load({ "docs/*.md", "docs/me*" }, { base_dir = "." })');
    expect((loaded as JsonMap[]).map(({ path, content }) => [path, content])).toEqual([
      ['docs/c.md', 'docs/c.md'],
      ['docs/me@home', 'at'],
    ]);
  });
});

describe('bytes', () => {
  test('returns the spans of lines and CSV rows, and their content', async () => {
    write('a.txt', 'one\r\nzwölf\n\nlast');
    write('a.csv', 'a,b\n"x\ny",2\n');
    const code = `local out = {}
      for i, s in ipairs(aip.file.line_spans("a.txt")) do out[i] = aip.file.read_span("a.txt", s.start, s["end"]) end
      local rows = aip.file.csv_row_spans("a.csv")
      return { out, rows[2], aip.file.read_span("a.csv", rows[2].start, rows[2]["end"]), aip.file.read_span("a.txt", 5, 9999) }`;
    expect(await lua(code)).toEqual([['one', 'zwölf', '', 'last'], { start: 4, end: 11 }, '"x\ny",2', 'zwölf\n\nlast']);
  });

  test.each(['-1, 3', '3, 1', '0, 7.5', '5, 8'])('read_span raises an error for %s', async (span) => {
    write('a.txt', 'one\r\nzwölf\n');
    expect(await lua(`return (pcall(aip.file.read_span, "a.txt", ${span}))`)).toBe(false);
  });

  test('returns digests of files in four encodings', async () => {
    write('a.bin', Uint8Array.of(0, 255, 1));
    const sha = createHash('sha256').update(Uint8Array.of(0, 255, 1));
    const bytes = sha.digest();
    const code = `return { aip.file.hash_sha256("a.bin"), aip.file.hash_sha256_b64("a.bin"), aip.file.hash_sha256_b64u("a.bin"),
      #aip.file.hash_sha512("a.bin"), #aip.file.hash_blake3("a.bin"), aip.file.hash_sha256_b58u("a.bin") == aip.hash.sha256_b58("") }`;
    expect(await lua(code)).toEqual([
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      128,
      64,
      false,
    ]);
    write('text', 'abc');
    expect(await lua('return aip.file.hash_blake3_b58u("text") == aip.hash.blake3_b58("abc")')).toBe(true);
  });
});

test('logs likely mistakes in CSV with the file name', async () => {
  write('open.csv', 'a,b\n1,"2\n3,4\n');
  write('plain.csv', 'a,b\n1,2\n');
  expect(await lua('aip.file.load_csv("plain.csv") return #aip.file.load_csv("open.csv").rows')).toBe(1);
  expect(at.logs()).toEqual([expect.stringMatching(/^open\.csv: The CSV has a quote \("\) in line 2 /)]);
});
