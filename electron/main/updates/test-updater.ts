/**
 * Test helper: an updater for version 1.1.0 with a local feed and a separate folder for each test.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Updates } from '../../ipc/contracts/update-contract.ts';
import { systemClock } from '../../ipc/engine-base.ts';
import { UpdateFeed } from './feed.ts';
import { installerOf } from './install-package.ts';
import { StoredUpdatePackages } from './kept-packages.ts';
import { makeTestKey, manifestOf, openTestFeed, packageOf, type TestFeed } from './test-feed.ts';
import { Updater, type UpdaterParts, type UpdateSettings } from './updater.ts';

export const key = makeTestKey();
export const newer = Buffer.alloc(200_000, 'newer ');
export const own = Buffer.alloc(100_000, 'own ');

/** The feed of the current test. */
export let server: TestFeed;
export let folder: string;
/** Opens a feed for each test of the calling file. */
export function openFeedForEachTest(): void {
  beforeEach(async () => {
    server = await openTestFeed();
    folder = mkdtempSync(path.join(tmpdir(), 'millrace-updater-'));
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
}

/** Creates an updater of version 1.1.0, installed as a deb, with a clock set by the test. */
export function makeUpdater(more: Partial<UpdaterParts> = {}) {
  const shown: Updates[] = [];
  const restarts: unknown[] = [];
  const time = { now: 1_800_000_000_000 };
  let settings: UpdateSettings = { isAutomatic: true, channel: 'stable', checkedAt: null };
  const parts: UpdaterParts = {
    source: { kind: 'deb', feed: server.address, keys: [key.publicKey] },
    ...{ version: '1.1.0', arch: 'x64', settings },
    kept: new StoredUpdatePackages(path.join(folder, 'updates')),
    clock: { ...systemClock, now: () => time.now },
    feed: new UpdateFeed(systemClock, { idleMs: 5_000, manifestMs: 10_000 }),
    install: installerOf('deb', machineWith()),
    team: async () => undefined,
    keepSettings: (next) => {
      settings = next;
    },
    onChange: (state) => shown.push(state),
    restart: (next) => restarts.push(next),
    ...more,
  };
  const updater = new Updater(parts);
  return { updater, shown, restarts, time, kept: parts.kept, settings: () => settings };
}

/** Returns a machine with an optional `pkexec` that records its arguments and exits with the given code. */
export function machineWith(exitCode?: number, words = '') {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  if (exitCode !== undefined) {
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/asked'\necho '${words}' >&2\nexit ${exitCode}\n`;
    writeFileSync(path.join(bin, 'pkexec'), script);
    chmodSync(path.join(bin, 'pkexec'), 0o755);
  }
  const never = () => Promise.reject(new Error('no Mac'));
  return { platform: 'linux' as const, env: { PATH: bin }, programFolder: folder, installOnMac: never };
}

export const asked = (): string[] =>
  readFileSync(path.join(folder, 'bin', 'asked'), 'utf8')
    .trim()
    .split('\n');
export const keptFile = (version: string): string => path.join(folder, 'updates', `millrace-${version}.deb`);

export function publish(more: object = {}): void {
  server.files.set('/stable/millrace.deb', newer);
  server.publish('stable/latest.json', manifestOf(newer, more), key);
}

export function publishOwn(): void {
  server.files.set('/stable/own.deb', own);
  const packages = [packageOf(own, { url: 'own.deb' })];
  server.publish('stable/1.1.0.json', manifestOf(own, { version: '1.1.0', packages }), key);
}

export const stepOf = async (updater: Updater) => (await updater.read()).step;
