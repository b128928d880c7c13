/** Tests steps that call agents and tools: what is called, stored and rejected. */
import { describe, expect, test } from 'vitest';
import { runSteps, stepFlow } from '../../testing/step-runs.ts';
import { traceOf } from '../../testing/test-run.ts';
import { ToolFailure } from '../../world/tools/tool-source.ts';

const agentStep = stepFlow('{ id: a, type: agent, agent: p.a }');

/** Values that a run might mistake for a next step. */
const waysOn = [
  { flow: 'other', start_step: 'c', goto: 'c' },
  { start_index: 2, start_from: 'c', start_at: 'c', start_step_id: 'c' },
  { command: 'run_flow', product: 'p', subflow: 'f', redo: true },
  { plan: { steps: [{ step_id: 'c', tool: 'p.t' }] }, replan: true, skip_to: 'c' },
];

test.each(waysOn)(
  'MF-021 data such as %j from an agent or a tool do not start another flow or another step',
  async (data) => {
    const text = stepFlow(
      '{ id: plan, type: agent, agent: p.a }',
      '{ id: b, type: tool, tool: p.t }',
      '{ id: c, type: agent, agent: p.b }',
    );
    const run = await runSteps(text, {
      agents: { 'p.a': () => data, 'p.b': () => ({ end: true }) },
      tools: { 'p.t': () => data },
    });
    expect(traceOf(run.events, ['run:', 'task:start', 'edge:fired'])).toEqual([
      'run:start f',
      'task:start plan',
      expect.stringMatching(/^edge:fired /),
      'task:start b',
      expect.stringMatching(/^edge:fired /),
      'task:start c',
      'run:end completed',
    ]);
  },
);

test('MF-040 an unknown agent fails its step', async () => {
  const run = await runSteps(agentStep, { agents: {} });
  expect(run.end).toMatchObject({ status: 'failed', error: { code: 'agent.not-found', nodeId: 'a' } });
});

test("MF-042 exactly one result is stored, with the engine's information about the call", async () => {
  let calls = 0;
  const run = await runSteps(agentStep, { agents: { 'p.a': () => ({ calls: ++calls }) } });
  expect([calls, run.state.nodes.get('a')?.output]).toEqual([1, { calls: 1 }]);
  const metas = run.events.flatMap(({ event }) => (event.type === 'step:meta' ? event : []));
  expect(metas).toEqual([
    { type: 'step:meta', nodeId: 'a', meta: expect.objectContaining({ agent_name: 'p.a', kind: 'other' }) },
  ]);
});

test.each(['next_step', 'Retry', 'branch_hint'])(
  'MF-043 an agent that returns %s, at any depth, fails its step',
  async (key) => {
    const run = await runSteps(stepFlow('{ id: a, type: agent, agent: p.a }', '{ id: b, type: agent, agent: p.a }'), {
      agents: { 'p.a': () => ({ deep: [{ deeper: { [key]: 'b' } }] }) },
    });
    expect(run.end.error?.code).toBe('contract_violation');
    expect(run.state.nodes.has('b')).toBe(false);
  },
);

test('MF-053 a tool that an agent requests is called only if the flow has a step with that tool', async () => {
  const called: unknown[] = [];
  const world = {
    agents: {
      'p.a': () => ({ tool: 'p.t', tool_call: { name: 'p.t', params: { by: 'agent' } }, required_tools: ['p.t'] }),
    },
    tools: {
      'p.t': (params: object) => {
        called.push(params);
        return { ok: true };
      },
    },
  };
  await runSteps(agentStep, world);
  expect(called).toEqual([]);
  await runSteps(
    stepFlow('{ id: a, type: agent, agent: p.a }', '{ id: t, type: tool, tool: p.t, params: { by: flow } }'),
    world,
  );
  expect(called).toEqual([{ by: 'flow' }]);
});

test('MF-044 an agent cannot call a tool, and requests in its data are not executed', async () => {
  let isCalled = false;
  let reached: string[] = [];
  const run = await runSteps(agentStep, {
    agents: {
      'p.a': (step, scope) => {
        reached = [...Object.keys(step), ...Object.keys(scope)];
        return { tool: 'p.t', params: {}, call_tool: { name: 'p.t' } };
      },
    },
    tools: {
      'p.t': () => {
        isCalled = true;
        return {};
      },
    },
  });
  expect([run.end.status, isCalled]).toEqual(['completed', false]);
  expect(reached.filter((name) => /tool|agents|files|web|commands/i.test(name))).toEqual([]);
});

test('MF-050 MF-052 only the executor calls a tool, and its result is stored', async () => {
  const run = await runSteps(stepFlow('{ id: t, type: tool, tool: p.t, params: { x: 1 } }'), {
    tools: { 'p.t': (params) => ({ got: params['x'] ?? null }) },
  });
  expect(traceOf(run.events, ['tool:'])).toEqual(['tool:attempt', 'tool:result']);
  expect(run.state.nodes.get('t')?.output).toEqual({ got: 1 });
});

