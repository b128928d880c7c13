/** Tests the names under which uploaded files are stored. */
import { describe, expect, test } from 'vitest';
import { cleanFileName } from './uploads.ts';

describe('uploaded files', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['..', 'file'],
    ['.env', 'env'],
    ['a\0b.eml', 'ab.eml'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['lpt1.tar.gz', '_lpt1.tar.gz'],
    ['COM¹', '_COM¹'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['a\u200b\ufeffb.txt', 'ab.txt'],
    ['a:b|c?.txt', 'abc.txt'],
    ['name. . .', 'name'],
    ['-rf', 'rf'],
    ['<img src=x onerror=alert(1)>.svg', 'img src=x onerror=alert(1).svg'],
    ['', 'file'],
    ['e\u0301.txt', 'é.txt'],
  ])('named %j are stored as %j', (name, clean) => {
    expect(cleanFileName(name)).toBe(clean);
    expect(cleanFileName(clean)).toBe(clean);
  });

  test('with names of 300 characters are stored under a short one with the same ending', () => {
    for (const letter of ['a', '報', '😀']) {
      const clean = cleanFileName(`${letter.repeat(300)}.eml`);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(255);
      expect(clean.endsWith('.eml')).toBe(true);
    }
    expect(cleanFileName(`a.${'b'.repeat(300)}`).length).toBeLessThanOrEqual(100);
  });
});
