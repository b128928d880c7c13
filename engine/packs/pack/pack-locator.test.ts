import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { createPackWorld, type PackWorld } from '../../testing/pack-world.ts';
import { findAgent } from './find-agent.ts';
import { findPack, listPacks, resolvePackPath } from './pack-locator.ts';

let world: PackWorld;

beforeEach(() => {
  world = createPackWorld();
});

afterEach(() => world.remove());

const installed = 'base/pack/installed/acme/tools';
const own = 'base/pack/custom/acme/tools';
const ofWorkspace = 'work/.aipack/pack/custom/acme/tools';

const find = (name: string, from = world.workspace): ReturnType<typeof findAgent> =>
  findAgent(name, { ...world.options, from });

async function failureOf(name: string): Promise<ErrorRecord> {
  return await find(name).then(
    () => ({ code: 'none', message: '' }),
    (error: unknown) => toErrorRecord(error),
  );
}

describe('AP-22 the search order for agents', () => {
  test('X.aip comes before X/main.aip, in packs and by path', async () => {
    world.writePack(installed, 'acme@tools', { 'x.aip': '', 'x/main.aip': '', 'y/main.aip': '', 'main.aip': '' });
    world.write('work/x.aip', '');
    world.write('work/x/main.aip', '');
    world.write('work/y/main.aip', '');
    expect((await find('acme@tools/x')).file).toBe(world.at(`${installed}/x.aip`));
    expect((await find('acme@tools/x/')).file).toBe(world.at(`${installed}/x/main.aip`));
    expect((await find('acme@tools/x.aip')).file).toBe(world.at(`${installed}/x.aip`));
    expect((await find('acme@tools/y')).file).toBe(world.at(`${installed}/y/main.aip`));
    expect((await find('acme@tools')).file).toBe(world.at(`${installed}/main.aip`));
    expect((await find('x')).file).toBe(world.at('work/x.aip'));
    expect((await find('./x/')).file).toBe(world.at('work/x/main.aip'));
    expect((await find('y')).file).toBe(world.at('work/y/main.aip'));
  });

  test("packs of the workspace come before the user's own packs, and those before installed ones", async () => {
    for (const [place, origin] of [
      [installed, 'installed'],
      [own, 'base-custom'],
      [ofWorkspace, 'workspace-custom'],
    ] as const) {
      world.writePack(place, 'acme@tools', { 'main.aip': '' });
      expect((await find('acme@tools')).file).toBe(world.at(`${place}/main.aip`));
      expect(await findPack('acme@tools/any', world.options)).toMatchObject({ origin, folder: world.at(place) });
    }
  });

  test('the first pack with the name wins, even if only another one contains the agent', async () => {
    world.writePack(installed, 'acme@tools', { 'x.aip': '' });
    world.writePack(own, 'acme@tools');
    expect(await failureOf('acme@tools/x')).toMatchObject({ code: 'agent.not-found' });
  });
});

describe('agents', () => {
  test('agents in a pack know its location and its data folders', async () => {
    world.writePack(installed, 'acme@tools', { 'chat/ask.aip': '' });
    expect(await find('acme@tools/chat/ask')).toEqual({
      name: 'acme@tools/chat/ask',
      file: world.at(`${installed}/chat/ask.aip`),
      shownPath: 'acme@tools/chat/ask',
      pack: {
        namespace: 'acme',
        name: 'tools',
        folder: world.at(installed),
        subPath: 'chat/ask',
        baseSupportFolder: world.at('base/support/pack/acme/tools'),
        workspaceSupportFolder: world.at('work/.aipack/support/pack/acme/tools'),
      },
    });
  });

  test('AP-23 a relative name is resolved in the folder of the calling agent', async () => {
    world.write('work/agents/sub.aip', '');
    world.write('work/sub.aip', '');
    expect(await find('sub.aip', world.at('work/agents'))).toEqual({
      name: 'sub.aip',
      file: world.at('work/agents/sub.aip'),
      shownPath: 'agents/sub.aip',
    });
    expect((await find('../sub', world.at('work/agents'))).file).toBe(world.at('work/sub.aip'));
  });

  test('agents called by a path within their pack belong to it', async () => {
    world.writePack(installed, 'acme@tools', { 'main.aip': '', 'steps/next.aip': '' });
    const place = await find('steps/next.aip', world.at(installed));
    expect(place.shownPath).toBe(world.at(`${installed}/steps/next.aip`));
    expect(place.pack).toMatchObject({ namespace: 'acme', name: 'tools', subPath: 'steps/next' });
  });

  test('agents outside of packs belong to none', async () => {
    world.write('elsewhere/@odd/a.aip', '');
    expect(await find(world.at('elsewhere/@odd/a.aip'))).not.toHaveProperty('pack');
  });

  test('missing agents are reported with the messages that packs expect', async () => {
    expect(await failureOf('no/such')).toMatchObject({
      code: 'agent.not-found',
      message: `No agent found for local path: 'no/such'\n   (full path: ${world.at('work/no/such')})`,
    });
    expect(await failureOf('acme@none/x')).toMatchObject({
      code: 'pack.not-found',
      message: 'No aipack matches for acme@none/x.',
      details: { ref: 'acme@none' },
    });
    world.writePack(installed, 'acme@tools');
    expect(await failureOf('acme@tools/x')).toMatchObject({
      code: 'agent.not-found',
      message: 'No agent files  matches for acme@tools/x',
    });
    expect(await failureOf('@tools')).toMatchObject({ code: 'pack.bad-ref' });
  });

  test('a folder is never an agent, regardless of its name', async () => {
    mkdirSync(world.at('work/a.aip'));
    expect(await failureOf('a')).toMatchObject({ code: 'agent.not-found' });
  });

  test('agents behind a link out of their pack are not found, but a pack itself may be a link', async () => {
    world.write('elsewhere/secret.aip', '');
    world.writePack(installed, 'acme@tools', { 'real.aip': '' });
    symlinkSync(world.at('elsewhere/secret.aip'), world.at(`${installed}/out.aip`));
    symlinkSync(world.at('elsewhere'), world.at(`${installed}/folder`));
    symlinkSync('real.aip', world.at(`${installed}/in.aip`));
    expect(await failureOf('acme@tools/out')).toMatchObject({ code: 'agent.not-found' });
    expect(await failureOf('acme@tools/folder/secret')).toMatchObject({ code: 'agent.not-found' });
    expect((await find('acme@tools/in')).file).toBe(world.at(`${installed}/in.aip`));
    world.writePack('elsewhere/mine', 'me@mine', { 'main.aip': '' });
    mkdirSync(world.at('base/pack/custom/me'), { recursive: true });
    symlinkSync(world.at('elsewhere/mine'), world.at('base/pack/custom/me/mine'));
    expect((await find('me@mine')).pack?.folder).toBe(world.at('base/pack/custom/me/mine'));
  });
});

