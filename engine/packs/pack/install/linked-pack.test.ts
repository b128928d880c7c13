import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPackWorld, type PackWorld } from '../../../testing/pack-world.ts';
import { findAgent } from '../find-agent.ts';
import { findPack, findPackFlow, listPacks } from '../pack-locator.ts';

let world: PackWorld;
beforeEach(() => {
  world = createPackWorld();
  world.writePack('elsewhere/shelf/evil/kit', 'evil@kit', { 'main.aip': '' });
  world.writePack('elsewhere/pack/custom/evil/kit', 'evil@kit', { 'main.aip': '' });
  world.writePack('elsewhere/up/pack/custom/evil/kit', 'evil@kit', { 'main.aip': '' });
  world.writePack('base/pack/installed/acme/tools', 'acme@tools', { 'main.aip': '', 'sub/main.aip': '' });
  world.writePack('base/pack/custom/me/mine', 'me@mine', { 'main.aip': '' });
  world.writePack('work/.own/kit', 'evil@kit', { 'main.aip': '' });
});
afterEach(() => world.remove());

/** @param target a path below the test folder if it begins with `/`, otherwise relative to the link */
function link(at: string, target: string): void {
  mkdirSync(dirname(world.at(at)), { recursive: true });
  symlinkSync(target.startsWith('/') ? world.at(target.slice(1)) : target, world.at(at));
}

const custom = 'work/.aipack/pack/custom';

describe.skipIf(process.platform === 'win32')('a workspace pack behind links', () => {
  test.each<[what: string, ...links: readonly (readonly [at: string, target: string])[]]>([
    ['the pack itself', [`${custom}/evil/kit`, '/elsewhere/shelf/evil/kit']],
    ['the pack, by a relative path', [`${custom}/evil/kit`, '../../../../../elsewhere/shelf/evil/kit']],
    ['its namespace', [`${custom}/evil`, '/elsewhere/shelf/evil']],
    ['the folder of packs', [custom, '/elsewhere/shelf']],
    ['the parent folder', ['work/.aipack/pack', '/elsewhere/pack']],
    ['the folder .aipack', ['work/.aipack', '/elsewhere/up']],
    ['a chain of two links', [`${custom}/evil/kit`, '../hop'], [`${custom}/hop`, '/elsewhere/shelf/evil/kit']],
    ['a chain through the base folder', [`${custom}/evil/kit`, '/base/hop'], ['base/hop', '/elsewhere/shelf/evil/kit']],
    ['a link in a parent folder', [`${custom}/evil/kit`, '../../../../out/shelf/evil/kit'], ['work/out', '/elsewhere']],
    ['the base folder', [`${custom}/evil/kit`, '/base']],
    ['the folder of installed packs', [`${custom}/evil/kit`, '/base/pack/installed']],
    ['a namespace of installed packs', [`${custom}/evil/kit`, '/base/pack/installed/acme']],
    ['a folder inside of an installed pack', [`${custom}/evil/kit`, '/base/pack/installed/acme/tools/sub']],
    ['a folder that contains the workspace', [`${custom}/evil/kit`, '../../../../..']],
  ])('leads out of it: %s', async (_what, ...links) => {
    for (const [at, target] of links) link(at, target);
    expect(await findPack('evil@kit', world.options)).toMatchObject({ namespace: 'evil', leadsOut: true });
    const closed = await listPacks({ ...world.options, mayReadOutside: async () => false }, 'evil@kit');
    expect(closed).toMatchObject([
      { problem: expect.stringContaining('a link to a folder outside the workspace'), agents: [] },
    ]);
    const open = await listPacks({ ...world.options, mayReadOutside: async () => true }, 'evil@kit');
    expect(open[0]?.problem ?? '').not.toContain('outside the workspace');
  });

  test.each<[what: string, target: string, identity: string]>([
    ['an installed pack', '/base/pack/installed/acme/tools', 'acme@tools'],
    ['a pack of the user', '/base/pack/custom/me/mine', 'me@mine'],
    ['another pack of the workspace', '../our/box', 'our@box'],
  ])('that leads to %s is that pack, also in lists', async (_what, target, identity) => {
    world.writePack(`${custom}/our/box`, 'our@box', { 'main.aip': '' });
    link(`${custom}/evil/kit`, target);
    const found = await findPack('evil@kit', world.options);
    expect([`${found.namespace}@${found.name}`, found.leadsOut]).toEqual([identity, undefined]);
    const { pack } = await findAgent('evil@kit', { ...world.options, from: world.workspace });
    expect(pack).toMatchObject({
      folder: found.folder,
      baseSupportFolder: expect.stringMatching(/(acme.tools|me.mine|our.box)$/),
    });
    expect((await listPacks(world.options)).map(({ ref }) => ref)).toEqual(['acme@tools', 'me@mine', 'our@box']);
  });

  test('a link that shadows an installed pack resolves to its target', async () => {
    link(`${custom}/acme/tools`, '/base/pack/custom/me/mine');
    expect(await findPack('acme@tools', world.options)).toMatchObject({ namespace: 'me', name: 'mine' });
    expect(await listPacks(world.options, '@tools')).toMatchObject([{ ref: 'acme@tools', isShadowed: true }]);
  });

  test('a link inside the workspace is an ordinary pack', async () => {
    link(`${custom}/evil/kit`, '../../../../.own/kit');
    const found = await findPack('evil@kit', world.options);
    expect(found).toEqual({
      namespace: 'evil',
      name: 'kit',
      origin: 'workspace-custom',
      folder: world.at(`${custom}/evil/kit`),
    });
  });

  test('a broken or circular link does not exist', async () => {
    link(`${custom}/evil/kit`, '/nowhere');
    await expect(findPack('evil@kit', world.options)).rejects.toMatchObject({ code: 'pack.not-found' });
    link(`${custom}/evil/round`, 'round');
    const failed = findPack('evil@round', world.options);
    await expect(failed).rejects.toThrow();
  });

  test('an agent called by its path does not become part of a linked pack', async () => {
    link(custom, '/elsewhere/shelf');
    const place = await findAgent(`${custom.slice(5)}/evil/kit/main.aip`, { ...world.options, from: world.workspace });
    expect(place.pack).toBeUndefined();
  });

  test('a flow that is a link out of the pack is not found', async () => {
    world.writePack(`${custom}/our/box`, 'our@box', { 'in.flow.yaml': '' });
    world.write('elsewhere/out.flow.yaml', '');
    link(`${custom}/our/box/out.flow.yaml`, '/elsewhere/out.flow.yaml');
    const options = world.options;
    expect(await findPackFlow('our@box/in.flow.yaml', options)).toBe(world.at(`${custom}/our/box/in.flow.yaml`));
    await expect(findPackFlow('our@box/out.flow.yaml', options)).rejects.toMatchObject({ code: 'files.outside' });
  });

  test('links in the base folder belong to the user and are allowed', async () => {
    link('base/pack/custom/evil/kit', '/elsewhere/shelf/evil/kit');
    expect(await findPack('evil@kit', world.options)).toMatchObject({ origin: 'base-custom' });
    expect((await findPack('evil@kit', world.options)).leadsOut).toBeUndefined();
  });
});
