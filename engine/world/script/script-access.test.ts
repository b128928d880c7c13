import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createScriptAccess, type ScriptAccess } from './script-access.ts';
import { looksLikePackReference } from './script-paths.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

const { signal } = new AbortController();

let at: TestWorld;
let access: ScriptAccess;
let trusting: ScriptAccess;
beforeEach(() => {
  at = createTestWorld();
  access = createScriptAccess(at.world, at.scope);
  trusting = createScriptAccess({ ...at.world, isTrusted: () => true }, at.scope);
});
afterEach(() => at.end());

/** Returns the rule that denies the attempt, or `ok`. */
async function outcome(attempt: Promise<unknown>): Promise<string> {
  return await attempt.then(
    () => 'ok',
    (error: { code: string; details?: { rule: string } }) => error.details?.rule ?? error.code,
  );
}

describe('resolving paths', () => {
  test.each([
    ['a.md', undefined, 'workspace/a.md'],
    ['./x/../a.md', undefined, 'workspace/a.md'],
    ['', undefined, 'workspace'],
    ['a.md', 'sub', 'workspace/sub/a.md'],
    ['a.md', 'acme@tool$base', 'base/support/pack/acme/tool/a.md'],
    ['a.md', '~/notes', 'home/notes/a.md'],
    ['~/a.md', 'sub', 'home/a.md'],
    ['~', undefined, 'home'],
    ['$tmp/a.md', undefined, 'workspace/.aipack/.session/s1/tmp/a.md'],
    ['acme@tool', undefined, 'base/pack/installed/acme/tool'],
    ['acme@tool/lua/x.lua', 'sub', 'base/pack/installed/acme/tool/lua/x.lua'],
    ['notes@2024.md', undefined, 'workspace/notes@2024.md'],
    ['./acme@tool/x', undefined, 'workspace/acme@tool/x'],
    ['$tmpx/a', undefined, 'workspace/$tmpx/a'],
    ['~x/a', undefined, 'workspace/~x/a'],
  ])('%s from %s resolves to %s', async (path, baseDir, expected) => {
    expect(await access.resolve({ path, baseDir })).toBe(at.folder.at(expected));
  });

  test('AP-19 the data folder of a pack in the workspace has its own reference', async () => {
    const { real } = await access.write({ path: 'acme@tool$workspace/x.md' }, signal);
    expect(real).toBe(at.folder.at('workspace/.aipack/support/pack/acme/tool/x.md'));
  });

  test('keeps an absolute path and rejects a NUL character', async () => {
    const absolute = join(at.folder.path, 'elsewhere/./a.md');
    expect(await access.resolve({ path: absolute })).toBe(at.folder.at('elsewhere/a.md'));
    expect(await outcome(access.resolve({ path: 'a\0' }))).toBe('files.bad-path');
  });

  test('displays the home folder as a tilde', () => {
    expect([access.shown(at.folder.at('home/x')), access.shown(at.folder.at('base'))]).toEqual([
      '~/x',
      at.folder.at('base'),
    ]);
  });

  test.each([
    ['ns@name', true],
    ['ns@name/sub', true],
    ['ns@name$base/x', true],
    ['@name', false],
    ['a/ns@name', false],
    ['ns@name.md', false],
    ['./ns@name', false],
  ])('%s is a pack reference: %s', (path, expected) => {
    expect(looksLikePackReference(path)).toBe(expected);
  });
});

