/** Tests the skill for coding agents: the command that writes it, and every example in it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { flowChangeSchema } from '../language/edit/flow-change-schema.ts';
import { setUpCli } from '../testing/cli-fixture.ts';
import { proposalTools } from './actions/mcp-proposals.ts';
import { authoringTools } from './actions/mcp-tools.ts';

const cli = setUpCli();
const packs = path.resolve(import.meta.dirname, '../../resources/packs');
const skill = readFileSync(path.join(packs, '../skill/SKILL.md'), 'utf8');

/** Returns the code blocks with their info strings. */
function blocks(): { readonly info: string; readonly code: string }[] {
  return [...skill.matchAll(/^(`{3,})(\S[^\n]*)\n([\s\S]*?)^\1$/gm)].map(([, , info = '', code = '']) => ({
    info,
    code,
  }));
}

test('init --skill writes the skill where coding agents look for it, and overwrites nothing', async () => {
  const init = () =>
    cli.call(['init', 'work', '--skill', '--json'], { env: { MILLRACE_HOME: path.join(cli.folder, 'home') } });
  const files = ['.aipack/config.toml', '.agents/skills/millrace/SKILL.md', '.claude/skills/millrace/SKILL.md'];
  const { code, stdout } = await init();
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files });
  for (const file of files.slice(1)) expect(readFileSync(path.join(cli.folder, 'work', file), 'utf8')).toBe(skill);
  cli.write('work/.agents/skills/millrace/SKILL.md', 'mine');
  expect(JSON.parse((await init()).stdout)).toMatchObject({ files: [] });
});

test('the skill has the form that the Agent Skills format requires', () => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
  const { name, description, ...others } = parse(head) as Record<string, string>;
  expect(name).toBe('millrace');
  expect(description?.length).toBeLessThanOrEqual(1024);
  expect(others).toEqual({});
  expect(skill.split('\n').length).toBeLessThan(200);
});

test('all files in the skill are valid, and all its commands succeed', async () => {
  for (const { info, code } of blocks()) {
    const [, file] = info.split(' ');
    if (file !== undefined) cli.write(file, code);
  }
  cli.write('before.flow.yaml', readFileSync(path.join(cli.folder, 'greet.flow.yaml')));
  const commands = blocks().flatMap(({ info, code }) => (info === 'sh' ? code.trim().split('\n') : []));
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    const [program, ...args] = command.split(' ');
    expect(program).toBe('millrace');
    expect(await cli.call(args)).toMatchObject({ code: 0 });
  }
  expect(existsSync(path.join(cli.folder, 'summarize.aip'))).toBe(true);
});

test('the proposal in the skill has the arguments of the tool, and every tool that it names exists', () => {
  const example = blocks().find(({ info }) => info === 'json')?.code ?? '';
  const { changes, ...rest } = JSON.parse(example) as { readonly changes: readonly unknown[] };
  expect(Object.keys(rest)).toEqual(['file', 'title', 'baseHash']);
  for (const change of changes) flowChangeSchema.parse(change);
  const none = {} as never;
  const tools = [...authoringTools(none, none), ...proposalTools(none, { context: none, clientName: () => '' })];
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['validate', 'plan', 'node_types', 'propose_edit', 'proposal_status']));
  const named = [...skill.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});
