import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { planner, pureAgentWorld } from '../../../testing/pure-agents.ts';
import type { ModelReply, ModelRequest } from '../../kernel/models/model-capability.ts';
import { AgentResult, type AgentStep } from './base-agent.ts';

describe('the reasoner', () => {
  const reply = ({ messages }: ModelRequest): ModelReply => ({
    text: `heard ${messages.at(-1)?.content}`,
    finishReason: 'stop',
    usage: { promptTokens: 3, completionTokens: 2 },
    costUsd: 0.5,
  });

  test("MF-126 MF-128 calls the engine's model with the purpose, and reports the cost", async () => {
    const asking = async (step: AgentStep) => {
      const one = await step.reasoner.ask({
        purpose: 'PRIORITIZATION',
        prompt: 'a',
        model: 'm',
        temperature: 0,
        maxTokens: 5,
      });
      const two = await step.reasoner.ask({
        purpose: 'INSIGHT',
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'b' },
        ],
      });
      return AgentResult.ok({ texts: [one.text, two.text] }, { token_estimate: 1 });
    };
    const { result, asked } = await pureAgentWorld(planner(asking))({ reply });
    expect(result).toMatchObject({
      data: { texts: ['heard a', 'heard b'] },
      meta: { token_estimate: 10, cost_estimate: 1 },
    });
    expect(asked).toEqual([
      {
        purpose: 'PRIORITIZATION',
        model: 'm',
        temperature: 0,
        maxTokens: 5,
        messages: [{ role: 'user', content: 'a' }],
      },
      {
        purpose: 'INSIGHT',
        model: undefined,
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'b' },
        ],
      },
    ]);
  });

  test.each([
    [
      'no purpose',
      { prompt: 'a' },
      'request.purpose: must be one of INSIGHT, PRIORITIZATION, EXPLANATION, UNCERTAINTY',
    ],
    ['another purpose', { purpose: 'FUN', prompt: 'a' }, 'request.purpose: must be one of'],
    ['neither prompt nor messages', { purpose: 'INSIGHT' }, 'set either prompt or messages'],
    [
      'both',
      { purpose: 'INSIGHT', prompt: 'a', messages: [{ role: 'user', content: 'b' }] },
      'set either prompt or messages',
    ],
    ['tools', { purpose: 'INSIGHT', prompt: 'a', tools: [] }, 'tools'],
    ['nothing', undefined, 'request'],
  ])('MF-128 calls no model for a request with %s', async (_what, request, words) => {
    const { result, asked } = await pureAgentWorld(
      planner(async (step) => AgentResult.ok((await step.reasoner.ask(request as never)) as unknown as JsonMap)),
    )();
    expect(result.data).toMatchObject({ ok: false, text: null, error: { code: 'invalid_input', recoverable: false } });
    expect(JSON.stringify(result.data)).toContain(words);
    expect(asked).toEqual([]);
  });

  test.each([
    ['effect.denied', 'policy_blocked', false],
    ['model.rate-limited', 'model_error', true],
    ['model.timeout', 'timeout', true],
  ])('returns %s as %s without throwing', async (code, told, recoverable) => {
    const failing = () => {
      throw new EngineError({ code, message: 'why', recoverable });
    };
    const asking = async (step: AgentStep) => {
      const answer = await step.reasoner.ask({ purpose: 'INSIGHT', prompt: 'a' });
      return answer.ok ? AgentResult.ok() : AgentResult.failed(answer.error);
    };
    const { result } = await pureAgentWorld(planner(asking))({ reply: failing });
    expect(result.error).toEqual({ code: told, message: 'why', recoverable, details: { cause: code } });
  });
});

describe('MF-121 the trace of an agent', () => {
  test('is an event of its task', async () => {
    const { events } = await pureAgentWorld(
      planner((step) => {
        step.trace('considered', { options: 3 });
        step.trace('done');
        return AgentResult.ok();
      }),
    )();
    expect(events.filter(({ type }) => type === 'trace')).toEqual([
      { type: 'trace', name: 'considered', data: { options: 3 }, taskId: 'node:plan' },
      { type: 'trace', name: 'done', data: null, taskId: 'node:plan' },
    ]);
  });

  test('is omitted with a note if it is not JSON or too large', async () => {
    const { events } = await pureAgentWorld(
      planner((step) => {
        step.trace('function', (() => 1) as never);
        step.trace('long', 'x'.repeat(20_000));
        for (let at = 0; at < 2000; at++) step.trace('again', at);
        return AgentResult.ok();
      }),
    )();
    const told = events.filter(({ type }) => type === 'trace');
    expect(told.slice(0, 2)).toMatchObject([
      { data: expect.stringContaining('omitted') },
      { data: expect.stringContaining('omitted') },
    ]);
    expect(told).toHaveLength(1000);
    expect(events.filter(({ type }) => type === 'log')).toMatchObject([{ level: 'warn' }]);
  });
});
