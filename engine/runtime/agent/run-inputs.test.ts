import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createFakeScripts, type ScriptBody, type ScriptCall, untilStopped } from '../../testing/fake-scripts.ts';
import { type AgentRunOptions, scriptSection, startAgentText } from '../../testing/run-agent-file.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { failFastStop } from '../kernel/hub/cancel-scope.ts';

const inputs = ['a', 'b', 'c', 'd', 'e'];

function start(scripts: Readonly<Record<string, ScriptBody>>, options: AgentRunOptions = {}) {
  const fake = createFakeScripts(scripts);
  const text = Object.keys(scripts).map((heading) => scriptSection(heading, heading));
  return { ...startAgentText(text.join(''), { scripts: fake, inputs, ...options }), ran: fake.ran };
}

/** Creates Data scripts that wait until the test releases them. */
function createGates() {
  const open = new Map<JsonValue, (value: JsonValue) => void>();
  let most = 0;
  const data = ({ globals }: ScriptCall): Promise<JsonValue> =>
    new Promise((resolve) => {
      const input = globals['input'] ?? null;
      open.set(input, (value) => {
        open.delete(input);
        resolve(value);
      });
      most = Math.max(most, open.size);
    });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const release = async (input: string, value: JsonValue = null): Promise<void> => {
    open.get(input)?.(value);
    await turn();
  };
  return { data, release, turn, waiting: () => [...open.keys()], most: () => most };
}

function endsOf(events: readonly EventEnvelope[]): string[] {
  return events.flatMap(({ event }) =>
    event.type.startsWith('task:') && event.type !== 'task:start' && 'taskId' in event
      ? [`${event.taskId} ${event.type.slice('task:'.length)}`]
      : [],
  );
}

describe('concurrency', () => {
  test('AP-10 of five inputs, at most two are in flight, and outputs are in the order of the inputs', async () => {
    const gates = createGates();
    const run = start(
      { Data: gates.data, Output: ({ globals }) => globals['data'] ?? null },
      { baseOptions: { input_concurrency: 2 } },
    );
    await gates.turn();
    expect(gates.waiting()).toEqual(['a', 'b']);
    await gates.release('b', 'B');
    expect(gates.waiting()).toEqual(['a', 'c']);
    await gates.release('c', 'C');
    await gates.release('d', 'D');
    await gates.release('e', 'E');
    await gates.release('a', 'A');
    const { result } = await run.done;
    expect(result.outputs).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(gates.most()).toBe(2);
  });

  test.each([
    ['when nothing is said', {}],
    ['when it is 0', { input_concurrency: 0 }],
  ])('runs one after the other %s', async (_, baseOptions) => {
    const gates = createGates();
    const run = start({ Data: gates.data }, { baseOptions });
    await gates.turn();
    for (const input of inputs) {
      expect(gates.waiting()).toEqual([input]);
      await gates.release(input);
    }
    await run.done;
    expect(gates.most()).toBe(1);
  });

  test('can be set in Before All', async () => {
    const gates = createGates();
    const directive = { _aipack_: { kind: 'BeforeAllResponse', data: { options: { input_concurrency: 3 } } } };
    const run = start({ 'Before All': () => directive, Data: gates.data });
    await gates.turn();
    expect(gates.waiting()).toEqual(['a', 'b', 'c']);
    for (const input of inputs) await gates.release(input);
    expect((await run.done).result.status).toBe('completed');
  });
});

