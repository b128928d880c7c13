import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ShopWorld, shop } from '../../packs/product/test-shop.ts';
import { testFlow } from './product-tester.ts';

let world: ShopWorld;
beforeEach(async () => {
  world = await ShopWorld.open();
});
afterEach(() => world.close());

describe('operations', () => {
  test('C2.10 runs a flow by the names of product and flow', async () => {
    expect(await world.products.runFlow('shop', 'refund', { order: 1 })).toEqual({
      ok: true,
      data: { run_id: expect.any(String), status: 'PENDING_USER_INPUT' },
      error: null,
    });
    for (const [product, flow] of [
      ['none', 'refund'],
      ['shop', 'none'],
      ['shop', '../x'],
    ] as const)
      expect(await world.products.runFlow(product, flow, {})).toMatchObject({
        ok: false,
        data: null,
        error: { code: 'not_found' },
      });
    expect(await world.products.runFlow('shop', 'refund', [] as never)).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await world.products.listProducts()).toMatchObject({ ok: true, data: [{ name: 'shop' }] });
  });

  test('C2.10 returns immediately for a detached run', async () => {
    const { data } = await world.products.runFlow('shop', 'refund', {}, { isDetached: true });
    expect(data?.status).toBe('RUNNING');
    await world.engine.whenEnded(data?.run_id as never);
    expect(await world.products.getRun(data?.run_id ?? '')).toMatchObject({
      data: { run: { status: 'PENDING_USER_INPUT' } },
    });
  });

  test('C5 rejects a flow that cannot run or that a policy denies, with its code', async () => {
    world.write('products/shop/flows/bad.yaml', 'id: bad\nsteps: [{ id: a, type: subflow }]\n');
    expect(await world.products.runFlow('shop', 'bad', {})).toMatchObject({
      error: { code: 'invalid_input', details: { cause: 'flow.invalid' } },
    });
    const refusedBy = async (policy: string): Promise<unknown> => {
      world.write('products/shop/policy.yaml', policy);
      const { ok, error } = await world.products.runFlow('shop', 'refund', { order: 'x'.repeat(50) });
      return ok ? 'ok' : error.code;
    };
    expect(await refusedBy('max_steps: 3')).toBe('max_steps_exceeded');
    expect(await refusedBy('max_payload_bytes: 20')).toBe('payload_limit_exceeded');
    expect(await refusedBy('blocked_tools: [shop.pay]')).toBe('policy_blocked');
    expect(await refusedBy('nonsense: 1')).toBe('policy_blocked');
    expect(await refusedBy('')).toBe('ok');
  });

  test('C2.10 returns the pending form with its fields', async () => {
    const run = await testFlow(world.engine, shop, {});
    expect(await world.products.getPendingUserInput(run.runId)).toMatchObject({
      ok: true,
      data: {
        run_id: run.runId,
        step_id: 'ask',
        form_id: 'why',
        title: 'Why?',
        mode: 'choice_input',
        defaults: { reason: 'late' },
        required: ['reason'],
      },
    });
    await run.answer({ reason: 'late' });
    expect(await world.products.getPendingUserInput(run.runId)).toEqual({ ok: true, data: null, error: null });
  });

  test('MF-071 an answer of the wrong kind or without required fields changes nothing', async () => {
    const run = await testFlow(world.engine, shop, {});
    expect(await run.resume({ approval_payload: { approved: true } })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await run.resume({})).toMatchObject({ error: { code: 'invalid_input' } });
    await run.answer({ reason: 'late' });
    for (const payload of [{}, { approval_payload: {} }, { approval_payload: { approved: 'yes' } }])
      expect(await run.resume(payload)).toMatchObject({ ok: false, error: { code: 'missing_approval_field' } });
    await run.expect({ status: 'PENDING_APPROVAL' });
    expect(await run.resume({ approval_payload: { approved: true }, decision: 'DENIED' })).toMatchObject({
      data: { status: 'FAILED' },
    });
  });

  test('C2.10 rejects runs and flows that do not exist or have ended', async () => {
    for (const asked of [
      world.products.getRun('run_0'),
      world.products.getPendingUserInput('run_0'),
      world.products.cancelRun('run_0'),
      world.products.resumeRun('run_0', {}),
    ])
      expect(await asked).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const run = await testFlow(world.engine, shop, {});
    expect(await run.resume({ step_id: 'pay', approval_payload: { approved: true } })).toMatchObject({
      error: { code: 'invalid_state' },
    });
    expect(await run.cancel()).toMatchObject({ ok: true, data: { status: 'CANCELLED' } });
    expect(await run.cancel()).toMatchObject({ error: { code: 'invalid_state' } });
  });
});
