/**
 * Attacks on the addresses of flows: on keys, names, runs and answers. None may start, see or change
 * anything that the caller may not.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AddressWorld, approveFlow, askFlow, echoFlow } from './test-addresses.ts';

let world: AddressWorld;
let key: string;
let asking: string;

beforeEach(async () => {
  world = new AddressWorld();
  for (const [name, text] of Object.entries({ echo: echoFlow, ask: askFlow, approve: approveFlow }))
    world.write(`${name}.flow.yaml`, text);
  await world.open();
  key = await world.publish('echo', { limits: { perHour: 1_000, runsAtOnce: 50, bodyBytes: 100_000 } });
  asking = await world.publish('ask', { limits: { runsAtOnce: 50 } });
});
afterEach(() => world.close());

const wait = { Prefer: 'wait=60' };
const body = { word: 'hi' };

async function startEcho(more: Parameters<AddressWorld['send']>[1] = {}) {
  return await world.send('/flows/echo/runs', { key, body, ...more });
}

async function countRuns(): Promise<number> {
  return (await world.engine.listRuns({ limit: 1_000 })).length;
}

describe('without a valid key', () => {
  const forged = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer mk_',
    `Bearer mk_${'A'.repeat(43)}`,
    'Bearer undefined',
    'Bearer null',
    'Bearer mk_constructor',
    'Bearer mk___proto__',
    `Bearer mk_${'a'.repeat(100_0)}`,
    'Basic bWs6bWs=',
    'mk_',
  ];
  test('nothing can be started, read, followed, canceled or described', async () => {
    await world.serve();
    const { json } = await startEcho({ headers: wait });
    const attacks = [
      ['POST', '/flows/echo/runs'],
      ['GET', json.links.self],
      ['GET', json.links.events],
      ['POST', json.links.cancel],
      ['POST', `${json.links.answers}/ask`],
      ['GET', '/flows/echo/openapi.json'],
    ];
    for (const authorization of forged)
      for (const [method = '', path = ''] of attacks) {
        const headers = authorization === undefined ? {} : { authorization };
        const { status, text } = await world.send(path, { method, headers, ...(method === 'POST' ? { body } : {}) });
        expect([authorization, path, status]).toEqual([authorization, path, 401]);
        expect(text).not.toContain('word');
      }
    expect(await countRuns()).toBe(1);
  });

  test('a key in another place, in another spelling, or as its hash, is none', async () => {
    await world.serve();
    const stored = JSON.parse(readFileSync(join(world.home, 'millrace/api-keys.json'), 'utf8'));
    const [{ hash, prefix, id }] = Object.values(stored.entries) as [{ hash: string; prefix: string; id: string }];
    const queries = [`?key=${key}`, `?token=${key}`, `?access_token=${key}`, `?authorization=Bearer%20${key}`];
    for (const query of queries) expect((await world.send(`/flows/echo/runs${query}`, { body })).status).toBe(401);
    const spellings = [
      key.toUpperCase(),
      key.slice(0, -1),
      `${key}A`,
      `${key} x`,
      ` ${key}x`,
      hash,
      `mk_${hash}`,
      prefix,
      id,
    ];
    for (const one of spellings) expect([one, (await startEcho({ key: one })).status]).toEqual([one, 401]);
    for (const cookie of [`key=${key}`, `authorization=Bearer ${key}`, `millrace-page-echo=${key}`])
      expect((await world.send('/flows/echo/runs', { body, headers: { cookie } })).status).toBe(401);
    expect(await countRuns()).toBe(0);
  });

  test('names of flows cannot be found out', async () => {
    await world.serve();
    const [known, unknown] = await Promise.all(
      ['echo', 'no-such-flow'].map((name) => world.send(`/flows/${name}/runs`, { body })),
    );
    expect([known?.status, known?.text]).toEqual([unknown?.status, unknown?.text]);
    const scoped = await Promise.all(
      ['ask', 'no-such-flow'].map((name) => world.send(`/flows/${name}/runs`, { key, body })),
    );
    expect(scoped.map(({ status, text }) => [status, text])).toEqual([
      [403, scoped[0]?.text],
      [403, scoped[0]?.text],
    ]);
  });
});

describe('keys', () => {
  test('end with their revocation, also for runs that they have started, and work only for their flows', async () => {
    await world.serve();
    const { json } = await startEcho({ headers: wait });
    for (const path of [json.links.self, json.links.events, '/flows/echo/openapi.json'])
      expect((await world.send(path, { key: asking })).status).toBe(403);
    expect((await world.send(json.links.cancel, { key: asking, method: 'POST' })).status).toBe(403);
    const [first] = await world.engine.listApiKeys();
    await world.engine.revokeApiKey(first?.id ?? '');
    expect((await startEcho()).status).toBe(401);
    for (const path of [json.links.self, json.links.events]) expect((await world.send(path, { key })).status).toBe(401);
  });

  test('in a list that runs could write, or that is damaged, open nothing', async () => {
    await world.serve();
    const list = readFileSync(join(world.home, 'millrace/api-keys.json'));
    writeFileSync(join(world.home, 'millrace/api-keys.json'), '{"version":1,"entries":{"a":{"hash":"x"}}}');
    const damaged = await startEcho();
    expect([damaged.status, damaged.text.includes(world.home)]).toEqual([503, false]);
    expect(world.notes.join()).toContain('api-keys.json is damaged');
    writeFileSync(join(world.home, 'millrace/api-keys.json'), list);
    await world.open(world.home, { isTrusted: true });
    await world.serve();
    expect((await startEcho()).status).toBe(401);
    expect(await countRuns()).toBe(0);
  });
});

describe('names and runs', () => {
  test('that lead elsewhere find nothing', async () => {
    await world.serve();
    const names = [
      ...['..', '.', '%2e%2e', '..%2f..', 'echo%00', 'echo%2f', 'ECHO', 'echo.flow.yaml', 'echo%0d%0aX:y', '%', '%ff'],
      ...[
        'constructor',
        '__proto__',
        'toString',
        'hasOwnProperty',
        'valueOf',
        '*',
        ':name',
        '%5c',
        'echo;x',
        'a'.repeat(5_000),
      ],
    ];
    for (const name of names) {
      const { status } = await world.send(`/flows/${name}/runs`, { key, body });
      expect([name, status >= 400 && status < 500]).toEqual([name, true]);
    }
    const { json } = await startEcho({ headers: wait });
    const runs = [
      '..',
      '%2e%2e%2f',
      '*',
      '__proto__',
      'constructor',
      "' OR 1=1 --",
      `${json.runId}%00`,
      json.runId.toUpperCase(),
      '1',
      '%25',
    ];
    for (const run of runs.map((one) => one.replaceAll(' ', '%20'))) {
      const { status } = await world.send(`/flows/echo/runs/${run}`, { key });
      expect([run, status]).toEqual([run, 404]);
    }
    expect(await countRuns()).toBe(1);
  });

  test('of other flows, of the window, of triggers and of other workspaces are not visible', async () => {
    const elsewhere = join(world.folder, 'nested');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'echo.flow.yaml'), echoFlow);
    const other = await world.open(elsewhere);
    await other.publishFlow({ flow: 'echo.flow.yaml', name: 'other', by: 'kim' });
    const otherKey = (await other.createApiKey({ name: 'Other', flows: ['other'], by: 'kim' })).key;
    await world.serve();
    const start = { path: 'echo.flow.yaml', text: echoFlow, inputs: body };
    const ofWindow = (await world.engine.startRun(start)).runId;
    const added = { flow: 'echo.flow.yaml', trigger: 'daily', key: 'a', event: {}, priority: 0, createdAt: 1 };
    const ofTrigger = (await world.engine.startRun({ ...start, firing: { added } })).runId;
    const ofOtherFlow = (await world.send('/flows/ask/runs', { key: asking, body: {} })).json.runId;
    const ofOtherPlace = (await world.send('/flows/other/runs', { key: otherKey, body })).json.runId;
    for (const runId of [ofWindow, ofTrigger, ofOtherFlow, ofOtherPlace]) {
      for (const end of ['', '/events'])
        expect((await world.send(`/flows/echo/runs/${runId}${end}`, { key })).status).toBe(404);
      for (const end of ['/cancel', '/answers/ask'])
        expect((await world.send(`/flows/echo/runs/${runId}${end}`, { key, body: { values: {} } })).status).toBe(404);
    }
    expect((await world.engine.getRun(ofOtherFlow)).status).toBe('suspended');
  });

  test('of workspaces that are no longer trusted, and flows that are no longer published, have no address', async () => {
    await world.serve();
    const { json } = await startEcho({ headers: wait });
    await world.engine.setTrust(false);
    for (const path of ['/flows/echo/openapi.json', json.links.self])
      expect((await world.send(path, { key })).status).toBe(404);
    expect((await startEcho()).status).toBe(404);
    await world.engine.setTrust(true);
    await world.engine.unpublishFlow('echo.flow.yaml');
    // Its keys have lost it, too: another flow may take its name.
    expect((await startEcho()).status).toBe(403);
    expect((await world.send(json.links.self, { key })).status).toBe(403);
    expect(await countRuns()).toBe(1);
  });
});

describe('answers', () => {
  test('to anything but an open question of the run are refused', async () => {
    const approving = await world.publish('approve');
    await world.serve();
    const approval = (await world.send('/flows/approve/runs', { key: approving, body: {}, headers: wait })).json;
    const question = (await world.send('/flows/ask/runs', { key: asking, body: {}, headers: wait })).json;
    const forged = [
      { approved: true },
      { values: {}, decision: 'approve' },
      { values: {}, payload: { approved: true } },
      { values: { approved: true }, by: 'kim' },
      { values: {}, nodeId: 'ok' },
      { values: {}, allow: true, scope: 'workspace' },
      { values: [] },
      { values: 'yes' },
      { values: {}, key: 1 },
    ];
    for (const one of forged)
      for (const [run, caller, node] of [
        [approval, approving, 'ok'],
        [question, asking, 'ask'],
      ] as const)
        expect((await world.send(`${run.links.answers}/${node}`, { key: caller, body: one })).status).toBe(400);
    const right = { values: { word: 'x' } };
    for (const node of ['ok', 'ok%2Fok', 'none', '__proto__', 'constructor', '..%2fok', 'BeforeAll', 'input:0']) {
      const { status } = await world.send(`${approval.links.answers}/${node}`, { key: approving, body: right });
      expect([node, [403, 404, 409].includes(status)]).toEqual([node, true]);
      const other = await world.send(`${question.links.answers}/${node}`, { key: asking, body: right });
      expect([node, [403, 404, 409].includes(other.status)]).toEqual([node, true]);
    }
    expect(
      (await world.send(`${question.links.answers}/ask`, { key: asking, body: { ...right, key: 'x' } })).status,
    ).toBe(409);
    for (const { runId } of [approval, question]) expect((await world.engine.getRun(runId)).status).toBe('suspended');
  });
});
