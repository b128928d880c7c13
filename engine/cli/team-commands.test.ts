/** Tests team packages on the command line, with real packages, keys and archives. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

function run(...args: readonly string[]): Promise<CliResult> {
  const env = { MILLRACE_HOME: path.join(cli.folder, 'home'), XDG_DATA_HOME: path.join(cli.folder, 'data') };
  return cli.call(args, { env });
}

const at = (name: string): string => path.join(cli.folder, name);
const deb = 'out/millrace-team-acme-sud_1.2.0_all.deb';
const zip = 'out/millrace-team-acme-sud_1.2.0.zip';

function writeKeys(name: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  cli.write(`${name}.key`, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  cli.write(`${name}.pub`, publicKey.export({ type: 'spki', format: 'pem' }).toString());
}

/** Writes a team with one pack, examples, and keys. */
function writeTeam(more = ''): void {
  const pack = 'src/packs/acme-tools';
  cli.write(`${pack}/pack.toml`, '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n');
  cli.write(`${pack}/main.aip`, '# Output\n```lua\nreturn "from the team"\n```\n');
  cli.write(`${pack}/${'deep/'.repeat(20)}a-file-whose-path-is-far-longer-than-a-hundred-bytes.md`, 'x');
  cli.write('src/examples/hello.flow.yaml', 'flow: { name: Hello }\nnodes: []\nedges: []\n');
  cli.write(
    'src/millrace.team.yaml',
    `version: 1
team: { name: Acme Süd, version: "1.2.0", contact: it@acme.example }
packs: { include: [packs/acme-tools] }
models: { providers: { acme: { kind: openai-compatible, baseUrl: https://llm.acme.example/v1, keyVariable: ACME_KEY } } }
examples: examples
${more}`,
  );
}

const packageTeam = (...more: readonly string[]): Promise<CliResult> =>
  run('package', '--team', 'src/millrace.team.yaml', '--out', 'out', ...more);

describe('millrace package --team', () => {
  test('writes a Debian package and a signed zip, with the same bytes each time', async () => {
    writeTeam();
    writeKeys('acme');
    const made = await packageTeam('--sign', 'acme.key');
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('with acme@tools 1.0.0') });
    const first = [deb, zip].map((name) => readFileSync(at(name)));
    rmSync(at('out'), { recursive: true });
    await packageTeam('--sign', 'acme.key');
    expect([deb, zip].map((name, index) => readFileSync(at(name)).equals(first[index]!))).toEqual([true, true]);
  });

  test.skipIf(!existsSync('/usr/bin/dpkg-deb'))(
    'writes a package that dpkg can read: fields, files, owners and conffiles',
    async () => {
      writeTeam();
      await packageTeam();
      const dpkg = (...args: readonly string[]): string => execFileSync('dpkg-deb', args, { encoding: 'utf8' });
      expect(dpkg('--field', at(deb))).toContain(
        'Package: millrace-team-acme-sud\nVersion: 1.2.0\nArchitecture: all\nMaintainer: Acme Süd <it@acme.example>\nDepends: millrace\n',
      );
      const lines = dpkg('--contents', at(deb)).split('\n');
      expect(lines).toContainEqual(
        expect.stringMatching(/^-rw-r--r-- root\/root +\d+ .* \.\/etc\/millrace\/team\.yaml$/),
      );
      expect(lines).toContainEqual(
        expect.stringMatching(/^drwxr-xr-x root\/root .* \.\/usr\/share\/millrace\/team\/$/),
      );
      expect(lines).toContainEqual(expect.stringMatching(/longer-than-a-hundred-bytes\.md$/));
      dpkg('--extract', at(deb), at('root'));
      dpkg('--control', at(deb), at('control'));
      expect(readFileSync(at('control/conffiles'), 'utf8')).toBe('/etc/millrace/team.yaml\n');
      expect(readFileSync(at('root/etc/millrace/team.yaml'))).toEqual(readFileSync(at('src/millrace.team.yaml')));
      expect(existsSync(at('root/usr/share/millrace/team/packs/acme/tools/main.aip'))).toBe(true);
      expect(existsSync(at('root/usr/share/millrace/team/examples/hello.flow.yaml'))).toBe(true);
    },
  );

  test('accepts pack archives too, and rejects a pack that the file itself does not allow, with its hash', async () => {
    writeTeam();
    const { stdout } = await run('pack', 'src/packs/acme-tools', '-o', 'src/packs', '--json');
    const { sha256 } = JSON.parse(stdout);
    const withRules = (hash: string): void => {
      writeTeam();
      const file = at('src/millrace.team.yaml');
      const rules = `packs: { include: [packs/acme@tools-v1.0.0.aipack], allowed: [{ pack: acme@tools, sha256: "${hash}" }] }`;
      writeFileSync(file, readFileSync(file, 'utf8').replace(/packs: .*/, rules));
    };
    withRules('0'.repeat(64));
    expect(await packageTeam()).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining(sha256) });
    withRules(sha256);
    expect(await packageTeam()).toMatchObject({ code: 0 });
  });

  test.each([
    ['an error', 'models: { others: maybe }\n', /millrace\.team\.yaml:6:\d+ error/],
    ['a missing pack', '', /gone does not exist/],
    ['no version', '', /needs team\.version/],
  ])('rejects a team file with %s', async (what, more, said) => {
    writeTeam();
    const file = at('src/millrace.team.yaml');
    let text = readFileSync(file, 'utf8');
    if (more !== '')
      text = text.replace(/^models: .*\n/m, '').replace('examples: examples\n', `\nexamples: examples\n${more}`);
    if (what.includes('pack')) text = text.replace('packs/acme-tools', 'gone');
    if (what.includes('version')) text = text.replace('version: "1.2.0", ', '');
    writeFileSync(file, text);
    const refused = await packageTeam();
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(said) });
    expect(existsSync(at('out'))).toBe(false);
  });

  test('rejects an invalid key and a missing file', async () => {
    writeTeam();
    cli.write('bad.key', 'no key');
    expect(await packageTeam('--sign', 'bad.key')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Ed25519'),
    });
    expect(await packageTeam('--sign', 'gone.key')).toMatchObject({ code: 2 });
    expect(await run('package', '--team', 'gone.yaml')).toMatchObject({ code: 2 });
    expect(await run('package')).toMatchObject({ code: 2 });
  });
});

