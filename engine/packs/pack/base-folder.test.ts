import { mkdirSync, rmSync } from 'node:fs';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPackWorld, type PackWorld } from '../../testing/pack-world.ts';
import { type InitBaseReport, initBase, initWorkspace } from './base-folder.ts';

let world: PackWorld;

beforeEach(() => {
  world = createPackWorld();
  world.writePack('resources/core/ask', 'core@ask', { 'main.aip': 'first' });
  world.writePack('resources/demo/proof', 'demo@proof', { 'main.aip': 'first' });
});

afterEach(() => world.remove());

const ask = 'base/pack/installed/core/ask';
const defaults = { input_concurrency: 2, model_aliases: { mini: 'openai::small' } };

const init = (version = '1.0.0', force = false): Promise<InitBaseReport> =>
  initBase({ baseFolder: world.baseFolder, version, defaults, resources: world.at('resources'), force });

describe('the base folder', () => {
  test("creates the base folder with settings, built-in packs and a folder for the user's packs", async () => {
    const report = await init();
    expect(report.packs).toEqual(['core@ask', 'demo@proof']);
    expect(report.files).toEqual(['millrace/config-default.toml', 'config-user.toml', 'millrace/version']);
    expect(world.read(`${ask}/main.aip`)).toBe('first');
    expect(parse(world.read('base/millrace/config-default.toml') ?? '')).toEqual({ options: defaults });
    expect(parse(world.read('base/config-user.toml') ?? 'x')).toEqual({});
    expect(world.read('base/millrace/version')).toBe('1.0.0\n');
    expect(world.leftovers()).toEqual([]);
    expect(await init()).toEqual({ isChecked: false, files: [], packs: [] });
  });

  test("does not change the user's settings and the files of other programs", async () => {
    world.write('base/config-user.toml', '[options]\nmodel = "mine"\n');
    world.write('base/version.txt', '0.8.33\n');
    world.write('base/config-default.toml', '[options]\nmodel = "theirs"\n');
    await init('1.0.0', true);
    expect(world.read('base/config-user.toml')).toBe('[options]\nmodel = "mine"\n');
    expect(world.read('base/version.txt')).toBe('0.8.33\n');
    expect(world.read('base/config-default.toml')).toBe('[options]\nmodel = "theirs"\n');
  });

  test('replaces built-in packs that we wrote with newer ones', async () => {
    await init('1.0.0');
    world.writePack('resources/core/ask', 'core@ask', { version: '1.1.0', 'main.aip': 'second' });
    expect((await init('1.1.0')).packs).toEqual(['core@ask']);
    expect(world.read(`${ask}/main.aip`)).toBe('second');
    expect(world.leftovers()).toEqual([]);
  });

  test('keeps a built-in pack that the user changed and one that another program wrote', async () => {
    world.writePack('base/pack/installed/demo/proof', 'demo@proof', { 'main.aip': 'theirs' });
    await init('1.0.0');
    world.write(`${ask}/main.aip`, 'mine');
    world.writePack('resources/core/ask', 'core@ask', { version: '1.1.0', 'main.aip': 'second' });
    world.writePack('resources/demo/proof', 'demo@proof', { version: '1.1.0', 'main.aip': 'second' });
    expect((await init('1.1.0', true)).packs).toEqual([]);
    expect(world.read(`${ask}/main.aip`)).toBe('mine');
    expect(world.read('base/pack/installed/demo/proof/main.aip')).toBe('theirs');
  });

  test('does not replace a built-in pack with an older one', async () => {
    world.writePack('resources/core/ask', 'core@ask', { version: '2.0.0', 'main.aip': 'newer' });
    await init('2.0.0');
    world.writePack('resources/core/ask', 'core@ask', { version: '1.0.0', 'main.aip': 'older' });
    expect((await init('1.0.0', true)).packs).toEqual([]);
    expect(world.read(`${ask}/main.aip`)).toBe('newer');
  });

  test('restores removed packs only on request', async () => {
    await init('1.0.0');
    rmSync(world.at(ask), { recursive: true });
    expect((await init('1.1.0')).packs).toEqual([]);
    expect((await init('1.1.0', true)).packs).toEqual(['core@ask']);
  });

  test('loses nothing if the marks are unreadable', async () => {
    await init('1.0.0');
    for (const marks of ['', '[]', '{"core@ask": 1}', 'no json']) {
      world.write('base/millrace/builtin-packs.json', marks);
      world.writePack('resources/core/ask', 'core@ask', { version: '1.1.0', 'main.aip': 'second' });
      await init('1.1.0', true);
      expect(world.read(`${ask}/main.aip`)).toBe('first');
    }
  });

  test('completes an interrupted initialization the next time', async () => {
    world.write('resources/core/broken/pack.toml', '[pack]');
    await expect(init()).rejects.toMatchObject({ code: 'pack.bad-manifest' });
    rmSync(world.at('resources/core/broken'), { recursive: true });
    expect(await init()).toMatchObject({ isChecked: true, packs: ['core@ask', 'demo@proof'] });
  });
});

describe('a workspace', () => {
  test('creates template settings once', async () => {
    expect(await initWorkspace(world.workspace)).toEqual(['.aipack/config.toml']);
    expect(parse(world.read('work/.aipack/config.toml') ?? 'x')).toEqual({});
    world.write('work/.aipack/config.toml', '# mine');
    expect(await initWorkspace(world.workspace)).toEqual([]);
    expect(world.read('work/.aipack/config.toml')).toBe('# mine');
  });

  test('accepts a folder that does not exist yet, but not a file', async () => {
    expect(await initWorkspace(world.at('new/folder'))).toHaveLength(1);
    world.write('file', '');
    await expect(initWorkspace(world.at('file'))).rejects.toThrow();
    mkdirSync(world.at('taken/.aipack/config.toml'), { recursive: true });
    expect(await initWorkspace(world.at('taken'))).toEqual([]);
  });
});
