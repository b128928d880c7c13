import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { judge, type OwnProgram, ownRelease, readManifest, safeAddress } from './manifest.ts';
import { makeTestKey, manifestOf, packageOf, type TestKey } from './test-feed.ts';

const key = makeTestKey();
const content = Buffer.from('a package');
const address = new URL('https://millrace.example/stable/latest.json');
const own: OwnProgram = { version: '1.1.0', kind: 'deb', arch: 'x64', channel: 'stable' };

function read(manifest: unknown, { by = key, keys = [key.publicKey] }: { by?: TestKey; keys?: string[] } = {}) {
  const bytes = Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return readManifest(bytes, `${sign(null, bytes, by.privateKey).toString('base64')}\n`, keys);
}

function codeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const judged = (more: object, program: Partial<OwnProgram> = {}) =>
  codeOf(() => judge(read(manifestOf(content, more)), { ...own, ...program }, address));

describe('a release list', () => {
  test('signed by any known key is read, and contains newer releases', () => {
    const other = makeTestKey();
    expect(read(manifestOf(content), { keys: [other.publicKey, key.publicKey] }).version).toBe('1.2.0');
    expect(judged({})).toEqual({
      is: 'newer',
      release: {
        version: '1.2.0',
        date: '2026-11-23T10:00:00.000Z',
        notes: 'https://millrace.example/1.2.0',
        kind: 'deb',
        size: content.byteLength,
        sha512: packageOf(content).sha512,
        url: new URL('https://millrace.example/stable/millrace.deb'),
      },
    });
  });

  test('without the signature of a known key is rejected, whatever it contains', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' });
    const bytes = Buffer.from(JSON.stringify(manifestOf(content)));
    const signature = sign(null, bytes, key.privateKey).toString('base64');
    const changed = Buffer.from(bytes.toString().replace('1.2.0', '1.3.0'));
    expect(codeOf(() => read(manifestOf(content), { by: makeTestKey() }))).toBe('update.bad-signature');
    expect(codeOf(() => readManifest(changed, signature, [key.publicKey]))).toBe('update.bad-signature');
    expect(codeOf(() => readManifest(bytes, signature.slice(0, 40), [key.publicKey]))).toBe('update.bad-signature');
    expect(codeOf(() => readManifest(bytes, '', [key.publicKey]))).toBe('update.bad-signature');
    expect(codeOf(() => readManifest(bytes, signature, [rsa.toString(), 'no key']))).toBe('update.bad-signature');
    expect(codeOf(() => readManifest(bytes, signature, []))).toBe('update.no-key');
  });

  test('is rejected if it has another type or a later format', () => {
    expect(codeOf(() => read('{ "format": 1, '))).toBe('update.bad-manifest');
    expect(codeOf(() => read('[]'))).toBe('update.bad-manifest');
    expect(codeOf(() => read({ ...manifestOf(content), format: 2, packages: 'elsewhere' }))).toBe(
      'update.newer-format',
    );
    for (const more of [
      { version: 'latest' },
      { version: '1.2' },
      { version: 'v1.2.0' },
      { version: '1.2.0/../../x' },
      { channel: 'nightly' },
      { notes: 'javascript:alert(1)' },
      { notes: 'http://millrace.example' },
      { date: 'today' },
      { packages: [packageOf(content, { sha512: 'abc' })] },
      { packages: [packageOf(content, { size: -1 })] },
      { packages: [packageOf(content, { size: 2 ** 40 })] },
      { packages: [packageOf(content, { size: 1.5 })] },
    ]) {
      expect([more, codeOf(() => read(manifestOf(content, more)))]).toEqual([more, 'update.bad-manifest']);
    }
    // Additions of a later version do not prevent this version from reading the list.
    expect(read(manifestOf(content, { packages: [packageOf(content, { kind: 'flatpak' })], more: 1 })).version).toBe(
      '1.2.0',
    );
  });
});

describe('a newer version', () => {
  test('has a higher number, never an equal or lower one', () => {
    const order = (version: string, ownVersion: string) =>
      (judged({ version }, { version: ownVersion }) as { is: string }).is;
    expect(order('1.1.0', '1.1.0')).toBe('same');
    expect(order('1.0.9', '1.1.0')).toBe('older');
    expect(order('1.9.0', '1.10.0')).toBe('older');
    expect(order('2.0.0-beta.1', '2.0.0')).toBe('older');
    expect(order('2.0.0', '2.0.0-beta.10')).toBe('newer');
    expect(order('2.0.0-beta.10', '2.0.0-beta.9')).toBe('newer');
  });

  test("comes from the user's channel, and beta also includes stable releases", () => {
    expect(judged({ channel: 'beta' })).toBe('update.other-channel');
    expect(judged({ channel: 'beta' }, { channel: 'beta' })).toMatchObject({ is: 'newer' });
    expect(judged({}, { channel: 'beta' })).toMatchObject({ is: 'newer' });
  });

  test('has the same package type and architecture', () => {
    const packages = [
      packageOf(content, { arch: 'arm64', url: 'arm.deb' }),
      packageOf(content, { kind: 'dmg', arch: 'universal', url: 'mac.zip' }),
      packageOf(content, { kind: 'rpm', url: 'a.rpm' }),
    ];
    expect(judged({ packages })).toBe('update.no-package');
    expect(judged({ packages }, { arch: 'arm64' })).toMatchObject({
      release: { url: { pathname: '/stable/arm.deb' } },
    });
    expect(judged({ packages }, { kind: 'dmg', arch: 'arm64' })).toMatchObject({ release: { kind: 'dmg' } });
  });

  test('has an https URL', () => {
    const at = (url: string) => judged({ packages: [packageOf(content, { url })] });
    for (const url of [
      'http://millrace.example/a.deb',
      'file:///etc/passwd',
      'ftp://a/b',
      'https://me:pw@a.example/b',
      'http://127.0.0.1.example/',
      'http://localhost/',
      '//',
    ]) {
      expect([url, at(url)]).toEqual([url, 'update.bad-address']);
    }
    expect(at('https://other.example/a.deb')).toMatchObject({ release: { url: { host: 'other.example' } } });
    expect(safeAddress('http://127.0.0.1:80/a').port).toBe('');
  });

  test('is not used for going back, which requires exactly the own version', () => {
    expect(codeOf(() => ownRelease(read(manifestOf(content)), own, address))).toBe('update.other-version');
    expect(ownRelease(read(manifestOf(content, { version: '1.1.0' })), own, address).version).toBe('1.1.0');
  });
});
