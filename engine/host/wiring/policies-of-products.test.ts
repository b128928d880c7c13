import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
  world.folder.write('workspace/a.md', 'A');
});
afterEach(() => world.close());

function write(path: string, text: string): void {
  world.folder.write(`workspace/${path}`, text);
}

async function run(path: string, text: string, given?: Engine): Promise<readonly EventEnvelope[]> {
  write(path, text);
  const engine = given ?? (await world.engine({}));
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  return await engine.readEvents(runId, -1, 1000);
}

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

/** Returns the location of the rule that denied something, or how the run ended. */
const outcome = (events: readonly EventEnvelope[]): string | undefined =>
  ofType(events, 'governance:decision').find(({ allowed }) => !allowed)?.place ??
  (ofType(events, 'run:refused')[0]?.details as { place?: string } | undefined)?.place ??
  ofType(events, 'run:end')[0]?.status;

const flow = (nodes: string): string => `flow: { name: F }\nnodes:\n${nodes}\nedges: []\n`;
const read = flow('  - { id: a, type: file.read, input: { path: a.md } }');
const two = flow('  - { id: a, type: echo, input: { text: a } }\n  - { id: b, type: echo, input: { text: b } }');
const shop = 'products/shop/flows/f.flow.yaml';
const other = 'products/other/flows/f.flow.yaml';

describe('the policy of a product', () => {
  test('12.7 applies to the flows of the product only', async () => {
    write('products/shop/policy.yaml', '# ours\neffects: { read: deny }\n');
    expect(outcome(await run(shop, read))).toBe('products/shop/policy.yaml:2');
    expect(outcome(await run('f.flow.yaml', read))).toBe('completed');
    expect(outcome(await run(other, read))).toBe('completed');
    expect(outcome(await run('products/other/../shop/flows/f.flow.yaml', read))).toBe('products/shop/policy.yaml:2');
  });

  test('12.7 narrows the other policies, and widens nothing', async () => {
    write('millrace.policy.yaml', 'effects: { read: deny }\nmax_steps: 1\n');
    write('products/shop/policy.yaml', 'enforce: false\neffects: { read: allow }\n');
    expect(outcome(await run(shop, read))).toBe('millrace.policy.yaml:1');
    write('millrace.policy.yaml', 'max_steps: 10\n');
    write('products/shop/policy.yaml', 'max_steps: 1\n');
    expect(outcome(await run(shop, two))).toBe('products/shop/policy.yaml:1');
    expect(outcome(await run('f.flow.yaml', two))).toBe('completed');
  });

  test('denies a run before its start, and limits its usage and that of the runs it calls', async () => {
    write('products/shop/policy.yaml', 'max_steps: 2\nblocked_tools: [core.json_query]\n');
    const tool = flow('  - { id: a, type: tool, input: { value: 1, path: $ }, config: { tool: core.json_query } }');
    const refused = await run(shop, tool);
    expect(ofType(refused, 'run:refused')).toMatchObject([{ code: 'policy_blocked' }]);
    const loop = flow(`  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [w] } }
  - { id: w, type: echo, input: { text: "{{item}}" } }`);
    expect(ofType(await run(shop, loop), 'run:end')).toMatchObject([
      { status: 'failed', error: { code: 'budget.exceeded', details: { place: 'products/shop/policy.yaml:1' } } },
    ]);
  });

  test('applies to everything that a run of the product calls, and to a flow of the product that another run calls', async () => {
    write('products/shop/policy.yaml', 'effects: { write: deny }\n');
    write('reader.aip', '# Data\n\n```lua\naip.file.save("b.md", "x")\nreturn 1\n```\n');
    const asking = flow('  - { id: a, type: agent, input: { agent: reader.aip, inputs: [x] } }');
    expect(outcome(await run(shop, asking))).toBe('products/shop/policy.yaml:1');
    expect(outcome(await run('f.flow.yaml', asking))).toBe('completed');
    write(shop, flow('  - { id: a, type: file.write, input: { path: b.md, text: x } }'));
    const calling = flow(`  - { id: a, type: flow, input: { flow: ${shop}, input: {} } }`);
    expect(outcome(await run('f.flow.yaml', calling))).toBe('products/shop/policy.yaml:1');
  });

  test('applies to all effects of agents of the product', async () => {
    write('products/shop/policy.yaml', 'effects: { write: deny, command: deny }\n');
    const agent = (act: string): string => `# Data\n\n\`\`\`lua\n${act}\nreturn 1\n\`\`\`\n`;
    const engine = await world.engine({});
    const runAgent = async (path: string, act: string): Promise<string | undefined> => {
      write(path, agent(act));
      const started = await engine.startAgent({ agent: path, inputs: ['x'] });
      if (!('runId' in started)) throw new Error('It was not started.');
      await engine.whenEnded(started.runId);
      return outcome(await engine.readEvents(started.runId, -1, 1000));
    };
    const save = 'aip.file.save("out.md", "x")';
    expect(await runAgent('products/shop/agents/a.aip', save)).toBe('products/shop/policy.yaml:1');
    expect(await runAgent('products/shop/agents/b.aip', 'aip.cmd.exec("echo", "x")')).toBe(
      'products/shop/policy.yaml:1',
    );
    expect(await runAgent('a.aip', save)).toBe('completed');
  });

  test('blocks only its product if it cannot be parsed', async () => {
    write('products/shop/policy.yaml', 'blocked_tols: []\n');
    const events = await run(shop, two);
    expect(ofType(events, 'run:refused')).toMatchObject([
      {
        code: 'policy.invalid',
        message: expect.stringMatching(/^products\/shop\/policy\.yaml:1: The key blocked_tols is not known/),
      },
    ]);
    expect(outcome(await run('f.flow.yaml', two))).toBe('completed');
  });

  test('is listed after the others, with its product', async () => {
    write('products/shop/policy.yaml', 'max_steps: 3\n');
    write('products/other/flows/x.yaml', '');
    const engine = await world.engine({});
    expect((await engine.listPolicies()).map(({ scope, product, exists }) => [scope, product, exists])).toEqual([
      ['personal', undefined, false],
      ['workspace', undefined, false],
      ['product', 'shop', true],
    ]);
  });

  test('is tested on runs of the product only', async () => {
    const engine = await world.engine({});
    await run(shop, two, engine);
    await run('f.flow.yaml', two, engine);
    write('products/shop/policy.yaml', 'max_steps: 1\n');
    const tried = await engine.tryPolicy({});
    expect(tried.flatMap(({ refusals }) => refusals.map(({ place }) => place))).toEqual([
      'products/shop/policy.yaml:1',
    ]);
    const text = 'by_product: { shop: { max_steps: 1 } }\n';
    write('products/shop/policy.yaml', '');
    expect(await engine.tryPolicy({ text })).toHaveLength(1);
  });
});

