/** Tests agents of products that are classes in modules. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AgentWorkspace, createAgentWorkspace, endOf } from './test-agent-workspace.ts';
import { agentStep, moduleOf, runAgain, runSteps, startSteps, trusted } from './test-product-runs.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

describe('a class in a module', () => {
  test('MF-130 MF-131 is an agent by its name, whatever its file name, with its imports', async () => {
    at.write(
      'workspace/products/shop/agents/words.mjs',
      'export const twice = (n) => n * 2;\nexport class Nothing {}\n',
    );
    at.write(
      'workspace/products/shop/agents/all.mjs',
      `import { twice } from './words.mjs';\n${moduleOf('step.trace("seen", step.params); return AgentResult.ok({ n: twice(step.params.n), who: step.payload.who });')}`,
    );
    const ran = await runSteps(at, agentStep('shop.planner'));
    expect(ran.given).toEqual({ n: 4, who: 'Ada' });
    expect(ran.events.filter(({ type }) => type === 'trace')).toEqual([
      { type: 'trace', name: 'seen', data: { n: 2, who: 'Ada' }, taskId: 'node:plan' },
    ]);
  });

  test('MF-128 calls a model through the reasoner and the policy, and receives an error if the policy denies it', async () => {
    at.write('workspace/replies.yaml', 'replies:\n  - match: ".*"\n    reply: "yes"\n');
    at.write(
      'workspace/products/shop/agents/a.mjs',
      moduleOf(`
      const ask = (purpose) => step.reasoner.ask({ purpose, prompt: 'a', model: 'scripted::replies.yaml' });
      const [one, two] = await Promise.all([ask('INSIGHT'), ask('UNCERTAINTY')]);
      return one.ok ? AgentResult.ok({ texts: [one.text, two.text] }) : AgentResult.failed(one.error);`),
    );
    const ran = await runSteps(at, agentStep('shop.planner'));
    expect(ran.given).toEqual({ texts: ['yes', 'yes'] });
    expect(ran.events.filter(({ type }) => type === 'model:request')).toMatchObject([
      { purpose: 'INSIGHT' },
      { purpose: 'UNCERTAINTY' },
    ]);
    const refused = await runSteps(at, agentStep('shop.planner'), {
      ...trusted,
      policy: 'blocked_models: ["scripted::*"]\n',
    });
    expect(refused.end).toMatchObject({ status: 'failed', error: { code: 'policy_blocked' } });
    const decided = refused.events.filter(({ type }) => type === 'governance:decision');
    expect(decided).toMatchObject([
      { allowed: false, effect: 'model' },
      { allowed: false, effect: 'model' },
    ]);
    expect(refused.events.some(({ type }) => type === 'model:request')).toBe(false);
  });

  test.each([
    [
      'MF-043 a control field',
      'return AgentResult.ok({ a: [{ Next_Step: 1 }] })',
      'result.data.a.0.Next_Step has the key',
    ],
    ['MF-012 undefined', '', 'found nothing'],
    ['MF-113 an error', 'throw new Error("no stock")', 'no stock\nAt all.mjs:6'],
    ['megabytes', 'return AgentResult.ok({ a: "x".repeat(2 ** 21) })', 'is longer than 1 MiB as JSON'],
    ['a cycle', 'const a = {}; a.a = a; return AgentResult.ok(a)', 'result.data.a refers to a value that contains it'],
    [
      'data that is nested too deeply',
      'let a = {}; for (let i = 0; i < 60; i++) a = { a }; return AgentResult.ok(a)',
      'is nested more than 50 levels deep',
    ],
    [
      'data nested thousands of levels deep',
      'let a = {}; for (let i = 0; i < 5000; i++) a = { a }; return AgentResult.ok(a)',
      'deep',
    ],
    ['a function', 'return AgentResult.ok({ a() {} })', 'is a function'],
  ])('MF-012 %s fails its step as a contract violation', async (_what, body, words) => {
    at.write('workspace/products/shop/agents/all.mjs', moduleOf(body));
    const { end } = await runSteps(at, agentStep('shop.planner'));
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['plan'], error: { code: 'contract_violation' } });
    expect(end.error?.message).toContain(words);
  });

  test('an agent that hangs is stopped within a second by a cancel', async () => {
    at.write('workspace/products/shop/agents/all.mjs', moduleOf('for (;;);'));
    const engine = await at.open(trusted);
    const { runId } = await startSteps(at, engine, agentStep('shop.planner'));
    const hasBegun = async () =>
      (await engine.readEvents(runId, -1, 100)).some(({ event }) => event.type === 'agent:start');
    await vi.waitFor(async () => expect(await hasBegun()).toBe(true), 20_000);
    const before = performance.now();
    await engine.cancelRun(runId);
    await engine.whenEnded(runId);
    // One second, plus tolerance for a busy machine.
    expect(performance.now() - before).toBeLessThan(3000);
    expect((await endOf(engine, runId)).status).toBe('cancelled');
  });

  test('MF-010 starts fresh on each run, and changes of its file take effect immediately', async () => {
    const counting = `let count = 0;\n${moduleOf('count++; return AgentResult.ok({ count });')}`;
    at.write('workspace/products/shop/agents/all.mjs', counting);
    const { engine, given } = await runSteps(at, agentStep('shop.planner'));
    expect(given).toEqual({ count: 1 });
    expect((await runAgain(at, engine, agentStep('shop.planner'))).given).toEqual({ count: 1 });
    at.write('workspace/products/shop/agents/all.mjs', moduleOf('return AgentResult.ok({ changed: true });'));
    expect((await runAgain(at, engine, agentStep('shop.planner'))).given).toEqual({ changed: true });
  });
});

test('a module is not even read in an untrusted workspace', async () => {
  at.write('workspace/products/shop/agents/all.mjs', moduleOf('return AgentResult.ok()'));
  const engine = await at.open();
  await expect(startSteps(at, engine, agentStep('shop.planner'))).rejects.toMatchObject({ code: 'flow.invalid' });
  await expect(startSteps(at, engine, agentStep('shop.planner'))).rejects.toThrow(
    'classes are loaded only from a trusted workspace',
  );
});
