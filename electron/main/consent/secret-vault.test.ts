import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Encryptor, openSecretVault } from './secret-vault.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-vault-'));
  file = path.join(folder, 'deep', 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns an encryptor that reverses text and only decrypts what its owner encrypted. */
function mirror(owner: string, problem: string | null = null): Encryptor {
  const turned = (text: string): string => [...text].reverse().join('');
  return {
    problem: () => problem,
    encrypt: (text) => Buffer.from(`${owner}:${turned(text)}`),
    decrypt(bytes) {
      const [from, text = ''] = bytes.toString().split(':');
      if (from !== owner) throw new Error('encrypted by somebody else');
      return turned(text);
    },
  };
}

test('a stored key is available after a restart, and the file contains names but no keys', () => {
  openSecretVault(file, mirror('me')).set('A_KEY', 'sk-secret-1');
  const later = openSecretVault(file, mirror('me'));
  later.set('B_KEY', 'sk-secret-2');
  expect(later.keys()).toEqual({ A_KEY: 'sk-secret-1', B_KEY: 'sk-secret-2' });
  expect(openSecretVault(file, mirror('me')).variables()).toEqual(['A_KEY', 'B_KEY']);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('A_KEY');
  expect(text).not.toContain('sk-secret');
});

test.skipIf(process.platform === 'win32')('only the owner can read the file, also after an interrupted write', () => {
  const vault = openSecretVault(file, mirror('me'));
  vault.set('A_KEY', 'one');
  writeFileSync(`${file}.new`, 'half', { mode: 0o644 });
  vault.set('A_KEY', 'two');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toEqual(['keys.json']);
});

test('a removed key is deleted from the file, and removing a missing key changes nothing', () => {
  const vault = openSecretVault(file, mirror('me'));
  vault.remove('A_KEY');
  expect(readdirSync(folder)).toEqual([]);
  vault.set('A_KEY', 'one');
  vault.remove('A_KEY');
  expect(openSecretVault(file, mirror('me')).keys()).toEqual({});
  expect(readFileSync(file, 'utf8')).not.toContain('A_KEY');
});

test('remembers that a variable had a key, also after the key was removed', () => {
  const vault = openSecretVault(file, mirror('me'));
  expect(vault.hasHad('A_KEY')).toBe(false);
  vault.set('A_KEY', 'one');
  vault.remove('A_KEY');
  const again = openSecretVault(file, mirror('me'));
  expect([again.hasHad('A_KEY'), again.hasHad('B_KEY'), again.variables()]).toEqual([true, false, []]);
  again.set('A_KEY', 'two');
  // The keyring of another user.
  expect(openSecretVault(file, mirror('you')).hasHad('A_KEY')).toBe(true);
});

test('rejects a key without a secure vault, and writes nothing', () => {
  const vault = openSecretVault(file, mirror('me', 'There is no keyring.'));
  expect(() => vault.set('A_KEY', 'sk-secret')).toThrow(
    expect.objectContaining({ code: 'vault.unavailable', message: 'There is no keyring.' }),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('keys of another system vault are not listed and can be set again', () => {
  openSecretVault(file, mirror('other')).set('A_KEY', 'old');
  const vault = openSecretVault(file, mirror('me'));
  expect(vault.variables()).toEqual([]);
  vault.set('A_KEY', 'new');
  expect(vault.keys()).toEqual({ A_KEY: 'new' });
});

test.each(['{', '{"version":2,"keys":{}}', '{"version":1,"keys":{"A":"*"}}'])(
  'sets aside an unreadable file (%s)',
  (text) => {
    openSecretVault(file, mirror('me')).set('A_KEY', 'one');
    writeFileSync(file, text);
    expect(openSecretVault(file, mirror('me')).keys()).toEqual({});
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text);
  },
);

test('a failed write is reported without the key and keeps the previous content', () => {
  const vault = openSecretVault(file, mirror('me'));
  vault.set('A_KEY', 'one');
  rmSync(path.dirname(file), { recursive: true });
  writeFileSync(path.dirname(file), 'a file where the folder was');
  let thrown: unknown;
  try {
    vault.set('A_KEY', 'sk-secret');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'vault.not-writable' });
  expect(String(thrown)).not.toContain('sk-secret');
  expect(vault.keys()).toEqual({ A_KEY: 'one' });
});
