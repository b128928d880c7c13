import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTestKey, manifestOf, packageOf } from './test-feed.ts';
import {
  folder,
  keptFile,
  key,
  makeUpdater,
  newer,
  openFeedForEachTest,
  own,
  publish,
  publishOwn,
  server,
  stepOf,
} from './test-updater.ts';

openFeedForEachTest();

const day = 24 * 60 * 60 * 1000;

describe('checking for a newer version', () => {
  test('finds it without downloading it', async () => {
    publish();
    const { updater, shown } = makeUpdater();
    expect(await stepOf(updater)).toEqual({ name: 'idle' });
    await updater.checkDaily();
    expect(shown.map(({ step }) => step.name)).toEqual(['checking', 'found']);
    expect(await stepOf(updater)).toMatchObject({
      name: 'found',
      manual: null,
      release: { version: '1.2.0', size: 200_000 },
    });
    expect(server.asked).toEqual(['/stable/latest.json', '/stable/latest.json.sig']);
    expect(existsSync(path.join(folder, 'updates'))).toBe(false);
  });

  test('happens once a day, and never if the user has disabled it', async () => {
    publish();
    const { updater, time, settings } = makeUpdater();
    await updater.checkDaily();
    expect(settings()).toEqual({ isAutomatic: true, channel: 'stable', checkedAt: time.now });
    time.now += day - 1;
    await updater.checkDaily();
    expect(server.asked).toHaveLength(2);
    time.now += 1;
    await updater.checkDaily();
    expect(server.asked).toHaveLength(4);
    // The clock was wrong by years.
    time.now -= 1000 * day;
    await updater.checkDaily();
    expect(server.asked).toHaveLength(6);
    await updater.set({ isAutomatic: false });
    time.now += 5 * day;
    await updater.checkDaily();
    expect(server.asked).toHaveLength(6);
  });

  test('never happens without a key, a feed or a package type', async () => {
    const source = { kind: 'deb' as const, feed: server.address, keys: [key.publicKey] };
    for (const lack of [{ keys: [] }, { feed: '' }, { kind: undefined }]) {
      const { updater } = makeUpdater({ source: { ...source, ...lack } });
      await updater.checkDaily();
      await updater.check();
      expect((await updater.read()).never).toMatch(/^This program /);
    }
    expect(server.asked).toEqual([]);
  });

  test('only reports a release that the user has to install', async () => {
    const packages = [packageOf(newer, { kind: 'tar.gz' })];
    publish({ packages });
    const source = { kind: 'tar.gz' as const, feed: server.address, keys: [key.publicKey] };
    const { updater } = makeUpdater({ source, install: undefined });
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ name: 'found', manual: expect.stringContaining('tar.gz') });
    await updater.download();
    expect(server.asked).toHaveLength(2);
  });

  test('reports that nothing is newer, or that the published version is older', async () => {
    publish({ version: '1.1.0' });
    const { updater } = makeUpdater();
    await updater.check();
    expect(await stepOf(updater)).toEqual({ name: 'newest', note: null });
    publish({ version: '1.0.0' });
    await updater.check();
    expect(await stepOf(updater)).toEqual({ name: 'newest', note: 'The channel stable has 1.0.0, which is older.' });
    await updater.download();
    await updater.install();
    expect(existsSync(path.join(folder, 'updates'))).toBe(false);
  });

  test('reports a failure in a sentence and changes nothing', async () => {
    const { updater } = makeUpdater();
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({
      name: 'failed',
      message: expect.stringMatching(/answers 404 .*\.$/),
    });
    publish();
    server.publish('stable/latest.json', manifestOf(newer), makeTestKey());
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ name: 'failed', message: expect.stringContaining('signature') });
    publish();
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ name: 'found' });
  });
});

