import { chmodSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withArchive } from '../../../world/archive/archive-reader.ts';
import { createTestFolder, type TestFolder } from '../../../world/files/testing/test-folder.ts';
import { copyPack, hashPack, listPackFiles } from '../pack-contents.ts';
import { packFolder } from './packer.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

const manifest = '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n';
const contents: readonly (readonly [string, string])[] = [
  ['pack.toml', manifest],
  ['main.aip', '# Output\n'],
  ['lua/größe.lua', 'return 1\n'],
  ['Readme.md', 'About.\n'],
  ['.hidden', 'kept'],
];

function writePack(at: string, files = contents): string {
  for (const [path, text] of files) folder.write(`${at}/${path}`, text);
  return folder.at(at);
}

async function namesIn(file: string): Promise<readonly string[]> {
  return await withArchive(file, {}, async ({ entries }) => entries.map(({ path }) => path));
}

describe('packing', () => {
  test('writes an archive that is named after the manifest and can be unpacked', async () => {
    const packed = await packFolder(writePack('pack'), folder.at('out/deep'));
    expect(packed.file).toBe(folder.at('out/deep/acme@tools-v1.0.0.aipack'));
    expect(packed).toMatchObject({ files: 5, archiveBytes: readFileSync(packed.file).length });
    await withArchive(packed.file, {}, (archive) => archive.extractTo(folder.at('unpacked')));
    expect(await hashPack(folder.at('unpacked'))).toBe(await hashPack(folder.at('pack')));
  });

  test('writes identical bytes for equal content, regardless of order, times and permissions', async () => {
    const first = await packFolder(writePack('one'), folder.at('out1'));
    const other = writePack('two', [...contents].reverse());
    for (const [path] of contents) utimesSync(`${other}/${path}`, 1_000_000, 1_000_000);
    chmodSync(`${other}/main.aip`, 0o755);
    chmodSync(`${other}/lua`, 0o700);
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Chatham';
    const second = await packFolder(other, folder.at('out2'));
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(readFileSync(second.file).equals(readFileSync(first.file))).toBe(true);
    expect(await namesIn(first.file)).toEqual(['.hidden', 'Readme.md', 'lua/größe.lua', 'main.aip', 'pack.toml']);
  });

  test('omits files left behind by programs, and earlier archives', async () => {
    const pack = writePack('pack');
    const left = [
      '.aipack/x',
      '.git/config',
      'target/x',
      'a/node_modules/x',
      '.build/x',
      '__pycache__/x',
      '.millrace/x',
    ];
    for (const path of [...left, '.DS_Store', 'a/Thumbs.db', '.main.aip.swp']) folder.write(`pack/${path}`, 'x');
    await packFolder(pack, pack);
    const again = await packFolder(pack, pack);
    expect(again.files).toBe(contents.length);
  });

  test('rejects links and names that are invalid on other systems', async () => {
    const pack = writePack('pack');
    symlinkSync('/etc/passwd', `${pack}/link`);
    await expect(packFolder(pack, pack)).rejects.toMatchObject({ code: 'pack.unsafe-folder' });
    const named = writePack('named', [...contents, ['what?:.md', 'x']]);
    await expect(packFolder(named, named)).rejects.toMatchObject({ code: 'pack.unsafe-archive' });
  });

  test('requires a manifest', async () => {
    mkdirSync(folder.at('bare'));
    await expect(packFolder(folder.at('bare'), folder.path)).rejects.toMatchObject({
      code: 'pack.no-manifest',
      details: { folder: folder.at('bare') },
    });
  });
});

describe('the contents of a folder', () => {
  const limits = { maxArchiveBytes: 1e9, maxFiles: 3, maxFileBytes: 1e9, maxTotalBytes: 1e9, maxDepth: 1, maxRatio: 9 };

  test('the contents of a pack have limits', async () => {
    await expect(listPackFiles(writePack('pack'), limits)).rejects.toMatchObject({ code: 'pack.too-large' });
    folder.write('deep/a/b/c.md', '');
    await expect(listPackFiles(folder.at('deep'), limits)).rejects.toMatchObject({ code: 'pack.too-large' });
    folder.write('large/a.md', 'x'.repeat(101));
    const small = { ...limits, maxTotalBytes: 100 };
    await expect(listPackFiles(folder.at('large'), small)).rejects.toMatchObject({ code: 'pack.too-large' });
  });

  test('a pack can be copied, and any change alters its fingerprint', async () => {
    const pack = writePack('pack');
    folder.write('pack/.git/config', 'x');
    const before = await hashPack(pack);
    await copyPack(pack, folder.at('copy'));
    expect(await hashPack(folder.at('copy'))).toBe(before);
    folder.write('copy/main.aip', '# Output \n');
    expect(await hashPack(folder.at('copy'))).not.toBe(before);
    folder.write('pack/new.md', '');
    expect(await hashPack(pack)).not.toBe(before);
  });
});
