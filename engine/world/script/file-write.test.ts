import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { resolvePackPath } from '../../packs/pack/pack-locator.ts';
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

function read(path: string): string {
  return readFileSync(at.folder.at(`workspace/${path}`), 'utf8');
}

/** Returns the message with which a script is rejected. */
async function refusal(code: string): Promise<string> {
  const [isOk, message] = (await lua(`local ok, e = pcall(function() ${code} end) return { ok, tostring(e) }`)) as [
    boolean,
    string,
  ];
  return isOk ? 'ok' : message;
}

describe('save', () => {
  test('creates folders, replaces an existing file, returns the full path and logs it', async () => {
    const code = `aip.file.save("out/a.md", "one") return aip.file.save("out/a.md", "zwölf")`;
    expect(await lua(code)).toMatchObject({ _type: 'FileInfo', path: at.folder.at('workspace/out/a.md'), size: 6 });
    expect(read('out/a.md')).toBe('zwölf');
    expect(at.logs()).toEqual(Array.from({ length: 2 }, () => '-> Lua aip.file.save called on: out/a.md'));
    expect(readdirSync(at.folder.at('workspace/out'))).toEqual(['a.md']);
  });

  test.each([
    ['{ trim_start = true }', 'a \n\n'],
    ['{ trim_end = true }', '\n a'],
    ['{ single_trailing_newline = true }', '\n a \n'],
    ['{ trim_start = true, trim_end = true, single_trailing_newline = true }', 'a\n'],
    ['{}', '\n a \n\n'],
  ])('works with %s', async (options, expected) => {
    await lua(`aip.file.save("a", "\\n a \\n\\n", ${options})`);
    expect(read('a')).toBe(expected);
  });

  test('AP-19 writes to the data folders of a pack, but not above them', async () => {
    await lua('aip.file.save("acme@tool$workspace/x.md", "w") aip.file.save("acme@tool$base/y.md", "b")');
    expect(read('.aipack/support/pack/acme/tool/x.md')).toBe('w');
    expect(readFileSync(at.folder.at('base/support/pack/acme/tool/y.md'), 'utf8')).toBe('b');
    const { workspace, baseFolder } = at.world;
    const packPath = (reference: string) => resolvePackPath(reference, { workspace, baseFolder });
    const host = createScriptHost({ ...at.world, packPath, isTrusted: () => true }, at.scope);
    for (const path of ['acme@tool/../x', 'acme@tool$base/a/../../x']) {
      await expect(runLua(`aip.file.save("${path}", "x")`, { host })).rejects.toThrow('is not a pack reference');
    }
  });

  test('AP-20 rejects paths outside of the workspace in any notation and creates nothing', async () => {
    at.folder.write('elsewhere/kept', 'kept');
    symlinkSync(at.folder.at('elsewhere'), at.folder.at('workspace/linked'));
    const ways = ['../x', '../new/x', 'linked/x', 'linked/new/x', '~/x', at.folder.at('elsewhere/kept'), 'acme@tool/x'];
    for (const path of ways) {
      expect(await refusal(`aip.file.save("${path}", "x")`)).toContain(
        `Save file protection - The path \`${path}\` does not belong to the workspace dir`,
      );
    }
    expect(readdirSync(at.folder.path).sort()).toEqual(['base', 'elsewhere', 'home', 'workspace']);
    expect(readdirSync(at.folder.at('elsewhere'))).toEqual(['kept']);
  });

  test('does not write files of Git and of the program under any name', async () => {
    for (const path of ['.git/hooks/x', '.GIT/x', 'sub/.git/x', '.millrace/x', '.git./x']) {
      expect(await refusal(`aip.file.save("${path}", "x")`)).toContain('(rule protected-folder)');
    }
  });

  test('reports a path that is not writable', async () => {
    mkdirSync(at.folder.at('workspace/folder/in'), { recursive: true });
    write('file');
    expect(await refusal('aip.file.save("folder", "x")')).toContain('cannot be written');
    expect(await refusal('aip.file.save("file/x", "x")')).toContain('cannot be written');
  });
});

test('append adds to a file, ensure_exists only creates one, and ensure_dir reports whether the folder is new', async () => {
  write('blank', ' \n');
  const code = `aip.file.append("log/a.txt", "1") local info = aip.file.append("./log/a.txt", "2")
    aip.file.ensure_exists("e", "new") aip.file.ensure_exists("e", "newer")
    aip.file.ensure_exists("blank", "filled") local before = aip.file.load("blank").content
    aip.file.ensure_exists("blank", "filled", { content_when_empty = true })
    aip.file.ensure_exists("e", "newest", { content_when_empty = true })
    return { info.path, aip.file.ensure_exists("empty").size, before, aip.file.ensure_dir("d/e"), aip.file.ensure_dir("d/e") }`;
  expect(await lua(code)).toEqual(['./log/a.txt', 0, ' \n', true, false]);
  expect(['log/a.txt', 'e', 'blank'].map(read)).toEqual(['12', 'new', 'filled']);
  expect(await refusal('aip.file.ensure_dir("e")')).toContain('e cannot be written');
  expect(await refusal('aip.file.ensure_exists("d")')).toContain('exists, but is not a file');
});

