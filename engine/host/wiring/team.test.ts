/** Tests how an engine applies a team's settings on a machine. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine, type EngineOptions } from '../../index.ts';
import { createTeamSource } from '../../packs/team/find-team.ts';
import { collectTeam } from '../../packs/team/package/team-content.ts';
import { teamZip } from '../../packs/team/package/team-zip.ts';
import { evilZip, manifestEntry } from '../../testing/evil-zip.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';

let folder: TestFolder;
const engines: Engine[] = [];

beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(folder.at('work'));
  mkdirSync(folder.at('home'));
});

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  folder.remove();
});

const head = 'version: 1\nteam: { name: Acme, contact: it@acme.example }\n';

async function open(team: string | null, options: Partial<EngineOptions> = {}): Promise<Engine> {
  if (team !== null) folder.write('team.yaml', head + team);
  const engine = await createEngine({
    workspace: folder.at('work'),
    homeFolder: folder.at('home'),
    env: { MILLRACE_TEAM_FILE: folder.at('team.yaml'), XDG_DATA_HOME: folder.at('data'), ACME_KEY: 'k' },
    ...options,
  });
  engines.push(engine);
  return engine;
}

/** Returns how an agent with this script ends. */
async function runScript(engine: Engine, lua: string): Promise<string> {
  writeFileSync(folder.at('work/a.aip'), `# Output\n\`\`\`lua\n${lua}\n\`\`\`\n`);
  const accepted = await engine.startAgent({ agent: folder.at('work/a.aip'), folder: folder.at('work') });
  if (!('runId' in accepted)) throw new Error('it wants something installed');
  const { status, error } = await engine.whenEnded(accepted.runId);
  return error === undefined ? status : `${status} ${error.message}`;
}

describe('models', () => {
  const models = `models:
  providers:
    acme: { kind: openai-compatible, baseUrl: https://llm.acme.example/v1, keyVariable: ACME_KEY, keyHelp: Ask IT }
  default: acme::small
`;

  test('of the team are available and locked, with who locked them; their key may be sent to their host', async () => {
    folder.write(
      'home/config-user.toml',
      '[options]\nmodel = "mine"\n[providers.acme]\nbase_url = "https://evil.example"\n',
    );
    const engine = await open(models, { bindsKeys: true });
    const { providers, defaultModel, defaultModelLockedBy } = await engine.readModelSettings();
    const lockedBy = `Acme (${folder.at('team.yaml')})`;
    expect(providers.find(({ name }) => name === 'acme')).toEqual({
      ...{ name: 'acme', kind: 'openai-compatible', baseUrl: 'https://llm.acme.example/v1', keyVariable: 'ACME_KEY' },
      ...{ hasKey: true, isKeyAllowed: true, isBuiltIn: false, lockedBy, keyHelp: 'Ask IT' },
    });
    expect({ defaultModel, defaultModelLockedBy }).toEqual({
      defaultModel: 'acme::small',
      defaultModelLockedBy: lockedBy,
    });
    expect(await engine.checkModels([null, 'openai::gpt-5.6'])).toMatchObject([{ code: 'model.missing-key' }]);
    for (const change of [
      engine.saveProvider({ name: 'acme', kind: 'openai', baseUrl: 'https://evil.example' }),
      engine.removeProvider('acme'),
      engine.setDefaultModel('mine'),
    ]) {
      await expect(change).rejects.toMatchObject({ code: 'team.locked', message: expect.stringContaining(lockedBy) });
    }
    await engine.saveProvider({ name: 'own', kind: 'ollama' });
    expect((await engine.readModelSettings()).providers.map(({ name }) => name)).toContain('own');
  });

  test('of others can be forbidden, with who forbids them', async () => {
    const engine = await open(`${models}  others: denied\n`);
    expect((await engine.readModelSettings()).providers.map(({ name }) => name)).toEqual(['acme']);
    expect(await engine.checkModels(['acme::x', 'openai::gpt-5.6', 'ollama::gemma'])).toMatchObject([
      {
        code: 'model.not-allowed',
        message: expect.stringMatching(/"openai" is not allowed by Acme .*team\.yaml.*acme/),
      },
      { code: 'model.not-allowed' },
    ]);
    const saving = engine.saveProvider({ name: 'own', kind: 'ollama' });
    await expect(saving).rejects.toMatchObject({ code: 'team.locked' });
  });

  test('change as soon as the file does', async () => {
    const engine = await open(models);
    folder.write('team.yaml', `${head}models: { default: acme::large, others: allowed }\n`);
    expect((await engine.readModelSettings()).defaultModel).toBe('acme::large');
  });
});

