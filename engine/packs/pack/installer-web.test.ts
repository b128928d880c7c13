import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { evilZip, manifestEntry } from '../../testing/evil-zip.ts';
import { misleadingSpellings } from '../../testing/host-spellings.ts';
import { startPackRepository, type TestRepository } from '../../testing/pack-repository.ts';
import { createPackWorld, type PackWorld } from '../../testing/pack-world.ts';
import { findAgent } from './find-agent.ts';
import { type InstallReport, installPack, type PackInstallOptions } from './install/installer.ts';
import type { InstallProgress } from './install/pack-source.ts';
import { parsePackManifest } from './pack-manifest.ts';

let world: PackWorld;
let repository: TestRepository;

beforeEach(async () => {
  world = createPackWorld();
  repository = await startPackRepository();
});

afterEach(async () => {
  await repository.close();
  expect(world.leftovers()).toEqual([]);
  world.remove();
});

const latest = '/pack/acme/tools/stable/latest.toml';
const archive = evilZip([manifestEntry('1.0.0'), { name: 'a.md', content: 'abc '.repeat(50_000), method: 0 }]);

function install(text = 'acme@tools', options: Partial<PackInstallOptions> = {}): Promise<InstallReport> {
  return installPack(text, { ...world.options, repository: repository.url, ...options });
}

const link = (path: string): string => `${repository.url}${path}`;

/** Expects an error and checks that the installed packs are unchanged. */
async function refused(text: string, expected: Record<string, unknown>): Promise<void> {
  world.writePack('base/pack/installed/acme/tools', 'acme@tools', { version: '0.5.0' });
  await expect(install(text)).rejects.toMatchObject(expected);
  expect(world.read('base/pack/installed/acme/tools/pack.toml')).toContain('0.5.0');
  expect(world.trash()).toEqual([]);
}

describe('installation from a pack repository', () => {
  test('installs the newest version, and the next one when it is published', async () => {
    repository.publish('acme@tools', '1.0.0');
    const steps: InstallProgress[] = [];
    const first = await install('acme@tools', { onProgress: (progress) => steps.push(progress) });
    expect(first).toMatchObject({ status: 'installed', version: '1.0.0' });
    expect(repository.asked).toEqual([latest, '/pack/acme/tools/stable/1.0.0/acme%40tools-v1.0.0.aipack']);
    expect(steps.map(({ step }) => step)).toContain('downloading');
    expect(steps.findLast(({ step }) => step === 'downloading')?.bytes).toBe(first.archiveBytes);
    expect(await install()).toMatchObject({ status: 'up-to-date' });
    repository.publish('acme@tools', '1.1.0');
    expect(await install()).toMatchObject({ status: 'installed', version: '1.1.0', replacedVersion: '1.0.0' });
    const manifest = parsePackManifest(world.read('base/pack/installed/acme/tools/pack.toml') ?? '', '');
    expect(manifest.installed?.source).toBe(repository.url);
  });

  test('AP-31 installs a missing pack by the name in the error, and then finds its agent', async () => {
    const find = (): ReturnType<typeof findAgent> =>
      findAgent('acme@tools/chat', { ...world.options, from: world.workspace });
    repository.publish('acme@tools', '1.0.0', evilZip([manifestEntry(), { name: 'chat.aip' }]));
    const error = await find().catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'pack.not-found', details: { ref: 'acme@tools' } });
    await install('acme@tools', { force: true });
    expect((await find()).file).toBe(world.at('base/pack/installed/acme/tools/chat.aip'));
  });

  test('reports that the repository has no such pack', async () => {
    await refused('acme@tools', { code: 'pack.not-found', details: { ref: 'acme@tools' } });
  });

  test('rejects another pack than the requested one', async () => {
    repository.publish('acme@tools', '1.0.0', evilZip([manifestEntry('1.0.0', 'acme@other')]));
    await refused('acme@tools', { code: 'pack.other-pack' });
  });

  test.each([
    ['HTML', '<html>Sign in</html>'],
    ['other TOML', '[other]\nversion = "1.0.0"'],
    ['no path', '[latest_stable]\nversion = "1.0.0"'],
    ['a path outside its folder', '[latest_stable]\nversion = "1.0.0"\nrel_path = "../../../x.aipack"'],
    ['another address', '[latest_stable]\nversion = "1.0.0"\nrel_path = "http://evil.example/x.aipack"'],
    ['an absolute path', '[latest_stable]\nversion = "1.0.0"\nrel_path = "/x.aipack"'],
  ])('reports a repository that responds with %s', async (_what, answer) => {
    repository.answer(latest, answer);
    await refused('acme@tools', { code: 'pack.bad-repository' });
  });

  test('stops an endless response', async () => {
    repository.answer(latest, '#'.repeat(100_000));
    await refused('acme@tools', { code: 'pack.too-large' });
  });

  test('reports an unreachable repository', async () => {
    const url = repository.url;
    await repository.close();
    await refused('acme@tools', { code: 'web.unreachable', message: expect.stringContaining(url) });
    repository = await startPackRepository();
  });
});

