import { afterEach, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { type RunLuaOptions, runLua, type TestHost, testHost } from '../../testing/run-lua.ts';
import { createLuaRuntime, type LuaRuntime, type LuaRuntimeOptions } from './lua-runtime.ts';

const opened: LuaRuntime[] = [];

function open(options: LuaRuntimeOptions = {}): LuaRuntime {
  const runtime = createLuaRuntime(options);
  opened.push(runtime);
  return runtime;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
});

/** A promise and the function that resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened: promise, open };
}

const blockers = {
  'a loop': 'while true do end',
  'a loop of pcall': 'while true do pcall(function() while true do end end) end',
  'a loop of xpcall with a handler that loops': 'while true do xpcall(error, function() while true do end end) end',
  'a search that backtracks': 'return string.find(string.rep("a", 40), string.rep("a?", 40) .. string.rep("a", 40))',
  'a search within gsub': 'return string.gsub(string.rep("a", 50000), ".-.-.-b", "")',
  'a loop in a coroutine':
    'coroutine.wrap(function() while true do pcall(coroutine.yield) end end)() while true do end',
  'a loop in a finalizer': 'setmetatable({}, { __gc = function() while true do end end }) return 1',
  'a loop in a metamethod': 'return tostring(setmetatable({}, { __tostring = function() while true do end end }))',
  'a loop while its error is shown': 'error(setmetatable({}, { __tostring = function() while true do end end }))',
  'a sort that never ends': 'table.sort({ 3, 1, 2 }, function() while true do end end)',
  'a host call that never ends': 'aip.agent.run("x")',
};

/** Returns a host that calls `started` when the script starts. `agent.run` never returns. */
function startedHost(started: () => void): TestHost {
  return {
    label: () => {
      started();
      return Promise.resolve(null);
    },
    'agent.run': () => new Promise(() => undefined),
  };
}

describe('a script that blocks', () => {
  test.each(Object.entries(blockers))('%s is stopped by cancellation', async (_what, code) => {
    const runtime = open({ poolSize: 1 });
    const { opened: started, open: start } = gate();
    const cancel = new AbortController();
    const options = { runtime, signal: cancel.signal, host: startedHost(start) };
    const run = runLua(`aip.run.set_label("go") ${code}`, options);
    await started;
    cancel.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    expect(await runLua('return "next"', { runtime })).toBe('next');
  });

  const timedOut = ['a loop of pcall', 'a search that backtracks', 'a host call that never ends'] as const;
  test.each(timedOut)('%s is stopped by its timeout', async (what) => {
    const code = blockers[what];
    const clock = createManualClock();
    const runtime = open({ poolSize: 1, clock });
    const { opened: started, open: start } = gate();
    const run = runLua(`aip.run.set_label("go") ${code}`, { runtime, timeoutMs: 500, host: startedHost(start) });
    const outcome = expect(run).rejects.toMatchObject({
      code: 'lua.timeout',
      message: expect.stringContaining('longer than 500 ms'),
    });
    await started;
    await clock.advance(500);
    await outcome;
    expect(await runLua('return "next"', { runtime })).toBe('next');
  });

  const computing = (code: string, host: TestHost = {}, computeMs = 150) =>
    open({ poolSize: 1 }).run({ code, chunkName: 'test.aip', globals: {}, scriptContext: {} }, testHost(host), {
      ...{ signal: new AbortController().signal, timeoutMs: null, computeMs },
    });

  test('a script that computes without end exceeds its compute limit', async () => {
    await expect(computing('while true do end')).rejects.toMatchObject({
      code: 'lua.timeout',
      message: expect.stringContaining('stopped because it computed for more than 150 ms'),
    });
  });

  test('waiting for the engine does not count toward the compute limit', async () => {
    // The time passes the limit while the script waits.
    const label = async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600);
      return null;
    };
    expect(await computing('aip.run.set_label("go") return "done"', { label }, 1500)).toBe('done');
  });

  test("cancellation aborts the script's host calls", async () => {
    const runtime = open();
    const cancel = new AbortController();
    const { opened: called, open: call } = gate();
    let reason: unknown;
    const host: TestHost = {
      'web.request': (_params, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
          });
          call();
        }),
      'agent.run': (_params, signal) => testRequest(signal),
    };
    const testRequest = async (signal: AbortSignal): Promise<never> => {
      await host['web.request']?.({ method: 'GET', url: 'x', headers: [], redirectLimit: 0 }, signal);
      throw new Error('This is not reached');
    };
    const run = runLua('aip.agent.run("x")', { runtime, signal: cancel.signal, host });
    await called;
    cancel.abort('stop');
    await expect(run).rejects.toBe('stop');
    expect(reason).toBe('stop');
  });

  test('a signal that has already aborted starts nothing', async () => {
    const runtime = open();
    await expect(runLua('return 1', { runtime, signal: AbortSignal.abort('before') })).rejects.toBe('before');
    expect(runtime.workerCount).toBe(0);
  });

  test('a script that waits for a free worker can be canceled', async () => {
    const runtime = open({ poolSize: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const running = runLua('while true do end', { runtime, signal: first.signal });
    const waiting = runLua('return 1', { runtime, signal: second.signal });
    second.abort('changed my mind');
    await expect(waiting).rejects.toBe('changed my mind');
    first.abort('done');
    await expect(running).rejects.toBe('done');
  });
});