describe('copy and move', () => {
  beforeEach(() => {
    write('a.md', 'a');
    write('b.md', 'b');
  });

  test('copy and move create missing folders and return the new path', async () => {
    const code = `return { aip.file.copy("a.md", "x/c.md").path, aip.file.move("b.md", "y/d.md").path, aip.file.exists("b.md") }`;
    expect(await lua(code)).toEqual([at.folder.at('workspace/x/c.md'), at.folder.at('workspace/y/d.md'), false]);
    expect([read('a.md'), read('x/c.md'), read('y/d.md')]).toEqual(['a', 'a', 'b']);
    expect(at.logs()).toEqual(['-> Lua aip.file.copy called on: x/c.md', '-> Lua aip.file.move called on: y/d.md']);
  });

  test('copy and move replace files only on request', async () => {
    expect(await refusal('aip.file.copy("a.md", "b.md")')).toContain(
      'Copy file failed - Destination `b.md` already exists and overwrite is set to false',
    );
    expect(await refusal('aip.file.move("a.md", "b.md")')).toContain(
      'Move file failed - Destination `b.md` already exists and overwrite is set to false',
    );
    await lua('aip.file.copy("a.md", "b.md", { overwrite = true })');
    expect(read('b.md')).toBe('a');
    await lua('aip.file.copy("a.md", "a.md", { overwrite = true })');
    await lua('aip.file.move("a.md", "b.md", { overwrite = true })');
    expect(readdirSync(at.folder.at('workspace'))).toEqual(['b.md']);
  });

  test('a folder can be moved but not copied, and a link neither', async () => {
    write('dir/f.md', 'f');
    symlinkSync('a.md', at.folder.at('workspace/link'));
    expect(await refusal('aip.file.copy("dir", "dir2")')).toContain('dir is a folder, and only files can be copied');
    await lua('aip.file.move("dir", "dir2")');
    expect(read('dir2/f.md')).toBe('f');
    expect(await refusal('aip.file.move("link", "link2")')).toContain('link is a link, and links cannot be moved');
    expect(lstatSync(at.folder.at('workspace/link')).isSymbolicLink()).toBe(true);
    expect(existsSync(at.folder.at('workspace/link2'))).toBe(false);
  });

  test('copy and move check both the source and the destination', async () => {
    at.folder.write('elsewhere/s.md', 's');
    at.folder.write('base/pack/installed/acme/tool/p.md', 'p');
    const rules: string[] = [];
    for (const call of [
      'copy("../elsewhere/s.md", "x")',
      'copy("a.md", "../x")',
      'copy("acme@tool/p.md", "p.md")',
      'move("acme@tool/p.md", "q.md")',
      'move("a.md", "../x")',
      'move("none.md", "x")',
      'move(".", "x")',
    ]) {
      rules.push(/rule ([\w-]+)|ok|does not exist/.exec(await refusal(`aip.file.${call}`))?.[0] ?? '');
    }
    expect(rules).toEqual([
      'rule read-outside',
      'rule write-outside',
      'ok',
      'rule delete-base',
      'rule write-outside',
      'does not exist',
      'rule protected-folder',
    ]);
  });
});

describe('delete', () => {
  test('moves what exists to the trash', async () => {
    write('a.md', 'a');
    write('dir/b.md', 'b');
    const code = 'return { aip.file.delete("a.md"), aip.file.delete("a.md"), aip.file.delete("dir") }';
    expect(await lua(code)).toEqual([true, false, true]);
    expect(readdirSync(at.folder.at('workspace'))).toEqual([]);
    expect(readdirSync(at.folder.path).filter((name) => name.startsWith('trash-'))).toHaveLength(2);
  });

  test('AP-20 never deletes below the base folder, nor outside of the workspace, with or without trust', async () => {
    const trusting = createScriptHost({ ...at.world, isTrusted: () => true }, at.scope);
    at.folder.write('base/support/pack/acme/tool/y.md', 'y');
    at.folder.write('elsewhere/x', 'x');
    write('.aipack-base/z', 'z');
    for (const [path, words] of [
      ['acme@tool$base/y.md', 'Delete file protection - Deleting files from the .aipack-base folder is not allowed'],
      ['.aipack-base/z', 'Delete file protection - Deleting files from the .aipack-base folder is not allowed'],
      ['../elsewhere/x', 'Delete file protection - '],
    ] as const) {
      for (const host of [createScriptHost(at.world, at.scope), trusting]) {
        await expect(runLua(`aip.file.delete("${path}")`, { host })).rejects.toThrow(words);
      }
    }
    expect(existsSync(at.folder.at('elsewhere/x'))).toBe(true);
  });

  test('deletes a link but keeps its target', async () => {
    at.folder.write('elsewhere/x', 'x');
    symlinkSync(at.folder.at('elsewhere'), at.folder.at('workspace/link'));
    expect(await lua('return aip.file.delete("link")')).toBe(true);
    expect(existsSync(at.folder.at('elsewhere/x'))).toBe(true);
  });
});

test('save_changes applies blocks, reports failed ones, and replaces the whole content without any', async () => {
  write('a.md', 'one\ntwo\nthree\n');
  const block = (search: string, replace: string) =>
    `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
  const changes = block('two', 'zwei') + block('none', 'x');
  const [info, outcome] = (await lua('return { aip.file.save_changes("a.md", changes) }', { changes })) as JsonMap[];
  expect(info).toMatchObject({ path: at.folder.at('workspace/a.md') });
  expect(outcome).toMatchObject({ changed_count: 1, failed_changes: [{ search: 'none', replace: 'x' }] });
  expect(read('a.md')).toBe('one\nzwei\nthree\n');
  await lua('aip.file.save_changes("a.md", "whole")');
  expect(read('a.md')).toBe('whole');
  expect(await refusal('aip.file.save_changes("a.md", "<<<<<<< SEARCH\\nx\\n")')).not.toBe('ok');
  expect(read('a.md')).toBe('whole');
  expect(at.logs()).toContain('-> Lua aip.file.save_changes called on: a.md');
});