describe('trust', () => {
  test('is set for a workspace of the team and cannot be revoked', async () => {
    const engine = await open(`trust: { workspaces: [${realpathSync(folder.at('work'))}] }\n`);
    expect(await engine.readTrust()).toEqual({ isTrusted: true, lockedBy: expect.stringContaining('Acme') });
    await expect(engine.setTrust(false)).rejects.toMatchObject({ code: 'team.locked' });
    expect(await engine.readTrust()).toMatchObject({ isTrusted: true });
  });

  test('can be forbidden for others: trust granted by the user, even for one call, does not count', async () => {
    const own = await open('');
    await own.setTrust(true);
    expect(await own.readTrust()).toEqual({ isTrusted: true });
    const engine = await open('trust: { others: denied }\n', { isTrusted: true });
    expect(await engine.readTrust()).toEqual({ isTrusted: false, lockedBy: expect.stringContaining('Acme') });
    await expect(engine.setTrust(true)).rejects.toMatchObject({ code: 'team.locked' });
    const refused = await runScript(engine, 'return aip.cmd.exec("true")');
    expect(refused).toMatch(/Acme .* does not allow other workspaces to be trusted \(rule command-untrusted\)/);
    expect(refused).not.toContain('--trust');
  });
});

describe('policies', () => {
  test('deny an effect even in a trusted workspace, and name the team', async () => {
    const engine = await open('policies: { effects: { command: deny, web: ask } }\n', { isTrusted: true });
    expect(await runScript(engine, 'return aip.cmd.exec("true")')).toMatch(/refused by Acme .*rule team-deny/);
    expect(await runScript(engine, 'return aip.web.get("http://127.0.0.1:1/")')).toMatch(
      /rule team-ask.*Nothing can be approved in the middle of a script/,
    );
    expect(await runScript(engine, 'aip.file.save("x.txt", "x") return 1')).toBe('completed');
  });

  test('allow an effect without trust, but not one that is always denied', async () => {
    const engine = await open('policies: { effects: { command: allow, write: allow, delete: allow } }\n');
    expect(await runScript(engine, 'return aip.cmd.exec("true")')).toBe('completed');
    expect(await runScript(engine, 'aip.file.save(".git/x", "x") return 1')).toContain('protected-folder');
  });
});

describe('packs', () => {
  const archive = () => {
    folder.write('work/a.aipack', evilZip([manifestEntry('1.0.0')]));
    return folder.at('work/a.aipack');
  };

  test('that are not allowed are rejected, with who forbids them and why; allowed ones are installed', async () => {
    const engine = await open('packs: { allowed: [] }\n');
    const refusal = await engine.installPack({ uri: archive() }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'pack.not-allowed',
      message: expect.stringMatching(
        /acme@tools 1\.0\.0 is not allowed by Acme .*it is not an allowed pack.*Ask it@acme\.example/,
      ),
    });
    const { sha256 } = (refusal as { details: { sha256: string } }).details;
    const allow = (entry: string) =>
      folder.write('team.yaml', `${head}packs: { allowed: [{ pack: acme@tools, ${entry} }] }\n`);
    allow(`version: 2.0.0, sha256: ${sha256}`);
    await expect(engine.installPack({ uri: archive() })).rejects.toMatchObject({
      message: expect.stringContaining('this version'),
    });
    allow(`sha256: ${'b'.repeat(64)}`);
    await expect(engine.installPack({ uri: archive() })).rejects.toMatchObject({
      message: expect.stringContaining(sha256),
    });
    allow(`version: 1.0.0, sha256: ${sha256}`);
    expect(await engine.installPack({ uri: archive() })).toMatchObject({ status: 'installed' });
  });
});

test('an installed pack that is not allowed cannot run, even by its path, and an allowed one can', async () => {
  const free = await open('');
  const script = '# Output\n```lua\nreturn 1\n```\n';
  folder.write('a.aipack', evilZip([manifestEntry('1.0.0'), { name: 'main.aip', content: script }]));
  await free.installPack({ uri: folder.at('a.aipack') });
  const engine = await open('packs: { allowed: [] }\n');
  const start = (agent: string) => engine.startAgent({ agent, folder: folder.at('work') });
  const refusal = await start('acme@tools').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'pack.not-allowed', message: expect.stringContaining('Acme') });
  const byPath = start(folder.at('home/pack/installed/acme/tools/main.aip'));
  await expect(byPath).rejects.toMatchObject({ code: 'pack.not-allowed' });
  const { sha256 } = (refusal as { details: { sha256: string } }).details;
  folder.write('team.yaml', `${head}packs: { allowed: [{ pack: acme@tools, sha256: "${sha256}" }] }\n`);
  expect(await start('acme@tools')).toHaveProperty('runId');
  folder.write('home/pack/installed/acme/tools/main.aip', script.replace('1', '2'));
  await expect(start('acme@tools')).rejects.toMatchObject({ code: 'pack.not-allowed' });
  // A copy of the user's own does not count as an installed pack.
  folder.write('work/.aipack/pack/custom/acme/tools/main.aip', script);
  expect(await start('acme@tools')).toHaveProperty('runId');
});

