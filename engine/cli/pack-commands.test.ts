/** Tests packs on the command line, with real archives and a separate trash. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

function run(...args: readonly string[]): Promise<CliResult> {
  const env = { MILLRACE_HOME: path.join(cli.folder, 'home'), XDG_DATA_HOME: path.join(cli.folder, 'data') };
  return cli.call(args, { env });
}

async function json(...args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await run(...args, '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Writes the folder of the pack acme@tools with an agent that returns its version. */
function writePack(version: string): void {
  cli.write('src/pack.toml', `[pack]\nnamespace = "acme"\nname = "tools"\nversion = "${version}"\n`);
  cli.write('src/main.aip', `# Output\n\`\`\`lua\nreturn "this is ${version}"\n\`\`\`\n`);
}

const archive = 'acme@tools-v1.0.0.aipack';

describe('a pack', () => {
  test('is built, installed from the file, listed, run, updated and uninstalled', async () => {
    writePack('1.0.0');
    expect(await run('pack', 'src')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('install', archive)).stdout).toContain('Installed acme@tools 1.0.0');
    expect((await run('install', archive)).stdout).toContain('acme@tools 1.0.0 is already installed');
    expect(await json('list', 'acme@')).toMatchObject([{ ref: 'acme@tools', version: '1.0.0', origin: 'installed' }]);
    expect((await run('run', 'acme@tools')).stdout).toContain('this is 1.0.0');
    writePack('1.1.0');
    await run('pack', 'src', '-o', 'new');
    cpSync(path.join(cli.folder, 'new', 'acme@tools-v1.1.0.aipack'), path.join(cli.folder, archive));
    expect(await json('update', 'acme@tools')).toMatchObject([{ status: 'updated', from: '1.0.0', to: '1.1.0' }]);
    expect((await run('run', 'acme@tools')).stdout).toContain('this is 1.1.0');
    expect(await run('uninstall', 'acme@tools')).toMatchObject({ code: 0 });
    expect(readdirSync(path.join(cli.folder, 'data', 'Trash', 'files'))).toContain('tools');
    expect(await run('list', 'acme@')).toMatchObject({ code: 0, stdout: '' });
    expect(await run('uninstall', 'acme@tools')).toMatchObject({ code: 2, stdout: '' });
  });

  test('can contain flows, which are run by the name of the pack', async () => {
    writePack('1.0.0');
    const flow =
      'flow: { name: Twice }\nnodes: [{ id: go, type: agent, input: { agent: acme@tools, inputs: [a, b] } }]\nedges: []';
    cli.write('src/flows/twice.flow.yaml', flow);
    await run('pack', 'src');
    await run('install', archive);
    const ran = await run('run', 'acme@tools/flows/twice.flow.yaml');
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('this is 1.0.0') });
    expect(await run('run', 'acme@tools/flows/none.flow.yaml')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('run', 'acme@gone/flows/twice.flow.yaml')).toMatchObject({ code: 2, stdout: '' });
  });

  test('requires --force for an older version', async () => {
    writePack('1.0.0');
    await run('pack', 'src');
    writePack('2.0.0');
    await run('pack', 'src');
    await run('install', 'acme@tools-v2.0.0.aipack');
    const refused = await run('install', archive);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Use --force') });
    expect(await json('install', archive, '--force')).toMatchObject([
      { status: 'installed', replacedVersion: '2.0.0' },
    ]);
  });

  test('from an archive with a path outside the pack is rejected with 1, and the installed version is kept', async () => {
    writePack('1.0.0');
    cli.write('src/xx/evil.txt', 'evil');
    await run('pack', 'src');
    await run('install', archive);
    writePack('1.1.0');
    await run('pack', 'src');
    const evil = path.join(cli.folder, 'acme@tools-v1.1.0.aipack');
    // Both occurrences of the name, in the entry and in the central directory, have the same length.
    writeFileSync(evil, readFileSync(evil).toString('latin1').replaceAll('xx/evil.txt', '../evil.txt'), 'latin1');
    const { code, stdout, stderr } = await run('install', evil);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('../evil.txt');
    expect(await json('list', 'acme@tools')).toMatchObject([{ version: '1.0.0' }]);
    expect(existsSync(path.join(cli.folder, 'home/pack/installed/acme/evil.txt'))).toBe(false);
  });

  test('is copied to the workspace, where the copy runs', async () => {
    writePack('1.0.0');
    await run('pack', 'src');
    await run('install', archive);
    expect((await run('unpack', 'acme@tools')).code).toBe(0);
    cli.write('.aipack/pack/custom/acme/tools/main.aip', '# Output\n```lua\nreturn "my own"\n```\n');
    expect((await run('run', 'acme@tools')).stdout).toContain('my own');
    expect(await run('unpack', 'acme@tools')).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  });

  test('without pack.toml gets one only with --yes', async () => {
    cli.write('my notes/main.aip', '# Output\n```lua\nreturn 1\n```\n');
    const refused = await run('pack', 'my notes');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('name = "my_notes"') });
    expect(existsSync(path.join(cli.folder, 'my notes', 'pack.toml'))).toBe(false);
    expect((await run('pack', 'my notes', '--yes', '--output', 'out')).code).toBe(0);
    expect(readdirSync(path.join(cli.folder, 'out'))).toEqual(['my@my_notes-v0.1.0.aipack']);
  });

  test.each([
    [['install', 'gone.aipack'], 2],
    [['install', 'what is this'], 2],
    [['unpack', 'a b'], 2],
    [['update', 'acme@tools'], 2],
    [['pack', 'gone'], 2],
  ])('%j exits with %i and prints the reason in one line', async (args, code) => {
    const result = await run(...args);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/^millrace: .+\n/) });
  });
});

