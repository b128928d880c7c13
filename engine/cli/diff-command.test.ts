/** Tests `millrace diff` with real files, and as a difftool of git. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

const before = `flow: { name: Mail }
nodes:
  - { id: draft, type: prompt, input: { prompt: Hello }, config: { temperature: 0.7 } }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges: [{ from: draft, to: send }]
`;
const after = `flow: { name: Mail }
nodes:
  - { id: draft, type: prompt, input: { prompt: Hello }, config: { temperature: 0.2 } }
  - { id: ok, type: human_approval, input: { title: "Send?" } }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges: [{ from: draft, to: ok }, { from: ok, to: send }]
`;
const sentences = `~    3  Changes temperature of draft from 0.7 to 0.2
+    4  Adds ok (human_approval) between draft and send
`;

test('diff prints one line for each difference', async () => {
  cli.write('a.flow.yaml', before);
  cli.write('b.flow.yaml', after);
  expect(await cli.call(['diff', 'a.flow.yaml', 'b.flow.yaml'])).toEqual({ code: 0, stdout: sentences, stderr: '' });
  const same = await cli.call(['diff', 'a.flow.yaml', 'a.flow.yaml']);
  expect(same).toEqual({ code: 0, stdout: 'No differences.\n', stderr: '' });
  const json = JSON.parse((await cli.call(['diff', 'b.flow.yaml', 'a.flow.yaml', '--json'])).stdout);
  expect(json.differences.map(({ key, line }: { key: string; line: number }) => [key, line])).toEqual([
    ['node-changed draft ["config","temperature"]', 3],
    ['node-removed ok', 4],
  ]);
});

test('diff rejects files that are not flows, with their place', async () => {
  cli.write('a.flow.yaml', before);
  cli.write('bad.flow.yaml', 'flow: [\n');
  const { code, stderr } = await cli.call(['diff', 'a.flow.yaml', 'bad.flow.yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain('The text is not valid YAML');
  expect(stderr).toContain('bad.flow.yaml');
  expect((await cli.call(['diff', 'a.flow.yaml', 'gone.flow.yaml'])).stderr).toContain('gone.flow.yaml does not exist');
});

test('git calls diff as a difftool, also for new files', async () => {
  cli.write('mail.flow.yaml', before);
  // npm sets this variable, which names the folder to which paths are relative.
  const { INIT_CWD: _, ...env } = process.env;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=kim', '-c', 'user.email=kim@example.org', ...args], {
      cwd: cli.folder,
      encoding: 'utf8',
      env,
    });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  cli.write('mail.flow.yaml', after);
  cli.write('new.flow.yaml', before);
  git('add', '--intent-to-add', 'new.flow.yaml');
  const program = path.join(await builtPart('cli'), 'cli.cjs');
  const command = `"${process.execPath}" "${program}" diff "$LOCAL" "$REMOTE"`;
  const printed = git('-c', `difftool.millrace.cmd=${command}`, 'difftool', '--no-prompt', '--tool', 'millrace');
  expect(printed).toBe(`${sentences}Adds the file.\n`);
});
