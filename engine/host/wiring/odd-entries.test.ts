/**
 * Tests lists from external sources: an invalid entry between two valid ones never hides them, and shows its problem.
 */
import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

interface Listed {
  readonly name: string;
  /** Why it cannot be used. */
  readonly problem?: string | undefined;
}

interface Row {
  readonly list: string;
  /** Writes the valid entries `a` and `c`. */
  readonly good: () => void;
  /** Kinds of the invalid entry `b`. */
  readonly odd: Readonly<Record<string, () => void>>;
  readonly read: (engine: Engine) => Promise<readonly Listed[]>;
  /** Text in the reason for `b`. */
  readonly reason: RegExp;
  readonly names: readonly [a: string, b: string, c: string];
}

const write = (name: string, text: string | Uint8Array) => at.write(`workspace/${name}`, text);
const folder = (name: string) => mkdirSync(at.at(`workspace/${name}`), { recursive: true });
const circleAt = (path: string) => symlinkSync(path, path);
const circle = (name: string) => circleAt(at.at(`workspace/${name}`));

const byName = (left: Listed, right: Listed): number => (left.name < right.name ? -1 : 1);

const problemOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );

const classOf = (name: string) =>
  `import { BaseAgent } from 'millrace';\nexport class A extends BaseAgent {\n  name = 'shop.${name}';\n}\n`;
const catalogueOf = (name: string) =>
  `version: 1\nname: ${name}\nintents: { Read: {} }\nflows:\n  - { name: f, intent: Read, description: Helps., policy: { skill: help.md } }\n`;
const packs = '.aipack/pack/custom/acme';
const packOf = (namespace: string, name: string) =>
  `[pack]\nnamespace = "${namespace}"\nname = "${name}"\nversion = "1.0.0"\n`;
const manifest = (name: string) => packOf('acme', name);
const tool = (name: string) => `tool_id: ${name}\ndescription: x\nrun: { js: "return 1" }\n`;
const provider = (name: string) => `[providers.${name}]\nkind = "openai"\n`;
const providersWith = (entry: string) => `${provider('a')}[providers.b]\n${entry}\n${provider('c')}`;
const binary = Uint8Array.of(0xff, 0xfe, 0x00, 0x80);

const flowRow = (list: string, place: string): Row => ({
  list,
  good: () => {
    for (const name of ['a', 'c'])
      write(
        `${place}${name}.flow.yaml`,
        'flow: { name: F }\nnodes: [{ id: n, type: echo, input: { text: a } }]\nedges: []\n',
      );
  },
  odd: {
    'broken YAML': () => write(`${place}b.flow.yaml`, 'flow: [\n'),
    'binary content': () => write(`${place}b.flow.yaml`, binary),
    'a circle of links': () => {
      mkdirSync(at.at(`workspace/${place}`), { recursive: true });
      circle(`${place}b.flow.yaml`);
    },
  },
  read: async (engine) =>
    await Promise.all(
      (await engine.listFlows()).map(async ({ path }) => ({
        name: path,
        problem: await problemOf(engine.readFlow(path).then(({ text }) => engine.startRun({ path, text, inputs: {} }))),
      })),
    ),
  reason: /\S/,
  names: [`${place}a.flow.yaml`, `${place}b.flow.yaml`, `${place}c.flow.yaml`],
});

