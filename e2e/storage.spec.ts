/** Tests disks that cannot be written: runs continue, the window shows what is not stored, and no data is corrupted. */
import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { executableUnderTest, type Program, type StartOptions, test } from './program.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

/** The user `nobody`, because root can write everywhere regardless of permissions. */
const otherUser = { uid: 65534, flags: ['--reuid=65534', '--regid=65534', '--clear-groups'] };
const isRoot = process.getuid?.() === 0;

function skipWhen(isImpossible: boolean, reason: string): void {
  // biome-ignore lint/suspicious/noSkippedTests: the test runs only where the system supports it, and reports the reason otherwise
  test.skip(isImpossible, reason);
}

function canRunAsOther(...command: string[]): boolean {
  return spawnSync('setpriv', [...otherUser.flags, ...command]).status === 0;
}

/**
 * Returns options to start as a user who cannot write to root's files. If the tests run as root, this is another user.
 */
async function ordinaryUser({ folders }: Program): Promise<StartOptions> {
  if (!isRoot) return {};
  // Root's folders are closed to other users, so this user gets a copy of the program.
  const copy = path.join(folders.scratch, 'program');
  await cp(path.dirname(executableUnderTest()), copy, { recursive: true, verbatimSymlinks: true });
  const executable = path.join(copy, path.basename(executableUnderTest()));
  const launcher = path.join(folders.scratch, 'as-nobody');
  await writeFile(launcher, `#!/bin/sh\nexec setpriv ${otherUser.flags.join(' ')} "${executable}" "$@"\n`);
  await chmod(launcher, 0o755);
  for (const folder of [folders.scratch, folders.home]) await chown(folder, otherUser.uid, otherUser.uid);
  return {
    launcher,
    // Chromium's sandbox requires a user who can create namespaces.
    hasSandbox: canRunAsOther('unshare', '--user', '--map-root-user', 'true'),
    env: { HOME: folders.home, XDG_RUNTIME_DIR: folders.home, TMPDIR: folders.scratch },
  };
}

function banners(page: Page) {
  return page.getByRole('main').getByRole('status').or(page.getByRole('main').getByRole('alert'));
}

test('flows run in a read-only workspace, and the window shows that their runs are not stored', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('all the same') });
  const options = await ordinaryUser(program);
  await chmod(workspace, 0o555);
  const { page } = await program.start(['--workspace', workspace], options);
  await openFlow(page, 'echo');
  await expect(banners(page).filter({ hasText: 'Runs are kept only in memory' })).toBeVisible();
  await run(page);
  await expectRun(page, 'completed');
  await card(page, 'say').click();
  await expect(inspector(page)).toContainText('all the same');
  expect(await readdir(workspace)).toEqual(['echo.flow.yaml']);
  await chmod(workspace, 0o755);
});

test('a full disk prevents runs and shows the reason, until there is space again', async ({ program }) => {
  skipWhen(!isRoot || process.platform !== 'linux', 'only root on Linux can make a disk of one megabyte');
  const workspace = path.join(program.folders.scratch, 'small-disk');
  await mkdir(workspace);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', workspace]);
  skipWhen(mounted.status !== 0, `no file system can be mounted here: ${mounted.stderr}`);
  try {
    await writeFile(path.join(workspace, 'echo.flow.yaml'), echoFlow('still here'));
    const { app, page } = await program.start(['--workspace', workspace]);
    await openFlow(page, 'echo');
    await run(page);
    await expectRun(page, 'completed');
    await expect(writeFile(path.join(workspace, 'filler'), Buffer.alloc(2 ** 20))).rejects.toThrow('ENOSPC');
    await page.keyboard.press('r');
    await expect(banners(page).filter({ hasText: /disk is full/i })).toBeVisible();

    await rm(path.join(workspace, 'filler'));
    await run(page);
    await expect(banners(page)).toHaveCount(0);
    await expectRun(page, 'completed');
    await app.close();
  } finally {
    spawnSync('umount', ['-l', workspace]);
  }
});
