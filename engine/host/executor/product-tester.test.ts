import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Planner, ShopWorld, shop } from '../../packs/product/test-shop.ts';
import { AgentResult, type AgentStep, BaseAgent } from '../../runtime/agent/pure/base-agent.ts';
import { stepContext, testFlow, tryAgent } from './product-tester.ts';

let world: ShopWorld;
beforeEach(async () => {
  world = await ShopWorld.open();
});
afterEach(() => world.close());

class Asking extends BaseAgent {
  readonly name = 'shop.asking';

  async run({ reasoner, trace }: AgentStep) {
    trace('thinking', { of: 'it' });
    const answer = await reasoner.ask({ purpose: 'INSIGHT', prompt: 'why?' });
    return answer.ok ? AgentResult.ok({ text: answer.text }) : AgentResult.failed(answer.error);
  }
}

describe('MF-170 a single agent', () => {
  test('runs with a given step and without an engine, and keeps no state between runs', async () => {
    const step = stepContext({ params: { a: 1 }, payload: { b: 2 }, artifacts: { 'step.x.output': 3 } });
    for (const _ of [1, 2]) {
      const { result } = await tryAgent(Planner, step);
      expect(result).toMatchObject({
        ok: true,
        data: { params: { a: 1 }, payload: { b: 2 }, seen: ['step.x.output'], level: 'semi_auto', runs: 1 },
        meta: { agent_name: 'shop.planner' },
      });
    }
    expect(() => {
      (step.params as { a: number }).a = 2;
    }).toThrow();
  });

  test('gets model responses from the test, and its result is validated as in a flow', async () => {
    const { result, events } = await tryAgent(Asking, stepContext(), ({ messages }) => `because ${messages.length}`);
    expect(result).toMatchObject({ ok: true, data: { text: 'because 1' } });
    expect(events.map(({ type }) => type)).toEqual(['agent:start', 'trace', 'agent:complete']);
    expect((await tryAgent(Asking)).result).toMatchObject({ ok: false, error: { code: 'model_error' } });
    class Bossy extends BaseAgent {
      readonly name = 'shop.bossy';
      async run() {
        return AgentResult.ok({ deep: [{ Next_Step: 'pay' }] });
      }
    }
    expect((await tryAgent(Bossy)).result).toMatchObject({ ok: false, error: { code: 'contract_violation' } });
  });

  test('rejects input that is not data', () => {
    expect(() => stepContext({ params: { f: (() => 1) as never } })).toThrow(
      'The step cannot be passed to an agent: params.f',
    );
  });
});

describe('MF-171 a flow, in memory', () => {
  test('MF-172 waits for its form and its approval, and continues with the given answers', async () => {
    const run = await testFlow(world.engine, shop, { order: 7 });
    await run.expect({
      status: 'PENDING_USER_INPUT',
      steps: { plan: 'COMPLETED', ask: 'PENDING_USER_INPUT', pay: 'NOT_STARTED' },
    });
    expect(await run.answer({ reason: 'lost' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(await run.answer({ reason: 'late' }, { formId: 'other' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    await run.expect({ status: 'PENDING_USER_INPUT' });
    expect(await run.answer({ reason: 'broken' })).toMatchObject({ ok: true, data: { status: 'PENDING_APPROVAL' } });
    await run.approve({ comment: 'fine', by: 'kim', payload: { note: 'quick' } });
    await run.expect({
      status: 'COMPLETED',
      transitions: ['RUNNING', 'PENDING_USER_INPUT', 'RUNNING', 'PENDING_APPROVAL', 'RUNNING', 'COMPLETED'],
      output: { paid: 7, note: 'quick' },
      steps: { plan: 'COMPLETED', ask: 'COMPLETED', ok: 'COMPLETED', pay: 'COMPLETED' },
      outputs: { pay: { paid: 7, note: 'quick' } },
    });
    const { approvals, run: record } = await run.read();
    expect(record).toMatchObject({ product: 'shop', flow: 'refund', autonomy_level: 'semi_auto', input: { order: 7 } });
    expect(approvals).toMatchObject([
      {
        step_id: 'ok',
        status: 'APPROVED',
        resolved_by: 'kim',
        comment: 'fine',
        request: { approval_context: { reason: 'broken' } },
      },
    ]);
  });

  test('MF-172 fails if rejected, and accepts no second answer', async () => {
    const run = await testFlow(world.engine, shop, { order: 7 });
    await run.answer({ reason: 'late' });
    await run.reject({ comment: 'too much', by: 'kim' });
    await run.expect({ status: 'FAILED', errorCode: 'approval.rejected', steps: { ok: 'FAILED', pay: 'NOT_STARTED' } });
    for (const again of [await run.approve(), await run.reject()])
      expect(again).toMatchObject({ ok: false, data: null, error: { code: 'invalid_state' } });
  });

  test('MF-173 a failed expectation throws with the actual values', async () => {
    const run = await testFlow(world.engine, shop, { order: 7 });
    await expect(run.expect({ status: 'COMPLETED' })).rejects.toThrow(/PENDING_USER_INPUT/);
    await expect(run.expect({ steps: { plan: 'FAILED' } })).rejects.toThrow(/COMPLETED/);
    await expect(run.expect({ steps: { none: 'FAILED' } })).rejects.toThrow();
    await expect(run.expect({ outputs: { plan: { no: 1 } } })).rejects.toThrow(/params/);
    await expect(run.expect({ transitions: ['RUNNING'] })).rejects.toThrow(/PENDING_USER_INPUT/);
    await run.cancel();
    await run.expect({ status: 'CANCELLED', transitions: ['RUNNING', 'PENDING_USER_INPUT', 'RUNNING', 'CANCELLED'] });
    await expect(testFlow(world.engine, { product: 'shop', flow: 'none' })).rejects.toThrow(
      'Product shop has no flow "none"',
    );
  });

  test('leaves nothing in the workspace', async () => {
    await testFlow(world.engine, shop, {});
    expect(world.engine.notices).toEqual([]);
    await world.engine.close();
    expect(readdirSync(world.folder.at('workspace'))).toEqual(['products']);
    await world.openEngine();
  });
});