describe('MF-052 the error codes of a failing tool', () => {
  test.each([
    ['validation_error', 'invalid_input'],
    ['auth_error', 'permission_denied'],
    ['not_found', 'not_found'],
    ['rate_limit', 'rate_limited'],
    ['timeout', 'timeout'],
    ['server_error', 'backend_error'],
  ] as const)('%s is %s', async (category, code) => {
    const run = await runSteps(stepFlow('{ id: t, type: tool, tool: p.t }'), {
      tools: {
        'p.t': () => {
          throw new ToolFailure(category, 'No');
        },
      },
    });
    expect(run.end.error).toMatchObject({ code, nodeId: 't', details: { category } });
  });

  test('an unknown tool is not_found', async () => {
    const run = await runSteps(stepFlow('{ id: t, type: tool, tool: p.none }'));
    expect(run.end.error).toMatchObject({ code: 'not_found', details: { code: 'tool.unknown' } });
  });
});

describe('a plan that an agent proposes', () => {
  const plan = {
    summary: 'Refund the shipping',
    steps: [{ step_id: 's1', description: 'refund', step_type: 'tool', tool: 'p.t' }],
    required_tools: ['p.t'],
    approvals: [{ step_id: 's1', reason: 'payment' }],
    estimated_cost: { amount: 0.01 },
  };
  const text = stepFlow(
    '{ id: plan, type: plan_proposal, agent: p.planner, params: { goal: "{{payload.goal}}" }, retry: { max_attempts: 3 } }',
    '{ id: after, type: agent, agent: p.after, params: { plan: "{{artifacts.plan.proposal}}" } }',
  );

  /** Runs the flow with this plan, and returns the requests, calls and events. */
  async function proposed(given: object) {
    const [asked, called, seen]: [string[], string[], unknown[]] = [[], [], []];
    const run = await runSteps(
      text,
      {
        agents: {
          'p.planner': ({ params }) => {
            asked.push(String(params['goal']));
            return JSON.parse(JSON.stringify(given));
          },
          'p.after': ({ params }) => {
            seen.push(params['plan']);
            return { done: true };
          },
        },
        tools: {
          'p.t': () => {
            called.push('p.t');
            return {};
          },
        },
      },
      { inputs: { goal: 'peace' } },
    );
    return { run, asked, called, seen };
  }

  test('MF-080 calls the planner once, with its params', async () => {
    const { run, asked } = await proposed(plan);
    expect([run.end.status, asked]).toEqual(['completed', ['peace']]);
  });

  test('MF-081 a valid plan is stored as the artifact plan.proposal, with defaults for omitted fields', async () => {
    const { run, seen } = await proposed(plan);
    const whole = {
      ...plan,
      schema_version: '1.0',
      steps: [{ ...plan.steps[0], requires_approval: false }],
      estimated_cost: { currency: 'USD', amount: 0.01, details: {} },
    };
    expect(seen).toEqual([whole]);
    expect(run.state.nodes.get('plan')?.output).toEqual({ proposal: whole });
  });

  test('MF-083 emits a valid plan as proposed, and an invalid one as invalid', async () => {
    const good = await proposed(plan);
    expect(good.run.events.map(({ event }) => event)).toContainEqual({
      type: 'plan:proposed',
      nodeId: 'plan',
      plan: {
        ...{ summary: plan.summary, steps_count: 1, step_ids: ['s1'], required_tools: ['p.t'], approvals_count: 1 },
        estimated_cost: { currency: 'USD', amount: 0.01, details: {} },
      },
    });
    const bad = await proposed({ ...plan, steps: 'none' });
    expect(traceOf(bad.run.events, ['plan:'])).toEqual(['plan:invalid plan']);
    const told = bad.run.events.find(({ event }) => event.type === 'plan:invalid')?.event;
    expect(told).toMatchObject({ nodeId: 'plan', error: expect.stringContaining('steps') });
  });

  test('MF-084 calls no tool that a plan names, whether it is required or in a step without approval', async () => {
    const steps = [plan.steps[0], { ...plan.steps[0], step_id: 's2', requires_approval: false }];
    const { run, called } = await proposed({ ...plan, steps, approvals: [] });
    expect([run.end.status, called]).toEqual(['completed', []]);
    expect(traceOf(run.events, ['tool:'])).toEqual([]);
  });

  test.each([
    ['a key that is missing', { ...plan, summary: undefined }],
    ['a key too much', { ...plan, execute: true }],
    ['no plan at all', { text: 'Let us see' }],
  ])('MF-082 %s fails the step and the run, and is emitted', async (_, given) => {
    const proposal = JSON.parse(JSON.stringify(given));
    const run = await runSteps(text, { agents: { 'p.planner': () => proposal, 'p.after': () => ({}) } });
    expect(run.end).toMatchObject({ status: 'failed', error: { code: 'plan.invalid', nodeId: 'plan' } });
    expect(run.state.nodes.has('after')).toBe(false);
    expect(traceOf(run.events, ['plan:'])).toEqual(['plan:invalid plan']);
  });

  test('a planner that fails is not called again', async () => {
    let asked = 0;
    const failure = { ok: false, error: { code: 'model_error', message: 'No', recoverable: true } };
    await runSteps(text, {
      agents: {
        'p.planner': () => {
          asked++;
          return failure;
        },
      },
    });
    expect(asked).toBe(1);
  });
});