describe('places', () => {
  test.each([
    ['a.md', 'ok', 'ok', 'ok'],
    ['.git/config', 'ok', 'protected-folder', 'protected-folder'],
    ['sub/.GIT./config', 'ok', 'protected-folder', 'protected-folder'],
    ['.g\u200cit/config', 'ok', 'protected-folder', 'protected-folder'],
    ['.millrace/x', 'ok', 'protected-folder', 'protected-folder'],
    ['.gitignore', 'ok', 'ok', 'ok'],
    ['.aipack-base/x', 'ok', 'write-outside', 'delete-base'],
    ['$tmp/x', 'ok', 'ok', 'ok'],
    ['acme@tool/main.aip', 'ok', 'write-outside', 'delete-base'],
    ['acme@tool$base/x', 'ok', 'ok', 'delete-base'],
    ['acme@tool$workspace/x', 'ok', 'ok', 'ok'],
    ['../base/config-user.toml', 'ok', 'write-outside', 'delete-base'],
    ['../base/millrace/trusted.json', 'private-folder', 'private-folder', 'private-folder'],
    ['../elsewhere/x', 'read-outside', 'write-outside', 'delete-outside'],
    ['~/x', 'read-outside', 'write-outside', 'delete-outside'],
    ['.', 'ok', 'ok', 'protected-folder'],
    ['..', 'read-outside', 'write-outside', 'delete-outside'],
  ])('AP-20 %s: read %s, write %s, delete %s', async (path, ...rules) => {
    expect([
      await outcome(access.read({ path }, signal)),
      await outcome(access.write({ path }, signal)),
      await outcome(access.remove({ path }, signal)),
    ]).toEqual(rules);
  });

  test('trust opens paths outside of the workspace, but no protected ones', async () => {
    const paths = ['../elsewhere/x', 'acme@tool/main.aip', '.git/config', '../base/millrace/trusted.json'];
    const rules: string[] = [];
    for (const path of paths) rules.push(await outcome(trusting.write({ path }, signal)));
    expect(rules).toEqual(['ok', 'ok', 'protected-folder', 'private-folder']);
    expect(await outcome(trusting.remove({ path: '../elsewhere/x' }, signal))).toBe('delete-outside');
  });

  test('a workspace that is the home folder gives no access to the base folder inside, and does not let it be deleted', async () => {
    const world = { ...at.world, workspace: at.folder.path };
    const home = createScriptAccess(world, at.scope);
    expect([
      await outcome(home.write({ path: 'base/pack/x' }, signal)),
      await outcome(home.remove({ path: 'base' }, signal)),
      await outcome(home.read({ path: 'base/millrace/x' }, signal)),
      await outcome(home.write({ path: 'home/x' }, signal)),
    ]).toEqual(['write-outside', 'delete-base', 'private-folder', 'ok']);
  });
});

describe('links', () => {
  beforeEach(() => {
    at.folder.write('elsewhere/secret.md', 'secret');
    at.folder.write('workspace/notes/real.md', 'real');
    mkdirSync(at.folder.at('workspace/.git'));
    symlinkSync(at.folder.at('elsewhere'), at.folder.at('workspace/linked'));
    symlinkSync('notes/real.md', at.folder.at('workspace/alias.md'));
    symlinkSync('.git', at.folder.at('workspace/harmless'));
    symlinkSync('nowhere', at.folder.at('workspace/dangling'));
    symlinkSync('circle', at.folder.at('workspace/circle'));
  });

  test.each([
    ['linked/secret.md', 'read-outside', 'write-outside'],
    ['linked/new/deep.md', 'read-outside', 'write-outside'],
    ['alias.md', 'ok', 'ok'],
    ['harmless/hooks/x', 'ok', 'protected-folder'],
    ['dangling', 'files.bad-link', 'files.bad-link'],
    ['circle', 'files.bad-link', 'files.bad-link'],
  ])('follows %s', async (path, read, write) => {
    expect([await outcome(access.read({ path }, signal)), await outcome(access.write({ path }, signal))]).toEqual([
      read,
      write,
    ]);
  });

  test('works on the real path', async () => {
    expect((await access.write({ path: 'alias.md' }, signal)).real).toBe(at.folder.at('workspace/notes/real.md'));
  });

  test('deleting a link does not delete its target', async () => {
    expect((await access.remove({ path: 'linked' }, signal)).real).toBe(at.folder.at('workspace/linked'));
    expect(await outcome(access.remove({ path: 'linked/secret.md' }, signal))).toBe('delete-outside');
  });

  test('accepts a workspace that is behind a link', async () => {
    symlinkSync(at.folder.at('workspace'), at.folder.at('way-in'));
    const world = { ...at.world, workspace: at.folder.at('way-in') };
    expect(await outcome(createScriptAccess(world, at.scope).write({ path: 'x.md' }, signal))).toBe('ok');
  });
});

test('reports a denial as an event', async () => {
  await outcome(access.read({ path: '~/x' }, signal));
  expect(at.events()).toEqual([
    { type: 'governance:decision', allowed: false, rule: 'read-outside', effect: 'read', target: '~/x' },
  ]);
});
