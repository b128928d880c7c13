/** Tests names and links designed to lead somewhere unexpected. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { evilZip } from '../../testing/evil-zip.ts';
import { runLua } from '../../testing/run-lua.ts';
import { createScriptHost } from './script-host.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld();
});
afterEach(() => at.end());

const lua = (code: string): Promise<JsonValue> => runLua(code, { host: createScriptHost(at.world, at.scope) });

describe('archive entries', () => {
  test('names of entries are taken literally, whatever prefix they have', async () => {
    const names = ['~/a.md', '$tmp/b.md', 'acme@tool/c.md', 'no@pack/d.md'];
    at.folder.write('workspace/a.zip', evilZip(names.map((name) => ({ name, content: name }))));
    await lua('aip.zip.extract("a.zip", "out")');
    for (const name of names) expect(readFileSync(at.folder.at(`workspace/out/${name}`), 'utf8')).toBe(name);
    expect(existsSync(at.folder.at('home/a.md'))).toBe(false);
  });

  test.each(['~/.git/config', '$tmp/.git/config', 'acme@tool/.git/config', '.GIT/config', 'x/.millrace/y'])(
    '%s is not unpacked',
    async (name) => {
      at.folder.write('workspace/a.zip', evilZip([{ name: 'first.md' }, { name, content: 'x' }]));
      await expect(lua('aip.zip.extract("a.zip", "out")')).rejects.toThrow('(rule protected-folder)');
      expect(existsSync(at.folder.at('workspace/out/first.md'))).toBe(false);
    },
  );
});

describe('a link that leads out of the workspace', () => {
  beforeEach(() => {
    at.folder.write('elsewhere/secret.md', 'secret');
    symlinkSync(at.folder.at('elsewhere'), at.folder.at('workspace/out'));
    at.folder.write('workspace/mine.md', 'mine');
    at.folder.write('workspace/a.zip', evilZip([{ name: 'x.md', content: 'x' }]));
  });

  test.each([
    ['file.load("out/secret.md")', 'read-outside'],
    ['file.hash_sha256("out/secret.md")', 'read-outside'],
    ['file.load_md_sections("out/secret.md")', 'read-outside'],
    ['file.load_docx_as_md("out/secret.docx")', 'read-outside'],
    ['pdf.page_count("out/secret.pdf")', 'read-outside'],
    ['zip.list("out/secret.zip")', 'read-outside'],
    ['zip.create("out", "made.zip")', 'read-outside'],
    ['file.copy("out/secret.md", "copy.md")', 'read-outside'],
    ['file.save("out/new.md", "x")', 'write-outside'],
    ['file.save("out/deep/er/new.md", "x")', 'write-outside'],
    ['file.append("out/new.md", "x")', 'write-outside'],
    ['file.ensure_dir("out/dir")', 'write-outside'],
    ['file.copy("mine.md", "out/new.md")', 'write-outside'],
    ['file.move("mine.md", "out/new.md")', 'write-outside'],
    ['zip.create(".", "out/made.zip")', 'write-outside'],
    ['zip.extract("a.zip", "out/dir")', 'write-outside'],
    ['pdf.split_pages("mine.pdf", "out/pages")', 'write-outside'],
    ['file.delete("out/secret.md")', 'delete-outside'],
    ['file.move("out/secret.md", "stolen.md")', 'delete-outside'],
  ])('%s is rejected', async (call, rule) => {
    await expect(lua(`return aip.${call}`)).rejects.toThrow(`(rule ${rule})`);
    expect(readFileSync(at.folder.at('elsewhere/secret.md'), 'utf8')).toBe('secret');
    expect(existsSync(at.folder.at('elsewhere/new.md'))).toBe(false);
    expect(existsSync(at.folder.at('workspace/stolen.md'))).toBe(false);
  });
});

describe('a folder that is swapped for a link while a script waits', () => {
  /** Runs the code. Right after the policy has allowed the effect, the folder `d` becomes a link to `elsewhere`. */
  async function exchanged(code: string): Promise<JsonValue> {
    at.folder.write('elsewhere/secret.md', 'secret');
    at.folder.write('workspace/d/secret.md', 'mine');
    let asked = 0;
    const host = createScriptHost(
      {
        ...at.world,
        policy: () => {
          asked += 1;
          if (asked === 1) {
            renameSync(at.folder.at('workspace/d'), at.folder.at('workspace/moved'));
            symlinkSync(at.folder.at('elsewhere'), at.folder.at('workspace/d'));
          }
          return { decision: 'allow', rule: 'test', reason: '', trustHelps: false };
        },
      },
      at.scope,
    );
    return await runLua(code, { host });
  }

  test.each([
    'file.load("d/secret.md")',
    'pdf.page_count("d/secret.md")',
    'file.hash_sha256("d/secret.md")',
    'file.save("d/secret.md", "x")',
    'file.append("d/secret.md", "x")',
    'file.save("d/new.md", "x")',
  ])("the operation %s does not reach the link's target", async (call) => {
    mkdirSync(at.folder.at('workspace/d'), { recursive: true });
    await expect(exchanged(`return aip.${call}`)).rejects.toThrow('changed to another location');
    expect(readFileSync(at.folder.at('elsewhere/secret.md'), 'utf8')).toBe('secret');
    expect(existsSync(at.folder.at('elsewhere/new.md'))).toBe(false);
  });
});
