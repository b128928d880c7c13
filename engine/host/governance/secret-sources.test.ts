import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { callFlow, refusalOf, runFlow, SecretWorld } from '../../testing/secret-world.ts';
import type { SecretRequest } from './secret-service.ts';

const tokenEnv = { MILLRACE_SECRET_API_TOKEN: 'a-token-9876' };

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

describe('BB-10 the first source wins', () => {
  const of = async (engine: Engine): Promise<unknown> => {
    await runFlow(engine, callFlow({ url: world.base, headers: { x: '{{secret.NAME}}' } }));
    return world.heard.at(-1)?.headers['x'];
  };

  test('the environment takes precedence over the file of the workspace', async () => {
    const engine = await world.engine();
    await engine.setSecret({ name: 'NAME', value: 'from-the-file' });
    expect(await of(engine)).toBe('from-the-file');
    expect(await engine.listSecrets()).toEqual([{ name: 'NAME', source: 'file', hosts: [] }]);
    const other = await world.engine(
      { MILLRACE_SECRET_NAME: 'from-the-environment' },
      { storeFile: world.folder.at('b.db') },
    );
    expect(await of(other)).toBe('from-the-environment');
    expect(await other.listSecrets()).toEqual([{ name: 'NAME', source: 'environment', hosts: [] }]);
  });

  test('the vault of a host comes last', async () => {
    const vault = () => ({ MILLRACE_SECRET_NAME: 'from-the-vault', OTHER_KEY: 'no secret of flows' });
    const engine = await world.engine({}, { vault });
    expect(await of(engine)).toBe('from-the-vault');
    expect(await engine.listSecrets()).toEqual([{ name: 'NAME', source: 'vault', hosts: [] }]);
    await engine.setSecret({ name: 'NAME', value: 'from-the-file' });
    expect(await of(engine)).toBe('from-the-file');
  });

  test('the file is private to the user, ignored by git, and keeps its other lines', async () => {
    const engine = await world.engine();
    const file = world.folder.at('workspace/.millrace/.env');
    writeFileSync(file, '# mine\nOTHER=1\nNAME="old\nlines"\n', { mode: 0o644 });
    chmodSync(file, 0o644);
    const value = 'two\nlines with "quotes" and $signs #';
    await engine.setSecret({ name: 'NAME', value });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(`# mine\nOTHER=1\nNAME='${value}'\n`);
    expect(readFileSync(world.folder.at('workspace/.millrace/.gitignore'), 'utf8')).toBe('*\n');
    expect(await engine.removeSecret({ name: 'NAME' })).toBe(true);
    expect(await engine.removeSecret({ name: 'NAME' })).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('# mine\nOTHER=1\n');
  });

  test('the file stays unchanged if a line of another value looks like the name', async () => {
    const engine = await world.engine();
    const file = world.folder.at('workspace/.millrace/.env');
    const text = 'OTHER="first\nNAME=inside\nlast"\n';
    writeFileSync(file, text);
    await expect(engine.setSecret({ name: 'NAME', value: 'new-value' })).rejects.toMatchObject({
      code: 'secret.not-writable',
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each<[string, string, string]>([
    ['lower', 'value', 'secret.bad-name'],
    ['A-B', 'value', 'secret.bad-name'],
    ['__proto__', 'value', 'secret.bad-name'],
    ['A'.repeat(65), 'value', 'secret.bad-name'],
    ['NAME', '', 'secret.empty'],
    ['NAME', `all ' " \` \\n`, 'secret.not-writable'],
  ])('the name %s with the value %j is refused', async (name, value, code) => {
    const engine = await world.engine();
    await expect(engine.setSecret({ name, value })).rejects.toMatchObject({ code });
    expect(await engine.listSecrets()).toEqual([]);
  });

  test('a link in its place is not followed', async () => {
    const engine = await world.engine();
    world.folder.write('elsewhere.env', 'NAME=stolen-value');
    symlinkSync(world.folder.at('elsewhere.env'), world.folder.at('workspace/.millrace/.env'));
    expect(await refusalOf(engine, callFlow({ url: world.base, headers: { x: '{{secret.NAME}}' } }))).toMatchObject({
      code: 'secret.file-unreadable',
    });
    await expect(engine.setSecret({ name: 'NAME', value: 'new-value' })).rejects.toMatchObject({
      code: 'secret.file-unreadable',
    });
    expect(readFileSync(world.folder.at('elsewhere.env'), 'utf8')).toBe('NAME=stolen-value');
  });
});

describe('BB-15 hosts', () => {
  const text = (): string => callFlow({ url: `${world.base}/?k={{secret.API_TOKEN}}` });
  const host = (): string => new URL(world.base).host;

  test('a secret is not sent anywhere until its host was allowed if web pages are the callers', async () => {
    const engine = await world.engine(tokenEnv, { bindsKeys: true });
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({
      error: { code: 'secret.host-not-allowed', details: { name: 'API_TOKEN', host: host() } },
    });
    expect(world.heard).toEqual([]);
    await engine.allowSecretHost({ name: 'API_TOKEN', host: host() });
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ status: 'completed' });
    expect(await engine.listSecrets()).toEqual([{ name: 'API_TOKEN', source: 'environment', hosts: [host()] }]);
  });

  test('a secret is not sent to a host that was removed, even if no other was set', async () => {
    const engine = await world.engine(tokenEnv);
    await engine.forgetSecretHost({ name: 'API_TOKEN', host: host() });
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ status: 'completed' });
    await engine.allowSecretHost({ name: 'API_TOKEN', host: host() });
    await engine.forgetSecretHost({ name: 'API_TOKEN', host: host().toUpperCase() });
    expect(await engine.listSecrets()).toMatchObject([{ name: 'API_TOKEN', hosts: [] }]);
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ error: { code: 'secret.host-not-allowed' } });
    expect(world.heard).toHaveLength(1);
  });

  test('once hosts are set, a secret is sent to no other, even through a redirect', async () => {
    const engine = await world.engine(tokenEnv);
    await engine.allowSecretHost({ name: 'API_TOKEN', host: '*.example.com' });
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ error: { code: 'secret.host-not-allowed' } });
    expect(world.heard).toEqual([]);
    await engine.allowSecretHost({ name: 'API_TOKEN', host: host() });
    world.answer = () => ({
      status: 307,
      headers: { location: world.base.replace('127.0.0.1', 'localhost') },
      body: '',
    });
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({
      error: { code: 'secret.host-not-allowed', details: { host: host().replace('127.0.0.1', 'localhost') } },
    });
    expect(world.heard).toHaveLength(1);
  });

  test('without hosts, a header with a secret is not sent to another server after a redirect', async () => {
    const engine = await world.engine(tokenEnv);
    const other = world.base.replace('127.0.0.1', 'localhost');
    world.answer = ({ url }) =>
      url === '/from' ? { status: 307, headers: { location: `${other}/to` }, body: '' } : { body: '{}' };
    const headers = { 'X-Token': '{{secret.API_TOKEN}}', 'X-Plain': 'yes' };
    await runFlow(engine, callFlow({ url: `${world.base}/from`, headers }));
    expect(world.heard.map(({ url, headers: sent }) => [url, sent['x-token'], sent['x-plain']])).toEqual([
      ['/from', 'a-token-9876', 'yes'],
      ['/to', undefined, 'yes'],
    ]);
  });

  test.each(['', 'https://a.example', 'a b', '*', 'a/b', '*.*.com'])('%j is not a valid host', async (odd) => {
    const engine = await world.engine(tokenEnv);
    await expect(engine.allowSecretHost({ name: 'API_TOKEN', host: odd })).rejects.toMatchObject({
      code: 'secret.bad-host',
    });
  });
});

