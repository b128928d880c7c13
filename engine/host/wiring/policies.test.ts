import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

function policy(text: string, file = 'workspace/millrace.policy.yaml'): void {
  world.folder.write(file, text);
}

const personal = 'home/policy.yaml';

async function run(text: string, engine?: Engine): Promise<readonly EventEnvelope[]> {
  return await runFlow(engine ?? (await world.engine({})), text);
}

const flow = (nodes: string): string => `flow: { name: F }\nnodes:\n${nodes}\nedges: []\n`;
const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

const read = flow('  - { id: a, type: file.read, input: { path: a.md } }');
const echo = flow('  - { id: a, type: echo, input: { text: hi } }');

describe('MF-093 a policy of the workspace', () => {
  test('is evaluated before an effect of a node, emitted with its line, and fails the node', async () => {
    policy('# ours\neffects:\n  read: deny\n');
    world.folder.write('workspace/a.md', 'A');
    const events = await run(read);
    const place = 'millrace.policy.yaml:3';
    expect(ofType(events, 'governance:decision')).toEqual([
      {
        type: 'governance:decision',
        allowed: false,
        rule: 'effect_denied',
        effect: 'read',
        target: 'a.md',
        place,
        reason: 'The effect read is not allowed (`a.md`)',
      },
    ]);
    expect(ofType(events, 'run:end')).toMatchObject([
      { status: 'failed', error: { code: 'effect.denied', message: expect.stringContaining(place) } },
    ]);
  });

  test('blocks everything if it cannot be parsed: no run starts, and the log contains the position', async () => {
    policy('max_steps: 3\nblocked_tools: [a\n');
    const events = await run(echo);
    expect(events.map(({ event: { type } }) => type)).toEqual(['run:refused']);
    expect(ofType(events, 'run:refused')).toMatchObject([
      { code: 'policy.invalid', message: expect.stringMatching(/^millrace\.policy\.yaml:\d: /) },
    ]);
  });

  test('also blocks everything if a key is mistyped', async () => {
    policy('bloked_tools: [a]\n');
    expect(ofType(await run(echo), 'run:refused')).toMatchObject([
      { message: expect.stringContaining('bloked_tools is not known. Did you mean "blocked_tools"?') },
    ]);
  });

  test('changes nothing if it is empty or not enforced', async () => {
    for (const text of ['', '# nothing\n', 'enforce: false\nmax_steps: 0\n']) {
      policy(text);
      expect(ofType(await run(echo), 'run:end')).toMatchObject([{ status: 'completed' }]);
    }
  });

  test('MF-128 rejects a blocked model before the run, and the history contains the rule and its line', async () => {
    policy('blocked_models:\n  - "scripted::*"\n');
    const engine = await world.engine({});
    const text = flow('  - { id: a, type: prompt, input: { prompt: hi }, config: { model: "scripted::r.yaml" } }');
    const events = await run(text, engine);
    const details = {
      rule: 'model_blocked',
      place: 'millrace.policy.yaml:2',
      effect: 'model',
      target: 'scripted::r.yaml',
    };
    expect(events.map(({ event }) => event)).toMatchObject([{ type: 'run:refused', code: 'policy_blocked', details }]);
    expect(await engine.listRuns({ limit: 9 })).toMatchObject([
      { status: 'failed', error: { code: 'policy_blocked' } },
    ]);
  });

  test('rejects a flow with more nodes than allowed steps before it starts', async () => {
    policy('max_steps: 1\n');
    const two = flow('  - { id: a, type: echo, input: { text: hi } }\n  - { id: b, type: echo, input: { text: hi } }');
    expect(ofType(await run(two), 'run:refused')).toMatchObject([
      { code: 'max_steps_exceeded', details: { rule: 'step_limit_exceeded', used: 2, limit: 1 } },
    ]);
  });
});

