/** Tests the question after a version has failed to start, without Electron. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const system = vi.hoisted(() => ({
  userData: '',
  version: '1.1.0',
  answers: [] as number[],
  shown: [] as unknown[],
  errors: [] as string[],
  quits: 0,
}));

vi.mock('electron', () => ({
  app: {
    isPackaged: true,
    getPath: () => system.userData,
    getVersion: () => system.version,
    once: () => undefined,
    quit: () => {
      system.quits += 1;
    },
  },
  autoUpdater: { quitAndInstall: () => undefined },
  dialog: {
    showMessageBox: async (options: unknown) => {
      system.shown.push(options);
      return { response: system.answers.shift() ?? 1, checkboxChecked: false };
    },
    showErrorBox: (title: string) => void system.errors.push(title),
  },
}));

const { offerRollback } = await import('./program-updates.ts');

const former = Buffer.from('the program as it was');
let folder: string;
let running: string;

/** The program is a Linux AppImage, which can be replaced without help of the system. */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-way-back-'));
  running = path.join(folder, 'Millrace.AppImage');
  writeFileSync(running, 'the program that does not start');
  writeFileSync(path.join(folder, 'package-type'), 'AppImage\n');
  vi.stubEnv('APPIMAGE', running);
  Object.defineProperty(process, 'resourcesPath', { value: folder, configurable: true });
  Object.assign(system, { userData: folder, answers: [], shown: [], errors: [], quits: 0 });
});
afterEach(() => {
  Reflect.deleteProperty(process, 'resourcesPath');
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function keep(version: string, bytes: Buffer = former): void {
  const updates = path.join(folder, 'updates');
  mkdirSync(updates, { recursive: true });
  writeFileSync(path.join(updates, `millrace-${version}.AppImage`), bytes);
  const sha512 = createHash('sha512').update(former).digest('hex');
  const kept = { version, kind: 'AppImage', size: former.length, sha512 };
  writeFileSync(path.join(updates, 'packages.json'), JSON.stringify({ packages: [kept], failed: [] }));
}

const question = {
  type: 'warning',
  message: 'Millrace 1.1.0 failed to start several times. Go back to 1.0.0?',
  detail: 'Its package is still here and replaces this one. Flows, packs and settings stay as they are.',
  buttons: ['Go Back to 1.0.0', 'Start Normally'],
  defaultId: 0,
  cancelId: 1,
  noLink: true,
} satisfies MessageBoxOptions;

describe.skipIf(process.platform !== 'linux')('after failed starts', () => {
  test('offers the previous version by its number and replaces the failing one with it', async () => {
    keep('1.0.0');
    system.answers = [0];
    expect(await offerRollback()).toBe(true);
    expect(system.shown).toEqual([question]);
    expect(readFileSync(running)).toEqual(former);
    expect(system).toMatchObject({ errors: [], quits: 1 });
  });

  test.each([1, -1])('starting as usual or closing the question (%d) keeps this version', async (answer) => {
    keep('1.0.0');
    system.answers = [answer];
    expect(await offerRollback()).toBe(false);
    expect(system.shown).toEqual([question]);
    expect(readFileSync(running, 'utf8')).toBe('the program that does not start');
    expect(system.quits).toBe(0);
  });

  test.each([
    ['nothing is kept', () => undefined],
    ['only a newer version is kept', () => keep('1.2.0')],
  ])('does not ask when %s', async (_what, prepare) => {
    prepare();
    expect(await offerRollback()).toBe(false);
    expect(system.shown).toEqual([]);
  });

  test('does not install a package that was modified, reports that, and continues the start', async () => {
    keep('1.0.0', Buffer.from('something else'));
    system.answers = [0];
    expect(await offerRollback()).toBe(false);
    expect(system.errors).toEqual(["Couldn't install 1.0.0"]);
    expect(readFileSync(running, 'utf8')).toBe('the program that does not start');
    expect(existsSync(running)).toBe(true);
  });
});
