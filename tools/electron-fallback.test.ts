import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeAsar } from './electron-fallback.mjs';

test('an asar archive contains each file at the offset in its header', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-asar-'));
  const contents = { 'main.js': 'export {};\n', 'package.json': '{"main":"main.js"}' };
  for (const [name, content] of Object.entries(contents)) await writeFile(path.join(folder, name), content);
  const asar = await makeAsar(folder);
  await rm(folder, { recursive: true });
  const headerSize = asar.readUInt32LE(4);
  const header = JSON.parse(asar.toString('utf8', 16, 16 + asar.readUInt32LE(12)));
  const stored = Object.entries<{ size: number; offset: string }>(header.files).map(([name, { size, offset }]) => {
    const start = 8 + headerSize + Number(offset);
    return [name, asar.toString('utf8', start, start + size)];
  });
  expect(Object.fromEntries(stored)).toEqual(contents);
});
