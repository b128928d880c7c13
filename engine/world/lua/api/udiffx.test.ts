import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { runLua } from '../../../testing/run-lua.ts';
import { createScriptHost } from '../../script/script-host.ts';
import { createTestWorld, type TestWorld } from '../../script/testing/test-world.ts';

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld();
});
afterEach(() => at.end());

const place = (file: string) => at.folder.at(`workspace/${file}`);
const read = (file: string) => readFileSync(place(file), 'utf8');

const write = (file: string, text: string) => at.folder.write(`workspace/${file}`, text);

function lua(code: string, globals: JsonMap = {}): Promise<unknown> {
  return runLua(code, { host: createScriptHost(at.world, at.scope), globals });
}

function apply(inside: string, baseDir: string | null = null): Promise<unknown> {
  const globals = { text: `Here:\n<FILE_CHANGES>\n${inside}\n</FILE_CHANGES>\nDone.`, dir: baseDir ?? '' };
  return lua('return aip.udiffx.apply_file_changes(text, dir)', globals);
}

describe('aip.udiffx.apply_file_changes', () => {
  test('applies all kinds of changes', async () => {
    write('lib/b.txt', 'one\ntwo\n');
    write('lib/c.txt', 'start');
    write('lib/d.txt', 'copied');
    write('lib/f.txt', 'moved');
    write('lib/h.txt', 'deleted');
    write('lib/old/i.txt', 'deleted, too');
    const status = await apply(
      `<FILE_NEW file_path="new/@types/a.txt">\nnew\n</FILE_NEW>
<FILE_PATCH file_path="b.txt">\n@@\n one\n-two\n+TWO\n</FILE_PATCH>
<FILE_APPEND file_path="c.txt">\nend\n</FILE_APPEND>
<FILE_COPY from_path="d.txt" to_path="sub/e.txt" />
<FILE_RENAME from_path="f.txt" to_path="sub/g.txt" />
<FILE_DELETE file_path="h.txt" />
<FILE_DELETE file_path="old" />`,
      'lib',
    );
    expect(status).toEqual({
      success: true,
      total_count: 7,
      success_count: 7,
      fail_count: 0,
      items: [
        { file_path: 'new/@types/a.txt', kind: 'New', success: true },
        { file_path: 'b.txt', kind: 'Patch', success: true },
        { file_path: 'c.txt', kind: 'Append', success: true },
        { file_path: 'sub/e.txt', kind: 'Copy', success: true },
        { file_path: 'sub/g.txt', kind: 'Rename', success: true },
        { file_path: 'h.txt', kind: 'Delete', success: true },
        { file_path: 'old', kind: 'Delete', success: true },
      ],
    });
    expect(read('lib/new/@types/a.txt')).toBe('new\n');
    expect([read('lib/b.txt'), read('lib/c.txt')]).toEqual(['one\nTWO\n', 'start\nend\n']);
    expect([read('lib/d.txt'), read('lib/sub/e.txt'), read('lib/sub/g.txt')]).toEqual(['copied', 'copied', 'moved']);
    expect(['lib/f.txt', 'lib/h.txt', 'lib/old'].map((file) => existsSync(place(file)))).toEqual([false, false, false]);
  });

  test('continues after a failure and keeps the hunks that were applied', async () => {
    write('a.txt', 'one\r\ntwo\r\n');
    write('same.txt', 'same\n');
    const status = await apply(`<FILE_PATCH file_path="a.txt">\n@@\n-one\n+ONE\n@@\n-three\n+THREE\n</FILE_PATCH>
<FILE_PATCH file_path="same.txt">\n@@\n-none\n+x\n</FILE_PATCH>
<FILE_PATCH file_path="same.txt">\n@@\n-same\n+same\n</FILE_PATCH>
<FILE_NEW file_path="same.txt">\nsame\n</FILE_NEW>
<FILE_APPEND file_path="same.txt"></FILE_APPEND>
<FILE_COPY from_path="none.txt" to_path="x.txt" />
<FILE_DELETE file_path="none.txt" />
<FILE_NEW>x</FILE_NEW>
<FILE_NEW file_path="last.txt">\nlast\n</FILE_NEW>`);
    const cause = 'The unchanged and removed lines of this hunk were not found in the file';
    expect(status).toEqual({
      success: false,
      total_count: 9,
      success_count: 1,
      fail_count: 8,
      items: [
        {
          file_path: 'a.txt',
          kind: 'Patch',
          success: false,
          error_msg: "1 of 2 hunks failed to apply for 'a.txt'",
          error_hunks: [{ hunk_body: '-three\n+THREE', cause }],
        },
        expect.objectContaining({ kind: 'Patch', error_hunks: [{ hunk_body: '-none\n+x', cause }] }),
        expect.objectContaining({ kind: 'Patch', error_msg: "No changes applied to 'same.txt'" }),
        expect.objectContaining({ kind: 'New', error_msg: "No changes applied to 'same.txt'" }),
        expect.objectContaining({ kind: 'Append', error_msg: "No changes applied to 'same.txt'" }),
        expect.objectContaining({ kind: 'Copy', error_msg: "'none.txt' does not exist" }),
        expect.objectContaining({ kind: 'Delete', error_msg: "'none.txt' does not exist" }),
        expect.objectContaining({ kind: 'Fail', file_path: 'unknown' }),
        { file_path: 'last.txt', kind: 'New', success: true },
      ],
    });
    expect([read('a.txt'), read('last.txt')]).toEqual(['ONE\ntwo\n', 'last\n']);
  });

  test('creates the missing file that a patch refers to', async () => {
    await apply('<FILE_PATCH file_path="deep/new.txt">\n@@\n+a\n+b\n</FILE_PATCH>');
    expect(read('deep/new.txt')).toBe('a\nb\n');
  });

  test('writes only inside its folder and the workspace', async () => {
    const inside = ['../elsewhere/a.txt', '~/b.txt', at.folder.at('elsewhere/c.txt')]
      .map((file) => `<FILE_NEW file_path="${file}">x</FILE_NEW>`)
      .join('\n');
    at.end();
    at = createTestWorld({ isTrusted: () => true });
    expect(await apply(inside, 'lib')).toMatchObject({ fail_count: 1, success_count: 2 });
    expect(existsSync(at.folder.at('elsewhere/c.txt'))).toBe(false);
    expect(existsSync(at.folder.at('elsewhere/a.txt'))).toBe(false);
    expect(existsSync(at.folder.at('home/b.txt'))).toBe(false);
    expect(await apply('<FILE_NEW file_path="../../elsewhere/a.txt">x</FILE_NEW>', 'lib')).toMatchObject({
      items: [{ success: false, error_msg: expect.stringContaining('is outside') }],
    });
  });

  test('succeeds without an envelope, and returns the remaining text on request', async () => {
    expect(await lua('return aip.udiffx.apply_file_changes("nothing")')).toMatchObject({
      success: true,
      total_count: 0,
    });
    const code = `local status, rest = aip.udiffx.apply_file_changes("a<FILE_CHANGES></FILE_CHANGES>b", nil, { extrude = "content" })
return { rest = rest, count = status.total_count }`;
    expect(await lua(code)).toEqual({ rest: 'ab', count: 0 });
    await expect(lua('aip.udiffx.apply_file_changes(nil)')).rejects.toThrow('bad argument #1');
  });
});

describe('aip.udiffx.load_files_context', () => {
  test('returns the matching files', async () => {
    write('src/a.txt', 'one\n');
    write('src/@b/c.txt', 'two');
    expect(await lua('return aip.udiffx.load_files_context("**/*.txt", { base_dir = "src" })')).toBe(
      '<FILE_CONTENT path="@b/c.txt">\ntwo\n</FILE_CONTENT>\n\n<FILE_CONTENT path="a.txt">\none\n</FILE_CONTENT>\n',
    );
    expect(await lua('return aip.udiffx.load_files_context({ "src/a.txt" })')).toContain('path="src/a.txt"');
    expect(await lua('return aip.udiffx.load_files_context("*.none") == nil')).toBe(true);
  });
});

test('aip.udiffx.file_changes_instruction names every directive', async () => {
  const text = await lua('return aip.udiffx.file_changes_instruction()');
  for (const tag of ['NEW', 'PATCH', 'APPEND', 'COPY', 'RENAME', 'DELETE', 'CHANGES'])
    expect(text).toContain(`<FILE_${tag}`);
});
