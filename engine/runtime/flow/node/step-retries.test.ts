/** Tests when a failed step is retried: only the flow decides, never an agent or a tool. */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { runSteps, stepFlow } from '../../../testing/step-runs.ts';
import { startTestRun, traceOf } from '../../../testing/test-run.ts';
import { ToolFailure } from '../../../world/tools/tool-source.ts';
import { decideRetry } from './retry-rules.ts';

const failed = (code: string, recoverable: boolean): JsonValue => ({
  ok: false,
  data: null,
  error: { code, message: 'It did not work', recoverable, details: { why: 1 } },
});

/** Creates an agent that fails a number of times before it succeeds. */
function failing(times: number, code = 'model_error', recoverable = true) {
  const attempts: number[] = [];
  const agent = (step: { readonly constraints: { readonly attempt: number } }): JsonValue => {
    attempts.push(step.constraints.attempt);
    return attempts.length <= times ? failed(code, recoverable) : { worked: true };
  };
  return { attempts, agents: { 'p.a': agent as never } };
}

const withRetry = (retry: string): string => stepFlow(`{ id: a, type: agent, agent: p.a, retry: ${retry} }`);

test('MF-100 a failing agent is called once if the flow has no retry policy', async () => {
  const { attempts, agents } = failing(1);
  const run = await runSteps(stepFlow('{ id: a, type: agent, agent: p.a }'), { agents });
  expect([attempts, run.end.status]).toEqual([[1], 'failed']);
});

test('MF-034 only the flow sets the number of attempts of a step', async () => {
  for (const [retry, tries] of [
    ['{ max_attempts: 1 }', 1],
    ['{ max_attempts: 2 }', 2],
    ['{ max_attempts: 4, retry_on_codes: [model_error] }', 4],
    ['{ max_attempts: 4, retry_on_codes: [timeout] }', 1],
  ] as const) {
    const { attempts, agents } = failing(9);
    const run = await runSteps(withRetry(retry), { agents });
    expect([attempts.length, run.end.status], retry).toEqual([tries, 'failed']);
  }
});

test('MF-101 a recoverable error is retried up to three times, after a constant delay', async () => {
  const { attempts, agents } = failing(2);
  const run = await runSteps(withRetry('{ max_attempts: 3 }'), { agents });
  expect([attempts, run.end.status, run.end.output]).toEqual([[1, 2, 3], 'completed', { worked: true }]);
  const clock = createManualClock();
  const never = failing(9);
  const { capabilities } = createFakeCapabilities({ pureAgents: never.agents });
  const { done } = startTestRun(withRetry('{ max_attempts: 3, backoff_seconds: 2 }'), { clock, capabilities });
  for (const count of [1, 2, 3]) {
    await clock.settle();
    await clock.settle();
    expect(never.attempts).toHaveLength(count);
    await clock.advance(2000);
  }
  expect([never.attempts, (await done).end.status]).toEqual([[1, 2, 3], 'failed']);
});

test('MF-035 two attempts at most, one second apart', async () => {
  const clock = createManualClock();
  const { attempts, agents } = failing(2);
  const { capabilities } = createFakeCapabilities({ pureAgents: agents });
  const { done } = startTestRun(withRetry('{ max_attempts: 2, backoff_seconds: 1 }'), { clock, capabilities });
  await clock.settle();
  await clock.settle();
  expect(attempts).toEqual([1]);
  await clock.advance(999);
  expect(attempts).toEqual([1]);
  await clock.advance(1);
  await clock.settle();
  expect(attempts).toEqual([1, 2]);
  expect((await done).end.status).toBe('failed');
});

test('MF-102 an error that is not recoverable is never retried', async () => {
  const { attempts, agents } = failing(1, 'invalid_input', false);
  const run = await runSteps(withRetry('{ max_attempts: 3 }'), { agents });
  expect([attempts, run.end.status]).toEqual([[1], 'failed']);
});