describe('AP-19 paths of references', () => {
  test('a reference resolves to a path inside the pack or its data folders', async () => {
    world.writePack(installed, 'acme@tools');
    const resolved = (ref: string): Promise<string> => resolvePackPath(ref, world.options);
    expect(await resolved('acme@tools/a/b.md')).toBe(world.at(`${installed}/a/b.md`));
    expect(await resolved('ns@name$workspace/x.md')).toBe(world.at('work/.aipack/support/pack/ns/name/x.md'));
    expect(await resolved('ns@name$base/x.md')).toBe(world.at('base/support/pack/ns/name/x.md'));
    await expect(resolved('ns@name/../x')).rejects.toMatchObject({ code: 'pack.bad-ref' });
    await expect(resolved('ns@name/x')).rejects.toMatchObject({ code: 'pack.not-found' });
  });
});

describe('the list of packs', () => {
  beforeEach(() => {
    world.writePack(installed, 'acme@tools', {
      version: '1.0.0',
      'main.aip': '',
      'x.aip': '',
      'x/main.aip': '',
      'y/main.aip': '',
      'README.md': '',
      'flows/a.flow.yaml': '',
    });
    world.write(
      `${installed}/pack.toml`,
      `${world.read(`${installed}/pack.toml`)}\n[installed]\nsource = "aipack.ai"\n`,
    );
    world.writePack(ofWorkspace, 'acme@tools', { version: '1.1.0' });
    world.writePack('base/pack/installed/other/tools', 'other@tools');
    world.write('base/pack/custom/acme/broken/pack.toml', '[pack]\n');
    world.write('base/pack/custom/.hidden/a/pack.toml', '');
    world.write('base/pack/custom/file.md', '');
  });

  test('lists each pack with its source and what can be run', async () => {
    const packs = await listPacks(world.options);
    expect(packs.map(({ ref, origin, version }) => [ref, origin, version])).toEqual([
      ['acme@broken', 'base-custom', undefined],
      ['acme@tools', 'workspace-custom', '1.1.0'],
      ['acme@tools', 'installed', '1.0.0'],
      ['other@tools', 'installed', '1.0.0'],
    ]);
    expect(packs[0]?.problem).toContain('version field is missing');
    expect(packs[2]).toMatchObject({
      isShadowed: true,
      installed: { source: 'aipack.ai' },
      readme: world.at(`${installed}/README.md`),
    });
    expect(packs[2]?.agents.map(({ ref }) => ref)).toEqual([
      'acme@tools',
      'acme@tools/x',
      'acme@tools/x/main',
      'acme@tools/y',
    ]);
    expect(packs[2]?.flows).toEqual([
      { ref: 'acme@tools/flows/a.flow.yaml', file: world.at(`${installed}/flows/a.flow.yaml`) },
    ]);
  });

  test('lists each agent under a name by which it is found', async () => {
    world.writePack('base/pack/custom/me/more', 'me@more', {
      'main.aip': '',
      'x.aip': '',
      'x/main.aip': '',
      'a/b.aip': '',
    });
    const [more] = await listPacks(world.options, 'me@more');
    expect(more?.agents).toHaveLength(4);
    for (const { ref, file } of more?.agents ?? []) expect((await find(ref)).file).toBe(file);
  });

  test.each([
    ['acme@', 3],
    ['@tools', 3],
    ['acme@tools', 2],
    ['tool', 3],
    ['none@', 0],
    ['', 4],
  ])('the filter %j returns %i entries', async (filter, count) => {
    expect(await listPacks(world.options, filter)).toHaveLength(count);
  });

  test('the list is empty without any packs', async () => {
    const nowhere = { baseFolder: world.at('none'), workspace: world.at('none') };
    expect(await listPacks(nowhere)).toEqual([]);
  });
});
