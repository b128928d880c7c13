/** Tests a base folder created by another program of the same format, with files as that program writes them. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

function manifest(ref: string, version: string, rest = ''): string {
  const [namespace, name] = ref.split('@');
  return `[pack]\nversion = "${version}"\n\nnamespace = "${namespace}"\nname = "${name}"\n${rest}`;
}

const agent = '# Data\n\n```lua\nreturn { a = 1 }\n```\n\n# User\n\nSay {{data.a}}\n';

function writeBaseFolder(): void {
  const write = (file: string, text: string) => cli.write(`home/${file}`, text);
  write('version.txt', '0.8.33\n\nDO NOT EDIT - This file is automatically updated\n');
  write(
    'config-default.toml',
    `[options]\nmodel = "gpt-5.6-luna"\ninput_concurrency = 2\n# temperature = 0.0\n\n[options.model_aliases]\nflash = "gemini-flash-latest"\nopus = "claude-opus-5"\n`,
  );
  write('config-user.toml', '# [options]\n# model = "x"\n');
  write('config-deprecated.toml', '[genai]\nmodel = "gpt-4o"\n[default_options]\nmodel = 12\n');
  write('bin/aip', 'binary');
  write('bin/aip-env', 'export PATH="$HOME/.aipack-base/bin:$PATH"\n');
  write('pack/.download/2026-08-05_10-00-00-acme@tools-v1.0.0.aipack', 'PK');
  write('pack/custom/my/sample/pack.toml', manifest('my@sample', '0.1.0'));
  write('pack/custom/my/sample/main.aip', agent);
  write('pack/custom/.DS_Store', 'x');
  write('pack/custom/my/.DS_Store', 'x');
  write('pack/custom/my/notes.txt', 'mine');
  write('pack/installed/core/doc/pack.toml', manifest('core@doc', '0.1.3'));
  write('pack/installed/core/doc/README.md', '# doc');
  write('pack/installed/core/doc/main.aip', agent);
  write('pack/installed/demo/proof/pack.toml', manifest('demo@proof', '0.1.9'));
  write('pack/installed/demo/proof/main.aip', agent);
  write('pack/installed/pro/coder/pack.toml', manifest('pro@coder', '0.4.2-WIP', '\nauthor = "A"\n'));
  write('pack/installed/pro/coder/main.aip', agent);
  write(
    'pack/installed/acme/tools/pack.toml',
    manifest('acme@tools', '1.0.0', '\n[installed]\ntime = "2026-08-05T10:00:00-07:00"\nsource = "aipack.ai"\n'),
  );
  write('pack/installed/acme/tools/lib/sub/main.aip', agent);
  write('support/pack/acme/tools/state.json', '{}');
  // This pack was not built, and it shares a folder with the next one.
  write('pack/custom/my/plain/main.aip', agent);
  symlinkSync(path.join('..', 'sample'), path.join(cli.folder, 'home/pack/custom/my/plain/shared'));
}

test('lists a base folder of another program without warnings', async () => {
  writeBaseFolder();
  const env = { MILLRACE_HOME: path.join(cli.folder, 'home') };
  const { stdout, stderr, code } = await cli.call(['list'], { env });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout.trimEnd().split('\n')).toEqual([
    'acme@tools 1.0.0  installed from aipack.ai · 1 agent',
    'core@ask 0.1.0  bundled with the program · 1 agent',
    'core@doc 0.1.3  installed · 1 agent',
    'demo@loop 0.1.0  bundled with the program · 1 agent',
    'demo@proof 0.1.9  installed · 1 agent',
    'my@plain  own (custom) · 1 agent',
    'my@sample 0.1.0  own (custom) · 1 agent',
    'pro@coder 0.4.2-WIP  installed · 1 agent',
  ]);
  const listed = (await cli.call(['list', '--json'], { env })).stdout;
  expect(listed).not.toContain('"problem"');
  const ran = await cli.call(['run', 'my@plain', '--dry', 'req'], { env });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
});