describe('an unreadable team file', () => {
  test.each([
    ['with an error', 'models: { others: maybe }\n', /team\.yaml:3:.*no model provider can be used/],
    [
      'that is not YAML',
      'models: [\n',
      /packs cannot be installed.*no model provider.*no workspace is trusted.*scripts/,
    ],
  ])('%s applies the strictest restrictions, and the engine opens and reports it', async (_, text, notice) => {
    const engine = await open(text, { isTrusted: true });
    expect(engine.notices).toMatchObject([{ code: 'team.broken', message: expect.stringMatching(notice) }]);
    expect(await engine.checkModels(['ollama::x'])).toMatchObject([{ code: 'model.not-allowed' }]);
    const view = await engine.readTeam();
    expect(view).toMatchObject({
      file: folder.at('team.yaml'),
      closed: expect.arrayContaining([expect.stringContaining('provider')]),
    });
    expect(view?.problems[0]).toMatchObject({ severity: 'error', line: expect.any(Number) });
  });

  test('has the same effect if it is named but missing', async () => {
    const engine = await open(null);
    expect(engine.notices).toMatchObject([
      { code: 'team.broken', message: expect.stringContaining('MILLRACE_TEAM_FILE') },
    ]);
    expect(await engine.readTrust()).toMatchObject({ isTrusted: false });
  });
});

describe('a team package in the window', () => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  async function packed(version: string, more = ''): Promise<string> {
    folder.write('src/t.yaml', `version: 1\nteam: { name: Acme, version: "${version}" }\n${more}`);
    const { content } = await teamZip(await collectTeam(folder.at('src/t.yaml')), key);
    writeFileSync(folder.at('team.zip'), content);
    return folder.at('team.zip');
  }
  async function install(engine: Engine, file: string): Promise<string | undefined> {
    const shown = await engine.inspectTeamPackage(file);
    await engine.installTeamPackage({ ...shown, file });
    return shown.replaces?.change;
  }

  test('is compared with the installed one, and an older one is only installed after the user has seen that', async () => {
    const engine = await open(null, { env: {} });
    const changes = [];
    for (const version of ['1.0.0', '2.0.0', '2.0.0']) changes.push(await install(engine, await packed(version)));
    changes.push(await install(engine, await packed('2.0.0', 'trust: { others: denied }\n')));
    changes.push(await install(engine, await packed('1.5.0')));
    expect(changes).toEqual([undefined, 'newer', 'same', 'changed', 'older']);
  });

  test('is shown with all its settings, and can be removed again', async () => {
    const engine = await open(null, { env: {} });
    const rules = `models: { default: acme::small, others: denied }
policies: { effects: { command: allow, web: deny }, allow_full_autonomy: true, blocked_tools: [a, b] }
updates: { channel: beta, feed: "https://updates.acme.example" }
`;
    const file = await packed('1.0.0', rules);
    const { settings } = await engine.inspectTeamPackage(file);
    expect(settings.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'Other providers: denied',
      'Default model: acme::small',
      'Effects of scripts: command: allow, web: deny',
      'Policy allow_full_autonomy: true',
      'Policy blocked_tools: a, b',
      'Updates: beta, from https://updates.acme.example',
    ]);
    expect(await engine.readTeam()).toBeNull();
    await install(engine, file);
    expect(await engine.readTeam()).toMatchObject({ name: 'Acme', isInstalled: true });
    expect([await engine.removeTeamPackage(), await engine.readTeam(), await engine.removeTeamPackage()]).toEqual([
      ...[true, null, false],
    ]);
  });

  test('is not installed if it has changed since it was shown, regardless of its signer', async () => {
    const engine = await open(null, { env: {} });
    await install(engine, await packed('2.0.0'));
    const shown = await engine.inspectTeamPackage(await packed('3.0.0'));
    const file = await packed('1.0.0');
    await expect(engine.installTeamPackage({ ...shown, file })).rejects.toThrow('2.0.0');
    await packed('3.1.0');
    await expect(engine.installTeamPackage({ ...shown, file })).rejects.toMatchObject({ code: 'team.other-signer' });
    // A different one has been installed in the meantime.
    const older = await engine.inspectTeamPackage(await packed('1.0.0'));
    await install(engine, await packed('4.0.0'));
    await packed('1.0.0');
    await expect(engine.installTeamPackage({ ...older, file })).rejects.toMatchObject({ code: 'team.other-signer' });
  });
});

describe('the file in effect', () => {
  const find = (env: Readonly<Record<string, string>> = {}) =>
    createTeamSource({ env, baseFolder: folder.at('home'), systemFile: folder.at('etc/team.yaml') })();

  test('is the file that is named, else that of a package, else that of the machine', () => {
    expect(find()).toBeUndefined();
    folder.write('etc/team.yaml', `${head.replace('Acme', 'Machine')}`);
    expect(find()).toMatchObject({ origin: 'system', rules: { team: { name: 'Machine' } } });
    folder.write('home/millrace/team/team.yaml', head.replace('Acme', 'Package'));
    expect(find()).toMatchObject({ origin: 'package', rules: { team: { name: 'Package' } } });
    folder.write('mine.yaml', head.replace('Acme', 'Named'));
    expect(find({ MILLRACE_TEAM_FILE: folder.at('mine.yaml') })).toMatchObject({ origin: 'variable' });
    rmSync(folder.at('home/millrace/team/team.yaml'));
    mkdirSync(folder.at('home/millrace/team/team.yaml'));
    expect(find()).toMatchObject({ origin: 'package', closed: expect.arrayContaining(['models']) });
  });
});