describe('new files', () => {
  test('a new agent and a new flow run unchanged', async () => {
    expect((await run('new', 'agent', 'count')).stdout).toContain('Wrote count.aip');
    expect(await run('run', 'count', '-i', 'twelve chars')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"characters": 12'),
    });
    await run('new', 'flow', 'hello.flow.yaml');
    expect((await run('run', 'hello.flow.yaml', '--input', 'name=Ada')).stdout).toContain('Hello Ada!');
    expect((await run('validate', 'count.aip', 'hello.flow.yaml')).code).toBe(0);
    expect(await run('new', 'agent', 'count.aip')).toMatchObject({ code: 2, stdout: '' });
  });

  test('a new flow of a product is available at once, even if the manifest lists its flows', async () => {
    cli.write('products/shop/manifest.yaml', 'flows: [refund] # ours\n');
    const added = await run('new', 'flow', 'products/shop/flows/pack');
    expect(added.stdout).toContain('Added it to the flows of products/shop/manifest.yaml\n');
    const manifest = readFileSync(path.join(cli.folder, 'products/shop/manifest.yaml'), 'utf8');
    expect(manifest).toBe('flows: [refund, pack] # ours\n');
  });

  test('a new pack runs by its name and can be built', async () => {
    await run('new', 'pack', 'acme@fresh');
    expect((await run('run', 'acme@fresh', '-i', 'abc')).stdout).toContain('"characters": 3');
    expect(await json('pack', '.aipack/pack/custom/acme/fresh')).toMatchObject([{ ref: 'acme@fresh', files: 3 }]);
    expect((await run('new', 'pack', 'a b')).code).toBe(2);
  });

  test('init creates a workspace and overwrites nothing; init-base restores bundled files', async () => {
    expect(await json('init', 'work')).toMatchObject([{ files: ['.aipack/config.toml'] }]);
    expect(await json('init', 'work')).toMatchObject([{ files: [] }]);
    await run('uninstall', 'demo@proof');
    expect((await run('list', 'demo@proof')).stdout).toBe('');
    expect((await run('init-base')).stdout).toContain('demo@proof');
    expect((await run('list', 'demo@proof')).stdout).toContain('bundled with the program');
  });
});

describe('information about the program', () => {
  test('check-keys prints names and never values, including variables named in settings', async () => {
    cli.write(
      'home/config-user.toml',
      '[providers.far]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:9/v1"\napi_key_env = "FAR_KEY"\n',
    );
    const env = { MILLRACE_HOME: path.join(cli.folder, 'home'), OPENAI_API_KEY: '  ', FAR_KEY: 'sk-secret-1' };
    const { code, stdout } = await cli.call(['check-keys'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^OPENAI_API_KEY +not set$/m);
    expect(stdout).toMatch(/^FAR_KEY +set$/m);
    expect(stdout).not.toContain('sk-secret-1');
  });

  test('self prints the version and no newer version', async () => {
    expect(await json('self')).toMatchObject([{ version: '0.1.0', newerVersion: null }]);
    expect((await run('self')).stdout).toContain('does not check for updates');
  });

  test('schema pack is the JSON Schema of pack.toml', async () => {
    expect(JSON.parse((await run('schema', 'pack')).stdout)).toMatchObject({ required: ['pack'] });
  });
});

describe('packs.lock', () => {
  test('is written by install, used by --frozen, and rejected with 2 if it does not match', async () => {
    writePack('1.0.0');
    await run('pack', 'src');
    expect(await run('install', '--frozen')).toMatchObject({ code: 2, stderr: expect.stringContaining('packs.lock') });
    const [report] = await json('install', archive);
    const lock = readFileSync(path.join(cli.folder, 'packs.lock'), 'utf8');
    expect(lock).toContain(`sha256 = "${report?.['sha256']}"`);
    await run('uninstall', 'acme@tools');
    writeFileSync(path.join(cli.folder, 'packs.lock'), lock);
    expect((await run('install', '--frozen')).stdout).toBe('Installed acme@tools 1.0.0\n');
    expect((await run('install', '--frozen')).stdout).toContain('already installed');
    cli.write('x.flow.yaml', 'flow: { name: X }\nnodes: [{ id: a, type: agent, input: { agent: b@c } }]\nedges: []\n');
    const misfit = await run('install', '--frozen');
    expect(misfit).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('b@c is required by x.flow.yaml'),
    });
    expect(readFileSync(path.join(cli.folder, 'packs.lock'), 'utf8')).toBe(lock);
  });

  test('exits with 1 if the content of the pack has changed', async () => {
    writePack('1.0.0');
    await run('pack', 'src');
    await run('install', archive);
    const lock = readFileSync(path.join(cli.folder, 'packs.lock'), 'utf8');
    writeFileSync(path.join(cli.folder, 'packs.lock'), lock.replace(/sha256 = "./, 'sha256 = "x').replace('"x', '"0'));
    cli.write('src/main.aip', '# Output\n```lua\nreturn "other"\n```\n');
    await run('pack', 'src');
    const changed = await run('install', '--frozen');
    expect(changed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('was expected') });
  });

  test.each([[['install']], [['install', 'a@b', '--frozen']], [['install', '--frozen', '--force']]])(
    '%j is a usage error',
    async (args) => {
      expect(await run(...args)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