describe('memory', () => {
  test('a script that exceeds the memory limit fails, and its worker is not reused', async () => {
    const runtime = open({ poolSize: 1 });
    await expect(runLua('return string.rep("x", 1 << 30)', { runtime })).rejects.toMatchObject({ code: 'lua.memory' });
    expect(runtime.workerCount).toBe(1);
    const hog =
      'local t = {} for i = 1, 100 do t[i] = string.rep(string.rep("x", 1 << 10), 1 << 10) .. i end return #t';
    expect(await runLua(hog, { runtime })).toBe(100);
    expect(runtime.workerCount).toBe(0);
    expect(await runLua('return 1', { runtime })).toBe(1);
  });

  test('the memory limit is configurable', async () => {
    const hog = 'return #string.rep(string.rep("x", 1 << 10), 100 << 10)';
    await expect(runLua(hog, { memoryBytes: 8 << 20 })).rejects.toMatchObject({
      code: 'lua.memory',
      message: expect.stringContaining('not enough memory (a script may use 8 MiB)'),
    });
    expect(await runLua(hog)).toBe(100 << 20);
  });
});

describe('many scripts', () => {
  test('60 concurrent scripts on two workers each return their own result', async () => {
    const runtime = open({ poolSize: 2 });
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    const results = await Promise.all(numbers.map((n) => runLua('x = n return x * 2', { runtime, globals: { n } })));
    expect(results).toEqual(numbers.map((n) => n * 2));
    expect(runtime.workerCount).toBeLessThanOrEqual(2);
  });

  /** A host with an `agent.run` that runs the same code again, one level deeper. */
  function nestingHost(runtime: LuaRuntime, code: string): TestHost {
    return {
      'agent.run': async ({ inputs }) => {
        const level = Number(inputs?.[0]);
        const options: RunLuaOptions = { runtime, globals: { level }, host: nestingHost(runtime, code) };
        return { outputs: [await runLua(code, options)], afterAll: null, redoRequested: false };
      },
    };
  }

  const nested = `if level == 0 then return 0 end
    local sum = 0
    for _ = 1, width do sum = sum + aip.agent.run("x", { input = level - 1 }).outputs[1] end
    return sum + 1`;

  test('nested scripts can exceed the number of workers in the pool', async () => {
    const runtime = open({ poolSize: 1 });
    const code = `local width = 1 ${nested}`;
    const run = (level: number): Promise<JsonValue> =>
      runLua(code, { runtime, globals: { level }, host: nestingHost(runtime, code) });
    expect(await Promise.all([run(16), run(5), run(5), run(0)])).toEqual([16, 5, 5, 0]);
  }, 60_000);

  test('a long host call frees its place for other scripts', async () => {
    const runtime = open({ poolSize: 1 });
    const { opened: answered, open: answer } = gate();
    const host: TestHost = { label: () => answered.then(() => null) };
    const slow = runLua('aip.run.set_label("x") return "slow"', { runtime, host });
    expect(await runLua('return "quick"', { runtime })).toBe('quick');
    answer();
    expect(await slow).toBe('slow');
  });

  test('host calls work inside of sort, gsub and coroutines', async () => {
    const host: TestHost = {
      'agent.run': ({ inputs }) =>
        Promise.resolve({ outputs: [Number(inputs?.[0]) * 2], afterAll: null, redoRequested: false }),
    };
    const code = `
      local function twice(n) return aip.agent.run("x", { input = n }).outputs[1] end
      local list = { 3, 1, 2 }
      table.sort(list, function(a, b) return twice(a) < twice(b) end)
      return { list, (string.gsub("123", "%d", function(d) return twice(tonumber(d)) end)),
        coroutine.wrap(function() return twice(21) end)() }`;
    expect(await runLua(code, { host })).toEqual([[1, 2, 3], '246', 42]);
  });

  test('a host result that cannot be cloned becomes an error of the call', async () => {
    const host: TestHost = { 'agent.run': () => Promise.resolve({ outputs: (() => 1) as never } as never) };
    await expect(runLua('return aip.agent.run("x")', { host })).rejects.toThrow('could not be cloned');
  });
});

describe('workers', () => {
  test('an idle worker is stopped after a while', async () => {
    const runtime = open({ idleMs: 1 });
    await runLua('return 1', { runtime });
    await expect.poll(() => runtime.workerCount).toBe(0);
  });

  test('a worker is reused', async () => {
    const runtime = open({ poolSize: 4 });
    for (let round = 0; round < 10; round++) await runLua('return 1', { runtime });
    expect(runtime.workerCount).toBe(1);
  });

  test.each([
    { waiting: 4, kept: 4 },
    { waiting: 11, kept: 8 },
  ])('keeps $kept of $waiting workers that waited for the engine at once', async ({ waiting, kept }) => {
    const runtime = open({ poolSize: 2 });
    let calls = 0;
    let answer = (): void => undefined;
    const allCalled = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const host: TestHost = {
      'agent.run': async () => {
        calls++;
        if (calls === waiting) answer();
        await allCalled;
        return { outputs: [], afterAll: null, redoRequested: false };
      },
    };
    await Promise.all(Array.from({ length: waiting }, () => runLua('aip.agent.run("x")', { runtime, host })));
    expect(runtime.workerCount).toBe(kept);
  });

  test('closing the runtime stops running scripts', async () => {
    const runtime = open();
    const run = runLua('while true do end', { runtime });
    const stopped = expect(run).rejects.toMatchObject({ code: 'lua.closed' });
    await runtime.close();
    await stopped;
    await expect(runLua('return 1', { runtime })).rejects.toMatchObject({ code: 'lua.closed' });
    expect(runtime.workerCount).toBe(0);
  });
});
