import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hasRpmName, makeRpm } from './rpm.mjs';

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { encoding: 'utf8' });
}

const hasTools = process.platform === 'linux' && run('sh', ['-c', 'command -v rpmbuild || true']) !== '';

test("architectures have rpm's names, and others have none", () => {
  expect([hasRpmName('x64'), hasRpmName('arm64'), hasRpmName('arm'), hasRpmName('toString')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.runIf(hasTools)('the package for Fedora contains the program and the files for the desktop', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-rpm-test-'));
  try {
    const program = path.join(folder, 'program');
    for (const name of ['bin', 'resources']) mkdirSync(path.join(program, name), { recursive: true });
    for (const name of ['millrace', 'chrome-sandbox', 'bin/millrace']) {
      writeFileSync(path.join(program, name), '', { mode: 0o755 });
    }
    const file = await makeRpm({ program, outDir: folder, arch: 'x64', isSmall: false });
    expect(path.basename(file)).toMatch(/^millrace-\d+\.\d+\.\d+\S*\.x86_64\.rpm$/);
    const rows = run('rpm', ['-qp', '--qf', '[%{FILEMODES:perms} %{FILEUSERNAME} %{FILENAMES}\n]', file]);
    expect(rows).toContain('-rwsr-xr-x root /usr/lib/millrace/chrome-sandbox\n');
    expect(rows).toContain('-rwxr-xr-x root /usr/lib/millrace/millrace\n');
    expect(rows).toContain('-rw-r--r-- root /usr/lib/millrace/resources/package-type\n');
    for (const place of [
      '/usr/bin/millrace',
      '/usr/share/mime/packages/millrace.xml',
      '/usr/share/licenses/millrace/LICENSE',
    ]) {
      expect(rows).toContain(` root ${place}\n`);
    }
    expect(run('rpm', ['-qp', '--requires', file])).toMatch(/^nss$/m);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
