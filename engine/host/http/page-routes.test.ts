/** Tests form pages: who gets in, what they show, and attacks on them. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { issuePageToken, readServiceKey } from './page-sessions.ts';
import { AddressWorld, approveFlow, askFlow, echoFlow } from './test-addresses.ts';

const fileFlow = `flow:
  name: mail_report
  description: "<img src=x onerror=alert(1)>"
  inputs:
    mails: { type: array, format: file, accept: ".eml, .txt", required: true }
    tone: { type: string, enum: ["<script>alert(1)</script>", dry] }
nodes: [{ id: read, type: file.read, input: { path: "{{flow.input.mails.0}}" } }]
edges: []
`;

let world: AddressWorld;
let key: string;
let pageFolder: string;

beforeEach(async () => {
  world = new AddressWorld();
  await world.open();
  world.write('echo.flow.yaml', echoFlow);
  world.write('mails.flow.yaml', fileFlow);
  world.write('ask.flow.yaml', askFlow);
  key = await world.publish('echo');
  await world.publish('mails', { page: { needsKey: false } });
  await world.publish('ask', { page: { needsKey: false } });
  pageFolder = mkdtempSync(join(tmpdir(), 'millrace-form-page-'));
  writeFileSync(join(pageFolder, 'index.html'), '<!doctype html><html lang="en"><title>x</title></html>');
  writeFileSync(join(pageFolder, 'index-abc.js'), 'start()');
  writeFileSync(join(pageFolder, 'packages.json'), '{}');
  await world.serve({ pageFolder });
});
afterEach(async () => {
  await world.close();
  rmSync(pageFolder, { recursive: true });
});

/** Returns the headers of a page that has the cookie of an answer. */
function pageWith(answer: { readonly headers: NodeJS.Dict<string | string[]> }): Record<string, string> {
  const [cookie = ''] = (answer.headers['set-cookie'] ?? []) as string[];
  return { cookie: cookie.slice(0, cookie.indexOf(';')), origin: world.origin };
}

const openPage = async (name: string) => pageWith(await world.send(`/f/${name}`));
// The service must have started before.
const token = async (name: string) => {
  await world.send(`/f/${name}`);
  return issuePageToken(await readServiceKey(world.home, []), name, Date.now());
};
const put = (path: string, body: string | Buffer, headers: Record<string, string>) =>
  world.send(path, { body, headers: { 'content-type': 'application/octet-stream', ...headers } });

/** Starts a run as a page, and returns its ID and the link that the page gets. */
async function startAsPage(name: string, body: object, headers: Record<string, string>) {
  const { status, json } = await world.send(`/flows/${name}/runs`, { body, headers });
  expect(status).toBeLessThan(300);
  const progress = await world.stream(`/f/${name}/runs/${json.runId}/progress`, { headers });
  const [first = ''] = await chunksOf(progress, 1);
  const [, link = ''] = /event: link\ndata: (\S+)/.exec(first) ?? [];
  return { runId: json.runId as string, link };
}

async function chunksOf(stream: AsyncIterable<unknown>, count: number): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of stream) if (chunks.push(String(chunk)) >= count) break;
  return chunks;
}