describe('rules for a product in a policy (by_product)', () => {
  const overrides = `blocked_tools: [core.json_query]
max_steps: 1
effects: { read: deny }
by_product:
  " Shop":
    blocked_tools: []
    max_steps: 2
    effects: { write: deny }
  other:
    enforce: false
`;
  const query = flow(
    '  - { id: a, type: tool, input: { value: { a: 1 }, path: $.a }, config: { tool: core.json_query } }',
  );

  test('C2.9 override the general rules: lists are replaced, the rest is kept, and names are case-insensitive', async () => {
    write('millrace.policy.yaml', overrides);
    expect(outcome(await run(shop, two))).toBe('completed');
    expect(outcome(await run(shop, read))).toBe('millrace.policy.yaml:3');
    expect(outcome(await run('f.flow.yaml', two))).toBe('millrace.policy.yaml:2');
    expect(outcome(await run(other, two))).toBe('completed');
    expect(outcome(await run(other, read))).toBe('completed');
    const writing = flow('  - { id: a, type: file.write, input: { path: b.md, text: x } }');
    expect(outcome(await run(shop, writing))).toBe('millrace.policy.yaml:8');
    expect(outcome(await run('f.flow.yaml', query))).toBe('millrace.policy.yaml:1');
    expect(outcome(await run(shop, query))).not.toBe('millrace.policy.yaml:1');
  });

  test('apply in the personal policy, and cannot loosen another policy', async () => {
    world.folder.write('home/policy.yaml', 'by_product: { shop: { effects: { read: deny } } }\n');
    write('millrace.policy.yaml', 'by_product: { shop: { effects: { read: allow } } }\n');
    expect(outcome(await run(shop, read))).toBe('policy.yaml:1');
    expect(outcome(await run(other, read))).toBe('completed');
  });

  test('apply in the file of a team', async () => {
    const file = world.folder.at('team.yaml');
    const team = (rules: string): void =>
      world.folder.write(
        'team.yaml',
        `version: 1\nteam: { name: Acme }\npolicies:\n  effects: { read: deny }\n${rules}`,
      );
    team('  by_product: { shop: { effects: { read: allow } } }\n');
    const engine = await world.engine({ MILLRACE_TEAM_FILE: file });
    expect(outcome(await run(other, read, engine))).toBe(`${file}:4`);
    expect(outcome(await run(shop, read, engine))).toBe('completed');
  });
});
