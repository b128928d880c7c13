import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main, makeKey, writeManifest } from './manifest.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-manifest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

async function write(more: Partial<Parameters<typeof writeManifest>[0]> = {}) {
  const publicKey = await makeKey(at('key.pem'));
  const listed = await writeManifest({
    ...{ folder, out: folder, version: '1.2.0-beta.1', channel: 'beta', notes: 'https://a.example/notes', baseUrl: '' },
    key: readFileSync(at('key.pem'), 'utf8'),
    ...more,
  });
  return { listed, publicKey };
}

test('lists the packages of a version by kind and architecture, and signs the list', async () => {
  for (const name of [
    'millrace_1.2.0~beta.1_amd64.deb',
    'millrace_1.1.0_amd64.deb',
    'millrace_11.2.0~beta.1_amd64.deb',
    'millrace-1.2.0~beta.1.aarch64.rpm',
    'millrace-1.2.0-beta.1-linux-x86_64.AppImage',
    'millrace-1.2.0-beta.1-linux-x64.tar.gz',
    'millrace-1.2.0-beta.1-win-x64.exe',
    'millrace-1.2.0-beta.1-win-x64.zip',
    'millrace-1.2.0-beta.1-mac-universal.zip',
    'millrace-1.2.0-beta.1-mac-universal.dmg',
    'millrace.cdx.json',
  ]) {
    writeFileSync(at(name), name);
  }
  const { listed, publicKey } = await write();
  expect(listed.sort()).toEqual(
    ['AppImage x64', 'deb x64', 'dmg universal', 'nsis x64', 'rpm arm64', 'tar.gz x64', 'zip x64'].sort(),
  );
  const bytes = readFileSync(at('latest.json'));
  const signature = Buffer.from(readFileSync(at('latest.json.sig'), 'utf8'), 'base64');
  expect(verify(null, bytes, createPublicKey(publicKey), signature)).toBe(true);
  expect(readFileSync(at('1.2.0-beta.1.json'))).toEqual(bytes);
  expect(readFileSync(at('1.2.0-beta.1.json.sig'), 'utf8')).toBe(readFileSync(at('latest.json.sig'), 'utf8'));
  const { packages, ...rest } = JSON.parse(bytes.toString());
  expect(rest).toEqual({
    ...{ format: 1, version: '1.2.0-beta.1', channel: 'beta', notes: 'https://a.example/notes' },
    date: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const deb = 'millrace_1.2.0~beta.1_amd64.deb';
  expect(packages.find(({ kind }: { kind: string }) => kind === 'deb')).toEqual({
    ...{ kind: 'deb', arch: 'x64', url: encodeURIComponent(deb), size: deb.length },
    sha512: createHash('sha512').update(deb).digest('hex'),
  });
});

test('lists packages in another location by URL', async () => {
  writeFileSync(at('millrace_1.2.0_amd64.deb'), 'a');
  await write({ version: '1.2.0', channel: 'stable', baseUrl: 'https://a.example/v1.2.0' });
  expect(JSON.parse(readFileSync(at('latest.json'), 'utf8')).packages[0].url).toBe(
    'https://a.example/v1.2.0/millrace_1.2.0_amd64.deb',
  );
});

test('creates a key once, readable only by its owner', async () => {
  expect(await main(['new-key', at('key.pem')])).toBe(0);
  if (process.platform !== 'win32') expect(statSync(at('key.pem')).mode & 0o777).toBe(0o600);
  await expect(makeKey(at('key.pem'))).rejects.toThrow('EEXIST');
});

test('creates no list without a package, a key or a URL', async () => {
  await expect(write()).rejects.toThrow('contains no package of version 1.2.0-beta.1');
  rmSync(at('key.pem'));
  writeFileSync(at('millrace_1.2.0_amd64.deb'), 'a');
  await expect(write({ version: '1.2.0', key: 'no key' })).rejects.toThrow('not an Ed25519 private key');
  rmSync(at('key.pem'));
  await expect(write({ version: '1.2.0', notes: 'http://a.example' })).rejects.toThrow(
    '--notes must be an https address',
  );
  await expect(main(['--kye', 'x'])).rejects.toThrow('--kye');
  expect(readdirSync(folder).filter((name) => name.startsWith('latest'))).toEqual([]);
});