describe('a form page', () => {
  test('is served in the language of the browser, with a policy that allows only its own files', async () => {
    const english = await world.send('/f/echo');
    expect(english.text).toContain('<html lang="en">');
    const german = await world.send('/f/echo', { headers: { 'accept-language': 'fr, de-AT;q=0.9, en;q=0.5' } });
    expect(german.text).toContain('<html lang="de">');
    const policy = String(english.headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|\*|http/);
    const script = await world.send('/form-page/index-abc.js');
    expect(script).toMatchObject({ status: 200, text: 'start()' });
    expect(script.headers['content-type']).toContain('text/javascript');
  });

  test('describes its fields without a path or a secret', async () => {
    const headers = await openPage('mails');
    const { status, json, text } = await world.send('/f/mails/form.json', { headers });
    expect({ status, ...json }).toMatchObject({ status: 200, title: 'Mail report', mostBytes: 10_000_000 });
    expect(json.fields).toEqual([
      { name: 'mails', label: 'Mails', type: 'array', isRequired: true, accept: ['.eml', '.txt'] },
      { name: 'tone', label: 'Tone', type: 'string', isRequired: false, choices: ['<script>alert(1)</script>', 'dry'] },
    ]);
    expect(text).not.toContain(world.folder);
    world.write('mails.flow.yaml', fileFlow.replace('mail_report', 'other'));
    expect(await world.send('/f/mails/form.json', { headers })).toMatchObject({ status: 409 });
  });

  test('opens with a key or a one-time token, and starts a run that only its link shows', async () => {
    expect(await world.send('/f/echo/form.json')).toMatchObject({ status: 401 });
    expect(await world.send('/f/echo/session', { body: { key: 'mk_wrong' } })).toMatchObject({ status: 401 });
    const keyed = pageWith(await world.send('/f/echo/session', { body: { key } }));
    expect(await world.send('/f/echo/form.json', { headers: keyed })).toMatchObject({ status: 200 });
    const redirected = await world.send(`/f/echo?token=${await token('echo')}`);
    expect(redirected).toMatchObject({ status: 303, headers: { location: '/f/echo' } });
    const headers = pageWith(redirected);
    const { runId, link } = await startAsPage('echo', { word: 'hi' }, headers);
    const path = `/flows/echo/runs/${runId}`;
    expect(await world.send(path, { headers: keyed })).toMatchObject({ status: 404 });
    expect(await world.send(path)).toMatchObject({ status: 401 });
    expect(await world.send(`${path}?link=${link}`)).toMatchObject({ status: 200 });
    const states = await world.send(`/f/echo/runs/${runId}/progress?link=${link}`);
    expect(states.headers['content-type']).toContain('text/event-stream');
    expect(states.text).toContain('"outputs":{"word":"hi"}');
    expect(states.text.trimEnd().endsWith('event: end\ndata:')).toBe(true);
  });

  test('answers questions, but decides nothing', async () => {
    const headers = await openPage('ask');
    const { runId, link } = await startAsPage('ask', {}, headers);
    const path = `/flows/ask/runs/${runId}`;
    const answer = { body: { values: { word: 'hi' } }, headers: { origin: world.origin } };
    const states = await world.stream(`/f/ask/runs/${runId}/progress?link=${link}`);
    let seen = '';
    for await (const chunk of states) {
      seen += String(chunk);
      if (seen.includes('"status":"suspended"')) break;
    }
    expect(seen).toContain('"title":"Which word?"');
    expect(await world.send(`${path}/answers/ask?link=${link}`, answer)).toMatchObject({ status: 202 });
    expect((await world.send(`/f/ask/runs/${runId}/progress?link=${link}`)).text).toContain('"word":"hi"');
    world.write('approve.flow.yaml', approveFlow);
    await world.publish('approve', { page: { needsKey: false } });
    const page = await openPage('approve');
    const approval = await startAsPage('approve', {}, page);
    await world.engine.whenEnded(approval.runId as never);
    const approved = await world.send(`/flows/approve/runs/${approval.runId}/answers/ok`, {
      ...{ body: { values: { approved: true } }, headers: page },
    });
    expect(approved).toMatchObject({ status: 403 });
  });
});

