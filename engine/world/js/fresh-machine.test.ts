// The worker code is bundled on its first import; importing it here excludes that time from the tests.
import 'virtual:js-worker';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createJsRuntime } from './js-runtime.ts';

/** One worker, so that each script runs in the interpreter of the previous one. */
const runtime = createJsRuntime({ poolSize: 1 });
afterAll(() => runtime.close());

async function run(code: string, more: { input?: JsonValue; maxResultBytes?: number; logged?: string[] } = {}) {
  const { input = {}, maxResultBytes = 2 ** 20, logged = [] } = more;
  const host = {
    log: async ({ text }: { readonly text: string }) => {
      logged.push(text);
      return null;
    },
  };
  const limits = { signal: new AbortController().signal, timeoutMs: null };
  return await runtime.run({ code, inputText: JSON.stringify(input), maxResultBytes }, host, limits);
}

describe('changes by a script are undone before the next one', () => {
  test.each<{ readonly what: string; readonly change: string; readonly look: string; readonly fresh: JsonValue }>([
    { what: 'a global', change: 'globalThis.left = 1', look: 'return typeof left', fresh: 'undefined' },
    { what: 'a field of a global', change: 'console.left = 1', look: 'return "left" in console', fresh: false },
    { what: 'a built-in object', change: 'Math.left = 1', look: 'return "left" in Math', fresh: false },
    { what: 'Math.random', change: 'Math.random = () => 7', look: 'return Math.random() < 1', fresh: true },
    { what: 'the console', change: 'globalThis.console = null', look: 'return typeof console.log', fresh: 'function' },
    { what: 'JSON', change: 'JSON.stringify = () => "1"', look: 'return { a: 2 }', fresh: { a: 2 } },
    { what: 'a prototype', change: 'Object.prototype.left = 1', look: 'return [{}.left === undefined]', fresh: [true] },
    { what: 'a method', change: 'Array.prototype.map = () => 1', look: 'return [1].map((n) => n + 1)', fresh: [2] },
    {
      what: 'a frozen prototype',
      change: 'Object.freeze(Array.prototype)',
      look: 'Array.prototype.x = 1; return 1',
      fresh: 1,
    },
    { what: 'toJSON of BigInt', change: 'return 1n', look: 'return "toJSON" in BigInt.prototype', fresh: false },
    { what: 'Proxy', change: 'globalThis.Proxy = 1', look: 'return typeof Proxy', fresh: 'function' },
    {
      what: 'that there were proxies',
      change: 'new Proxy({}, {})',
      look: 'return { a: [{ b: 1 }] }',
      fresh: { a: [{ b: 1 }] },
    },
    {
      what: 'a promise that waits',
      change: 'Promise.resolve().then(() => { globalThis.left = 1 })',
      look: 'await 0; return typeof left',
      fresh: 'undefined',
    },
    { what: 'Intl', change: 'globalThis.Intl = 1', look: 'return typeof Intl', fresh: 'object' },
  ])('$what', async ({ change, look, fresh }) => {
    await run(change);
    expect(await run(look)).toEqual(fresh);
  });

  test('an error that it threw, and its input', async () => {
    await expect(run('globalThis.left = input; throw new Error(input.a)', { input: { a: 'first' } })).rejects.toThrow();
    expect(await run('return [input, typeof left]', { input: { b: 1 } })).toEqual([{ b: 1 }, 'undefined']);
  });

  test('the amount it logged: each script has the full limit', async () => {
    const first: string[] = [];
    await run('for (let n = 0; n < 1001; n++) console.log(n)', { logged: first });
    expect(first.at(-1)).toContain('not recorded');
    const second: string[] = [];
    await run('console.log("still here")', { logged: second });
    expect(second).toEqual(['still here']);
  });

  test('the maximum size of its result', async () => {
    expect(await run('return ["x".repeat(5000)]', { maxResultBytes: 10_000 })).toHaveLength(1);
    await expect(run('return ["x".repeat(5000)]', { maxResultBytes: 1000 })).rejects.toMatchObject({
      code: 'node.output-too-large',
    });
    expect(await run('return ["x".repeat(5000)]', { maxResultBytes: 10_000 })).toHaveLength(1);
  });

  test('random numbers differ between scripts', async () => {
    const drawn = [];
    for (let round = 0; round < 5; round++)
      drawn.push(JSON.stringify(await run('return [Math.random(), Math.random()]')));
    expect(new Set(drawn).size).toBe(5);
  });
});
