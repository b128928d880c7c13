import { readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine, StartAgent } from '../../index.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { expectNoForm, SecretWorld } from '../../testing/secret-world.ts';

const token = 'tok-"9876"+ü/54321';
const tokenEnv = { MILLRACE_SECRET_API_TOKEN: token };

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

interface Ended {
  readonly end: Extract<RunEvent, { type: 'run:end' }>;
  readonly events: readonly EventEnvelope[];
}

async function runAgent(engine: Engine, request: StartAgent): Promise<Ended> {
  const started = await engine.startAgent(request);
  if (!('runId' in started)) throw new Error('It was not started');
  await engine.whenEnded(started.runId);
  const events = await engine.readEvents(started.runId, -1, 1000);
  return { end: events.at(-1)?.event as Ended['end'], events };
}

/** Runs the script as After All of an agent of the workspace. */
async function runScript(engine: Engine, code: string): Promise<Ended> {
  world.folder.write('workspace/main.aip', scriptSection('After All', code));
  return await runAgent(engine, { agent: 'main.aip' });
}

describe('BB-12 aip.secret("NAME")', () => {
  const code = (): string => `
    local key = aip.secret("API_TOKEN")
    local answer = aip.web.post("${world.base}/things?key=" .. key, { token = key, also = "a " .. key },
      { headers = { ["x-token"] = "Token " .. aip.secret("PLAIN") } })
    return answer.status`;

  test('returns a placeholder that aip.web replaces with the value, encoded for each location', async () => {
    const { end } = await runScript(
      await world.engine({ ...tokenEnv, MILLRACE_SECRET_PLAIN: 'plain-secret-1' }),
      code(),
    );
    expect(end).toMatchObject({ status: 'completed', output: { after_all: 200 } });
    expect(world.heard).toHaveLength(1);
    expect(world.heard[0]?.url).toBe(`/things?key=${encodeURIComponent(token)}`);
    expect(world.heard[0]?.headers['x-token']).toBe('Token plain-secret-1');
    expect(JSON.parse(world.heard[0]?.body ?? '')).toEqual({ token, also: `a ${token}` });
  });

  test('is a mask wherever else a script uses it, and is never replaced there', async () => {
    const script = `
      local key = aip.secret("API_TOKEN")
      print("log " .. key)
      aip.run.pin("a", "pin " .. key)
      aip.run.set_label("label " .. key)
      aip.file.save("out.txt", "file " .. key)
      local seen = aip.file.load("out.txt").content
      aip.web.post("${world.base}/again", seen)
      return { key = key, [key] = 1, seen = seen }`;
    const { end, events } = await runScript(await world.engine(tokenEnv), script);
    const mark = '•••API_TOKEN•••';
    expect(end).toMatchObject({
      status: 'completed',
      output: { after_all: { key: mark, [mark]: 1, seen: `file ${mark}` } },
    });
    expect(readFileSync(world.folder.at('workspace/out.txt'), 'utf8')).toBe(`file ${mark}`);
    expect(world.heard[0]?.body).toBe(`file ${mark}`);
    const told = JSON.stringify(events);
    for (const text of ['log', 'pin', 'label']) expect(told).toContain(`${text} ${mark}`);
    await world.expectNoTrace([token]);
  });

  test('appears in the events of the run by its name, and in an emitted decision', async () => {
    const { events } = await runScript(await world.engine(tokenEnv), 'return aip.secret("API_TOKEN") ~= ""');
    expect(events.map(({ event }) => event)).toContainEqual({
      ...{ type: 'governance:decision', allowed: true, rule: 'trusted', effect: 'secret', target: 'API_TOKEN' },
    });
  });
});