describe('team settings', () => {
  const team = (more: object) => async () => ({ channel: 'beta' as const, lockedBy: 'Acme (/etc/team.yaml)', ...more });

  test('set the channel, which the user cannot change', async () => {
    server.publish('beta/latest.json', manifestOf(newer, { channel: 'beta', version: '1.3.0-beta.1' }), key);
    const { updater } = makeUpdater({ team: team({}) });
    expect(await updater.read()).toMatchObject({ channel: 'beta', lockedBy: 'Acme (/etc/team.yaml)' });
    await expect(updater.set({ channel: 'stable' })).resolves.toBeUndefined();
    await expect(updater.set({ channel: 'beta' })).rejects.toMatchObject({ code: 'team.locked' });
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ release: { version: '1.3.0-beta.1' } });
  });

  test('can set another feed, which still needs our signature', async () => {
    const { updater } = makeUpdater({
      source: { kind: 'deb', feed: '', keys: [key.publicKey] },
      team: team({ channel: 'stable', feed: `${server.address}mirror` }),
    });
    server.publish('mirror/stable/latest.json', manifestOf(newer), makeTestKey());
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ name: 'failed', message: expect.stringContaining('signature') });
    server.publish('mirror/stable/latest.json', manifestOf(newer), key);
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ name: 'found' });
  });

  test('can disable checks', async () => {
    publish();
    const { updater } = makeUpdater({ team: team({ channel: 'none' }) });
    await updater.checkDaily();
    await updater.check();
    expect((await updater.read()).never).toBe('Updates are turned off by Acme (/etc/team.yaml).');
    expect(server.asked).toEqual([]);
  });
});

test('changing the channel discards the release found in the previous one', async () => {
  publish();
  const { updater } = makeUpdater();
  await updater.check();
  await updater.set({ channel: 'beta' });
  expect(await stepOf(updater)).toEqual({ name: 'idle' });
  await updater.download();
  expect(server.asked).toHaveLength(2);
});

describe('downloading', () => {
  test('downloads the package, and that of this version to go back to', async () => {
    publish();
    publishOwn();
    const { updater, shown } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(await stepOf(updater)).toMatchObject({ name: 'ready', wayBack: '1.1.0' });
    const received = shown.flatMap(({ step }) => (step.name === 'downloading' ? [step.received] : []));
    expect([received[0], received.at(-1)]).toEqual([0, newer.byteLength]);
    expect(readFileSync(keptFile('1.2.0'))).toEqual(newer);
    expect(readFileSync(keptFile('1.1.0'))).toEqual(own);
  });

  test('continues without a package to go back to if the feed has none', async () => {
    publish();
    const { updater } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(await stepOf(updater)).toMatchObject({ name: 'ready', wayBack: null });
  });

  test('keeps one previous version and deletes older ones', async () => {
    publish();
    publishOwn();
    const { kept, updater } = makeUpdater();
    for (const version of ['0.9.0', '1.0.0']) {
      mkdirSync(path.join(folder, 'updates'), { recursive: true });
      writeFileSync(keptFile(version), own);
    }
    kept.keep([{ version: '1.0.0', kind: 'deb', size: own.byteLength, sha512: packageOf(own).sha512 }]);
    await updater.check();
    await updater.download();
    expect(readdirSync(path.join(folder, 'updates')).sort()).toEqual([
      'millrace-1.1.0.deb',
      'millrace-1.2.0.deb',
      'packages.json',
    ]);
  });

  test('can be canceled and started again', async () => {
    publish();
    server.files.set('/stable/millrace.deb', (_, response) => response.writeHead(200).write(newer.subarray(0, 9)));
    const { updater, shown } = makeUpdater();
    await updater.check();
    const download = updater.download();
    await expect.poll(() => shown.at(-1)?.step).toMatchObject({ name: 'downloading' });
    updater.cancel();
    await download;
    expect(await stepOf(updater)).toMatchObject({ name: 'found' });
    expect(readdirSync(path.join(folder, 'updates'))).toEqual([]);
    publish();
    await updater.download();
    expect(await stepOf(updater)).toMatchObject({ name: 'ready' });
  });

  test('leaves nothing behind if the content does not match the signature', async () => {
    publish();
    server.files.set('/stable/millrace.deb', Buffer.alloc(newer.byteLength, 'x'));
    const { updater } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(await stepOf(updater)).toMatchObject({ name: 'failed', message: expect.stringContaining('signed') });
    await updater.install();
    expect(readdirSync(path.join(folder, 'updates'))).toEqual([]);
  });
});