describe('installation from the URL of an archive', () => {
  test('downloads it and follows redirects', async () => {
    repository.answer('/moved.aipack', (response) => response.writeHead(302, { location: '/files/a' }).end());
    repository.answer('/files/a', archive);
    expect(await install(link('/moved.aipack'))).toMatchObject({ status: 'installed', archiveBytes: archive.length });
    expect(world.read('base/pack/installed/acme/tools/pack.toml')).toContain(`source = "${link('/moved.aipack')}"`);
  });

  test('13.2 rejects a URL that looks like another host, and redirects to such a URL', async () => {
    const seen: (string | undefined)[] = [];
    repository.answer('/a.aipack', (response, { url }) => {
      seen.push(url);
      response.end(archive);
    });
    const port = Number(new URL(link('/')).port);
    for (const spelling of misleadingSpellings(port).filter((text) => /^https?:/.test(text))) {
      await refused(`${spelling.replace(/\/$/, '')}/a.aipack`, { code: 'web.bad-address' });
    }
    repository.answer('/moved.aipack', (response) =>
      response.writeHead(302, { location: link('/a.aipack').replace('//', '//me:secret@') }).end(),
    );
    await refused(link('/moved.aipack'), { code: 'web.bad-address', message: expect.not.stringContaining('secret') });
    expect(seen).toEqual([]);
  });

  test.each([
    ['file:///etc/passwd', { code: 'web.bad-url', message: expect.stringContaining('neither http nor https') }],
    ['ftp://host/a.aipack', { code: 'web.bad-url' }],
    ['/loop.aipack', { code: 'pack.download-failed', message: expect.stringContaining('redirects more than 5') }],
  ])('rejects a redirect to %s', async (location, expected) => {
    repository.answer('/loop.aipack', (response) => response.writeHead(302, { location }).end());
    await refused(link('/loop.aipack'), expected);
  });

  test.each([
    [404, false],
    [403, false],
    [500, true],
    [206, false],
  ])('reports the status %i', async (status, recoverable) => {
    repository.answer('/a.aipack', (response) => response.writeHead(status).end('x'));
    await refused(link('/a.aipack'), { code: 'pack.download-failed', details: { status }, recoverable });
  });

  test('rejects a page as an archive regardless of its content type', async () => {
    repository.answer('/a.aipack', (response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Sign in</html>'),
    );
    await refused(link('/a.aipack'), { code: 'pack.not-an-archive', message: expect.stringContaining('web page') });
    repository.answer('/b.aipack', '<html>Sign in</html>');
    await refused(link('/b.aipack'), { code: 'pack.not-an-archive' });
  });

  test('reports a body that breaks off', async () => {
    repository.answer('/a.aipack', (response) => {
      response.writeHead(200, { 'content-length': archive.length });
      response.write(archive.subarray(0, 60_000), () => response.destroy());
    });
    await refused(link('/a.aipack'), { code: 'web.broken' });
  });

  test('rejects a body with truncated compression', async () => {
    repository.answer('/cut.aipack', (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(archive).subarray(0, -8));
    });
    await refused(link('/cut.aipack'), { code: 'web.broken' });
  });

  test('rejects a body that is announced as too large without reading it', async () => {
    repository.answer('/a.aipack', (response) => {
      response.writeHead(200, { 'content-length': 300 * 1024 * 1024 }).flushHeaders();
    });
    await refused(link('/a.aipack'), { code: 'pack.too-large' });
  });
});

describe('a server that hangs', () => {
  async function untilWaiting(): Promise<void> {
    while (repository.asked.length === 0 || world.clock.openTimers === 0) await world.clock.settle();
  }

  test('gives up on a server that hangs before its response', async () => {
    repository.answer('/a.aipack', () => undefined);
    const end = expect(install(link('/a.aipack'))).rejects.toMatchObject({ code: 'pack.timeout', recoverable: true });
    await untilWaiting();
    await world.clock.advance(30_000);
    await end;
    expect(world.clock.openTimers).toBe(0);
  });

  test('gives up on a server that hangs during its response', async () => {
    let received = 0;
    const onProgress = ({ bytes = 0 }: InstallProgress): void => {
      received = bytes;
    };
    repository.answer('/a.aipack', (response) => {
      response.writeHead(200, { 'content-length': archive.length }).write(archive.subarray(0, 1000));
    });
    const end = expect(install(link('/a.aipack'), { onProgress })).rejects.toMatchObject({ code: 'pack.timeout' });
    while (received === 0) await world.clock.settle();
    await world.clock.advance(30_000);
    await end;
  });

  test('stops waiting for a server immediately on cancellation', async () => {
    const stop = new AbortController();
    repository.answer('/a.aipack', () => undefined);
    const end = expect(install(link('/a.aipack'), { signal: stop.signal })).rejects.toThrow('enough');
    await untilWaiting();
    stop.abort(new Error('enough'));
    await end;
    expect(world.clock.openTimers).toBe(0);
  });
});
