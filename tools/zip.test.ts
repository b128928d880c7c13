import { lstat, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackZip } from './zip.mjs';

interface Entry {
  readonly name: string;
  readonly content: string;
  readonly mode: number;
  readonly isDeflated: boolean;
}

/** Returns a header with the fields needed for reading; `size` bytes, zero by default. */
function header(size: number, fields: readonly (readonly [offset: number, value: number, bytes: 2 | 4])[]): Buffer {
  const buffer = Buffer.alloc(size);
  for (const [offset, value, bytes] of fields) buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}

function makeZip(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode, isDeflated } of entries) {
    const data = isDeflated ? deflateRawSync(content) : Buffer.from(content);
    const local = Buffer.concat([
      header(30, [
        [0, 0x04034b50, 4],
        [26, name.length, 2],
      ]),
      Buffer.from(name),
      data,
    ]);
    const central = header(46, [
      [0, 0x02014b50, 4],
      [10, isDeflated ? 8 : 0, 2],
      [20, data.length, 4],
      [28, name.length, 2],
      [38, mode * 0x10000, 4],
      [42, offset, 4],
    ]);
    locals.push(local);
    directory.push(central, Buffer.from(name));
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  return Buffer.concat([
    ...locals,
    index,
    header(22, [
      [0, 0x06054b50, 4],
      [12, index.length, 4],
      [16, offset, 4],
    ]),
  ]);
}

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millrace-zip-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('unpacks stored and deflated files, empty ones, modes and links, and skips entries that are not accepted', async () => {
  const text = 'a mill turns '.repeat(1000);
  const archive = path.join(folder, 'a.zip');
  await writeFile(
    archive,
    makeZip([
      { name: 'p/bin/run', content: text, mode: 0o100755, isDeflated: true },
      { name: 'p/plain', content: 'as it is', mode: 0o100644, isDeflated: false },
      { name: 'p/empty', content: '', mode: 0o100644, isDeflated: false },
      { name: 'p/link', content: 'bin/run', mode: 0o120777, isDeflated: false },
      { name: 'p/unwanted', content: 'x', mode: 0o100644, isDeflated: false },
    ]),
  );
  const target = path.join(folder, 'to');
  await unpackZip(archive, target, (name) => !name.endsWith('unwanted'));
  const at = (name: string) => path.join(target, 'p', name);
  expect(await readFile(at('bin/run'), 'utf8')).toBe(text);
  expect((await lstat(at('bin/run'))).mode & 0o777).toBe(0o755);
  expect(await readFile(at('plain'), 'utf8')).toBe('as it is');
  expect(await readFile(at('empty'), 'utf8')).toBe('');
  expect(await readlink(at('link'))).toBe('bin/run');
  await expect(lstat(at('unwanted'))).rejects.toThrow('ENOENT');
});

test('rejects a file that is not a zip archive', async () => {
  const file = path.join(folder, 'b.zip');
  await writeFile(file, 'x'.repeat(100));
  await expect(unpackZip(file, folder, () => true)).rejects.toThrow('not a supported zip archive');
});
