/** Tests runs of lists of steps: their order, what a step sees of earlier ones, and the output of the run. */
import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { runSteps, stepFlow } from '../../testing/step-runs.ts';
import { testRun, traceOf } from '../../testing/test-run.ts';

const outputsOf = (run: Awaited<ReturnType<typeof runSteps>>): unknown =>
  Object.fromEntries([...run.state.nodes].map(([id, { output }]) => [id, output]));

test('MF-032 MF-023 steps run in the order of the list, and always in the same order for equal input', async () => {
  const called: string[] = [];
  const agent = (name: string) => () => {
    called.push(name);
    return { name };
  };
  const world = {
    agents: { 'p.plan': agent('plan'), 'p.run': agent('run') },
    tools: {
      'p.tool': () => {
        called.push('tool');
        return { done: true };
      },
    },
  };
  const text = stepFlow(
    '{ id: z, type: agent, agent: p.plan }',
    '{ id: a, type: tool, tool: p.tool }',
    '{ id: m, type: agent, agent: p.run }',
  );
  const first = await runSteps(text, world);
  expect(called).toEqual(['plan', 'tool', 'run']);
  const order = traceOf(first.events, ['task:', 'run:', 'edge:', 'phase:']);
  expect(order.filter((line) => line.startsWith('task:start'))).toEqual([
    'task:start z',
    'task:start a',
    'task:start m',
  ]);
  expect(traceOf((await runSteps(text, world)).events, ['task:', 'run:', 'edge:', 'phase:'])).toEqual(order);
});

test('MF-033 an agent and a tool receive params with resolved templates', async () => {
  const seen: JsonValue[] = [];
  await runSteps(
    stepFlow(
      '{ id: a, type: agent, agent: p.a, params: { n: "{{payload.n}}", said: "n is {{payload.n}}", gone: "{{payload.gone}}" } }',
      '{ id: t, type: tool, tool: p.t, params: { from: "{{artifacts.agent.p.a.output.x}}", list: ["{{payload.n}}"], gone: "-{{artifacts.gone}}-" } }',
    ),
    {
      agents: {
        'p.a': ({ params }) => {
          seen.push(params);
          return { x: [1] };
        },
      },
      tools: {
        'p.t': (params) => {
          seen.push(params);
          return { ok: true };
        },
      },
    },
    { inputs: { n: 3 } },
  );
  expect(seen).toEqual([
    { n: 3, said: 'n is 3', gone: null },
    { from: [1], list: [3], gone: '--' },
  ]);
});

test('X-11 a missing value fails a flow of nodes, and is null in a list of steps', async () => {
  const steps = await runSteps(stepFlow('{ id: a, type: tool, tool: p.t, params: { x: "{{payload.missing}}" } }'), {
    tools: { 'p.t': (params) => ({ got: params['x'] ?? null }) },
  });
  expect([steps.end.status, steps.end.output]).toEqual(['completed', { got: null }]);
  const nodes = await testRun(
    'flow: { name: f }\nnodes: [{ id: a, type: echo, input: { text: "{{missing}}" } }]\nedges: []\n',
  );
  expect([nodes.end.status, nodes.end.error?.code]).toEqual(['failed', 'binding.missing']);
});

test('MF-041 MF-045 an agent receives params, payload, artifacts and constraints, and cannot change any of them', async () => {
  let seen: unknown;
  const run = await runSteps(
    stepFlow(
      '{ id: t, type: tool, tool: p.t }',
      '{ id: a, type: agent, agent: p.a, params: { x: 1 }, retry: { max_attempts: 3 } }',
      '{ id: b, type: tool, tool: p.t, params: { n: "{{payload.n}}", had: "{{artifacts.tool.p.t.output.was}}" } }',
    ),
    {
      agents: {
        'p.a': (step) => {
          seen = JSON.parse(JSON.stringify(step));
          for (const part of [step.params, step.payload, step.artifacts, step.artifacts['tool.p.t.output']])
            expect(() => Object.assign(part as object, { was: 'changed', n: 9 })).toThrow(TypeError);
          return { done: true };
        },
      },
      tools: { 'p.t': (params) => ({ was: 'as it was', ...params }) },
    },
    { inputs: { n: 1 } },
  );
  expect(seen).toEqual({
    params: { x: 1 },
    payload: { n: 1 },
    artifacts: {
      'step.t.output': { was: 'as it was' },
      'tool.p.t.output': { was: 'as it was' },
      'tool.p.t.meta': expect.objectContaining({ tool_name: 'p.t', backend: 'local' }),
    },
    constraints: { autonomyLevel: 'full_auto', attempt: 1, maxAttempts: 3, budgetsLeft: {} },
  });
  expect(run.end.output).toEqual({ was: 'as it was', n: 1, had: 'as it was' });
});

test('each step adds its output under its names, and a later step overrides an earlier one', async () => {
  let artifacts: JsonMap = {};
  await runSteps(
    stepFlow(
      '{ id: one, type: tool, tool: p.t, params: { n: 1 } }',
      '{ id: two, type: tool, tool: p.t, params: { n: 2 } }',
      '{ id: ask, type: agent, agent: p.a }',
      '{ id: end, type: agent, agent: p.b }',
    ),
    {
      agents: {
        'p.a': () => ({ said: 'hi' }),
        'p.b': (step) => {
          artifacts = step.artifacts;
          return { ok: true };
        },
      },
      tools: { 'p.t': ({ n = null }) => ({ n }) },
    },
  );
  expect(Object.keys(artifacts)).toEqual([
    'step.one.output',
    'tool.p.t.output',
    'tool.p.t.meta',
    'step.two.output',
    'step.ask.output',
    'agent.p.a.output',
    'agent.p.a.meta',
  ]);
  expect([artifacts['tool.p.t.output'], artifacts['step.one.output']]).toEqual([{ n: 2 }, { n: 1 }]);
  expect(artifacts['agent.p.a.meta']).toMatchObject({ agent_name: 'p.a', redacted: false });
});

