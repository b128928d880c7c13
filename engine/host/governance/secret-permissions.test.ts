import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callFlow, refusalOf, runFlow, SecretWorld } from '../../testing/secret-world.ts';
import type { SecretRequest } from './secret-service.ts';

const tokenEnv = { MILLRACE_SECRET_API_TOKEN: 'a-token-9876' };

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

test('BB-16 a workspace with its own .env provides nothing to its flows before the user has allowed it', async () => {
  mkdirSync(world.folder.at('workspace/.millrace'), { recursive: true });
  writeFileSync(world.folder.at('workspace/.millrace/.env'), 'API_TOKEN=brought-along-1\n');
  const engine = await world.untrusted();
  const text = callFlow({ url: `${world.base}/{{secret.API_TOKEN}}` });
  expect(await refusalOf(engine, text)).toMatchObject({
    code: 'secret.not-allowed',
    details: { names: ['API_TOKEN'] },
  });
  expect(await refusalOf(engine, callFlow({ url: `${world.base}/{{secret.NOBODY_HAS_IT}}` }))).toMatchObject({
    code: 'secret.not-allowed',
  });
  expect(world.heard).toEqual([]);
});

test('BB-16 a permission for a flow is no longer valid if one of its schema files has changed', async () => {
  const file = world.folder.at('workspace/one.json');
  writeFileSync(file, 'true');
  const engine = await world.untrusted({ MILLRACE_SECRET_API_TOKEN: 'value-of-token' });
  const text = callFlow(
    { url: `${world.base}/{{secret.API_TOKEN}}` },
    `
  - { id: read, type: json.parse, input: { text: "1" }, config: { schemaFile: one.json } }
edges: []`,
  );
  const refused = (await refusalOf(engine, text)) as unknown as { details: SecretRequest };
  await engine.allowSecrets(refused.details);
  await engine.whenEnded((await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} })).runId);
  writeFileSync(file, '{ "type": "number" }');
  expect(await refusalOf(engine, text)).toMatchObject({ code: 'secret.not-allowed' });
});

test.each(['home/pack/installed/acme/tools', 'home/pack/custom/me/own', 'workspace/.aipack/pack/custom/me/own'])(
  "BB-16 a flow of the pack %s needs the user's permission for its secrets, even in a trusted workspace",
  async (pack) => {
    const engine = await world.engine(tokenEnv);
    const request = {
      path: world.folder.at(`${pack}/flows/a.flow.yaml`),
      text: callFlow({ url: `${world.base}/{{secret.API_TOKEN}}` }),
      inputs: {},
    };
    const error: unknown = await engine.startRun(request).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'secret.not-allowed', details: { names: ['API_TOKEN'], isOfPack: true } });
    await engine.allowSecrets((error as { details: SecretRequest }).details);
    await engine.whenEnded((await engine.startRun(request)).runId);
    expect(world.heard).toHaveLength(1);
    const changed = { ...request, text: `${request.text} # newer` };
    await expect(engine.startRun(changed)).rejects.toMatchObject({ code: 'secret.not-allowed' });
  },
);

test('BB-16 a flow of a pack needs a new permission if the version of the pack changes, even if its own text is the same', async () => {
  const engine = await world.engine(tokenEnv);
  const manifest = (version: string): void =>
    world.folder.write(
      'home/pack/installed/acme/tools/pack.toml',
      `[pack]\nnamespace = "acme"\nname = "tools"\nversion = "${version}"\n`,
    );
  const text = callFlow({ url: `${world.base}/{{secret.API_TOKEN}}` });
  const ask = async (path: string): Promise<SecretRequest | undefined> =>
    engine.startRun({ path, text, inputs: {} }).then(
      async ({ runId }) => {
        await engine.whenEnded(runId);
        return undefined;
      },
      (error: { details: SecretRequest }) => error.details,
    );
  const flow = world.folder.at('home/pack/installed/acme/tools/flows/a.flow.yaml');
  manifest('1.0.0');
  const wish = await ask(flow);
  expect(wish).toMatchObject({ path: flow, names: ['API_TOKEN'], isOfPack: true });
  await engine.allowSecrets(wish as SecretRequest);
  expect(await ask(flow)).toBeUndefined();
  expect(JSON.parse(readFileSync(world.folder.at('home/millrace/secrets.json'), 'utf8'))).toMatchObject({
    flows: { [`acme@tools 1.0.0 flows/a.flow.yaml ${wish?.definitionHash}`]: ['API_TOKEN'] },
  });
  expect(await ask(flow.replace('a.flow', 'b.flow'))).toMatchObject({ names: ['API_TOKEN'] });
  manifest('1.0.1');
  expect(await ask(flow)).toMatchObject({ names: ['API_TOKEN'] });
  manifest('1.0.0');
  expect(await ask(flow)).toBeUndefined();
  expect(world.heard).toHaveLength(2);
});

