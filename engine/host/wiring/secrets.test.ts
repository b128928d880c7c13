import { readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callFlow, expectNoForm, refusalOf, runFlow, runIdOf, SecretWorld } from '../../testing/secret-world.ts';

const token = 'tok "en/ü 9876+5432';
const tokenEnv = { MILLRACE_SECRET_API_TOKEN: token };
const usualEnv = { MILLRACE_SECRET_API_TOKEN: token, MILLRACE_SECRET_PLAIN: 'plain-secret-1' };

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const usual = (): string =>
  callFlow({
    url: `${world.base}/things?key={{secret.API_TOKEN}}`,
    method: 'POST',
    headers: { 'X-Token': 'Token {{secret.PLAIN}}' },
    body: { token: '{{secret.API_TOKEN}}', also: 'a {{secret.API_TOKEN}} b' },
  });

describe('BB-12 a value is inserted where it is sent', () => {
  test('into the address, a header and the body, with the right encoding', async () => {
    const events = await runFlow(await world.engine(usualEnv), usual());
    expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
    expect(world.heard[0]?.url).toBe(`/things?key=${encodeURIComponent(token)}`);
    expect(world.heard[0]?.headers['x-token']).toBe('Token plain-secret-1');
    expect(JSON.parse(world.heard[0]?.body ?? '')).toEqual({ token, also: `a ${token} b` });
  });

  test('events, the history and its export contain a mask that is never replaced by the value', async () => {
    const engine = await world.engine(usualEnv);
    const events = await runFlow(engine, usual());
    expect(events.find(({ event }) => event.type === 'node:input')?.event).toMatchObject({
      input: {
        url: `${world.base}/things?key=•••API_TOKEN•••`,
        headers: { 'X-Token': 'Token •••PLAIN•••' },
        body: { token: '•••API_TOKEN•••', also: 'a •••API_TOKEN••• b' },
      },
    });
    expect(JSON.stringify(events)).not.toMatch(/secret-[0-9a-f]{32}/);
    await runFlow(engine, callFlow({ url: world.base, method: 'POST', body: '•••API_TOKEN•••' }));
    expect(world.heard[1]?.body).toBe('•••API_TOKEN•••');
    await engine.exportRun(runIdOf(events), world.folder.at('run.json'));
    await world.expectNoTrace(Object.values(usualEnv));
  });

  test('resolves only the text of the file, never a value', async () => {
    world.answer = () => ({ body: '{"say":"{{secret.API_TOKEN}}"}' });
    const text = `
flow: { name: Twice }
nodes:
  - { id: one, type: http.request, input: { url: "${world.base}/one", headers: { x: "{{secret.API_TOKEN}}" } } }
  - { id: two, type: http.request, input: { url: "${world.base}/two", headers: { x: "{{one.body.say}}" } } }
edges: [{ from: one, to: two }]`;
    await runFlow(await world.engine({ MILLRACE_SECRET_API_TOKEN: 'header-safe-token' }), text);
    expect(world.heard.map(({ headers }) => headers['x'])).toEqual(['header-safe-token', '{{secret.API_TOKEN}}']);
  });

  test('encodes the value for the content type of the body: a form, or text', async () => {
    const body = 'token={{secret.API_TOKEN}}&a=1';
    const form = callFlow({
      url: world.base,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
    const engine = await world.engine(tokenEnv);
    await runFlow(engine, form);
    await runFlow(engine, callFlow({ url: world.base, method: 'POST', body }));
    expect(world.heard.map((one) => one.body)).toEqual([
      `token=${encodeURIComponent(token)}&a=1`,
      `token=${token}&a=1`,
    ]);
  });

  test('into the texts of a form; the response is masked, also in a file', async () => {
    world.folder.write('workspace/a.txt', 'file {{secret.API_TOKEN}}');
    world.answer = ({ body }) => ({ headers: { 'content-type': 'text/plain' }, body });
    const form = { token: 'a {{secret.API_TOKEN}} b', list: ['{{secret.PLAIN}}', 'x'], file: { file: 'a.txt' } };
    const input = { url: world.base, method: 'POST', form };
    const engine = await world.engine(usualEnv);
    const events = await runFlow(engine, callFlow(input));
    expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
    const sent = world.heard[0]?.body ?? '';
    expect(sent).toContain(`a ${token} b`);
    expect(sent).toContain('plain-secret-1');
    expect(sent).toContain('file {{secret.API_TOKEN}}');
    expect(events.find(({ event }) => event.type === 'node:input')?.event).toMatchObject({
      input: { form: { token: 'a •••API_TOKEN••• b', list: ['•••PLAIN•••', 'x'] } },
    });
    expect((await runFlow(engine, callFlow({ ...input, saveTo: 'out.txt' }))).at(-1)?.event).toMatchObject({
      status: 'completed',
    });
    expect(readFileSync(world.folder.at('workspace/out.txt'), 'utf8')).toContain('a •••API_TOKEN••• b');
    await world.expectNoTrace(Object.values(usualEnv));
  });

  test('a host cannot be a secret', async () => {
    const events = await runFlow(
      await world.engine(tokenEnv),
      callFlow({ url: 'http://{{secret.API_TOKEN}}.example.com/' }),
    );
    expect(events.at(-1)?.event).toMatchObject({ status: 'failed', error: { code: 'secret.in-host' } });
  });
});

describe('BB-13 received data is searched for values', () => {
  test.each<[string, SecretWorld['answer']]>([
    ['in the body', () => ({ body: JSON.stringify({ you: token }) })],
    ['as a name', () => ({ body: JSON.stringify({ [token]: 1 }) })],
    ['in a header', () => ({ headers: { 'x-echo': Buffer.from(token).toString('base64') }, body: 'x' })],
    ['encoded', () => ({ headers: {}, body: `see ?q=${encodeURIComponent(token)}` })],
  ])('%s', async (_where, said) => {
    world.answer = said;
    const engine = await world.engine(tokenEnv);
    const text = callFlow(
      { url: `${world.base}/?k={{secret.API_TOKEN}}` },
      `
  - { id: save, type: file.write, input: { path: out.txt, text: "{{call.body}} {{call.headers}}" } }
edges: [{ from: call, to: save }]`,
    );
    const events = await runFlow(engine, text);
    expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
    expect(readFileSync(world.folder.at('workspace/out.txt'), 'utf8')).toContain('•••API_TOKEN•••');
    await world.expectNoTrace([token]);
  });

  test('in an error', async () => {
    const engine = await world.engine(tokenEnv);
    world.answer = () => ({
      headers: { location: `http://127.0.0.1:1/${encodeURIComponent(token)}` },
      status: 302,
      body: '',
    });
    const events = await runFlow(engine, callFlow({ url: `${world.base}/?k={{secret.API_TOKEN}}` }));
    expect(events.at(-1)?.event).toMatchObject({ status: 'failed' });
    expectNoForm(Buffer.from(JSON.stringify(events)), [token]);
  });

  test('in an input of the run', async () => {
    const engine = await world.engine(tokenEnv);
    const text = callFlow({ url: `${world.base}/{{secret.API_TOKEN}}` });
    const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: { note: `my ${token}` } });
    await engine.whenEnded(runId);
    await world.expectNoTrace([token]);
  });

  test('a value that is a common word is used but not masked, which is reported', async () => {
    const engine = await world.engine({ MILLRACE_SECRET_API_TOKEN: 'true' });
    const events = await runFlow(engine, callFlow({ url: `${world.base}/?a={{secret.API_TOKEN}}` }));
    expect(world.heard[0]?.url).toBe('/?a=true');
    expect(events.find(({ event }) => event.type === 'task:complete')?.event).toMatchObject({
      result: { body: { ok: true } },
    });
    expect(engine.notices).toEqual([expect.objectContaining({ code: 'secret.short' })]);
  });
});