describe('a failing input', () => {
  const failsAtB: ScriptBody = ({ globals }) => {
    if (globals['input'] === 'b') throw new EngineError({ code: 'lua.error', message: 'b is bad', line: 4 });
    return globals['input'] ?? null;
  };

  test('AP-11 ends the run by default: After All is not run, and no further inputs start', async () => {
    const { done, ran } = start({ Data: failsAtB, 'After All': () => null }, { inputs: ['a', 'b', 'c'] });
    const { result, end, events, state } = await done;
    const error = { code: 'lua.error', message: 'b is bad', line: 4, stage: 'Data' };
    expect(result).toMatchObject({ status: 'failed', error, outputs: null, redoRequested: false });
    expect(end).toMatchObject({ status: 'failed', error, failedNodes: ['input:1'] });
    expect(ran.map(({ name }) => name)).toEqual(['Data', 'Data']);
    expect(endsOf(events)).toEqual(['input:0 complete', 'input:1 failed']);
    expect([...state.nodes.keys()]).toEqual(['input:0', 'input:1']);
    expect([...state.failedNodes]).toEqual(['input:1']);
  });

  test('AP-11 with allow_run_on_task_fail its output is the message, and the run continues to its end', async () => {
    const { done } = start(
      { Data: failsAtB, Output: ({ globals }) => globals['data'] ?? null, 'After All': () => 'all' },
      { inputs: ['a', 'b', 'c'], baseOptions: { allow_run_on_task_fail: true } },
    );
    const { result, end, events } = await done;
    expect(result).toMatchObject({
      status: 'completed',
      outputs: ['a', { error: 'b is bad' }, 'c'],
      afterAll: 'all',
      failedTasks: ['input:1'],
    });
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['input:1'] });
    expect(end).not.toHaveProperty('error');
    expect(endsOf(events)).toEqual(['input:0 complete', 'input:1 failed', 'input:2 complete']);
  });

  test('stops the scripts of other inputs, which end as cancelled for that reason', async () => {
    const { done } = start(
      { Data: (call) => (call.globals['input'] === 'a' ? untilStopped(call) : failsAtB(call)) },
      { baseOptions: { input_concurrency: 2 } },
    );
    const { result, events } = await done;
    expect(result.error?.message).toBe('b is bad');
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'task:cancelled',
      taskId: 'input:0',
      reason: 'fail-fast',
    });
  });

  test('stops the model calls of other inputs', async () => {
    const { capabilities } = createFakeCapabilities();
    let stoppedWith: unknown;
    let tellAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    const ask = (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stoppedWith = signal.reason;
          reject(signal.reason);
        });
        tellAsked();
      });
    const text = `${scriptSection('Data', 'Data')}# User\nHi\n`;
    const scripts = createFakeScripts({
      Data: async (call) => {
        if (call.globals['input'] === 'b') await asked;
        return failsAtB(call);
      },
    });
    const run = startAgentText(text, {
      ...{ scripts, inputs: ['a', 'b'], baseOptions: { input_concurrency: 2 } },
      capabilities: { ...capabilities, model: { ...capabilities.model, ask } },
    });
    const { events } = await run.done;
    expect(EngineError.is(stoppedWith) && stoppedWith.code).toBe('run.fail-fast');
    expect(endsOf(events)).toEqual(['input:1 failed', 'input:0 cancelled']);
  });
});

describe('canceling', () => {
  test('AP-9 keeps completed inputs, cancels the others, and does not run After All', async () => {
    const { done, cancel, ran, events } = start(
      {
        Data: (call) => (call.globals['input'] === 'a' ? null : untilStopped(call)),
        'After All': () => null,
      },
      { baseOptions: { input_concurrency: 2 } },
    );
    await expect.poll(() => ran.length, { timeout: 10_000 }).toBe(3);
    cancel();
    const { result, end } = await done;
    expect(result).toMatchObject({ status: 'cancelled', outputs: null, afterAll: null, redoRequested: false });
    expect(result).not.toHaveProperty('error');
    expect(end.status).toBe('cancelled');
    expect(endsOf(events)).toEqual(['input:0 complete', 'input:1 cancelled', 'input:2 cancelled']);
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'task:cancelled',
      taskId: 'input:1',
      reason: 'cancel',
    });
    expect(events.map(({ event }) => event)).toContainEqual({ type: 'phase:cancelled', name: 'Tasks' });
    expect(ran.map(({ name }) => name)).toEqual(['Data', 'Data', 'Data']);
  });

  test.each(['Before All', 'After All'])('in %s, the run ends as cancelled in that phase', async (name) => {
    const { done, cancel, ran } = start({ [name]: untilStopped });
    await expect.poll(() => ran.length, { timeout: 10_000 }).toBe(1);
    cancel();
    const { result, events } = await done;
    expect(result.status).toBe('cancelled');
    expect(events.map(({ event }) => event)).toContainEqual({ type: 'phase:cancelled', name });
  });

  test('before the start, nothing is run', async () => {
    const { done, cancel, ran } = start({ 'Before All': () => null, Data: () => null });
    cancel();
    expect((await done).result.status).toBe('cancelled');
    expect(ran).toEqual([]);
  });

  test('a child run stopped by a failure elsewhere counts as cancelled, with the reason', async () => {
    const { done, cancel, ran } = start({ Data: untilStopped });
    await expect.poll(() => ran.length, { timeout: 10_000 }).toBe(1);
    cancel(failFastStop());
    const { result, events } = await done;
    expect(result.status).toBe('cancelled');
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'task:cancelled',
      taskId: 'input:0',
      reason: 'fail-fast',
    });
  });
});

describe.each(['run.cancelled', 'run.fail-fast'])('an error with the code %s thrown by a script', (code) => {
  const liar = (): never => {
    throw new EngineError({ code, message: 'so it says' });
  };

  test.each(['Before All', 'Data', 'Output', 'After All'])('fails the run when %s throws it', async (stage) => {
    const { result, end, events } = await start({ [stage]: liar }, { inputs: ['a'] }).done;
    expect([result, end]).toMatchObject([{ status: 'failed', error: { code } }, { status: 'failed' }]);
    expect(events.map(({ event }) => event.type)).toContain('phase:failed');
    expect(events.map(({ event }) => event.type)).not.toContain('phase:cancelled');
  });

  test('is the output of its input if the agent continues after failures', async () => {
    const options = { baseOptions: { allow_run_on_task_fail: true } };
    const { result } = await start({ Data: liar }, { inputs: ['a', 'b'], ...options }).done;
    expect(result).toMatchObject({
      status: 'completed',
      outputs: [{ error: 'so it says' }, { error: 'so it says' }],
    });
  });
});