const rows: readonly Row[] = [
  {
    list: 'packs',
    good: () => {
      for (const name of ['a', 'c']) write(`${packs}/${name}/pack.toml`, manifest(name));
    },
    odd: {
      'a broken manifest': () => write(`${packs}/b/pack.toml`, '[pack\n'),
      'a binary manifest': () => write(`${packs}/b/pack.toml`, binary),
      'a manifest that is a circle of links': () => {
        folder(`${packs}/b`);
        circle(`${packs}/b/pack.toml`);
      },
      'a file instead of a folder': () => write(`${packs}/b`, 'x'),
      'a circle of links instead of a folder': () => circle(`${packs}/b`),
      'a link that leads nowhere': () => symlinkSync(at.at('nowhere'), at.at(`workspace/${packs}/b`)),
    },
    read: async (engine) => (await engine.listPacks()).map(({ ref, problem }) => ({ name: ref, problem })),
    reason: /\S/,
    names: ['acme@a', 'acme@b', 'acme@c'],
  },
  {
    list: 'namespaces of packs',
    good: () => {
      for (const name of ['a', 'c']) at.write(`base/pack/custom/${name}/main/pack.toml`, packOf(name, 'main'));
    },
    odd: { 'a circle of links': () => circleAt(at.at('base/pack/custom/b')) },
    read: async (engine) =>
      (await engine.listPacks())
        .filter(({ isBuiltIn }) => !isBuiltIn)
        .map(({ ref, problem }) => ({ name: ref, problem })),
    reason: /custom.b: the path contains a cycle of links/,
    names: ['a@main', 'b@', 'c@main'],
  },
  {
    list: 'tools',
    good: () => {
      for (const name of ['a', 'c']) write(`tools/${name}.tool.yaml`, tool(name));
    },
    odd: {
      'broken YAML': () => write('tools/b.tool.yaml', 'tool_id: [\n'),
      'binary content': () => write('tools/b.tool.yaml', binary),
      'a folder instead of a file': () => folder('tools/b.tool.yaml'),
      'a circle of links': () => circle('tools/b.tool.yaml'),
    },
    read: async (engine) =>
      (await engine.listTools())
        .filter(({ name }) => !name.startsWith('core.'))
        .map(({ name, problem }) => ({ name, problem: problem?.message })),
    reason: /\S/,
    names: ['a', 'b', 'c'],
  },
  {
    list: 'MCP servers',
    good: () => {},
    odd: Object.fromEntries(
      ['null', '"x"', '{}', '{"command":7}', '{"url":"x"}'].map((entry) => [
        entry,
        () => write('.mcp.json', `{"mcpServers":{"a":{"command":"a"},"b":${entry},"c":{"command":"c"}}}`),
      ]),
    ),
    read: async (engine) =>
      (await engine.listMcpServers()).map(({ name, error }) => ({ name, problem: error })).sort(byName),
    reason: /"b"/,
    names: ['a', 'b', 'c'],
  },
  {
    list: 'model providers',
    good: () => {},
    odd: Object.fromEntries(
      ['base_url = 7', 'kind = "alien"', 'api_key_env = "sk-1"', 'omit_fields = "x"', ''].map((entry) => [
        entry || 'no kind',
        () => at.write('base/config-user.toml', providersWith(entry)),
      ]),
    ),
    read: async (engine) => {
      const { providers, problem } = await engine.readModelSettings();
      const listed: Listed[] = providers.filter(({ isBuiltIn }) => !isBuiltIn).map(({ name }) => ({ name }));
      return [...listed, { name: 'b', problem }].sort(byName);
    },
    reason: /config-user\.toml:\d+\)\n.*providers\.b/,
    names: ['a', 'b', 'c'],
  },
  {
    list: 'model aliases',
    good: () => {},
    odd: Object.fromEntries(
      ['7', '{}', '2026-01-01'].map((value) => [
        value,
        () => at.write('base/config-user.toml', `[options.model_aliases]\na = "x::a"\nb = ${value}\nc = "x::c"\n`),
      ]),
    ),
    read: async (engine) => {
      const { providers, aliases, problem } = await engine.readModelSettings();
      expect(providers.length).toBeGreaterThan(0);
      return [...Object.keys(aliases).map((name): Listed => ({ name })), { name: 'b', problem }].sort(byName);
    },
    reason: /config-user\.toml:3\)\n.*model_aliases\.b must be text/,
    names: ['a', 'b', 'c'],
  },
  {
    list: 'products',
    good: () => {
      for (const name of ['a', 'c']) write(`products/${name}/manifest.yaml`, `name: ${name}\n`);
    },
    odd: {
      'broken YAML': () => write('products/b/manifest.yaml', 'name: [\n'),
      'binary content': () => write('products/b/manifest.yaml', binary),
      'a manifest that is a folder': () => folder('products/b/manifest.yaml'),
      'a manifest with another name': () => write('products/b/manifest.yaml', 'name: z\n'),
      'a circle of links': () => {
        folder('products');
        circle('products/b');
      },
    },
    read: async (engine) =>
      (await engine.listProducts()).map(({ name, refusal }) => ({ name, problem: refusal?.message })),
    reason: /\S/,
    names: ['a', 'b', 'c'],
  },
  {
    list: 'agents of a product',
    good: () => {
      for (const name of ['a', 'c']) write(`products/shop/agents/${name}.mjs`, classOf(name));
    },
    odd: {
      'binary content': () => write('products/shop/agents/b.aip', binary),
      'too much content': () => write('products/shop/agents/b.aip', Buffer.alloc(17 * 2 ** 20, 'x')),
    },
    read: async (engine) =>
      await Promise.all(
        (await engine.listStepAgents()).map(async ({ name, path }) => ({
          name,
          problem: await problemOf(engine.readFile(path)),
        })),
      ),
    reason: /agents.b\.aip/,
    names: ['shop.a', 'shop.b', 'shop.c'],
  },
  {
    list: 'conversation catalogues',
    good: () => {
      write('help.md', 'Help.\n');
      for (const name of ['a', 'c']) write(`${name}.dialogue.yaml`, catalogueOf(name));
    },
    odd: {
      'broken YAML': () => write('b.dialogue.yaml', 'name: [\n'),
      'binary content': () => write('b.dialogue.yaml', binary),
      'a circle of links': () => circle('b.dialogue.yaml'),
    },
    read: async (engine) =>
      await Promise.all(
        (await engine.findFiles()).paths
          .filter((path) => path.endsWith('.dialogue.yaml'))
          .map(async (path) => ({ name: path, problem: await problemOf(engine.startConversation({ path })) })),
      ),
    reason: /\S/,
    names: ['a.dialogue.yaml', 'b.dialogue.yaml', 'c.dialogue.yaml'],
  },
  {
    list: 'node types',
    good: () => {
      for (const name of ['a', 'c']) write(`${name}.aip`, '# Options\n\n```toml\n[node]\ntitle = "T"\n```\n');
    },
    odd: {
      'a broken table': () => write('b.aip', '# Options\n\n```toml\n[node]\ntitle = [\n```\n'),
      'a table with odd values': () => write('b.aip', '# Options\n\n```toml\n[node]\ntitle = 7\n```\n'),
      'a circle of links': () => circle('b.aip'),
      'binary content': () => write('b.aip', binary),
    },
    read: async (engine) =>
      (await engine.listNodeTypes({ named: ['./b.aip'] }))
        .map((one) => ({ name: one.type, problem: 'problem' in one ? one.problem : undefined }))
        .sort(byName),
    reason: /b\.aip/,
    names: ['./a.aip', './b.aip', './c.aip'],
  },
  {
    list: 'agents',
    good: () => {
      for (const name of ['a', 'c']) write(`${name}.aip`, '# Instruction\n\nHi.\n');
    },
    odd: {
      'a circle of links': () => circle('b.aip'),
      'binary content': () => write('b.aip', binary),
    },
    read: async (engine) =>
      await Promise.all(
        (await engine.listAgents()).map(async ({ agent }) => ({
          name: agent,
          problem: await problemOf(engine.readAgent(agent)),
        })),
      ),
    reason: /b\.aip/,
    names: ['a.aip', 'b.aip', 'c.aip'],
  },
  flowRow('flows', ''),
  flowRow('flows of a product', 'products/shop/flows/'),
];

const cases = rows.flatMap(({ list, good, odd, ...row }) =>
  Object.entries(odd).map(([what, make]) => [list, what, { ...row, good, make }] as const),
);

test.each(cases)('a list of %s keeps its entries if one is invalid (%s), and reports why', async (...given) => {
  const [, , { good, make, read, reason, names }] = given;
  good();
  make();
  const listed = await read(await at.open());
  expect(listed).toEqual([
    { name: names[0], problem: undefined },
    { name: names[1], problem: expect.stringMatching(reason) },
    { name: names[2], problem: undefined },
  ]);
});
