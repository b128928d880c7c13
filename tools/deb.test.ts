import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { controlText, hasDebianName, makeDeb } from './deb.mjs';

const hasDpkg = process.platform === 'linux' && run('sh', ['-c', 'command -v dpkg-deb || true']) !== '';

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { encoding: 'utf8' });
}

test('a version before a release sorts before it', () => {
  const text = controlText({ version: '1.2.0-beta.1', description: 'D', author: 'A', arch: 'x64', kilobytes: 7 });
  expect(text).toContain('\nVersion: 1.2.0~beta.1\n');
  expect(text).toContain('\nArchitecture: amd64\n');
  expect(text).toContain('\nInstalled-Size: 7\n');
});

test('names of machines are those of Debian, and of no others', () => {
  expect([hasDebianName('x64'), hasDebianName('arm64'), hasDebianName('s390x'), hasDebianName('toString')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.runIf(hasDpkg)(
  'the package holds the program, its command, menu entry, icons and licence, as root owns them',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'millrace-deb-test-'));
    try {
      const program = path.join(folder, 'program');
      mkdirSync(path.join(program, 'bin'), { recursive: true });
      for (const name of ['millrace', 'chrome-sandbox', 'bin/millrace']) writeFileSync(path.join(program, name), name);
      chmodSync(path.join(program, 'millrace'), 0o755);
      const deb = await makeDeb({ program, outDir: folder, arch: 'x64', isSmall: false });
      expect(path.basename(deb)).toMatch(/^millrace_\d+\.\d+\.\d+\S*_amd64\.deb$/);
      expect(run('dpkg-deb', ['-f', deb, 'Package', 'Depends'])).toMatch(/^Package: millrace\nDepends: .*libnss3/);
      const entries = run('dpkg-deb', ['-c', deb]).split('\n');
      const entry = (place: string): string | undefined =>
        entries
          .find((line) => line.endsWith(` ./${place}`) || line.includes(` ./${place} -> `))
          ?.replace(/ +\d+ .*? \.\//, ' ');
      expect(entry('usr/lib/millrace/millrace')).toBe('-rwxr-xr-x root/root usr/lib/millrace/millrace');
      expect(entry('usr/lib/millrace/chrome-sandbox')).toBe('-rwsr-xr-x root/root usr/lib/millrace/chrome-sandbox');
      expect(entry('usr/bin/millrace')).toMatch(/ usr\/bin\/millrace -> \.\.\/lib\/millrace\/bin\/millrace$/);
      expect(entry('usr/share/applications/millrace.desktop')).toMatch(/^-rw-r--r-- root\/root/);
      expect(entry('usr/share/icons/hicolor/512x512/apps/millrace.png')).toBeDefined();
      expect(entry('usr/share/doc/millrace/copyright')).toBeDefined();
      expect(entries.filter((line) => line !== '' && !line.includes(' root/root '))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
