/** Tests agent files of products in the steps of their flows. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, createAgentWorkspace, endOf } from './test-agent-workspace.ts';
import { agentStep, pure, runAgain, runSteps, startSteps, trusted } from './test-product-runs.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

describe('an agent file', () => {
  test('MF-110 MF-130 MF-132 in the folder agents is an agent of its product, with the step as its input', async () => {
    const code =
      'local i = input; return { n = i.params.n + 1, who = i.params.who, payload = i.payload.who, level = i.constraints.autonomyLevel }';
    at.write('workspace/products/shop/agents/planner.aip', pure + scriptSection('Output', code));
    const ran = await runSteps(at, agentStep('shop.planner'));
    expect(ran.end).toMatchObject({ status: 'completed' });
    expect(ran.given).toEqual({ n: 3, who: 'Ada', payload: 'Ada', level: 'full_auto' });
    expect(ran.events.filter(({ type }) => type.startsWith('agent:')).map(({ type }) => type)).toEqual([
      'agent:start',
      'agent:complete',
    ]);
  });

  test('fills its prompts from the step, and calls the model of the workspace', async () => {
    at.write('workspace/replies.yaml', 'replies:\n  - match: "Hello Ada, 2"\n    reply: "Good day"\n');
    const options = pure.replace('"pure"', '"pure"\nmodel = "scripted::replies.yaml"\npurpose = "EXPLANATION"');
    at.write(
      'workspace/products/shop/agents/planner.aip',
      `${options}# User\n\nHello {{input.params.who}}, {{input.params.n}}\n`,
    );
    const ran = await runSteps(at, agentStep('planner'));
    // Any value other than a map becomes the value of the data.
    expect(ran.end.error).toBeUndefined();
    expect(ran.given).toEqual({ value: 'Good day' });
    expect(ran.events.filter(({ type }) => type === 'model:request')).toMatchObject([{ purpose: 'EXPLANATION' }]);
  });

  test.each([
    ['MF-043 a control field', 'return { a = { branch = "pay" } }', 'has the key "branch"'],
    ['MF-113 an error', 'error("no stock")', 'threw an error instead of returning a result'],
    ['MF-112 ok: false without an error', 'return { ok = false }', 'is required if ok is false'],
    [
      'MF-043 a next step',
      'return { ok = true, data = { retry_instructions = "again" } }',
      'has the key "retry_instructions"',
    ],
  ])('MF-012 %s fails its step as a contract violation', async (_what, code, words) => {
    at.write('workspace/products/shop/agents/planner.aip', pure + scriptSection('Output', code));
    const { end, engine } = await runSteps(at, agentStep('shop.planner'));
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['plan'], error: { code: 'contract_violation' } });
    expect(end.error?.message).toContain(words);
    // The engine still works.
    at.write('workspace/products/shop/agents/planner.aip', pure + scriptSection('Output', 'return { a = 1 }'));
    expect((await runAgain(at, engine, agentStep('shop.planner'))).end.status).toBe('completed');
  });

  test('MF-104 a reported failure keeps its code, and is retried if allowed', async () => {
    const code =
      'if input.constraints.attempt == 1 then return { ok = false, error = { code = "model_error", message = "busy", recoverable = true } } end return { attempt = input.constraints.attempt }';
    at.write('workspace/products/shop/agents/planner.aip', pure + scriptSection('Output', code));
    expect((await runSteps(at, agentStep('shop.planner', ', retry: { max_attempts: 2 }'))).given).toEqual({
      attempt: 2,
    });
    expect((await runSteps(at, agentStep('shop.planner'))).end).toMatchObject({
      status: 'failed',
      error: { code: 'model_error', message: 'busy' },
    });
  });

  test('an agent that hangs is stopped within a second by a cancel', async () => {
    at.write('workspace/products/shop/agents/planner.aip', pure + scriptSection('Output', 'while true do end'));
    const engine = await at.open(trusted);
    const { runId } = await startSteps(at, engine, agentStep('shop.planner'));
    await vi.waitFor(
      async () =>
        expect(
          (await engine.readEvents(runId, -1, 100)).some(
            ({ event }) => event.type === 'stage:start' && event.stage === 'Output',
          ),
        ).toBe(true),
      20_000,
    );
    const before = performance.now();
    await engine.cancelRun(runId);
    await engine.whenEnded(runId);
    // One second, plus tolerance for a busy machine.
    expect(performance.now() - before).toBeLessThan(3000);
    expect((await endOf(engine, runId)).status).toBe('cancelled');
  });
});
