import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { type EvilEntry, evilZip, manifestEntry } from '../../testing/evil-zip.ts';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { type ArchiveOptions, withArchive } from './archive-reader.ts';
import { packLimits } from './pack-limits.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

async function extract(zip: Buffer, options: ArchiveOptions = {}): Promise<void> {
  folder.write('a.aipack', zip);
  await withArchive(folder.at('a.aipack'), { shownPath: 'a.aipack', ...options }, (archive) =>
    archive.extractTo(folder.at('out')),
  );
}

async function failureOf(zip: Buffer, options: ArchiveOptions = {}): Promise<ErrorRecord> {
  return await extract(zip, options).then(
    () => ({ code: 'none', message: '' }),
    (error: unknown) => toErrorRecord(error),
  );
}

async function refusalOf(...entries: readonly EvilEntry[]): Promise<ErrorRecord> {
  const error = await failureOf(evilZip([manifestEntry(), ...entries]));
  expect(existsSync(folder.at('out'))).toBe(false);
  return error;
}

describe('a valid archive', () => {
  test('unpacks stored and deflated files, folders, empty files and non-ASCII names', async () => {
    const text = 'größer\n'.repeat(10_000);
    await extract(
      evilZip([
        manifestEntry(),
        { name: 'lua/' },
        { name: 'lua/a.lua', content: 'return 1', method: 0 },
        { name: 'lua/größe 日本.md', content: text },
        { name: 'empty.md' },
      ]),
    );
    expect(readFileSync(folder.at('out/lua/a.lua'), 'utf8')).toBe('return 1');
    expect(readFileSync(folder.at('out/lua/größe 日本.md'), 'utf8')).toBe(text);
    expect(readFileSync(folder.at('out/empty.md'), 'utf8')).toBe('');
  });

  test('ignores the permissions stored in the archive', async () => {
    await extract(evilZip([{ name: 'run.sh', content: 'x', mode: 0o104777 }]));
    expect(statSync(folder.at('out/run.sh')).mode & 0o7111).toBe(0);
  });

  test('reports sizes and reads single files without unpacking', async () => {
    folder.write('a.aipack', evilZip([manifestEntry(), { name: 'a.md', content: 'four' }]));
    await withArchive(folder.at('a.aipack'), {}, async (archive) => {
      expect(archive.entries.map(({ path }) => path)).toEqual(['pack.toml', 'a.md']);
      expect(await archive.readText('a.md', 100)).toBe('four');
      expect(await archive.readText('b.md', 100)).toBeUndefined();
      await expect(archive.readText('a.md', 3)).rejects.toMatchObject({ code: 'pack.too-large' });
      expect(archive.archiveBytes).toBe(statSync(folder.at('a.aipack')).size);
    });
  });
});

describe('AP-21 rejects an archive with entries that lead out of its folder or do not belong in a pack', () => {
  const link = { content: '/etc', mode: 0o120777 };
  const cases: readonly [string, EvilEntry, RegExp][] = [
    ['../evil', { name: '../evil', content: 'x' }, /leads out of the pack/],
    ['.. in the middle', { name: 'lua/../../evil', content: 'x' }, /leads out of the pack/],
    ['an absolute path', { name: '/etc/evil', content: 'x' }, /absolute/],
    ['a drive', { name: 'C:/evil', content: 'x' }, /absolute/],
    ['a drive without a slash', { name: 'c:evil', content: 'x' }, /absolute/],
    ['a backslash', { name: '..\\evil', content: 'x' }, /backslash/],
    ['a Windows network path', { name: '\\\\host\\share\\evil', content: 'x' }, /backslash/],
    ['a file stream', { name: 'pack.toml:evil', content: 'x' }, /colon/],
    ['a link', { name: 'link', ...link }, /it is a link/],
    ['a device', { name: 'null', mode: 0o020666 }, /it is a device/],
    ['a disk', { name: 'disk', mode: 0o060666 }, /it is a device/],
    ['a pipe', { name: 'pipe', mode: 0o010666 }, /it is a pipe/],
    ['a folder marked as a file', { name: 'lua/', mode: 0o100644 }, /neither a file nor a folder/],
    ['a folder with content', { name: 'lua/', content: 'x' }, /folder with content/],
    ['a Windows device name', { name: 'lua/con.lua', content: 'x' }, /device on Windows/],
    ['a name that Windows shortens', { name: 'lua./a.lua', content: 'x' }, /ends with a dot/],
    ['a NUL', { name: 'a.md\0.png', content: 'x' }, /characters/],
    ['a line feed', { name: 'a\n.md', content: 'x' }, /characters/],
    ['a name that is not UTF-8', { name: Buffer.from([0x61, 0xff]), content: 'x' }, /characters/],
    ['no name', { name: '', content: 'x' }, /no name/],
    ['an empty part', { name: 'lua//a.lua', content: 'x' }, /a part of its path is empty/],
    ['encryption', { name: 'a.md', content: 'x', flags: 1 }, /encrypted/],
    ['an unknown compression method', { name: 'a.md', content: 'x', method: 99 }, /compression method/],
  ];

  test.each(cases)('%s', async (_what, entry, problem) => {
    const error = await refusalOf(entry);
    expect(error).toMatchObject({ code: 'pack.unsafe-archive', message: expect.stringMatching(problem) });
    expect(error.message).toContain('a.aipack');
  });

  const collisions: readonly [string, readonly string[]][] = [
    ['a file twice', ['a.md', 'a.md']],
    ['two names that differ only in case', ['A.md', 'a.md']],
    ['two folders that differ only in case', ['Lua/a.lua', 'lua/b.lua']],
    ['a file and a folder with the same name', ['lua', 'lua/a.lua']],
    ['a folder and a file with the same name', ['lua/a.lua', 'lua']],
    ['a folder twice', ['lua/', 'lua/']],
    ['one letter in two Unicode forms', ['gr\u00f6sse.md', 'gro\u0308sse.md']],
    ['the manifest twice', ['PACK.TOML']],
  ];

  test.each(collisions)('%s', async (_what, names) => {
    const error = await refusalOf(...names.map((name) => ({ name })));
    expect(error).toMatchObject({ code: 'pack.unsafe-archive', message: expect.stringMatching(/twice|the same as/) });
  });

  test('a folder entry may come before or after its contents', async () => {
    await extract(evilZip([{ name: 'a/b.md' }, { name: 'a/' }, { name: 'c/' }, { name: 'c/d.md' }]));
    expect(existsSync(folder.at('out/a/b.md'))).toBe(true);
  });
});