test.skipIf(process.platform === 'win32')(
  'BB-16 a flow of a pack is recognized through a link of the workspace, and in a linked base folder',
  async () => {
    world.folder.write('home/pack/installed/acme/tools/a.flow.yaml', '');
    symlinkSync(world.folder.at('home'), world.folder.at('home-link'));
    symlinkSync(
      world.folder.at('home/pack/installed/acme/tools/a.flow.yaml'),
      world.folder.at('workspace/link.flow.yaml'),
    );
    const text = callFlow({ url: `${world.base}/{{secret.API_TOKEN}}` });
    const engine = await world.engine(tokenEnv, { homeFolder: world.folder.at('home-link') });
    for (const path of ['link.flow.yaml', world.folder.at('home/pack/installed/acme/tools/a.flow.yaml')]) {
      await expect(engine.startRun({ path, text, inputs: {} })).rejects.toMatchObject({
        code: 'secret.not-allowed',
        details: { isOfPack: true },
      });
    }
  },
);

describe('BB-15 hosts for one workspace', () => {
  const text = (): string => callFlow({ url: `${world.base}/?k={{secret.API_TOKEN}}` });
  const host = (): string => new URL(world.base).host;

  test('a permission applies only to its workspace, through all paths to it', async () => {
    mkdirSync(world.folder.at('other'));
    symlinkSync(world.folder.at('workspace'), world.folder.at('link'));
    const [one, other, linked] = await Promise.all(
      ['workspace', 'other', 'link'].map((name) =>
        world.engine(tokenEnv, {
          bindsKeys: true,
          workspace: world.folder.at(name),
          storeFile: world.folder.at(`${name}.db`),
        }),
      ),
    );
    if (one === undefined || other === undefined || linked === undefined) throw new Error('There are three');
    await one.allowSecretHost({ name: 'API_TOKEN', host: host() });
    expect((await runFlow(other, text())).at(-1)?.event).toMatchObject({ error: { code: 'secret.host-not-allowed' } });
    expect(world.heard).toEqual([]);
    expect(await other.listSecrets()).toMatchObject([{ hosts: [] }]);
    expect((await runFlow(linked, text())).at(-1)?.event).toMatchObject({ status: 'completed' });
    expect(await linked.listSecrets()).toMatchObject([{ hosts: [host()] }]);
    await other.allowSecretHost({ name: 'API_TOKEN', host: 'other.example' });
    await other.forgetSecretHost({ name: 'API_TOKEN', host: host() });
    expect((await runFlow(one, text())).at(-1)?.event).toMatchObject({ status: 'completed' });
  });

  test('hosts in the first file format still restrict, but allow nothing if web pages are the callers', async () => {
    const write = (hosts: readonly string[]): void =>
      world.folder.write('home/millrace/secrets.json', JSON.stringify({ version: 1, hosts: { API_TOKEN: hosts } }));
    write([host()]);
    const paged = await world.engine(tokenEnv, { bindsKeys: true, storeFile: world.folder.at('paged.db') });
    expect((await runFlow(paged, text())).at(-1)?.event).toMatchObject({ error: { code: 'secret.host-not-allowed' } });
    const engine = await world.engine(tokenEnv);
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ status: 'completed' });
    write(['api.example.com']);
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ error: { code: 'secret.host-not-allowed' } });
    await engine.allowSecretHost({ name: 'API_TOKEN', host: host() });
    expect(await engine.listSecrets()).toMatchObject([{ hosts: ['api.example.com', host()] }]);
    expect((await runFlow(engine, text())).at(-1)?.event).toMatchObject({ status: 'completed' });
    expect(await paged.listSecrets()).toMatchObject([{ hosts: ['api.example.com', host()] }]);
    expect(world.heard).toHaveLength(2);
  });
});
