import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../language/flow/check-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { nodeThen, startTimedRun } from '../../testing/timed-run.ts';
import type { WebResponse } from '../kernel/capabilities/web-capability.ts';
import { builtinTypes } from './builtin-types.ts';
import { createNodeRegistry } from './node-registry.ts';

type Answer = Partial<WebResponse>;

interface Asked {
  readonly input?: JsonMap;
  readonly config?: JsonMap;
  readonly policy?: JsonMap;
}

const minute = 60_000;

/** Sends a request to a server that returns these responses, repeating the last one. The clock skips all pauses. */
async function ask(answers: readonly Answer[], { input = {}, config = { retryOn: [429, 503] }, policy }: Asked = {}) {
  const { capabilities, sent } = createFakeCapabilities({
    respond: () => answers[Math.min(sent.length, answers.length) - 1] ?? {},
  });
  const node = { input: { url: 'https://api.example/', ...input }, config, ...(policy && { policy }) };
  const text = `type: http.request, ${JSON.stringify(node).slice(1, -1)}`;
  const { clock, done, events } = startTimedRun(nodeThen(text), { capabilities });
  await clock.advance(60 * minute);
  const { state, end } = await done;
  const retries = events.flatMap(({ event }) => (event.type === 'node:retry' ? [event] : []));
  const { output, attempts } = state.nodes.get('a') ?? {};
  return { sent: sent.length, output, attempts, end, retries, delays: retries.map(({ delayMs }) => delayMs) };
}

const busy: Answer = { status: 503, text: 'busy' };
const fine: Answer = { status: 200, text: 'fine' };
const asking = (value: string): Answer => ({ status: 429, headers: { 'retry-after': value } });