test('retry_on_codes restricts retries to these codes, and only for recoverable errors', async () => {
  const other = failing(1, 'model_error');
  await runSteps(withRetry('{ max_attempts: 3, retry_on_codes: [timeout] }'), other);
  expect(other.attempts).toEqual([1]);
  const meant = failing(1, 'timeout');
  await runSteps(withRetry('{ max_attempts: 3, retry_on: [timeout, model_error] }'), meant);
  expect(meant.attempts).toEqual([1, 2]);
  const lost = failing(1, 'timeout', false);
  await runSteps(withRetry('{ max_attempts: 3, retry_on_codes: [timeout] }'), lost);
  expect(lost.attempts).toEqual([1]);
});

test('MF-104 a failing agent produces a structured error, which ends the step and the run', async () => {
  const { agents } = failing(1, 'policy_blocked', false);
  const run = await runSteps(stepFlow('{ id: a, type: agent, agent: p.a }', '{ id: b, type: agent, agent: p.a }'), {
    agents,
  });
  expect(run.end.error).toEqual({
    ...{ code: 'policy_blocked', message: 'It did not work', nodeId: 'a' },
    details: { agent: 'p.a', why: 1 },
  });
  expect([run.end.failedNodes, run.state.nodes.has('b')]).toEqual([['a'], false]);
});

test('C6 a plain error thrown by a tool is not recoverable for a step', async () => {
  let calls = 0;
  const tools = {
    'p.t': () => {
      calls++;
      throw new Error('broken');
    },
  };
  const run = await runSteps(stepFlow('{ id: t, type: tool, tool: p.t, retry: { max_attempts: 3 } }'), { tools });
  expect([calls, run.end.error?.code]).toEqual([1, 'backend_error']);
});

test('MF-105 a tool that succeeds at the second attempt: the order of events', async () => {
  let calls = 0;
  const tools = {
    'p.t': () => {
      if (++calls === 1) throw new ToolFailure('rate_limit', 'Slow down');
      return { ok: true };
    },
  };
  const run = await runSteps(stepFlow('{ id: t, type: tool, tool: p.t, retry: { max_attempts: 2 } }'), { tools });
  expect(traceOf(run.events, ['tool:', 'node:retry', 'task:'])).toEqual([
    'task:start t',
    'tool:attempt',
    'tool:result',
    'node:retry t',
    'tool:attempt',
    'tool:result',
    'task:complete t',
  ]);
  const told = run.events.flatMap(({ event }) => (event.type === 'tool:result' ? event.isError : []));
  const retry = run.events.find(({ event }) => event.type === 'node:retry')?.event;
  expect(told).toEqual([true, false]);
  expect(retry).toMatchObject({ attempt: 1, delayMs: 0, error: { code: 'rate_limited', recoverable: true } });
});

describe('MF-103 a function of policy, attempt and error decides on retries', () => {
  const steps = { maxAttempts: 3, backoffMs: 2000, retryIf: { recoverable: true, codes: ['timeout'] } };
  const nodes = { maxAttempts: 3, backoffMs: 5 };
  test.each([
    ['a recoverable error of a code that is named', steps, 1, { code: 'timeout', recoverable: true }, 2000],
    ['the last attempt', steps, 3, { code: 'timeout', recoverable: true }, 'attempts'],
    ['an error that is not recoverable', steps, 1, { code: 'timeout' }, 'unrecoverable'],
    ['a code that is not named', steps, 1, { code: 'model_error', recoverable: true }, 'code'],
    [
      'no codes at all',
      { ...steps, retryIf: { recoverable: true, codes: [] } },
      2,
      { code: 'x', recoverable: true },
      2000,
    ],
    ['what a person has rejected', nodes, 1, { code: 'approval.rejected', recoverable: true }, 'decided'],
    ['a request without an answer', nodes, 1, { code: 'ask.expired' }, 'decided'],
    ['any error of a node of another flow', nodes, 1, { code: 'internal' }, 5],
  ])('%s', (...[, policy, attempt, error, expected]) => {
    expect(decideRetry(policy, attempt, error)).toEqual(
      typeof expected === 'number' ? { retry: true, delayMs: expected } : { retry: false, reason: expected },
    );
  });
});