describe('BB-16 in an untrusted workspace', () => {
  const text = (): string => callFlow({ url: `${world.base}/?k={{secret.API_TOKEN}}` });

  test('a flow sees no secret until the user has allowed it, and not after it was changed', async () => {
    const engine = await world.untrusted(tokenEnv);
    const refusal = await refusalOf(engine, text());
    expect(refusal).toMatchObject({ code: 'secret.not-allowed', details: { names: ['API_TOKEN'] } });
    await engine.allowSecrets((refusal as unknown as { details: SecretRequest }).details);
    // It starts, and the next rule applies: such a flow can only access public addresses.
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ error: { code: 'effect.denied' } });
    expect(await refusalOf(engine, `${text()}\n# changed`)).toMatchObject({ code: 'secret.not-allowed' });
    expect(await refusalOf(engine, callFlow({ url: 'https://other.example/{{secret.API_TOKEN}}' }))).toMatchObject({
      code: 'secret.not-allowed',
    });
  });
});

describe('BB-17 the secrets file cannot be read', () => {
  test.each(['.millrace/.env', './.millrace/../.millrace/.env', '.MILLRACE/.ENV', 'link.txt'])('as %s', async (at) => {
    const engine = await world.engine();
    await engine.setSecret({ name: 'NAME', value: 'a-secret-value' });
    symlinkSync('.millrace/.env', world.folder.at('workspace/link.txt'));
    const events = await runFlow(
      engine,
      `flow: { name: Read }\nnodes: [{ id: a, type: file.read, input: { path: ${JSON.stringify(at)} } }]\nedges: []`,
    );
    expect(events.at(-1)?.event).toMatchObject({ status: 'failed' });
    await expect(engine.readFile(at)).rejects.toBeDefined();
  });

  test('through a glob or a search', async () => {
    const engine = await world.engine();
    await engine.setSecret({ name: 'NAME', value: 'a-secret-value' });
    const globs = await runFlow(
      engine,
      'flow: { name: Read }\nnodes: [{ id: a, type: file.read, input: { globs: ["**/*", ".millrace/*", ".millrace/.env"] } }]\nedges: []',
    );
    expect(JSON.stringify(globs)).not.toContain('a-secret-value');
  });
});