describe('two policies', () => {
  test('the later one cannot allow what the earlier one denies', async () => {
    world.folder.write('workspace/a.md', 'A');
    policy('effects: { read: deny }\n', personal);
    policy('enforce: false\neffects: { read: allow }\n');
    expect(ofType(await run(read), 'governance:decision')).toMatchObject([{ place: 'policy.yaml:1', allowed: false }]);
  });

  test('the lower limit applies', async () => {
    policy('max_steps: 1\n', personal);
    policy('max_steps: 100\n');
    const loop = loopOf(4, 1);
    expect(ofType(await run(loop), 'run:refused')).toMatchObject([{ details: { place: 'policy.yaml:1' } }]);
  });

  test('a policy that forbids everything allows only nodes without effects to run, and if it forbids outputs, not even those', async () => {
    world.folder.write('workspace/a.md', 'A');
    const most = 'read: deny, write: deny, delete: deny, command: deny, web: deny, model: deny, tool: deny';
    policy(`effects: { ${most}, output: deny }\n`);
    expect(ofType(await run(echo), 'run:end')).toMatchObject([{ status: 'failed' }]);
    policy(`effects: { ${most} }\n`);
    expect(ofType(await run(echo), 'run:end')).toMatchObject([{ status: 'completed' }]);
    expect(ofType(await run(read), 'run:end')).toMatchObject([{ status: 'failed' }]);
  });
});

function loopOf(items: number, parallel: number): string {
  const list = Array.from({ length: items }, (_, index) => index).join(', ');
  return `flow: { name: Loop, policy: { maxParallel: ${parallel}, failFast: false } }
nodes:
  - id: each
    type: control.foreach
    input: { items: [${list}], body: [work] }
    config: { concurrency: ${parallel} }
    policy: { continueOnError: true }
  - id: work
    type: echo
    input: { text: "{{item}}" }
    policy: { continueOnError: true, retry: { maxAttempts: 5 } }
edges: []
`;
}

describe('X-12 a blocked tool', () => {
  const toolNode = '  - { id: a, type: tool, input: { glob: "*" }, config: { tool: core.file_list } }';

  test('MF-051 is rejected in a node before the run starts', async () => {
    policy('blocked_tools:\n  - core.file_read\n  - "  CORE.File_*"\n');
    expect((await run(flow(toolNode))).map(({ event }) => event)).toMatchObject([
      {
        type: 'run:refused',
        code: 'policy_blocked',
        details: { rule: 'tool_blocked', place: 'millrace.policy.yaml:3', target: 'core.file_list' },
      },
    ]);
  });

  test('is also rejected if it is not on the list of allowed tools; a listed tool runs', async () => {
    policy('allowed_tools: [core.text_search]\n');
    const engine = await world.engine({});
    expect(ofType(await run(flow(toolNode), engine), 'run:refused')).toMatchObject([
      { details: { rule: 'tool_not_in_allowlist' } },
    ]);
    policy('allowed_tools: ["core.*"]   # all\n');
    expect(ofType(await run(flow(toolNode), engine), 'run:end')).toMatchObject([{ status: 'completed' }]);
  });

  test('tool calls have a budget', async () => {
    policy('max_tool_calls: 1\n');
    const second = toolNode.replace('id: a', 'id: b');
    const text = flow(`${toolNode}\n${second}`).replace('edges: []', 'edges: [{ from: a, to: b }]');
    const events = await run(text);
    expect(ofType(events, 'tool:result').filter(({ isError }) => !isError)).toHaveLength(1);
    expect(ofType(events, 'run:end')).toMatchObject([
      { status: 'failed', error: { code: 'budget.exceeded', details: { budget: 'toolCalls', used: 2, limit: 1 } } },
    ]);
  });
});

