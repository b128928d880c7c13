import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { evilZip } from '../../testing/evil-zip.ts';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { createZip, extractZip, listZip, readZipText } from './zip-calls.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was thrown',
    (error) => (EngineError.is(error) ? error.code : String(error)),
  );
}

/** Writes an archive of these files and returns its path. */
function archive(files: Readonly<Record<string, string | Buffer>>): string {
  folder.write('a.zip', evilZip(Object.entries(files).map(([name, content]) => ({ name, content }))));
  return folder.at('a.zip');
}

describe('packing', () => {
  test('packing and unpacking returns the same files', async () => {
    folder.write('src/b.md', 'B');
    folder.write('src/sub/größe.md', 'ö'.repeat(100_000));
    folder.write('src/sub/deep/empty.txt', '');
    await createZip(folder.at('src'), folder.at('out/src.zip'));
    const names = ['b.md', 'sub/deep/empty.txt', 'sub/größe.md'];
    expect(await listZip(folder.at('out/src.zip'))).toEqual(names);
    expect(await extractZip(folder.at('out/src.zip'), folder.at('copy'))).toEqual(names);
    expect(names.map((name) => readFileSync(folder.at(`copy/${name}`), 'utf8'))).toEqual(
      names.map((name) => readFileSync(folder.at(`src/${name}`), 'utf8')),
    );
    expect(readdirSync(folder.at('out'))).toEqual(['src.zip']);
    expect(readdirSync(folder.at('copy')).sort()).toEqual(['b.md', 'sub']);
  });

  test('packs what the globs match, without links and the archive itself', async () => {
    folder.write('src/a.md', 'a');
    folder.write('src/a.txt', 'a');
    folder.write('src/sub/c.md', 'c');
    folder.write('secret', 's');
    symlinkSync(folder.at('secret'), folder.at('src/link.md'));
    await createZip(folder.at('src'), folder.at('src/all.zip'), { globs: ['**/*.md', '*.zip'] });
    await createZip(folder.at('src'), folder.at('src/all.zip'), { globs: ['**/*.md', '*.zip'] });
    expect(await listZip(folder.at('src/all.zip'))).toEqual(['a.md', 'sub/c.md']);
  });

  test('requires a folder, and leaves nothing behind when stopped', async () => {
    folder.write('src/a.md', 'a');
    expect(await codeOf(createZip(folder.at('none'), folder.at('a.zip')))).toBe('files.not-found');
    expect(await codeOf(createZip(folder.at('src/a.md'), folder.at('a.zip')))).toBe('files.not-a-folder');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(createZip(folder.at('src'), folder.at('a.zip'), { signal })).rejects.toThrow('stopped');
    expect(readdirSync(folder.at(''))).toEqual(['src']);
  });
});

describe('unpacking', () => {
  test('unpacks what the globs match and overwrites existing files', async () => {
    folder.write('out/sub/a.md', 'old');
    folder.write('out/keep', 'kept');
    const file = archive({ 'sub/': '', 'sub/a.md': 'new', 'b.txt': 'b' });
    expect(await listZip(file)).toEqual(['sub/', 'sub/a.md', 'b.txt']);
    expect(await listZip(file, { globs: ['**/*.md'] })).toEqual(['sub/a.md']);
    expect(await extractZip(file, folder.at('out'), { globs: ['**/*.md'] })).toEqual(['sub/a.md']);
    expect(readFileSync(folder.at('out/sub/a.md'), 'utf8')).toBe('new');
    expect(readdirSync(folder.at('out')).sort()).toEqual(['keep', 'sub']);
  });

  test.each(['../evil', '/evil', 'C:/evil', 'a/../../evil', 'a\\..\\evil'])(
    'rejects %s and writes nothing',
    async (name) => {
      const file = archive({ 'good.md': 'g', [name]: 'e' });
      expect(await codeOf(extractZip(file, folder.at('out')))).toBe('pack.unsafe-archive');
      expect(await codeOf(listZip(file))).toBe('pack.unsafe-archive');
      expect(existsSync(folder.at('out'))).toBe(false);
    },
  );

  test('rejects links and duplicate names', async () => {
    folder.write('a.zip', evilZip([{ name: 'l', content: '/etc', mode: 0o120777 }]));
    expect(await codeOf(extractZip(folder.at('a.zip'), folder.at('out')))).toBe('pack.unsafe-archive');
    folder.write('a.zip', evilZip([{ name: 'a' }, { name: 'a' }]));
    expect(await codeOf(extractZip(folder.at('a.zip'), folder.at('out')))).toBe('pack.unsafe-archive');
  });

  test('rejects zip bombs, whether they declare their size or not', async () => {
    const bomb = Buffer.alloc(64 * 2 ** 20);
    folder.write('a.zip', evilZip([{ name: 'b', content: bomb }]));
    expect(await codeOf(extractZip(folder.at('a.zip'), folder.at('out')))).toBe('pack.too-large');
    folder.write('a.zip', evilZip([{ name: 'b', content: bomb, claims: { bytes: 1000 } }]));
    expect(await codeOf(extractZip(folder.at('a.zip'), folder.at('out')))).toBe('pack.bad-archive');
    expect(readdirSync(folder.at('out'))).toEqual([]);
  });

  test('does not follow links that lead out of the folder', async () => {
    folder.write('elsewhere/x', '');
    folder.write('out/x', '');
    symlinkSync(folder.at('elsewhere'), folder.at('out/sub'));
    symlinkSync(folder.at('elsewhere/x'), folder.at('out/file'));
    expect(await codeOf(extractZip(archive({ 'sub/evil': 'e' }), folder.at('out')))).toBe('files.outside');
    expect(await codeOf(extractZip(archive({ file: 'mine' }), folder.at('out')))).toBe('files.outside');
    expect(readFileSync(folder.at('elsewhere/x'), 'utf8')).toBe('');
    expect(readdirSync(folder.at('elsewhere'))).toEqual(['x']);
  });

  test('rejects files that are not archives, with messages that do not mention packs', async () => {
    folder.write('a.zip', 'no archive');
    await expect(listZip(folder.at('a.zip'))).rejects.toThrow(/is not a zip archive/);
    expect(await codeOf(listZip(folder.at('none.zip')))).toBe('files.not-found');
  });
});

describe('reading', () => {
  test('returns the unchanged text of an entry, and null if it does not exist', async () => {
    const file = archive({ 'a/b.md': '\uFEFFgrün\r\n', bin: Buffer.from([0xff, 0xfe, 0x00]), 'f/': '' });
    expect(await readZipText(file, 'a/b.md')).toBe('\uFEFFgrün\r\n');
    expect(await readZipText(file, 'a')).toBeNull();
    expect(await readZipText(file, 'f')).toBeNull();
    expect(await codeOf(readZipText(file, 'bin'))).toBe('files.not-text');
  });
});
