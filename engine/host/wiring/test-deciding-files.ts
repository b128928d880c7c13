/**
 * Test helper: a workspace with deciding files of every kind, and runs that try to change them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { EngineOptions } from '../../index.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, afterAllOf } from './test-agent-workspace.ts';

const catalogue = `version: 1
name: Desk
nlu: { script: nlu.yaml }
intents:
  Read: { hooks: { check: { script: hooks/check.lua } } }
flows:
  - { name: help, intent: Read, description: Helps., policy: { skill: notes/help.md } }
`;

/** Deciding files with their content, all of it harmless. */
const deciding: Readonly<Record<string, string>> = {
  'millrace.policy.yaml': '# kept\n',
  'products/shop/policy.yaml': '# kept\n',
  'products/shop/manifest.yaml': '# kept\n',
  'products/shop/agents/planner.aip': '# Instruction\n',
  'products/shop/agents/planner.mjs': '// kept\n',
  'products/shop/agents/lua/steps.lua': '-- kept\n',
  'products/shop/tools/pay.tool.yaml': '# kept\n',
  'products/shop/triggers.yaml': '# kept\n',
  'products/depot/policy.yaml': '# kept\n',
  'products/depot/agents/new.aip': '# Instruction\n',
  'tools/deploy.tool.yaml': '# kept\n',
  'tools/core.tool.yaml': '# kept\n',
  'triggers.yaml': '# kept\n',
  '.mcp.json': '{}\n',
  'packs.lock': '# kept\n',
  '.aipack/config.toml': '# kept\n',
  '.aipack/pack/custom/acme/kit/pack.toml': '# kept\n',
  '.aipack/pack/custom/acme/kit/main.aip': '# Instruction\n',
  '.aipack/pack/custom/acme/kit/lua/steps.lua': '-- kept\n',
  '.aipack/pack/custom/acme/kit/tools/send.tool.yaml': '# kept\n',
  'desk/support.dialogue.yaml': catalogue,
  'desk/nlu.yaml': '- { match: "help", flow: help }\n',
  'desk/hooks/check.lua': '-- kept\n',
  'desk/notes/help.md': 'Help.\n',
  'desk/skills/sum/SKILL.md': 'Sum up.\n',
  'chat.dialogue.yaml': catalogue.replace('desk', 'root').replace('nlu: { script: nlu.yaml }\n', ''),
  'hooks/check.lua': '-- kept\n',
  'notes/help.md': 'Help.\n',
  'tests/greet.cassette.yaml': 'cassette: 1\ncalls: []\n',
  'skills/plan/SKILL.md': 'Plan.\n',
};
/** Paths of the files. */
export const files = Object.keys(deciding);

/** Writes all files. */
export function writeFiles(at: AgentWorkspace): void {
  for (const [path, text] of Object.entries(deciding)) at.write(`workspace/${path}`, text);
}

/** Returns the files that differ from their original content. */
export const changed = (at: AgentWorkspace): string[] =>
  files.filter((path) => {
    const file = at.at(`workspace/${path}`);
    return !existsSync(file) || readFileSync(file, 'utf8') !== deciding[path];
  });

export type Options = Partial<EngineOptions>;

/** Runs a script of an agent and returns its result. */
export async function script(at: AgentWorkspace, code: string, options: Options = {}): Promise<unknown> {
  at.write('workspace/main.aip', scriptSection('After All', code));
  const engine = await at.open(options);
  const { end } = await at.run(engine, { agent: 'main.aip' });
  expect(end.error).toBeUndefined();
  return afterAllOf(end);
}

/** Runs each node separately; returns the rules that denied them, by the paths that they named. */
export async function refusedNodes(
  at: AgentWorkspace,
  nodes: readonly object[],
  options: Options = {},
): Promise<Record<string, string>> {
  const engine = await at.open(options);
  const all = nodes.map((node, index) => ({ id: `n${index}`, policy: { continueOnError: true }, ...node }));
  const text = JSON.stringify({ flow: { name: 'F' }, nodes: all, edges: [] });
  const { runId } = await engine.startRun({ path: 'f.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  const events = (await engine.readEvents(runId, -1, 5000)).map(({ event }) => event);
  return Object.fromEntries(
    events.flatMap((event) =>
      event.type === 'governance:decision' && !event.allowed ? [[event.target, event.rule]] : [],
    ),
  );
}

/** Formats a Lua table. */
export const lua = (values: readonly string[]): string => `{ ${values.map((one) => JSON.stringify(one)).join(', ')} }`;

/** Performs each operation separately in an untrusted workspace; returns the rule that denied each, or `done`. */
export async function outcomes(
  at: AgentWorkspace,
  codes: readonly string[],
  options: Options = {},
): Promise<readonly unknown[]> {
  const tries = codes.map(
    (code, index) =>
      `do local ok, e = pcall(function() ${code} end); out[${index + 1}] = ok and "done" or (string.match(tostring(e), "rule ([%w-]+)") or tostring(e)) end`,
  );
  return (await script(at, `local out = {}; ${tries.join('\n')}; return out`, options)) as readonly unknown[];
}

/** Expects that each operation is denied because it affects a deciding file. */
export async function expectRefused(
  at: AgentWorkspace,
  codes: readonly string[],
  options: Options = {},
): Promise<void> {
  const got = await outcomes(at, codes, options);
  expect(codes.map((code, index) => [code, got[index]])).toEqual(codes.map((code) => [code, 'deciding-file']));
}

export const save = (path: string): string => `aip.file.save(${JSON.stringify(path)}, "x")`;
export const move = (from: string, to: string): string => `aip.file.move("${from}", "${to}", { overwrite = true })`;