describe('files', () => {
  test('are stored where runs can read them, and used once they are inputs', async () => {
    const headers = await openPage('mails');
    const { status, json } = await put('/flows/mails/files?name=C%3A%5Cmails%5Ca.eml', 'Hello', headers);
    expect({ status, path: json.path }).toMatchObject({
      status: 201,
      path: expect.stringMatching(/^\.millrace\/uploads\/[0-9a-f]{32}\/a\.eml$/),
    });
    const file = join(world.folder, json.path);
    expect(readFileSync(file, 'utf8')).toBe('Hello');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o111).toBe(0);
    const { runId } = await startAsPage('mails', { mails: [json.path] }, headers);
    expect(await world.engine.whenEnded(runId as never)).toMatchObject({ status: 'completed' });
  });

  test('of other paths, other endings or removed ones are no inputs', async () => {
    const headers = await openPage('mails');
    writeFileSync(join(world.folder, 'secret.eml'), 'x');
    const { path } = (await put('/flows/mails/files?name=a.eml', 'x', headers)).json;
    const { path: script } = (await put('/flows/mails/files?name=a.sh', 'x', headers)).json;
    const id = path.split('/')[2];
    for (const other of [
      'secret.eml',
      '.millrace/.env',
      `.millrace/uploads/${id}/../../../secret.eml`,
      `.millrace/uploads/${id}/b.eml`,
      `.millrace/uploads/${id}`,
      `./${path}`,
      `.millrace/uploads/${'0'.repeat(32)}/a.eml`,
      join(world.folder, path),
      script,
      '',
    ]) {
      const sent = { body: { mails: [other] }, headers };
      expect(await world.send('/flows/mails/runs', sent), other).toMatchObject({
        ...{ status: 400, json: { error: { code: 'flow.bad-inputs', problems: [{ name: 'mails' }] } } },
      });
    }
    const many = { body: { mails: new Array(21).fill(path) }, headers };
    expect(await world.send('/flows/mails/runs', many)).toMatchObject({ status: 400 });
  });

  test('that are too large, too many or of an unknown caller are not stored', async () => {
    const headers = await openPage('mails');
    await world.engine.publishFlow({ flow: 'mails.flow.yaml', by: 'kim', limits: { bodyBytes: 100 } });
    const stored = (): string[] => readdirSync(join(world.folder, '.millrace', 'uploads'));
    for (let sent = 0; sent < 50; sent++)
      expect(await put('/flows/mails/files?name=a.eml', 'x'.repeat(100), headers)).toMatchObject({ status: 201 });
    expect(await put('/flows/mails/files?name=a.eml', 'x', headers)).toMatchObject({ status: 429 });
    expect(stored()).toHaveLength(50);
    const large = await put('/flows/ask/files?name=a.eml', Buffer.alloc(10_000_001), await openPage('ask'));
    expect(large).toMatchObject({ status: 413 });
    expect(await put('/flows/ask/files?name=a.eml', 'x', {})).toMatchObject({ status: 401 });
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])
      expect(
        await put('/flows/ask/files?name=a', 'x', { ...(await openPage('ask')), 'content-type': type }),
        type,
      ).toMatchObject({ status: 415 });
    expect(stored()).toHaveLength(50);
  });

  test('never leave the workspace by a link', async () => {
    const headers = await openPage('mails');
    const outside = join(world.home, 'outside');
    mkdirSync(outside);
    rmSync(join(world.folder, '.millrace'), { recursive: true, force: true });
    mkdirSync(join(world.folder, '.millrace'));
    symlinkSync(outside, join(world.folder, '.millrace', 'uploads'));
    expect((await put('/flows/mails/files?name=a.eml', 'x', headers)).status).toBeGreaterThanOrEqual(400);
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('attacks', () => {
  test('with a token that was used, is for another flow, or is of another key', async () => {
    const once = await token('echo');
    expect(await world.send(`/f/mails?token=${once}`)).toMatchObject({ headers: { location: '/f/mails?expired' } });
    expect((await world.send(`/f/echo?token=${once}`)).headers['set-cookie']).toHaveLength(1);
    for (const bad of [once, issuePageToken(new Uint8Array(32), 'echo', Date.now()), 'x', '%00', 'a'.repeat(5000)]) {
      const answer = await world.send(`/f/echo?token=${bad}`);
      expect(answer).toMatchObject({ status: 303, headers: { location: '/f/echo?expired' } });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('from another site, which has no page of the service', async () => {
    const { cookie = '' } = await openPage('ask');
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const sent = { body: {}, headers: { cookie, origin } };
      expect(await world.send('/flows/ask/runs', sent), origin).toMatchObject({ status: 403 });
      expect(await put('/flows/ask/files?name=a', 'x', { cookie, origin }), origin).toMatchObject({ status: 403 });
    }
    expect(await world.send('/flows/ask/runs', { body: {}, headers: { cookie } })).toMatchObject({ status: 403 });
    const form = { cookie, origin: world.origin, 'content-type': 'application/x-www-form-urlencoded' };
    expect(await world.send('/flows/ask/runs', { body: 'a=b', headers: form })).toMatchObject({ status: 415 });
    expect(await world.engine.listRuns({ limit: 10 })).toEqual([]);
  });

  test('with the session of another flow, or of a revoked key', async () => {
    const { cookie = '', origin = '' } = await openPage('ask');
    const other = { cookie: cookie.replace('page-ask', 'page-echo'), origin };
    expect(await world.send('/f/echo/form.json', { headers: other })).toMatchObject({ status: 401 });
    const keyed = pageWith(await world.send('/f/echo/session', { body: { key } }));
    const { runId, link } = await startAsPage('echo', { word: 'x' }, keyed);
    expect(await world.send('/f/ask/session', { body: { key } })).toMatchObject({ status: 401 });
    const [{ id } = { id: '' }] = (await world.engine.listApiKeys()).filter(({ flows }) => flows.includes('echo'));
    await world.engine.revokeApiKey(id);
    expect(await world.send('/f/echo/form.json', { headers: keyed })).toMatchObject({ status: 401 });
    expect(await world.send(`/f/echo/runs/${runId}/progress?link=${link}`)).toMatchObject({ status: 401 });
    expect(await world.send('/f/echo/session', { body: { key } })).toMatchObject({ status: 401 });
  });

  test('with the link of another run or flow', async () => {
    const headers = await openPage('ask');
    const one = await startAsPage('ask', {}, headers);
    const two = await startAsPage('ask', {}, await openPage('ask'));
    for (const path of [`/f/ask/runs/${two.runId}/progress`, `/flows/ask/runs/${two.runId}`])
      expect(await world.send(`${path}?link=${one.link}`)).toMatchObject({ status: 401 });
    expect(await world.send(`/flows/ask/runs/${two.runId}`, { headers })).toMatchObject({ status: 404 });
    expect(await world.send(`/flows/ask/runs/${two.runId}/cancel`, { body: {}, headers })).toMatchObject({
      status: 404,
    });
  });

  test('on a page that was switched off, unpublished or given a key', async () => {
    const headers = await openPage('ask');
    const publish = { flow: 'ask.flow.yaml', by: 'kim' };
    await world.engine.publishFlow({ ...publish, page: { needsKey: true } });
    expect(await world.send('/f/ask/form.json', { headers })).toMatchObject({ status: 401 });
    await world.engine.publishFlow({ ...publish, page: { isOn: false } });
    expect(await world.send('/f/ask', { headers })).toMatchObject({ status: 404 });
    await world.engine.unpublishFlow('ask.flow.yaml');
    expect((await world.send('/f/ask/form.json', { headers })).status).toBeGreaterThanOrEqual(401);
    await world.engine.setTrust(false);
    expect(await world.send('/f/echo')).toMatchObject({ status: 404 });
  });

  test('with paths that lead out of the page', async () => {
    for (const path of [
      '/form-page/../published.json',
      '/form-page/..%2f..%2fpackage.json',
      '/form-page/%2e%2e/index.html',
      '/form-page/packages.json',
      '/form-page/index.html',
      '/form-page/index-abc.js%00',
      '/form-page//etc/passwd',
      '/form-page/constructor',
    ])
      expect(await world.send(path), path).toMatchObject({ status: 404 });
    for (const name of ['__proto__', 'constructor', '..', '%2e%2e', 'ECHO', 'echo%00', 'a'.repeat(5000)])
      expect((await world.send(`/f/${name}`)).status, name).toBe(404);
  });
});