describe('the output of a run', () => {
  const tools = { 'p.full': () => ({ a: 1 }), 'p.empty': () => ({}), 'p.text': () => 'words', 'p.none': () => null };
  test.each<[string, string[], JsonValue]>([
    ['the data of the last step', ['p.empty', 'p.full'], { a: 1 }],
    ['the last data that is not empty', ['p.full', 'p.empty', 'p.none'], { a: 1 }],
    ['whatever a tool gives', ['p.full', 'p.text'], 'words'],
  ])('%s', async (_, names, output) => {
    const run = await runSteps(stepFlow(...names.map((name) => `{ type: tool, tool: ${name} }`)), { tools });
    expect(run.end).toMatchObject({ status: 'completed', output });
  });

  test('fails the run if there is no data', async () => {
    const run = await runSteps(stepFlow('{ type: tool, tool: p.empty }', '{ type: tool, tool: p.none }'), { tools });
    expect(run.end).toMatchObject({ status: 'failed', error: { code: 'missing_run_output' } });
    expect(run.end.output).toBeUndefined();
  });
});

describe('X-01 three steps written as steps, and as nodes with edges', () => {
  const steps = stepFlow(
    '{ id: load, type: tool, tool: p.load, params: { n: 1 } }',
    '{ id: mid, type: tool, tool: p.mid, params: { from: "{{artifacts.step.load.output.n}}" } }',
    '{ id: save, type: tool, tool: p.save, params: { all: "{{artifacts.tool.p.mid.output}}" }, retry: { max_attempts: 2 } }',
  );
  const nodes = `
flow: { name: f, policy: { autonomy: full_auto } }
nodes:
  - { id: load, type: tool, input: { n: 1 }, config: { tool: p.load } }
  - { id: mid, type: tool, input: { from: "{{load.n}}" }, config: { tool: p.mid } }
  - { id: save, type: tool, input: { all: "{{mid}}" }, config: { tool: p.save }, policy: { retry: { maxAttempts: 2 } } }
edges: [{ from: load, to: mid }, { from: mid, to: save }]
`;
  const echo = (params: JsonMap): JsonMap => ({ ...params });

  test.each([
    ['that complete', { 'p.load': echo, 'p.mid': echo, 'p.save': echo }],
    [
      'of which one fails',
      {
        ...{ 'p.load': echo, 'p.save': echo },
        'p.mid': () => {
          throw new Error('no');
        },
      },
    ],
  ])('%s: the same order, outputs and scope events', async (_, tools) => {
    const [asSteps, asNodes] = [await runSteps(steps, { tools }), await runSteps(nodes, { tools })];
    expect(outputsOf(asSteps)).toEqual(outputsOf(asNodes));
    const scopes = ({ events }: typeof asSteps): unknown[] =>
      events.flatMap(({ event, context }) => {
        if (!/^(?:phase|task|edge|node):/.test(event.type)) return [];
        const { durationMs: _ms, error: _error, ...rest } = { durationMs: 0, error: null, ...event };
        return [{ ...rest, context: { ...context, sessionId: '' } }];
      });
    expect(scopes(asSteps)).toEqual(scopes(asNodes));
    expect(scopes(asSteps).length).toBeGreaterThan(8);
  });
});

test('MF-140 MF-141 the stages of a run come in order, and each step is logged before the next one starts', async () => {
  const recorded: string[] = [];
  const atStart: Record<string, string[]> = {};
  const tools = {
    'p.a': () => {
      atStart['p.a'] = [...recorded];
      return { a: 1 };
    },
    'p.b': () => {
      atStart['p.b'] = [...recorded];
      return { b: 1 };
    },
  };
  const run = await runSteps(
    stepFlow('{ id: a, type: tool, tool: p.a }', '{ id: b, type: tool, tool: p.b }'),
    { tools },
    { onRecord: (events) => recorded.push(...traceOf(events)) },
  );
  expect(atStart['p.a']).toContain('task:start a');
  expect(atStart['p.b']).toEqual(expect.arrayContaining(['task:complete a', 'task:start b']));
  expect(traceOf(run.events, ['run:', 'phase:', 'task:', 'tool:attempt'])).toEqual([
    'run:start f',
    'phase:start Run Flow',
    'task:start a',
    'tool:attempt',
    'task:complete a',
    'task:start b',
    'tool:attempt',
    'task:complete b',
    'phase:complete Run Flow',
    'run:end completed',
  ]);
});

test('MF-142 a run interrupted between steps resumes with the outputs of earlier steps, including their meta', async () => {
  const called: string[] = [];
  const tools = {
    'p.a': () => {
      called.push('a');
      return { n: 1 };
    },
    'p.b': (params: JsonMap) => {
      called.push('b');
      return params;
    },
  };
  const text = stepFlow(
    '{ id: a, type: tool, tool: p.a }',
    '{ id: b, type: tool, tool: p.b, params: { n: "{{artifacts.tool.p.a.output.n}}", by: "{{artifacts.tool.p.a.meta.tool_name}}" } }',
  );
  const whole = await runSteps(text, { tools });
  const cutAt = whole.events.findIndex(({ event }) => event.type === 'task:start' && event.nodeId === 'b');
  const rest = await runSteps(text, { tools }, { resume: { events: whole.events.slice(0, cutAt) } });
  expect(called).toEqual(['a', 'b', 'b']);
  expect(rest.end.output).toEqual({ n: 1, by: 'p.a' });
});