describe('BB-13 responses of a server to a script', () => {
  test.each<[string, SecretWorld['answer']]>([
    ['in the body', () => ({ body: JSON.stringify({ you: token, [token]: 1 }) })],
    ['in a header', () => ({ headers: { 'x-echo': Buffer.from(token).toString('base64') }, body: 'x' })],
    ['encoded', () => ({ body: `see ?q=${encodeURIComponent(token)}` })],
    ['in an address', () => ({ status: 302, headers: { location: `/?k=${encodeURIComponent(token)}` }, body: '' })],
  ])('%s has marks, for the script too', async (where, said) => {
    let count = 0;
    world.answer = (heard) => (where === 'in an address' && count++ > 0 ? { body: 'done' } : said(heard));
    const script = `
      local answer = aip.web.get("${world.base}/?k=" .. aip.secret("API_TOKEN"))
      aip.file.save("out.txt", aip.json.stringify(answer))
      return { answer = answer, ["raw"] = aip.file.load("out.txt").content }`;
    const { end } = await runScript(await world.engine(tokenEnv), script);
    expect(end).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(end)).toContain('•••API_TOKEN•••');
    await world.expectNoTrace([token]);
  });

  test('do not contain secrets in an error either', async () => {
    world.answer = () => ({
      status: 302,
      headers: { location: `http://127.0.0.1:1/${encodeURIComponent(token)}` },
      body: '',
    });
    const { end, events } = await runScript(
      await world.engine(tokenEnv),
      `return aip.web.get("${world.base}/?k=" .. aip.secret("API_TOKEN"))`,
    );
    expect(end).toMatchObject({ status: 'failed' });
    expectNoForm(Buffer.from(JSON.stringify(events)), [token]);
  });

  test('an agent in a flow passes no value to later nodes', async () => {
    world.answer = () => ({ body: JSON.stringify({ you: token }) });
    world.folder.write(
      'workspace/main.aip',
      scriptSection(
        'After All',
        `return aip.web.get("${world.base}/?k=" .. aip.secret("API_TOKEN")).content .. aip.secret("API_TOKEN")`,
      ),
    );
    const engine = await world.engine(tokenEnv);
    const text = `flow: { name: F }
nodes:
  - { id: ask, type: agent, input: { agent: main.aip } }
  - { id: save, type: file.write, input: { path: out.txt, text: "{{ask.after_all}}" } }
edges: [{ from: ask, to: save }]`;
    const { runId } = await engine.startRun({ path: 'f.flow.yaml', text, inputs: {} });
    expect(await engine.whenEnded(runId)).toMatchObject({ status: 'completed' });
    expect(readFileSync(world.folder.at('workspace/out.txt'), 'utf8')).toBe('{"you":"•••API_TOKEN•••"}•••API_TOKEN•••');
    await world.expectNoTrace([token]);
  });
});

describe('BB-21 the code of a script.lua node', () => {
  const flow = (code: string): string => `flow: { name: F }
nodes:
  - { id: code, type: script.lua, config: { code: ${JSON.stringify(code)} }, input: {} }
  - { id: save, type: file.write, input: { path: out.txt, text: "{{code.answer}} {{code.key}}" } }
edges: [{ from: code, to: save }]`;
  const start = async (engine: Engine, path: string): Promise<Ended['end']> => {
    const code = `local key = aip.secret("API_TOKEN"); return { key = key, answer = aip.web.get("${world.base}/?k=" .. key).content }`;
    const { runId } = await engine.startRun({ path, text: flow(code), inputs: {} });
    await engine.whenEnded(runId);
    return (await engine.readEvents(runId, -1, 1000)).at(-1)?.event as Ended['end'];
  };

  test('sends a secret like scripts of agents, and passes no value to later nodes', async () => {
    world.answer = ({ url }) => ({ headers: { 'content-type': 'text/plain' }, body: `you asked ${url} for ${token}` });
    expect(await start(await world.engine(tokenEnv), 'f.flow.yaml')).toMatchObject({ status: 'completed' });
    expect(world.heard[0]?.url).toBe(`/?k=${encodeURIComponent(token)}`);
    expect(readFileSync(world.folder.at('workspace/out.txt'), 'utf8')).toBe(
      'you asked /?k=•••API_TOKEN••• for •••API_TOKEN••• •••API_TOKEN•••',
    );
    await world.expectNoTrace([token]);
  });

  test('BB-16 is denied in an untrusted workspace, and in a flow of a pack', async () => {
    const end = await start(await world.untrusted(tokenEnv, { storeFile: world.folder.at('a.db') }), 'f.flow.yaml');
    expect(end).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('(rule secret-untrusted)') },
    });
    const ofPack = world.folder.at('home/pack/installed/acme/tools/f.flow.yaml');
    expect(await start(await world.engine(tokenEnv), ofPack)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('(rule secret-foreign)') },
    });
    expect(world.heard).toEqual([]);
  });
});