test('BB-11 rejects a flow with missing secrets before it starts, with their names', async () => {
  const engine = await world.engine();
  const error = await refusalOf(engine, usual());
  expect(error).toMatchObject({ code: 'secret.missing', details: { names: ['API_TOKEN', 'PLAIN'] } });
  expect(await engine.listRuns({ limit: 10 })).toHaveLength(0);
  expect(world.heard).toEqual([]);
});

test('BB-14 a rerun identifies a secret by its name: another value changes nothing', async () => {
  const text = callFlow(
    { url: `${world.base}/?k={{secret.API_TOKEN}}`, method: 'GET' },
    `
  - { id: last, type: echo, input: { text: done } }
edges: [{ from: call, to: last }]`,
  );
  const first = await world.engine(tokenEnv);
  const events = await runFlow(first, text);
  await world.closeEngines();
  const env = { MILLRACE_SECRET_API_TOKEN: 'another-value' };
  const second = await world.engine(env);
  const { runId } = await second.rerunFrom({ runId: runIdOf(events), nodeId: 'last', text });
  await second.whenEnded(runId);
  expect(world.heard).toHaveLength(1);
});

test('BB-14 a cassette contains the name, and answers for another value', async () => {
  const cassette = (mode: 'record' | 'replay') => ({ cassette: { file: world.folder.at('a.cassette.yaml'), mode } });
  world.answer = ({ url }) => ({ body: JSON.stringify({ url }) });
  const text = callFlow({
    url: `${world.base}/p/{{secret.API_TOKEN}}`,
    method: 'POST',
    body: { a: '{{secret.API_TOKEN}}' },
  });
  await runFlow(await world.engine(tokenEnv, cassette('record')), text);
  const recorded = readFileSync(world.folder.at('a.cassette.yaml'), 'utf8');
  expect(recorded).toContain('API_TOKEN');
  expectNoForm(Buffer.from(recorded), [token]);
  const replayed = await world.engine(
    { MILLRACE_SECRET_API_TOKEN: 'another-value' },
    { ...cassette('replay'), storeFile: world.folder.at('c.db') },
  );
  const events = await runFlow(replayed, text);
  expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
  expect(world.heard).toHaveLength(1);
});

