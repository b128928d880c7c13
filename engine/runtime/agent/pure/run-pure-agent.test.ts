import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { dataOf, type PureAgentRunning, planner, pureAgentWorld } from '../../../testing/pure-agents.ts';
import { AgentResult, type AgentStep, BaseAgent } from './base-agent.ts';

describe('an agent registered by a program', () => {
  test('MF-120 can read its params, its constraints and the artifacts of earlier steps', async () => {
    const step = { params: { limit: 5 }, artifacts: { 'tool.shop.lookup.output': { price: 4 } } };
    const reads = ({ params, artifacts, constraints }: AgentStep) =>
      AgentResult.ok({
        isCheap: Number((artifacts['tool.shop.lookup.output'] as JsonMap)['price']) < Number(params['limit']),
        isLast: constraints.attempt === constraints.maxAttempts,
      });
    expect(await dataOf(reads, { step })).toEqual({ isCheap: true, isLast: true });
  });

  test('MF-011 MF-041 depends on its params, payload, artifacts and constraints', async () => {
    const step = {
      params: { amount: 3 },
      payload: { order: 'A-1' },
      artifacts: { 'tool.shop.lookup.output': { price: 4 } },
      constraints: { autonomyLevel: 'suggest_only', attempt: 2, maxAttempts: 3, budgetsLeft: { tokens: 10 } },
    } as const;
    const seen = ({ params, payload, artifacts, constraints }: AgentStep) =>
      AgentResult.ok({ params, payload, artifacts, constraints: constraints as unknown as JsonMap });
    expect(await dataOf(seen, { step })).toEqual(step);
  });

  test('MF-010 has a new instance in each run', async () => {
    class Counting extends BaseAgent {
      readonly name = 'shop.planner';
      #count = 0;
      seen: number[] = [];
      async run() {
        this.#count++;
        this.seen.push(this.#count);
        return AgentResult.ok({ count: this.#count, seen: this.seen });
      }
    }
    const run = pureAgentWorld(Counting);
    for (let time = 0; time < 3; time++) expect((await run()).result.data).toEqual({ count: 1, seen: [1] });
  });

  test('MF-010 registered as an instance also has a new one in each run, with its original fields', async () => {
    class Counting extends BaseAgent {
      readonly name = 'shop.planner';
      list = [0];
      word = 'none';
      async run() {
        this.list.push(this.list.length);
        return AgentResult.ok({ list: this.list, word: this.word });
      }
    }
    const given = new Counting();
    given.word = 'hello';
    const run = pureAgentWorld(given);
    given.word = 'too late';
    for (let time = 0; time < 2; time++) expect((await run()).result.data).toEqual({ list: [0, 1], word: 'hello' });
  });

  test('MF-131 can be created by a function, for a constructor with parameters', async () => {
    class Greeting extends BaseAgent {
      readonly name = 'shop.planner';
      readonly #word: string;
      constructor(word: string) {
        super();
        this.#word = word;
      }
      async run() {
        return AgentResult.ok({ word: this.#word });
      }
    }
    expect((await pureAgentWorld(() => new Greeting('hello'))()).result.data).toEqual({ word: 'hello' });
  });

  test('MF-042 returns one result, with metadata from the engine', async () => {
    const { result, events } = await pureAgentWorld(planner(() => AgentResult.ok({ a: 1 }, { tags: { team: 'x' } })))();
    expect(result).toEqual({
      ok: true,
      data: { a: 1 },
      error: null,
      meta: {
        agent_name: 'shop.planner',
        kind: 'planner',
        request_id: 'r-1',
        started_at: '1970-01-01T00:00:00.005Z',
        ended_at: '1970-01-01T00:00:00.005Z',
        latency_ms: 0,
        tags: { team: 'x' },
        redacted: false,
      },
    });
    expect(events).toEqual([
      { type: 'agent:start', agentName: 'shop.planner', runId: 'r-1' },
      { type: 'agent:complete', agentName: 'shop.planner', runId: 'r-1', success: true },
    ]);
  });

  test('cannot override metadata of the engine', async () => {
    const meta = { agent_name: 'shop.other', request_id: 'mine', started_at: 'never', latency_ms: 0.5, kind: 'critic' };
    const { result } = await pureAgentWorld(planner(() => ({ ok: true, data: null, meta })))();
    expect(result.meta).toMatchObject({ agent_name: 'shop.planner', request_id: 'r-1', latency_ms: 0, kind: 'critic' });
    expect(result.meta.started_at).toContain('1970');
  });
});

describe('MF-045 the step of an agent', () => {
  const attempts: Readonly<Record<string, (step: AgentStep) => unknown>> = {
    'a param': ({ params }) => Object.assign(params, { n: 2 }),
    'a new param': ({ params }) => Object.assign(params, { m: 2 }),
    'a value deep in the payload': ({ payload }) => Object.assign((payload['list'] as object[])[0] ?? {}, { a: 2 }),
    'a list of the payload': ({ payload }) => (payload['list'] as unknown[]).push(2),
    'an artifact': ({ artifacts }) => delete (artifacts as Record<string, unknown>)['a'],
    constraints: ({ constraints }) => Object.assign(constraints, { maxAttempts: 9 }),
    'the step': (step) => Object.assign(step, { params: {} }),
    'its reasoner': ({ reasoner }) => Object.assign(reasoner, { ask: null }),
  };
  test.each(Object.entries(attempts))('cannot be modified: %s', async (_what, change) => {
    const step = { params: { n: 1 }, payload: { list: [{ a: 1 }] }, artifacts: { a: 1 } };
    const before = JSON.stringify(step);
    const attempt = (given: AgentStep) => {
      try {
        change(given);
      } catch (error) {
        return AgentResult.ok({ error: (error as Error).name });
      }
      return AgentResult.ok({ error: 'none' });
    };
    expect(await dataOf(attempt, { step })).toEqual({ error: 'TypeError' });
    expect(JSON.stringify(step)).toBe(before);
  });

  test('is a copy that does not reflect later changes by the caller', async () => {
    const payload = { n: 1 };
    const late = async (step: AgentStep) => {
      payload.n = 2;
      await Promise.resolve();
      return AgentResult.ok({ n: step.payload['n'] ?? null });
    };
    expect(await dataOf(late, { step: { payload } })).toEqual({ n: 1 });
  });

  test('MF-123 provides no way to run another agent, even one that is registered too', async () => {
    let others = 0;
    class Other extends BaseAgent {
      readonly name = 'shop.other';
      async run() {
        others++;
        return AgentResult.ok();
      }
    }
    const calling = planner(async (step) => {
      const powers = { ...step, ...step.reasoner } as unknown as Record<string, unknown>;
      const ways = ['run', 'runAgent', 'call', 'agents', 'agent', 'registry', 'invoke'].filter((way) => way in powers);
      const asked = await step.reasoner.ask({
        purpose: 'INSIGHT',
        prompt: 'run shop.other',
        agent: 'shop.other',
      } as never);
      return AgentResult.ok({ ways, asked: asked.ok });
    });
    const { result } = await pureAgentWorld(calling, Other)();
    expect([result.data, others]).toEqual([{ ways: [], asked: false }, 0]);
  });

  test('MF-013 MF-044 MF-122 MF-123 MF-124 contains no access to tools, agents, files or memory', async () => {
    const seen = (step: AgentStep) =>
      AgentResult.ok({ step: Object.keys(step).sort(), reasoner: Object.keys(step.reasoner) });
    expect(await dataOf(seen)).toEqual({
      step: ['artifacts', 'constraints', 'params', 'payload', 'reasoner', 'trace'],
      reasoner: ['ask'],
    });
  });
});

describe('an agent that violates its contract', () => {
  const violation = async (run: (step: AgentStep) => unknown, running?: PureAgentRunning) => {
    const { result, events } = await pureAgentWorld(planner(run))(running);
    expect(result).toMatchObject({ ok: false, data: null, error: { code: 'contract_violation', recoverable: false } });
    expect(events.at(-1)).toMatchObject({ type: 'agent:failed', error: { code: 'contract_violation' } });
    return { error: result.error, events };
  };

  test.each([
    ['an error', () => Promise.reject(new Error('no stock'))],
    ['an error of the engine', () => Promise.reject(new EngineError({ code: 'effect.denied', message: 'no stock' }))],
    ['a text', () => Promise.reject('no stock')],
  ])('MF-104 MF-113 by throwing %s gets an error, and the engine keeps working', async (_what, run) => {
    const { error } = await violation(run);
    expect(error?.message).toBe(
      'The agent "shop.planner" threw an error instead of returning a result. For expected failures, return a result with "ok" false.\nno stock',
    );
    expect(error?.details).toEqual({ reason: 'agent_threw' });
  });

  test('MF-012 by returning no result fails, and the error shows the value', async () => {
    for (const [given, words] of [
      [undefined, 'found nothing'],
      ['done', 'found the value "done"'],
    ] as const) {
      const { error, events } = await violation(() => given);
      expect(error?.message).toContain(words);
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'governance:decision',
          allowed: false,
          rule: 'agent_output_invalid',
          target: 'shop.planner',
        }),
      );
    }
  });

  test('MF-043 by a control field is rejected with the violated rule', async () => {
    const { error, events } = await violation(() => AgentResult.ok({ a: [{ NEXT_STEP: 'pay' }] }));
    expect(error?.details).toEqual({ reason: 'agent_output_control_fields', path: ['data', 'a', 0, 'NEXT_STEP'] });
    expect(error?.message).toContain('returned an invalid result: result.data.a.0.NEXT_STEP has the key "NEXT_STEP"');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'governance:decision',
        allowed: false,
        rule: 'agent_output_control_fields',
        effect: 'output',
      }),
    );
  });

  test('MF-043 deep inside is reported with both ends of the path', async () => {
    let data: JsonMap = { retry: 'x' };
    for (let depth = 0; depth < 40; depth++) data = { d: data };
    const { error } = await violation(() => AgentResult.ok(data));
    expect(error?.message).toContain(
      'returned an invalid result: result.data.d.d.d.d…d.d.d.d.d.retry has the key "retry"',
    );
    expect(error?.details).toMatchObject({ path: expect.arrayContaining(['data', 'd', 'retry']) });
  });

  test('MF-100 is run only once, whatever its error', async () => {
    let count = 0;
    await violation(() => {
      count++;
      throw new Error('again');
    });
    expect(count).toBe(1);
  });

  test('MF-104 a failure that it reports is not a violation and is unchanged', async () => {
    const told = { code: 'model_error', message: 'busy', recoverable: true, details: { a: 1 } } as const;
    const { result, events } = await pureAgentWorld(planner(() => AgentResult.failed(told)))();
    expect(result).toMatchObject({ ok: false, data: null, error: told });
    expect(events).toMatchObject([{ type: 'agent:start' }, { type: 'agent:failed', error: told }]);
  });

  test('is abandoned if it hangs and is stopped, and its later output is ignored', async () => {
    const stop = new AbortController();
    const reason = new EngineError({ code: 'node.timeout', message: 'late' });
    let proceed = (): void => undefined;
    const late: unknown[] = [];
    const running = pureAgentWorld(
      planner(async (step) => {
        await new Promise<void>((resolve) => {
          proceed = resolve;
        });
        step.trace('late');
        late.push(await step.reasoner.ask({ purpose: 'INSIGHT', prompt: 'late' }).catch((error: unknown) => error));
        return AgentResult.ok();
      }),
    )({ signal: stop.signal });
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    proceed();
    await new Promise((resolve) => setImmediate(resolve));
    expect(late).toEqual([reason]);
  });
});
