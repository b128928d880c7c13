import { chmodSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GitServer, startGitServer } from '../../../testing/git-repository.ts';
import { createPackWorld, type PackWorld } from '../../../testing/pack-world.ts';
import { createTestFolder, type TestFolder } from '../../../world/files/testing/test-folder.ts';
import { parsePackManifest } from '../pack-manifest.ts';
import { cloneRepository } from './git-clone.ts';
import { type InstallReport, installPack, type PackInstallOptions } from './installer.ts';

let world: PackWorld;
let repository: TestFolder;
let server: GitServer;

beforeEach(async () => {
  world = createPackWorld();
  repository = createTestFolder();
  repository.git('init', '--quiet');
  repository.write('pack.toml', '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n');
  repository.write('main.aip', '# Output\n');
  repository.write('packs/sub/pack.toml', '[pack]\nnamespace = "acme"\nname = "sub"\nversion = "0.2.0"\n');
  repository.write('packs/sub/a.lua', 'return 1\n');
  commit();
  server = await startGitServer(repository.path);
});

afterEach(async () => {
  await server.close();
  repository.remove();
  expect(world.leftovers()).toEqual([]);
  world.remove();
});

function commit(): void {
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'x');
}

function install(uri: string, options: Partial<PackInstallOptions> = {}): Promise<InstallReport> {
  return installPack(uri, { ...world.options, ...options });
}

function installedRecord(identity: string): ReturnType<typeof parsePackManifest>['installed'] {
  return parsePackManifest(world.read(`base/pack/installed/${identity.replace('@', '/')}/pack.toml`) ?? '', '')
    .installed;
}

describe('installation from a Git repository', () => {
  test('installs from the top of a repository with its commit and without its history', async () => {
    const report = await install(`${server.url}/a.git`);
    expect(report).toMatchObject({ status: 'installed', version: '1.0.0' });
    expect(installedRecord('acme@tools')).toMatchObject({
      source: `${server.url}/a.git`,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(world.read('base/pack/installed/acme/tools/.git/config')).toBeUndefined();
    expect(await install(`${server.url}/a.git`)).toMatchObject({ status: 'up-to-date' });
  });

  test('installs from a folder of a repository', async () => {
    expect(await install(`${server.url}/a.git#packs/sub`)).toMatchObject({ name: 'sub', version: '0.2.0' });
    expect(world.read('base/pack/installed/acme/sub/a.lua')).toBe('return 1\n');
    expect(installedRecord('acme@sub')?.source).toBe(`${server.url}/a.git#packs/sub`);
  });

  test('fetches only the newest commit', async () => {
    for (const version of ['1.0.1', '1.0.2']) {
      repository.write('pack.toml', `[pack]\nnamespace = "acme"\nname = "tools"\nversion = "${version}"\n`);
      commit();
    }
    expect(await install(`${server.url}/a.git`)).toMatchObject({ version: '1.0.2' });
  });

  test('reports a repository without a pack at the given path', async () => {
    await expect(install(`${server.url}/a.git#packs`)).rejects.toMatchObject({ code: 'pack.no-manifest' });
    await expect(install(`${server.url}/a.git#none`)).rejects.toMatchObject({ code: 'pack.no-manifest' });
  });

  test('rejects links, both files and the folder itself', async () => {
    symlinkSync('/etc/passwd', repository.at('packs/sub/link'));
    symlinkSync('/etc', repository.at('etc'));
    commit();
    await expect(install(`${server.url}/a.git#packs/sub`)).rejects.toMatchObject({ code: 'pack.unsafe-folder' });
    await expect(install(`${server.url}/a.git#etc`)).rejects.toMatchObject({ code: 'pack.no-manifest' });
    expect(world.read('base/pack/installed/acme/sub/pack.toml')).toBeUndefined();
  });

  test('reports an unreachable repository with the message of Git', async () => {
    await server.close();
    await expect(install(`${server.url}/a.git`)).rejects.toMatchObject({
      code: 'pack.git-failed',
      message: expect.stringContaining('could not be cloned'),
    });
    server = await startGitServer(repository.path);
  });

  test('stops immediately when canceled', async () => {
    const silent = await startGitServer(world.at('nothing'));
    const stop = new AbortController();
    const onProgress = (): void => stop.abort(new Error('enough'));
    await expect(install(`${silent.url}/a`, { signal: stop.signal, onProgress })).rejects.toThrow('enough');
    await silent.close();
  });
});

test('uses the ssh URL and never prompts for a password', async () => {
  world.write(
    'ssh.cjs',
    `require('node:fs').writeFileSync(${JSON.stringify(world.at('args'))}, process.argv.slice(2).join('|'))`,
  );
  const env = { ...world.options.env, GIT_SSH_COMMAND: `"${process.execPath}" "${world.at('ssh.cjs')}"` };
  await expect(install('git@example.org:me/a.git#sub', { env })).rejects.toMatchObject({ code: 'pack.git-failed' });
  expect(world.read('args')).toContain('git@example.org');
  expect(world.read('args')).toContain("git-upload-pack '/me/a.git'");
});

test('uses no other protocol, even if one passes the URL parser', async () => {
  for (const url of [`ext::sh -c "touch ${world.at('evil')}"`, `file://${repository.path}`, repository.path]) {
    await expect(cloneRepository(url, world.at('clone'), world.options)).rejects.toMatchObject({
      code: 'pack.git-failed',
    });
  }
  expect(world.read('evil')).toBeUndefined();
});

test('runs no hook, whatever the user configured', async () => {
  world.write('hooks/post-checkout', `#!/bin/sh\ntouch ${world.at('evil')}\n`);
  chmodSync(world.at('hooks/post-checkout'), 0o755);
  world.write('gitconfig', `[core]\n\thooksPath = ${world.at('hooks')}\n`);
  const env = { ...world.options.env, GIT_CONFIG_GLOBAL: world.at('gitconfig') };
  await install(`${server.url}/a.git`, { env });
  expect(world.read('evil')).toBeUndefined();
});

test('explains what to do if Git is not installed', async () => {
  const env = { ...world.options.env, PATH: world.at('nothing') };
  await expect(install(`${server.url}/a.git`, { env })).rejects.toMatchObject({ code: 'pack.no-git' });
});