test('BB-14 a cassette answers for a form with a secret and a download, and contains neither the value nor a partial file', async () => {
  const cassette = (mode: 'record' | 'replay') => ({ cassette: { file: world.folder.at('a.cassette.yaml'), mode } });
  const bytes = Buffer.concat([Buffer.from([0, 255, 254, 10]), Buffer.from('plain-secret-1'), Buffer.from([255])]);
  world.answer = () => ({ headers: { 'content-type': 'image/png' }, body: bytes });
  const form = { token: '{{secret.PLAIN}}', file: { file: 'a.txt' } };
  const text = callFlow({ url: world.base, method: 'POST', form, saveTo: 'out/a.png' });
  world.folder.write('workspace/a.txt', 'same');
  await runFlow(await world.engine(usualEnv, cassette('record')), text);
  const saved = readFileSync(world.folder.at('workspace/out/a.png'));
  const masked = Buffer.concat([bytes.subarray(0, 4), Buffer.from('•••PLAIN•••'), Buffer.from([255])]);
  expect(saved.equals(masked)).toBe(true);
  await world.closeEngines();
  rmSync(world.folder.at('workspace/out'), { recursive: true });
  expectNoForm(readFileSync(world.folder.at('a.cassette.yaml')), ['plain-secret-1']);
  const replayed = await world.engine(
    { MILLRACE_SECRET_PLAIN: 'another-value-1' },
    { ...cassette('replay'), storeFile: world.folder.at('c.db') },
  );
  const events = await runFlow(replayed, text);
  expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
  expect(readFileSync(world.folder.at('workspace/out/a.png')).equals(saved)).toBe(true);
  expect(world.heard).toHaveLength(1);
  await world.expectNoTrace(['plain-secret-1', 'another-value-1']);
});

test('a secret in a visible location is a problem of the file, at its position', async () => {
  const engine = await world.engine(tokenEnv);
  const text = 'flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: "{{secret.API_TOKEN}}" } }]\nedges: []';
  expect(await refusalOf(engine, text)).toMatchObject({ code: 'flow.invalid' });
  expect(await refusalOf(engine, callFlow({ url: world.base, headers: { x: '{{secret.lower}}' } }))).toMatchObject({
    code: 'flow.invalid',
  });
  expect(await refusalOf(engine, callFlow({ url: world.base, headers: { x: '{{secret.A.b}}' } }))).toMatchObject({
    code: 'flow.invalid',
  });
});

describe('unusual values:', () => {
  const key = '-----BEGIN KEY-----\nabc+/def\r\n"ü"\t=\n-----END KEY-----\n';

  test('a multi-line value in the path of an address and in a body is masked everywhere', async () => {
    world.answer = ({ url, body }) => ({ body: JSON.stringify({ url, body, lines: key.split('\n') }) });
    const events = await runFlow(
      await world.engine({ MILLRACE_SECRET_API_TOKEN: key }),
      callFlow({
        url: `${world.base}/keys/{{secret.API_TOKEN}}/x`,
        method: 'POST',
        body: { key: '{{secret.API_TOKEN}}' },
      }),
    );
    expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
    expect(world.heard[0]?.url).toBe(`/keys/${encodeURIComponent(key)}/x`);
    expect(JSON.parse(world.heard[0]?.body ?? '')).toEqual({ key });
    await world.expectNoTrace([key]);
  });

  test('a multi-line value cannot be a header, and the error does not contain it', async () => {
    const events = await runFlow(
      await world.engine({ MILLRACE_SECRET_API_TOKEN: key }),
      callFlow({ url: world.base, headers: { 'x-key': '{{secret.API_TOKEN}}' } }),
    );
    expect(events.at(-1)?.event).toMatchObject({ status: 'failed' });
    expect(world.heard).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('BEGIN KEY');
    await world.expectNoTrace([key]);
  });

  test('an empty value does not count', async () => {
    const engine = await world.engine({ MILLRACE_SECRET_API_TOKEN: '' });
    const error = await refusalOf(engine, callFlow({ url: `${world.base}/{{secret.API_TOKEN}}` }));
    expect(error).toMatchObject({ code: 'secret.missing', details: { names: ['API_TOKEN'] } });
  });
});
