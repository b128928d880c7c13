/** Tests publishing flows, and the keys of their callers. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { createEngine, type Engine, inMemory } from '../../index.ts';
import { addressNameOf } from '../../language/flow/product-path.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { findApiKey, noteUse, openApiKeys } from './api-keys.ts';
import { createPageSessions, readServiceKey } from './page-sessions.ts';
import { openPublishedFlows } from './published-flows.ts';
import { announceService } from './running-services.ts';

const text = 'flow: { name: Report }\nnodes: [{ id: call, type: flow, input: { flow: below.flow.yaml } }]\nedges: []\n';
const below = 'flow: { name: Below }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n';
const publish = { flow: 'report.flow.yaml', by: 'kim' };

let folder: string;
let home: string;
let engine: Engine;
const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
const listFile = (name: string): string => join(home, 'millrace', name);

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-publish-')));
  home = mkdtempSync(join(tmpdir(), 'millrace-publish-home-'));
  write('report.flow.yaml', text);
  write('below.flow.yaml', below);
  engine = await open(folder);
  await engine.setTrust(true);
});
afterEach(async () => {
  await engine.close();
  for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
});

async function open(workspace: string): Promise<Engine> {
  return await createEngine({ workspace, homeFolder: home, storeFile: inMemory });
}

describe('publishing', () => {
  test('gives a flow a name, and asks again after a change of anything that it calls', async () => {
    expect(await engine.listPublished()).toEqual([]);
    const published = await engine.publishFlow(publish);
    expect(published).toMatchObject({ name: 'report', state: 'on', workspace: folder, by: 'kim' });
    expect(published.limits).toEqual({ runsAtOnce: 2, perHour: 60, bodyBytes: 10_000_000 });
    expect(await engine.listPublished()).toEqual([published]);
    write('below.flow.yaml', below.replace('hi', 'bye'));
    expect(await engine.listPublished()).toMatchObject([{ state: 'changed' }]);
    await engine.publishFlow(publish);
    expect(await engine.listPublished()).toMatchObject([{ state: 'on' }]);
  });

  test('publishes only what the person has seen', async () => {
    const draft = await engine.checkPublish(publish.flow);
    expect(draft).toMatchObject({ name: 'report', limits: { perHour: 60 }, page: { isOn: true, needsKey: true } });
    write('below.flow.yaml', below.replace('hi', 'bye'));
    const refused = expect.objectContaining({ code: 'flow.changed' });
    await expect(engine.publishFlow({ ...publish, seen: draft.hash })).rejects.toEqual(refused);
    expect(await engine.listPublished()).toEqual([]);
    const { hash } = await engine.checkPublish(publish.flow);
    await engine.publishFlow({ ...publish, seen: hash, limits: { perHour: 5 } });
    expect(await engine.checkPublish(publish.flow)).toMatchObject({ hash, limits: { runsAtOnce: 2, perHour: 5 } });
    await expect(engine.checkPublish('gone.flow.yaml')).rejects.toMatchObject({ code: 'publish.not-found' });
  });

  test('keeps the name and the settings that a request does not change', async () => {
    await engine.publishFlow({ ...publish, name: 'constructor', limits: { perHour: 5 }, page: { isOn: false } });
    await engine.publishFlow({ ...publish, limits: { runsAtOnce: 1 } });
    expect(await engine.listPublished()).toMatchObject([
      { name: 'constructor', limits: { runsAtOnce: 1, perHour: 5 }, page: { isOn: false, needsKey: true } },
    ]);
    await engine.publishFlow({ ...publish, name: 'other' });
    expect((await engine.listPublished()).map(({ name }) => name)).toEqual(['other']);
    await engine.unpublishFlow(publish.flow);
    expect(await engine.listPublished()).toEqual([]);
    await expect(engine.unpublishFlow(publish.flow)).rejects.toMatchObject({ code: 'publish.not-found' });
  });

  test('refuses names and limits that are not possible, and flows that cannot run', async () => {
    for (const name of ['', 'A', 'a/b', '..', '__proto__', 'a'.repeat(61), 'ä', 'a b', 'a%2fb'])
      await expect(engine.publishFlow({ ...publish, name })).rejects.toMatchObject({ code: 'publish.bad-name' });
    for (const limits of [{ runsAtOnce: 0 }, { perHour: -1 }, { bodyBytes: 1e12 }, { runsAtOnce: Number.NaN }])
      await expect(engine.publishFlow({ ...publish, limits })).rejects.toMatchObject({ code: 'publish.bad-limits' });
    await expect(engine.publishFlow({ ...publish, flow: '../x.flow.yaml' })).rejects.toMatchObject({
      code: 'publish.not-found',
    });
    write('broken.flow.yaml', 'flow: { name: Broken }\nnodes: [{ id: a, type: no_such }]\nedges: []\n');
    await expect(engine.publishFlow({ ...publish, flow: 'broken.flow.yaml' })).rejects.toMatchObject({
      code: 'publish.unusable',
    });
    expect(existsSync(listFile('published.json'))).toBe(false);
  });

  test('gives a name to one flow only, also of another workspace', async () => {
    await engine.publishFlow(publish);
    const elsewhere = join(folder, 'nested');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'report.flow.yaml'), below);
    const other = await open(elsewhere);
    await other.setTrust(true);
    await expect(other.publishFlow(publish)).rejects.toMatchObject({ code: 'publish.name-taken' });
    await other.publishFlow({ ...publish, name: 'report-2' });
    expect((await other.listPublished()).map(({ name }) => name)).toEqual(['report-2']);
    await other.close();
  });

  test('needs trust, and reports a flow that cannot be called', async () => {
    await engine.publishFlow(publish);
    await engine.setTrust(false);
    expect(await engine.listPublished()).toMatchObject([{ problem: expect.stringContaining('not trusted') }]);
    await expect(engine.publishFlow(publish)).rejects.toMatchObject({ code: 'publish.untrusted' });
    await engine.setTrust(true);
    rmSync(join(folder, 'report.flow.yaml'));
    expect(await engine.listPublished()).toMatchObject([{ state: 'changed', problem: 'The file does not exist.' }]);
  });

  test('does nothing with lists that runs could change', async () => {
    const inside = join(folder, 'home');
    await engine.close();
    engine = await createEngine({ workspace: folder, homeFolder: inside, storeFile: inMemory, isTrusted: true });
    await expect(engine.publishFlow(publish)).rejects.toMatchObject({ code: 'publish.list-inside' });
    const key = { name: 'k', by: 'kim', flows: ['report'] };
    await expect(engine.createApiKey(key)).rejects.toMatchObject({ code: 'publish.list-inside' });
    expect(await engine.listPublished()).toEqual([]);
  });

  test('keeps a damaged list as it is, and names it', async () => {
    mkdirSync(join(home, 'millrace'), { recursive: true });
    for (const content of ['{', '{"version":1,"entries":{"a":{}}}', '[]', '{"version":2,"entries":{}}']) {
      writeFileSync(listFile('published.json'), content);
      const error = { code: 'http.bad-list', message: expect.stringContaining('published.json') };
      await expect(engine.publishFlow(publish)).rejects.toMatchObject(error);
      await expect(engine.listPublished()).rejects.toMatchObject(error);
      expect(readFileSync(listFile('published.json'), 'utf8')).toBe(content);
    }
  });

  test('keeps what another process writes at the same time', async () => {
    await engine.publishFlow(publish);
    const clock = createManualClock();
    const list = openPublishedFlows(home, clock);
    const entry = (await list.read()).get('report');
    if (entry === undefined) throw new Error('It is published.');
    writeFileSync(`${listFile('published.json')}.lock`, `${process.ppid}`);
    const changed = list.change((former) => new Map([...former, ['mine', entry]]));
    await expect.poll(() => clock.openTimers, { timeout: 60_000 }).toBe(1);
    const theirs = JSON.parse(readFileSync(listFile('published.json'), 'utf8'));
    theirs.entries.theirs = entry;
    writeFileSync(listFile('published.json'), JSON.stringify(theirs));
    rmSync(`${listFile('published.json')}.lock`);
    await clock.advance(25);
    expect([...(await changed).keys()].sort()).toEqual(['mine', 'report', 'theirs']);
    expect([...(await list.read()).keys()].sort()).toEqual(['mine', 'report', 'theirs']);
  });

  test('gives a flow of a product an address only if the manifest allows it', async () => {
    mkdirSync(join(folder, 'products/shop/flows'), { recursive: true });
    write('products/shop/flows/refund.yaml', below);
    const flow = { flow: 'products/shop/flows/refund.yaml', by: 'kim' };
    for (const exposed of ['', 'exposed_api: true\n', 'exposed_api: { allowed_flows: [other, constructor] }\n']) {
      write('products/shop/manifest.yaml', `name: shop\n${exposed}`);
      await expect(engine.publishFlow(flow)).rejects.toMatchObject({ code: 'publish.not-exposed' });
    }
    write('products/shop/manifest.yaml', 'name: shop\nexposed_api: { allowed_flows: [refund] }\n');
    expect(await engine.publishFlow(flow)).toMatchObject({ name: 'refund', state: 'on' });
    write('products/shop/manifest.yaml', 'name: shop\n');
    expect(await engine.listPublished()).toMatchObject([
      { problem: expect.stringContaining('allowed_flows: [refund]') },
    ]);
  });

  test('opens the form page at a service of the workspace', async () => {
    await expect(engine.openFormPage(publish.flow)).rejects.toMatchObject({ code: 'publish.not-found' });
    await engine.publishFlow(publish);
    expect(await engine.findService()).toBeNull();
    await expect(engine.openFormPage(publish.flow)).rejects.toMatchObject({ code: 'http.not-serving' });
    const [other, own] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
    const ends = [
      await announceService(home, { origin: other, workspaces: [home] }),
      await announceService(home, { origin: own, publicAddress: 'https://flows.example', workspaces: [home, folder] }),
    ];
    expect(await engine.findService()).toEqual({ origin: own, publicAddress: 'https://flows.example' });
    const { url } = await engine.openFormPage(publish.flow);
    const { origin, pathname, searchParams } = new URL(url);
    expect([origin, pathname]).toEqual([own, '/f/report']);
    const key = await readServiceKey(home, [folder]);
    const clock = createManualClock();
    const sessions = createPageSessions({ key, clock: { ...clock, now: () => Date.now() - 1_000 }, origins: () => [] });
    expect(sessions.redeem('report', searchParams.get('token') ?? '')).toBe(true);
    await engine.publishFlow({ ...publish, page: { isOn: false } });
    await expect(engine.openFormPage(publish.flow)).rejects.toMatchObject({ code: 'publish.no-page' });
    for (const end of ends) await end();
  });

  test('makes names from files', () => {
    const names = [
      'Übersicht Tag.flow.yaml',
      'products/shop/flows/refund_it.yaml',
      '报告.flow.yaml',
      `${'a'.repeat(80)}.yaml`,
    ];
    expect(names.map(addressNameOf)).toEqual(['ubersicht-tag', 'refund-it', 'flow', 'a'.repeat(60)]);
  });
});

describe('API keys', () => {
  test('are shown once, stored as hashes that only the user can read, and end when they are revoked', async () => {
    await engine.publishFlow(publish);
    const request = { name: 'Shop', flows: ['report', 'report'], by: 'kim' };
    const { key, ...shown } = await engine.createApiKey(request);
    expect(key).toMatch(/^mk_[\w-]{43}$/);
    expect(await engine.listApiKeys()).toEqual([shown]);
    expect(shown).toMatchObject({ name: 'Shop', flows: ['report'], prefix: key.slice(0, 9) });
    const file = listFile('api-keys.json');
    expect(readFileSync(file, 'utf8')).not.toContain(key.slice(9));
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const keys = openApiKeys(home, systemClock);
    expect(await findApiKey(keys, key)).toMatchObject({ id: shown.id });
    for (const wrong of ['', 'mk_', key.slice(0, -1), `${key}x`, key.toUpperCase(), shown.prefix])
      expect(await findApiKey(keys, wrong)).toBeUndefined();
    await engine.revokeApiKey(shown.id);
    expect(await findApiKey(keys, key)).toBeUndefined();
    expect(await engine.listApiKeys()).toMatchObject([{ id: shown.id, revokedAt: expect.any(Number) }]);
    await expect(engine.revokeApiKey('constructor')).rejects.toMatchObject({ code: 'api-key.not-found' });
  });

  test('name published flows, and have a name that fits on a line', async () => {
    const request = { name: 'Shop', flows: ['report'], by: 'kim' };
    await expect(engine.createApiKey(request)).rejects.toMatchObject({ code: 'publish.not-found' });
    await engine.publishFlow(publish);
    await expect(engine.createApiKey({ ...request, flows: [] })).rejects.toMatchObject({ code: 'publish.not-found' });
    for (const name of ['', ' ', 'a\nb', 'a'.repeat(101), 'a\u202eb'])
      await expect(engine.createApiKey({ ...request, name })).rejects.toMatchObject({ code: 'api-key.bad-name' });
    expect(await engine.listApiKeys()).toEqual([]);
  });

  test('follow a new name of their flow, and lose a flow that is no longer published', async () => {
    await engine.publishFlow(publish);
    await engine.publishFlow({ flow: 'below.flow.yaml', by: 'kim' });
    await engine.createApiKey({ name: 'Shop', flows: ['report', 'below'], by: 'kim' });
    const flows = async () => (await engine.listApiKeys())[0]?.flows;
    await engine.publishFlow({ ...publish, name: 'daily' });
    expect(await flows()).toEqual(['daily', 'below']);
    await engine.unpublishFlow(publish.flow);
    expect(await flows()).toEqual(['below']);
    await engine.publishFlow({ flow: 'below.flow.yaml', by: 'kim', name: 'daily' });
    expect(await flows()).toEqual(['daily']);
  });

  test('show their last use, which is written at most once a minute', async () => {
    await engine.publishFlow(publish);
    const { key } = await engine.createApiKey({ name: 'Shop', flows: ['report'], by: 'kim' });
    const keys = openApiKeys(home, systemClock);
    const uses: (number | undefined)[] = [];
    for (const now of [1_000, 60_999, 61_000]) {
      const found = await findApiKey(keys, key);
      if (found === undefined) throw new Error('The key exists.');
      await noteUse(keys, found, now);
      uses.push((await engine.listApiKeys())[0]?.lastUsedAt);
    }
    expect(uses).toEqual([1_000, 1_000, 61_000]);
  });
});