describe('what a policy would have denied', () => {
  test('is reported for recorded runs, with the events, and nothing changes', async () => {
    world.folder.write('workspace/a.md', 'A');
    const engine = await world.engine({});
    await run(read, engine);
    await run(echo, engine);
    const [tried, ...more] = await engine.tryPolicy({ text: 'effects: { read: deny }\nmax_tool_calls: 0\n' });
    expect(more).toEqual([]);
    expect(tried).toMatchObject({
      name: 'F',
      refusals: [{ rule: 'effect_denied', place: 'millrace.policy.yaml:1', effect: 'read', target: 'a.md' }],
    });
    const [told] = tried?.refusals ?? [];
    expect(await engine.readEvents(tried?.runId as never, (told?.seq ?? 0) - 1, 1)).toMatchObject([
      { event: { type: 'node:input' } },
    ]);
    expect(await engine.tryPolicy({ text: 'max_steps: 0' })).toMatchObject([
      { refusals: [{ effect: 'budget', target: 'steps' }] },
      { refusals: [{ effect: 'budget', target: 'steps' }] },
    ]);
    expect(await engine.tryPolicy({})).toEqual([]);
  });

  test('cannot be determined for an invalid policy', async () => {
    const engine = await world.engine({});
    await expect(engine.tryPolicy({ text: 'max_steps: -1' })).rejects.toMatchObject({
      code: 'policy.invalid',
      line: 1,
    });
    expect(await engine.checkPolicy('\nmax_steps: -1\neffects: { web: never }')).toMatchObject([
      { line: 2, message: expect.stringContaining('max_steps must be at least 0') },
      { line: 3, message: expect.stringContaining('effects.web') },
    ]);
  });

  test('lists the policies in effect in order', async () => {
    policy('max_steps: 3\n', personal);
    const engine = await world.engine({});
    expect(await engine.listPolicies()).toMatchObject([
      { scope: 'personal', exists: true, text: 'max_steps: 3\n', problems: [] },
      { scope: 'workspace', exists: false },
    ]);
  });
});

describe('hosts', () => {
  const ask = (url: string) => flow(`  - { id: a, type: http.request, input: { url: "${url}" } }`);

  test('are not contacted if they are blocked, through any redirect', async () => {
    policy('blocked_hosts: ["localhost*"]\n');
    const { base } = world;
    world.answer = () => ({ status: 302, headers: { location: base.replace('127.0.0.1', 'localhost') }, body: '' });
    const events = await run(ask(base));
    expect(world.heard).toHaveLength(1);
    expect(ofType(events, 'governance:decision')).toMatchObject([
      { allowed: false, rule: 'host_blocked', effect: 'web' },
    ]);
    expect(ofType(events, 'run:end')).toMatchObject([{ error: { code: 'effect.denied' } }]);
  });

  test('are not contacted if they are not on the list of allowed hosts', async () => {
    policy('allowed_hosts: [example.com]\n');
    const events = await run(ask(world.base));
    expect(world.heard).toHaveLength(0);
    expect(ofType(events, 'governance:decision')).toMatchObject([{ rule: 'host_not_in_allowlist' }]);
  });

  test("respond if they are allowed, and nothing is emitted for requests in the flow's own text", async () => {
    policy('allowed_hosts: ["127.0.0.*"]\n');
    const events = await run(ask(world.base));
    expect(ofType(events, 'run:end')).toMatchObject([{ status: 'completed' }]);
    expect(ofType(events, 'governance:decision')).toEqual([]);
  });
});

describe('a budget', () => {
  test('of steps that is exhausted inside a parallel loop ends the run, whatever its nodes tolerate', async () => {
    policy('max_steps: 5\n');
    const events = await run(loopOf(40, 4));
    expect(ofType(events, 'run:end')).toMatchObject([
      {
        status: 'failed',
        error: {
          code: 'budget.exceeded',
          details: { budget: 'steps', used: 6, limit: 5, place: 'millrace.policy.yaml:1' },
        },
      },
    ]);
    expect(ofType(events, 'task:complete').length).toBeLessThan(6);
  });

  test('of tokens is shared by the run and everything it calls', async () => {
    policy('max_tokens_per_run: 20\n');
    const usage = 'usage: { promptTokens: 3, completionTokens: 6 }';
    world.folder.write('workspace/r.yaml', `paceMs: 0\nreplies:\n  - { match: ".", reply: "ok", ${usage} }\n`);
    const prompts = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (id) =>
        `  - { id: ${id}, type: prompt, input: { prompt: "hi there you" }, config: { model: "scripted::r.yaml" } }`,
    );
    const events = await run(flow(prompts.join('\n')));
    expect(ofType(events, 'run:end')).toMatchObject([
      { status: 'failed', error: { code: 'budget.exceeded', details: { budget: 'tokens', limit: 20 } } },
    ]);
  });
});