describe('http.request with retryOn', () => {
  test('repeats a GET after a listed status and returns the first response with another status', async () => {
    const { output, delays, attempts, retries } = await ask([busy, busy, fine]);
    expect(output).toEqual({ status: 200, headers: {}, body: 'fine' });
    expect({ delays, attempts }).toEqual({ delays: [1000, 1000], attempts: 3 });
    expect(retries[0]).toMatchObject({
      attempt: 1,
      error: { code: 'http.unwanted-status', nodeId: 'a', details: { status: 503 } },
    });
  });

  test('returns the last response as its output when no attempt is left, and does not fail', async () => {
    const { output, sent, end } = await ask([busy]);
    expect({ output, sent, status: end.status }).toEqual({
      output: { status: 503, headers: {}, body: 'busy' },
      sent: 3,
      status: 'completed',
    });
  });

  test.each<[JsonMap, readonly number[]]>([
    [{ retry: { maxAttempts: 5, backoffMs: 10 } }, [10, 10, 10, 10]],
    [{ retry: { maxAttempts: 2 } }, [0]],
    [{ retry: { maxAttempts: 1 } }, []],
    [{ timeoutMs: 1500 }, [1000]],
    [{ timeoutMs: 900 }, []],
    [{ continueOnError: true }, [1000, 1000]],
  ])('FE-50 to FE-54: the policy %j makes the pauses %j', async (policy, delays) => {
    expect((await ask([busy], { policy })).delays).toEqual(delays);
  });

  test.each<[string, readonly number[]]>([
    ['2', [2000, 2000]],
    ['0', [0, 0]],
    [' 7 ', [7000, 7000]],
    ['1.5', [1500, 1500]],
    [new Date(createManualClock().now() + 20_000).toUTCString(), [20_000, 0]],
    ['Thu, 01 Jan 1970 00:00:00 GMT', [0, 0]],
    ['999999999', [5 * minute, 5 * minute]],
    ['Fri, 31 Dec 9999 23:59:59 GMT', [5 * minute, 5 * minute]],
    ['-5', [1000, 1000]],
    ['Wednesday soon', [1000, 1000]],
    ['', [1000, 1000]],
    ['120, 60', [1000, 1000]],
    ['1e9', [1000, 1000]],
  ])('waits as long as retry-after asks for: %j makes the pauses %j', async (value, delays) => {
    expect((await ask([asking(value)])).delays).toEqual(delays);
  });

  test('does not wait if that would exceed the timeout of the node', async () => {
    const once = await ask([asking('3600')], { policy: { timeoutMs: 5000, retry: { maxAttempts: 9 } } });
    expect({ sent: once.sent, delays: once.delays, output: once.output }).toMatchObject({
      sent: 1,
      delays: [],
      output: { status: 429 },
    });
    const often = await ask([asking('2')], { policy: { timeoutMs: 5000, retry: { maxAttempts: 9 } } });
    expect(often.delays).toEqual([2000, 2000]);
  });

  test('shares its attempts with network failures', async () => {
    const { capabilities, sent } = createFakeCapabilities({
      respond: () => {
        if (sent.length % 2 === 1) throw new Error('cut');
        return busy;
      },
    });
    const node = 'type: http.request, input: { url: "http://h/" }, config: { retryOn: [503] }';
    const { clock, done } = startTimedRun(nodeThen(`${node}, policy: { retry: { maxAttempts: 4 } }`), { capabilities });
    await clock.advance(minute);
    expect((await done).state.nodes.get('a')).toMatchObject({ attempts: 4, output: { status: 503 } });
  });

  test.each<[string, JsonMap, number]>([
    ['HEAD', {}, 3],
    ['POST', {}, 1],
    ['PUT', { retryMethods: ['POST'] }, 1],
    ['POST', { retryMethods: ['POST'] }, 3],
    ['DELETE', { retryMethods: ['PUT', 'DELETE'] }, 3],
    ['OPTIONS', {}, 1],
    ['GET', { retryMethods: ['POST'] }, 3],
    ['GET', { retryMethods: [] }, 3],
  ])('%s with %j is sent %i times', async (method, more, times) => {
    const { sent } = await ask([busy], { input: { method }, config: { retryOn: [503], ...more } });
    expect(sent).toBe(times);
  });

  test.each([[404], [200], [502]])('returns a response with the status %i, which is not listed', async (status) => {
    expect(await ask([{ status }])).toMatchObject({ sent: 1, output: { status } });
  });

  test('every status is a response if retryOn is not set, regardless of the policy', async () => {
    expect(await ask([busy], { config: {}, policy: { retry: { maxAttempts: 5 } } })).toMatchObject({ sent: 1 });
  });

  test('saves only the response with a status that is not listed', async () => {
    const { output } = await ask([busy, fine], { input: { saveTo: 'a.txt' } });
    expect(output).toMatchObject({ status: 200, path: 'a.txt' });
  });
});

describe('validation', () => {
  function hintsFor(rest: string, node = 'type: http.request, input: { url: "http://h/" }'): readonly string[] {
    const { diagnostics } = checkFlow(nodeThen(`${node}${rest}`), createNodeRegistry(builtinTypes));
    return diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`);
  }

  test('reports that maxSteps has no effect on a prompt without tools', () => {
    expect(hintsFor(', config: { maxSteps: 3 }', 'type: prompt, input: { prompt: Hi }').join()).toContain(
      'info node.unused-setting It has no effect without config.tools',
    );
  });

  test.each([
    [', policy: { retry: { maxAttempts: 3 } }', 'has no effect on HTTP statuses'],
    [', config: { retryMethods: [POST] }', 'no effect without config.retryOn'],
    [', config: { retryOn: [503] }, policy: { retry: { maxAttempts: 1, backoffMs: 9 } }', 'single attempt'],
  ])('reports that %s has no effect', (rest, words) => {
    expect(hintsFor(rest)).toEqual([expect.stringMatching(new RegExp(`^info node.unused-setting .*${words}`))]);
  });

  test.each(['', ', config: { retryOn: [503] }, policy: { retry: { maxAttempts: 3, backoffMs: 9 } }'])(
    'reports nothing for %j',
    (rest) => {
      expect(hintsFor(rest)).toEqual([]);
    },
  );

  test.each(['[99]', '[600]', '["503"]', '503'])('rejects %s as retryOn', (value) => {
    expect(hintsFor(`, config: { retryOn: ${value} }`).join()).toContain('error node.bad-config');
  });
});