describe('an archive that exceeds the limits', () => {
  const limits = { ...packLimits, maxFileBytes: 1000, maxTotalBytes: 1500, maxFiles: 5, maxDepth: 3 };
  const bytes = (count: number): Buffer => Buffer.alloc(count, 'x');

  test.each<[string, readonly EvilEntry[]]>([
    ['one file too large', [{ name: 'a', content: bytes(1001) }]],
    [
      'all files too large together',
      [
        { name: 'a', content: bytes(800) },
        { name: 'b', content: bytes(800) },
      ],
    ],
    ['too many files', [...'abcdef'].map((name) => ({ name }))],
    ['too deep', [{ name: 'a/b/c/d/e' }]],
  ])('%s', async (_what, entries) => {
    expect(await failureOf(evilZip(entries), { limits })).toMatchObject({ code: 'pack.too-large' });
    expect(existsSync(folder.at('out'))).toBe(false);
  });

  test('detects a zip bomb by its compression ratio', async () => {
    const error = await refusalOf({ name: 'zeros', content: Buffer.alloc(8 * 1024 * 1024) });
    expect(error).toMatchObject({ code: 'pack.too-large', message: expect.stringContaining('more than 200 times') });
  });

  test('stops a zip bomb with a wrong size while it unpacks', async () => {
    const zip = evilZip([{ name: 'zeros', content: Buffer.alloc(8 * 1024 * 1024), claims: { bytes: 100 } }]);
    expect(await failureOf(zip)).toMatchObject({ code: 'pack.bad-archive' });
    expect(statSync(folder.at('out/zeros')).size).toBeLessThan(1024 * 1024);
  });

  test('rejects an archive file that is too large', async () => {
    const error = await failureOf(evilZip([manifestEntry()]), { limits: { ...packLimits, maxArchiveBytes: 10 } });
    expect(error.code).toBe('pack.too-large');
  });
});

describe('a corrupt archive', () => {
  const zip = evilZip([manifestEntry(), { name: 'a.md', content: 'abc '.repeat(5000), method: 0 }]);

  test('detects truncation at any position', async () => {
    for (const share of [0, 0.01, 0.3, 0.6, 0.9, 0.99]) {
      const error = await failureOf(zip.subarray(0, Math.floor(zip.length * share)));
      expect(error.code).toMatch(/^pack\.(?:not-an-archive|bad-archive)$/);
    }
  });

  test.each([
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['nothing', ''],
    ['noise', 'PK\x03\x04 and then nothing else'],
  ])('%s is not an archive', async (_what, content) => {
    expect(await failureOf(Buffer.from(content))).toMatchObject({ code: 'pack.not-an-archive' });
  });

  test('detects a wrong checksum', async () => {
    const wrong = evilZip([{ name: 'a.md', content: 'abc', claims: { crc: 1 } }]);
    expect(await failureOf(wrong)).toMatchObject({
      code: 'pack.bad-archive',
      message: 'a.aipack is damaged: the checksum of "a.md" is wrong. Get a new copy.',
    });
  });

  test('detects a wrong byte in a deflated file', async () => {
    const bent = evilZip([{ name: 'a.md', content: 'abcdefgh '.repeat(100) }]);
    bent.writeUInt8(bent.readUInt8(40) ^ 0xff, 40);
    expect(await failureOf(bent)).toMatchObject({ code: 'pack.bad-archive' });
  });

  test('changing any byte to any value either fails or unpacks', async () => {
    const small = evilZip([manifestEntry(), { name: 'a.md', content: 'abc' }]);
    const codes = new Set<string>();
    for (let position = 0; position < small.length; position += 3) {
      const bent = Buffer.from(small);
      bent.writeUInt8((bent.readUInt8(position) + 77) % 256, position);
      codes.add((await failureOf(bent)).code);
      rmSync(folder.at('out'), { recursive: true, force: true });
    }
    expect([...codes].filter((code) => !/^(?:pack\.|none$)/.test(code))).toEqual([]);
    expect(existsSync(folder.at('evil'))).toBe(false);
  });
});

test('reports a missing file and a folder', async () => {
  const run = async (): Promise<void> => undefined;
  await expect(withArchive(folder.at('no.aipack'), {}, run)).rejects.toMatchObject({ code: 'files.not-found' });
  await expect(withArchive(folder.path, {}, run)).rejects.toMatchObject({ code: 'pack.not-an-archive' });
});

test('stops unpacking when canceled', async () => {
  const stop = new AbortController();
  stop.abort(new Error('enough'));
  await expect(extract(evilZip([manifestEntry()]), { signal: stop.signal })).rejects.toThrow('enough');
  expect(existsSync(folder.at('out'))).toBe(false);
});
