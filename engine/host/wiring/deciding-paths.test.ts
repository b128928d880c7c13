/** Tests alternative names and links to deciding files, and what remains allowed. */
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { changed, expectRefused, move, outcomes, refusedNodes, save, writeFiles } from './test-deciding-files.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const trusted = { isTrusted: true } as const;

test('13.1 no alternative spelling of its name opens a deciding file', async () => {
  writeFiles(at);
  const names = [
    ...[
      'MILLRACE.POLICY.YAML',
      'Millrace.policy.yaml',
      'millrace.policy.yaml.',
      'millrace.policy.yaml ',
      'millrace.policy.yaml. .',
    ],
    ...[
      './millrace.policy.yaml',
      'a/../millrace.policy.yaml',
      'tools/../a/..//millrace.policy.yaml',
      at.at('workspace/millrace.policy.yaml'),
    ],
    ...[
      'millrace.policy.yaml::$DATA',
      'millrace.policy.yaml:x',
      '\uff4dillrace.policy.yaml',
      'm\u0131llrace.policy.yaml',
      'millrace.polic\u200by.yaml',
    ],
    ...[
      'tools/X.Tool.YAML',
      'Tools/new.tool.yaml',
      'TOOLS./new.tool.yaml',
      'tools /new.tool.yaml',
      'too\u200dls/new.tool.yaml',
    ],
    ...[
      'Products/new/policy.yaml',
      'products/new/POLICY.yaml',
      'products/new/Agents/a.aip',
      'products/\u00e9/agents/a/b/c.lua',
    ],
    ...[
      '.AIPACK/config.toml',
      '.aipack/Config.toml',
      '.aipack./pack/custom/a/b/main.aip',
      '.MCP.json',
      '.mcp.json.',
      'PACKS.lock',
      'pac\u212as.lock',
    ],
    ...[
      'skills/new/skill.md',
      'desk/new.DIALOGUE.yaml',
      'tests/new.Cassette.yaml',
      'desk/HOOKS/check.lua',
      'DESK/nlu.yaml',
    ],
    ...['$tmp/../../../../tools/new.tool.yaml', '$tmp/../../../config.toml', 'acme@kit/main.aip', 'acme@kit/new/a.aip'],
    '.aipack/support/../config.toml',
  ];
  await expectRefused(at, names.map(save));
  expect(changed(at)).toEqual([]);
});

test('13.1 no link leads to a deciding file', async () => {
  writeFiles(at);
  const link = (target: string, name: string): void => symlinkSync(target, at.at(`workspace/${name}`));
  link('millrace.policy.yaml', 'harmless.txt');
  link('harmless.txt', 'more-harmless.txt');
  link('products', 'p');
  link('desk/hooks', 'h');
  linkSync(at.at('workspace/millrace.policy.yaml'), at.at('workspace/alias.txt'));
  linkSync(at.at('workspace/products/shop/agents/planner.aip'), at.at('workspace/alias.aip'));
  linkSync(at.at('workspace/desk/hooks/check.lua'), at.at('workspace/alias.lua'));
  const paths = [
    'harmless.txt',
    'more-harmless.txt',
    'p/shop/policy.yaml',
    'p/new/policy.yaml',
    'h/check.lua',
    'alias.txt',
    'alias.aip',
    'alias.lua',
  ];
  await expectRefused(
    at,
    paths.flatMap((path) => [save(path), save(path).replace('save', 'append')]),
  );
  const rules = await refusedNodes(
    at,
    paths.map((path) => ({ type: 'file.write', input: { path, text: 'x' }, config: { mode: 'append' } })),
  );
  expect(rules).toEqual(Object.fromEntries(paths.map((path) => [path, 'deciding-file'])));
  expect(changed(at)).toEqual([]);
});

test('13.1 targets of links at a deciding path are protected as well', async () => {
  mkdirSync(at.at('workspace/shared/t'), { recursive: true });
  mkdirSync(at.at('workspace/products/shop'), { recursive: true });
  const link = (target: string, name: string): void => symlinkSync(target, at.at(`workspace/${name}`));
  link('shared/t', 'tools');
  at.write('workspace/conf/policy.yaml', '# kept\n');
  link('conf/policy.yaml', 'millrace.policy.yaml');
  link('servers.json', '.mcp.json');
  link('../../team/agents', 'products/shop/agents');
  link('one', 'triggers.yaml');
  link('two', 'one');
  at.write('workspace/x/a.tool.yaml', 'x');
  const codes = [
    'shared/t/a.tool.yaml',
    'Shared/T/a.tool.yaml',
    'conf/policy.yaml',
    'servers.json',
    'team/agents/a.aip',
    'two',
  ].map(save);
  const folders = [
    ['x', 'shared/t'],
    ['x', 'shared'],
    ['x', 'team'],
    ['x', 'team/agents'],
    ['x', 'conf/policy.yaml'],
  ];
  await expectRefused(at, [...codes, ...folders.map(([from = '', to = '']) => move(from, to))]);
  await expectRefused(
    at,
    ['tools', 'millrace.policy.yaml', '.mcp.json', 'products/shop/agents', 'one', 'shared'].map(
      (path) => `aip.file.delete("${path}")`,
    ),
  );
});

