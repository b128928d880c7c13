/** Follows the README as a new user does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();
const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
const [, agents = ''] = readme.split('## Your first agent');

/** Splits a command into arguments like a shell. */
function argumentsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
}

test("the README's agent runs with the command below it, without a key", async () => {
  const [, agent = ''] = /````md\n([\s\S]*?)````/.exec(agents) ?? [];
  const [, file = ''] = /Save it as `([^`]+)`/.exec(agents) ?? [];
  const [, command = ''] = /millrace -- (.+)/.exec(agents) ?? [];
  cli.write(file, agent);
  cli.write('docs/a.md', 'one two\nthree');
  cli.write('docs/b.md', 'four');
  const { code, stdout, stderr } = await cli.run(argumentsOf(command));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('✓ completed  docs/a.md');
  expect(stdout).toContain('◆ Words  4');
  expect((await cli.run(['validate', file])).stdout).toBe(`${file}: valid\n`);
});

test("the README's second agent, inserted into the first, sends the described prompt", async () => {
  const [first = '', second = ''] = Array.from(agents.matchAll(/````md\n([\s\S]*?)````/g), ([, text]) => text ?? '');
  cli.write('words.aip', first.replace('# Output', `${second}\n# Output`));
  cli.write('docs/a.md', 'A text about mills.');
  const { code, stdout } = await cli.run(['run', 'words.aip', '-f', 'docs/*.md', '--dry', 'req']);
  expect(code).toBe(0);
  expect(stdout).toContain('Summarize this in one sentence:\n\nA text about mills.');
});