describe('BB-15 the hosts of a secret apply to scripts', () => {
  test('started by web pages: none until one was allowed, and from then on only that one', async () => {
    const engine = await world.engine({ MILLRACE_SECRET_API_TOKEN: 'plain-token-1' }, { bindsKeys: true });
    const script = `return aip.web.get("${world.base}/?k=" .. aip.secret("API_TOKEN")).status`;
    expect((await runScript(engine, script)).end).toMatchObject({
      status: 'failed',
      error: { details: { cause: { code: 'secret.host-not-allowed', details: { name: 'API_TOKEN' } } } },
    });
    expect(world.heard).toEqual([]);
    await engine.allowSecretHost({ name: 'API_TOKEN', host: new URL(world.base).host });
    expect((await runScript(engine, script)).end).toMatchObject({ status: 'completed' });
    expect(world.heard).toHaveLength(1);
  });
});

describe('BB-16 scripts that may request a secret', () => {
  const refusal = (rule: string, trustHelps: boolean): object => ({
    status: 'failed',
    error: {
      message: expect.stringContaining(`(rule ${rule})`),
      details: {
        cause: { code: 'effect.denied', details: { effect: 'secret', rule, target: 'API_TOKEN', trustHelps } },
      },
    },
  });
  const code = 'return aip.secret("API_TOKEN")';

  test('excludes scripts of an untrusted workspace, with a fix in the error', async () => {
    const { end } = await runScript(await world.untrusted(tokenEnv), code);
    expect(end).toMatchObject(refusal('secret-untrusted', true));
    expect(end.error?.message).toContain('--trust');
  });

  test('excludes scripts of a pack, even in a trusted workspace, and under any name', async () => {
    const engine = await world.engine(tokenEnv);
    const file = 'home/pack/installed/acme/tools/main.aip';
    world.folder.write(
      'home/pack/installed/acme/tools/pack.toml',
      '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n',
    );
    world.folder.write(file, scriptSection('After All', code));
    symlinkSync(world.folder.at(file), world.folder.at('workspace/link.aip'));
    for (const agent of ['acme@tools', world.folder.at(file), 'link.aip']) {
      expect((await runAgent(engine, { agent })).end, agent).toMatchObject(refusal('secret-foreign', false));
    }
  });

  test('excludes scripts outside the workspace', async () => {
    world.folder.write('outside/main.aip', scriptSection('After All', code));
    const { end } = await runAgent(await world.engine(tokenEnv), { agent: world.folder.at('outside/main.aip') });
    expect(end).toMatchObject(refusal('secret-foreign', false));
  });

  test('an agent of a pack receives no secret of the agent that calls it', async () => {
    const engine = await world.engine(tokenEnv);
    world.folder.write(
      'home/pack/installed/acme/tools/pack.toml',
      '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n',
    );
    world.folder.write(
      'home/pack/installed/acme/tools/main.aip',
      scriptSection('Data', `aip.web.get("${world.base}/?k=" .. input)`),
    );
    await runScript(engine, 'return aip.agent.run("acme@tools", { inputs = { aip.secret("API_TOKEN") } })');
    expect(JSON.stringify(world.heard)).not.toContain(token);
    expect(world.heard.every(({ url }) => !url.includes(encodeURIComponent(token)))).toBe(true);
  });
});

describe('unavailable secrets', () => {
  test('BB-11 a secret without a value raises an error with its name and how to set it', async () => {
    const { end } = await runScript(await world.engine(), 'return aip.secret("API_TOKEN")');
    expect(end).toMatchObject({
      status: 'failed',
      error: {
        message: expect.stringContaining('millrace secrets set API_TOKEN'),
        details: { cause: { code: 'secret.missing', details: { names: ['API_TOKEN'] } } },
      },
    });
  });

  test.each(['lower', '', 'A-B', '__proto__', 'A'.repeat(65)])('%j is not a name of a secret', async (name) => {
    const { end } = await runScript(await world.engine(), `return aip.secret(${JSON.stringify(name)})`);
    expect(end.error?.message).toContain('for example API_TOKEN');
  });
});