describe('a signed zip', () => {
  async function makeZip(): Promise<Buffer> {
    writeTeam();
    writeKeys('acme');
    writeKeys('other');
    await packageTeam('--sign', 'acme.key');
    return readFileSync(at(zip));
  }

  test('is verified, installed, takes effect, installs its packs offline, and is removed', async () => {
    await makeZip();
    expect(await run('team', 'verify', zip, '--key', 'acme.pub')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Acme Süd 1.2.0'),
    });
    expect(await run('team', 'show')).toMatchObject({ code: 0, stdout: 'No team settings on this machine.\n' });
    expect(await run('team', 'install', zip)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('cannot ask without a terminal'),
    });
    expect(existsSync(at('home/millrace/team'))).toBe(false);
    expect(await run('team', 'install', zip, '--yes')).toMatchObject({ code: 2 });
    expect(await run('team', 'install', zip, '--key', 'acme.pub', '--yes')).toMatchObject({ code: 0 });
    expect((await run('team', 'show')).stdout).toContain('Providers of models: acme');
    expect((await run('check-keys')).stdout).toContain('ACME_KEY');
    expect((await run('run', 'acme@tools')).stdout).toContain('from the team');
    await run('uninstall', 'acme@tools');
    expect((await run('list', 'acme@')).stdout).toBe('');
    expect(await run('team', 'remove')).toMatchObject({ code: 0 });
    expect((await run('team', 'show')).stdout).toContain('No team');
  });

  test('that was modified, or signed by another key, is rejected and changes nothing', async () => {
    const whole = await makeZip();
    expect(await run('team', 'verify', zip, '--key', 'other.pub')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('another key'),
    });
    expect(await run('team', 'verify', zip)).toMatchObject({ code: 2 });
    expect(await run('team', 'verify', 'gone.zip', '--key', 'acme.pub')).toMatchObject({ code: 2 });
    writeFileSync(at(zip), whole.subarray(0, whole.length - 40));
    expect(await run('team', 'verify', zip, '--key', 'acme.pub')).toMatchObject({ code: 1 });
    for (let place = 40; place < whole.length; place += Math.ceil(whole.length / 20)) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 0x5a;
      writeFileSync(at(zip), changed);
      const { code, stdout } = await run('team', 'install', zip, '--key', 'acme.pub', '--yes');
      // Timestamps and similar archive metadata are not content.
      if (code === 0) expect(stdout).toContain('Acme Süd');
      if (code !== 0) expect(stdout).toBe('');
    }
  });

  /** Builds the team package with other values and the same key, and returns the file. */
  async function versioned(version: string, file = `out/${version}.zip`, more = ''): Promise<string> {
    writeTeam(more);
    const source = at('src/millrace.team.yaml');
    writeFileSync(source, readFileSync(source, 'utf8').replace('version: "1.2.0"', `version: "${version}"`));
    await packageTeam('--sign', 'acme.key');
    renameSync(at(`out/millrace-team-acme-sud_${version}.zip`), at(file));
    return file;
  }
  const install = (file: string, ...more: readonly string[]): Promise<CliResult> =>
    run('team', 'install', file, '--key', 'acme.pub', '--yes', ...more);
  const installed = (): string => JSON.parse(readFileSync(at('home/millrace/team/contents.json'), 'utf8')).version;

  test.each([
    ['1.2.0', '1.10.0', true],
    ['1.10.0', '1.9.9', false],
    ['1.9', '1.10', true],
    ['1.10', '1.9', false],
    ['1.2.0.9', '1.2.0.10', true],
    ['1.2.0.1', '1.2', false],
    ['2.0.0', '10.0.0', true],
  ])('installed over version %s, version %s replaces it: %s', async (first, second, isTaken) => {
    writeKeys('acme');
    await install(await versioned(first));
    const { code, stderr } = await install(await versioned(second));
    expect([code, installed()]).toEqual(isTaken ? [0, second] : [2, first]);
    if (isTaken) expect(stderr).toContain(`Replaces: updates version ${first}`);
    else expect(stderr).toContain(`has version ${second}, but version ${first} is installed and newer`);
  });

  test('an older version replaces a newer one only with --force, even during another replacement', async () => {
    writeKeys('acme');
    const old = await versioned('1.0.0');
    await install(await versioned('2.0.0'));
    expect(await install(old)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--force') });
    renameSync(at('home/millrace/team'), at('home/millrace/team.former'));
    expect((await install(old)).code).toBe(2);
    const forced = await install(old, '--force');
    expect([forced.code, installed()]).toEqual([0, '1.0.0']);
    expect(forced.stderr).toContain('Replaces: version 2.0.0, which is newer than 1.0.0');
    // --force does not replace the confirmation, which needs a terminal.
    await install(await versioned('3.0.0'));
    expect((await run('team', 'install', old, '--key', 'acme.pub', '--force')).code).toBe(4);
    expect(installed()).toBe('3.0.0');
  });

  test('for an equal version, reports whether its content is the same', async () => {
    writeKeys('acme');
    const one = await versioned('1.0.0');
    await install(one);
    expect((await install(one)).stderr).toContain('which is already installed, with the same content');
    const other = await versioned('1.0.0', 'out/other.zip', 'trust: { others: denied }\n');
    const { code, stderr } = await install(other);
    expect([code, stderr]).toEqual([0, expect.stringContaining('version 1.0.0 with different content')]);
  });

  test('a package of another signer replaces none', async () => {
    await makeZip();
    await run('team', 'install', zip, '--key', 'acme.pub', '--yes');
    await packageTeam('--sign', 'other.key');
    const refused = await run('team', 'install', zip, '--key', 'other.pub', '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('millrace team remove') });
    // Simulates a program that was killed during the replacement.
    renameSync(at('home/millrace/team'), at('home/millrace/team.former'));
    expect((await run('team', 'show')).stdout).toContain('Acme');
    expect(await run('team', 'install', zip, '--key', 'other.pub', '--yes')).toMatchObject({ code: 1 });
    await packageTeam('--sign', 'acme.key');
    expect(await run('team', 'install', zip, '--key', 'acme.pub', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(at('home/millrace/team.former'))).toBe(false);
  });
});

describe('millrace team check', () => {
  test('prints errors with their positions', async () => {
    cli.write('t.yaml', 'version: 1\nteam: { name: A }\npacks: { alowed: [] }\n');
    expect(await run('team', 'check', 't.yaml')).toMatchObject({
      code: 0,
      stdout: 't.yaml: valid\n',
      stderr: expect.stringMatching(/^t\.yaml:3:10 warning team\.unknown-key .*"allowed"\?\n$/),
    });
    cli.write('t.yaml', 'version: 1\nteam: { name: A }\npacks: []\n');
    expect(await run('team', 'check', 't.yaml', '--json')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('"line":3'),
    });
  });
});