test('13.1 in a trusted workspace, the base folder, the team file and the cassette in use stay unchanged', async () => {
  at.write('workspace/team.yaml', 'version: 1\nteam: { name: T }\n');
  at.write('base/policy.yaml', '# kept\n');
  at.write('workspace/calls.yaml', 'cassette: 1\ncalls: []\n');
  const base = [
    'policy.yaml',
    'config-user.toml',
    'config-default.toml',
    'pack/custom/a/b/main.aip',
    'pack/installed/a/b/pack.toml',
  ];
  const paths = [
    ...base.map((path) => at.at(`base/${path}`)),
    at.at('other/.aipack-base/policy.yaml'),
    'team.yaml',
    'calls.yaml',
  ];
  const options = { ...trusted, env: { MILLRACE_TEAM_FILE: at.at('workspace/team.yaml') } };
  await expectRefused(at, paths.map(save), {
    ...options,
    cassette: { file: at.at('workspace/calls.yaml'), mode: 'auto' },
  });
});

test('13.1 ordinary files and folders remain writable', async () => {
  writeFiles(at);
  for (const path of ['out/a.md', 'old/flows/a.yaml']) at.write(`workspace/${path}`, 'x');
  const paths = [
    ...[
      'policy.yaml',
      'manifest.yaml',
      'notes/policy.yaml',
      'config.toml',
      'docs/tools/a.tool.yaml',
      'tools/readme.md',
      'tools/gen.py',
    ],
    ...[
      'tools/sub/a.tool.yaml',
      'products/readme.md',
      'products/shop/flows/a.yaml',
      'products/shop/readme.md',
      'my.flow.yaml',
    ],
    ...['agents/a.aip', 'lib/a.mjs', 'lua/a.lua', 'main-2.aip', '.aipack/notes.md', '.aipack/.prompt/acme/a.md'],
    ...[
      '.aipack/support/pack/a/b/a.json',
      '$tmp/a/SKILL.md',
      'millrace.policy.yaml.md',
      'sub/.mcp.json',
      'sub/millrace.policy.yaml',
    ],
    ...[
      'replies.yaml',
      'desk/other.lua',
      'desk/a.flow.yaml',
      'team.yaml',
      'triggers.yaml.bak',
      'node_modules/a/SKILL.md',
    ],
  ];
  const codes = [
    ...paths.map(save),
    ...['tools', 'products', 'products/new', 'products/new/agents', '.aipack/pack'].map(
      (path) => `aip.file.ensure_dir("${path}")`,
    ),
    ...[
      ['out', 'done'],
      ['old/flows', 'products/shop/more'],
      ['done', 'old/done'],
    ].map(([from = '', to = '']) => move(from, to)),
    ...['old', 'node_modules', 'products/shop/flows', 'tools/sub'].map((path) => `aip.file.delete("${path}")`),
  ];
  const got = await outcomes(at, codes);
  expect(codes.map((code, index) => [code, got[index]])).toEqual(codes.map((code) => [code, 'done']));
  expect(changed(at)).toEqual([]);
});

test('13.1 a refusal names the file, the reason, and how to allow it', async () => {
  const text = JSON.stringify({
    flow: { name: 'F' },
    nodes: [{ id: 'a', type: 'file.write', input: { path: 'x/../tools/pay.tool.yaml', text: 'x' } }],
    edges: [],
  });
  const engine = await at.open(trusted);
  const { runId } = await engine.startRun({ path: 'f.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  const failed = (await engine.readEvents(runId, -1, 100)).map(({ event }) => event).at(-1);
  expect(failed).toMatchObject({
    type: 'run:end',
    error: { code: 'effect.denied', details: { rule: 'deciding-file', trustHelps: false } },
  });
  expect(JSON.stringify(failed)).toContain(
    'Runs cannot change `tools/pay.tool.yaml`: it is a tool manifest and controls what runs may do.',
  );
  expect(JSON.stringify(failed)).toContain('may_write: [\\"tools/pay.tool.yaml\\"]');
});
