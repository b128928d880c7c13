import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultEffectPolicy } from '../../runtime/governance/effect-policy.ts';
import { withPolicies } from '../../runtime/governance/layered-policy.ts';
import { parsePolicy } from '../../runtime/governance/parse-policy.ts';
import { policyScopes } from '../../runtime/governance/policy-layer.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const file = 'workspace/millrace.policy.yaml';
const echo = 'flow: { name: F }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';
const toolCall = echo.replace(
  'type: echo, input: { text: hi }',
  'type: tool, input: { glob: "*" }, config: { tool: core.file_list }',
);

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

async function run(text: string): Promise<readonly EventEnvelope[]> {
  return await runFlow(await world.engine({}), text);
}

describe('no run starts under a policy that', () => {
  test.each<[what: string, make: () => void, why: string]>([
    ['is a folder', () => mkdirSync(world.folder.at(file)), 'This is not a regular file.'],
    [
      'is 1 GB long',
      () => {
        world.folder.write(file, '');
        truncateSync(world.folder.at(file), 1e9);
      },
      'The file is larger than 1 MiB.',
    ],
    ['is a device', () => symlinkSync('/dev/zero', world.folder.at(file)), 'This is not a regular file.'],
    [
      'is a link that leads nowhere',
      () => symlinkSync('nowhere.yaml', world.folder.at(file)),
      'The target of the link does not exist.',
    ],
    [
      'has 10,000 rules in a list',
      () =>
        world.folder.write(file, `blocked_tools: [${Array.from({ length: 10_000 }, (_, at) => `t${at}`).join(', ')}]`),
      'blocked_tools',
    ],
    [
      'has a pattern that expands to too many globs',
      () => world.folder.write(file, `blocked_tools: ["${'{a,b}'.repeat(20)}"]`),
      'glob',
    ],
  ])('%s', async (_, make, why) => {
    make();
    const events = await run(echo);
    expect(events.map(({ event: { type } }) => type)).toEqual(['run:refused']);
    expect(ofType(events, 'run:refused')).toMatchObject([
      { code: 'policy.invalid', message: expect.stringContaining(why) },
    ]);
  });
});

test('a broken link blocks an engine that has read no policy before, until it is removed', async () => {
  const engine = await world.engine({});
  expect(ofType(await runFlow(engine, echo), 'run:end')).toMatchObject([{ status: 'completed' }]);
  symlinkSync('nowhere.yaml', world.folder.at(file));
  expect(ofType(await runFlow(engine, echo), 'run:refused')).toMatchObject([{ code: 'policy.invalid' }]);
  rmSync(world.folder.at(file));
  expect(ofType(await runFlow(engine, echo), 'run:end')).toMatchObject([{ status: 'completed' }]);
});

test('the target of a link applies, wherever it is', async () => {
  world.folder.write('elsewhere/policy.yaml', 'blocked_tools: [core.file_list]\n');
  symlinkSync(world.folder.at('elsewhere/policy.yaml'), world.folder.at(file));
  expect(ofType(await run(toolCall), 'run:refused')).toMatchObject([{ details: { rule: 'tool_blocked' } }]);
});

test('evaluates 12,000 rules immediately, with patterns that would cause catastrophic backtracking in a regular expression', () => {
  const rules = Array.from({ length: 1000 }, (_, at) => `  - "*${'a*'.repeat(20)}b${at}"\n`).join('');
  const keys = ['blocked_tools', 'blocked_models', 'blocked_hosts', 'require_approval'];
  const { policy, problems } = parsePolicy(keys.map((key) => `${key}:\n${rules}`).join(''));
  expect(problems).toEqual([]);
  const judge = withPolicies(defaultEffectPolicy, () => policyScopes.map((scope) => ({ scope, file: scope, policy })));
  const about = { place: 'elsewhere', workspace: '', isTrusted: true, isDry: false } as const;
  const target = 'a'.repeat(300);
  expect(judge({ ...about, effect: 'tool', target })).toMatchObject({ decision: 'allow' });
  expect(judge({ ...about, effect: 'tool', target: `${target}b999` })).toMatchObject({ rule: 'tool_blocked' });
});

test('an exhausted budget inside a parallel loop ends the run, and nothing happens afterwards', async () => {
  // The loop itself is the first step, which leaves four of its forty items.
  world.folder.write(file, 'max_steps: 5\n');
  const items = Array.from({ length: 40 }, (_, at) => at).join(', ');
  const events = await run(`flow: { name: Loop, policy: { maxParallel: 4, failFast: false } }
nodes:
  - { id: each, type: control.foreach, input: { items: [${items}], body: [work] }, config: { concurrency: 4 } }
  - id: work
    type: file.write
    input: { path: "out/{{item}}.txt", text: x }
    policy: { continueOnError: true, retry: { maxAttempts: 5 } }
edges: []
`);
  expect(ofType(events, 'run:end')).toMatchObject([{ status: 'failed', error: { code: 'budget.exceeded' } }]);
  expect(events.at(-1)?.event.type).toBe('run:end');
  // The excess start is emitted, and canceled immediately.
  expect(ofType(events, 'task:start')).toHaveLength(6);
  const written = world.folder.at('workspace/out');
  expect(existsSync(written) ? readdirSync(written).length : 0).toBeLessThanOrEqual(4);
});

test('testing a policy counts effects that only a person could allow during a run as denied', async () => {
  world.folder.write('workspace/a.md', 'A');
  const engine = await world.engine({});
  await runFlow(engine, echo.replace('type: echo, input: { text: hi }', 'type: file.read, input: { path: a.md }'));
  await runFlow(engine, toolCall);
  expect(await engine.tryPolicy({ text: 'effects: { read: ask, tool: ask }' })).toMatchObject([
    { refusals: [{ rule: 'effect_ask', effect: 'read', target: 'a.md' }] },
  ]);
});
