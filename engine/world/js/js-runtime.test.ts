// The worker code is bundled on its first import; importing it here excludes that time from the tests.
import 'virtual:js-worker';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { javaScriptGlobals, listMethods, textMethods } from '../../language/bindings/javascript-names.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createJsRuntime, type JsRuntime } from './js-runtime.ts';

const shared = createJsRuntime();
const opened: JsRuntime[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
});
afterAll(() => shared.close());

interface Running {
  readonly input?: JsonValue;
  readonly signal?: AbortSignal;
  readonly maxResultBytes?: number;
  readonly memoryBytes?: number;
  readonly runtime?: JsRuntime;
  readonly logged?: string[];
}

function run(code: string, options: Running = {}): Promise<JsonValue> {
  const { input = {}, maxResultBytes = 2 ** 26, runtime = shared, logged = [], memoryBytes } = options;
  const host = {
    log: async ({ level, text }: { level: string; text: string }) => {
      logged.push(`${level} ${text}`);
      return null;
    },
  };
  const { signal = new AbortController().signal } = options;
  const limits = { signal, timeoutMs: null, ...(memoryBytes === undefined ? {} : { memoryBytes }) };
  return runtime.run({ code, inputText: JSON.stringify(input), maxResultBytes }, host, limits);
}

async function failureOf(code: string, options?: Running): Promise<EngineError> {
  const thrown = await run(code, options).catch((error: unknown) => error);
  if (EngineError.is(thrown)) return thrown;
  throw new Error(`It gave ${JSON.stringify(thrown)}`);
}

describe('BB-20 a script in JavaScript', () => {
  test.each<[string, JsonValue]>([
    ['return input.a.b + 1', 42],
    ['', null],
    ['return', null],
    ['return null', null],
    ['return 1 // the end', 1],
    ['return [1, "a", true, null, { b: [] }]', [1, 'a', true, null, { b: [] }]],
    ['return Object.groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even"))', { odd: [1, 3], even: [2] }],
    ['return [3, 1, 2].toSorted().with(0, 9).findLast((n) => n > 1)', 3],
    ['class A { #x = 7; get x() { return this.#x; } } return new A().x', 7],
    ['const { a, ...rest } = { a: 1, b: 2n ** 40n }; return rest', { b: 2 ** 40 }],
    ['return "\\ud800 ä 𝄞"', '\ud800 ä 𝄞'],
    ['return JSON.parse(\'{"__proto__": 1}\')', JSON.parse('{"__proto__": 1}') as JsonValue],
    ['return await Promise.all([1, Promise.resolve(2), (async () => 3)()])', [1, 2, 3]],
    ['return new Promise((resolve) => Promise.resolve().then(() => resolve("later")))', 'later'],
    ['try { throw new Error("x"); } catch { return "caught"; } finally { }', 'caught'],
  ])('%s returns %j', async (code, value) => {
    expect(await run(code, { input: { a: { b: 41 } } })).toEqual(value);
  });

  test.each<[string, JsonValue]>([
    ['return 0 * -1', 0],
    ['return { kept: 1, left: undefined, [Symbol("s")]: 2 }', { kept: 1 }],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['class Point { x = 1; y = 2; get sum() { return 3; } } return [new Point()]', [{ x: 1, y: 2 }]],
    ['return { toJSON: () => ({ a: 1 }) }', { a: 1 }],
    ['return Object.assign(Object.create(null), { a: 1 })', { a: 1 }],
    ['let a = 1; for (let n = 0; n < 1000; n++) a = n % 2 ? [a] : { a }; return JSON.stringify(a).length', 4001],
    ['const shared = [1]; return { a: shared, b: shared }', { a: [1], b: [1] }],
    ['return 9007199254740992n', 9007199254740992],
  ])('returns what JSON can represent without loss: %s', async (code, value) => {
    expect(await run(code)).toEqual(value);
  });

  test('its input cannot be changed at any depth, and attempts throw', async () => {
    const input = { list: [{ a: 1 }] };
    for (const code of ['input.list[0].a = 2', 'input.list.push(1)', 'delete input.list', 'input.b = 1']) {
      expect((await failureOf(code, { input })).code).toBe('js.error');
    }
    expect(await run('return input.list[0].a', { input })).toBe(1);
  });

  test('has no access to files, network, modules or other scripts', async () => {
    const names = 'require process fetch setTimeout Deno Buffer XMLHttpRequest WebAssembly module std os print'.split(
      ' ',
    );
    const code = `globalThis.left = (globalThis.left ?? 0) + 1; return [${names.map((name) => `typeof ${name}`)}, left]`;
    expect(await run(code)).toEqual([...names.map(() => 'undefined'), 1]);
    expect(await run(code)).toEqual([...names.map(() => 'undefined'), 1]);
    expect((await failureOf('return await import("node:fs")')).code).toBe('js.error');
    expect((await failureOf('import fs from "node:fs"')).code).toBe('js.syntax');
  });

  test('random numbers differ between scripts', async () => {
    const code = 'return Array.from({ length: 1000 }, () => Math.random())';
    const drawn = [...((await run(code)) as number[]), ...((await run(code)) as number[])];
    expect(new Set(drawn).size).toBe(2000);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    const mean = drawn.reduce((sum, one) => sum + one, 0) / 2000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.1);
  });

  test('its log is emitted line by line, with limits on number and length', async () => {
    const logged: string[] = [];
    await run(
      'console.log("a", { b: [1, 2n] }, null); console.info(1); console.warn("w"); console.error(new TypeError("e"));',
      { logged },
    );
    expect(logged.slice(0, 3)).toEqual(['print a {"b":[1,"2n"]} null', 'info 1', 'warn w']);
    expect(logged[3]).toMatch(/^error TypeError: e/);
    const many: string[] = [];
    await run('console.log("x".repeat(1e6)); for (let n = 0; n < 1e5; n++) console.log(n)', { logged: many });
    expect(many).toHaveLength(1001);
    expect(many[0]?.length).toBeLessThan(10_000);
    expect(many.at(-1)).toMatch(/^warn .*Further lines are not recorded/);
    const loops: string[] = [];
    await run('console.log({ get a() { throw 1; } }); const a = []; a.push(a); console.log(a, Symbol("s"), () => 1)', {
      logged: loops,
    });
    expect(loops).toHaveLength(2);
  });
});

describe('BB-22 what a script returns', () => {
  test.each<[string, string, string]>([
    ['return { items: [1, { fn() {} }] }', 'output.items.1.fn', 'is a function'],
    ['return () => 1', 'output', 'is a function'],
    ['return { a: { get b() { return 1; } } }', 'output.a.b', 'is a getter'],
    ['return Object.defineProperty([], 0, { get: () => 1 })', 'output.0', 'is a getter'],
    ['return { p: new Proxy({}, {}) }', 'output.p', 'is a Proxy'],
    ['return [new Proxy([], {})]', 'output.0', 'is a Proxy'],
    ['return Proxy.revocable({}, {})', 'output.proxy', 'is a Proxy'],
    ['return new Proxy(() => 1, {})', 'output', 'is a function'],
    ['return { n: 9007199254740993n }', 'output.n', 'would be rounded'],
    ['const a = { b: [] }; a.b.push(a); return a', 'output.b.0', 'refers to a value that contains it'],
    ['return [1, undefined]', 'output.1', 'is undefined'],
    ['return [1, , 3]', 'output.1', 'is missing'],
    ['return new Array(4e9)', 'output.0', 'is missing'],
    ['return { a: NaN }', 'output.a', 'is NaN'],
    ['return -Infinity', 'output', 'is -Infinity'],
    ['return [Symbol("x")]', 'output.0', 'is a symbol'],
    ['return { when: new Date(NaN) }', 'output.when', 'is an invalid date'],
    ['return { m: new Map([[1, 2]]) }', 'output.m', 'is a Map'],
    ['return new (class Bag extends Set {})()', 'output', 'is a Set'],
    ['return { e: new TypeError("x") }', 'output.e', 'is an error'],
    ['return { r: /x/ }', 'output.r', 'is a regular expression'],
    ['return { b: new Uint8Array(2) }', 'output.b', 'is a typed array'],
    ['return { p: Promise.resolve(1) }', 'output.p', 'is a Promise'],
    ['return { n: new Number(1) }', 'output.n', 'is a Number object'],
    ['return { g: (function* () {})() }', 'output.g', 'is an iterator'],
    ['return [1].values().map((x) => x)', 'output', 'is an iterator'],
    ['return { toJSON: () => () => 1 }', 'output', 'is a function'],
    ['let a = []; for (let n = 0; n < 5000; n++) a = [a]; return a', '0.0.0', 'is nested'],
  ])('%s is rejected with the path of the first invalid value', async (code, where, what) => {
    const error = await failureOf(code);
    expect(error).toMatchObject({ code: 'node.bad-output', message: expect.stringContaining(what) });
    expect(error.message).toContain(where);
    expect(await run('return 1')).toBe(1);
  });

  test('is rejected before serialization if it is too large', async () => {
    const hundredMegabytes = 'const part = "x".repeat(1e6); return Array.from({ length: 101 }, () => part)';
    expect(await failureOf(hundredMegabytes)).toMatchObject({ code: 'node.output-too-large' });
    const doubling = 'let a = ["x"]; for (let n = 0; n < 60; n++) a = [a, a]; return a';
    expect(await failureOf(doubling)).toMatchObject({ code: 'node.output-too-large' });
    expect(await run('return "x".repeat(1e6)')).toHaveLength(1e6);
  });

  test('a script that replaces built-ins only affects itself', async () => {
    const code = `
      JSON.stringify = () => 'nonsense'; JSON.parse = () => 1; Object.keys = () => []; Map.prototype.get = () => 7;
      Array.prototype.push = () => { throw 1; }; Promise.prototype.then = function () { return this; }; Reflect.apply = () => 1;
      Object.getOwnPropertyDescriptor = () => undefined; globalThis.String = undefined;
      return { a: [1], b: 'x' };`;
    expect(await run(code)).toEqual({ a: [1], b: 'x' });
    expect(await run('return { a: 1 }')).toEqual({ a: 1 });
  });
});

describe('BB-23 what a script throws', () => {
  test.each<[string, string, number | undefined]>([
    ['const a = 1;\nreturn a.b.c', "TypeError: cannot read property 'c' of undefined", 2],
    ['function inner() {\n  throw new RangeError("far");\n}\nawait null;\ninner()', 'RangeError: far', 2],
    ['throw null', 'null was thrown', undefined],
    ['throw undefined', 'undefined was thrown', undefined],
    ['throw "words"', 'words', undefined],
    ['throw 5n', '5 was thrown', undefined],
    ['throw { a: 1 }', '{"a":1} was thrown', undefined],
    ['throw { message: "of my own" }', 'of my own', undefined],
    ['throw { get message() { throw 1; } }', 'was thrown', undefined],
    ['throw new Proxy({}, { get() { throw 1; } })', 'thrown', undefined],
    ['throw Object.create(null)', '{} was thrown', undefined],
    ['throw Symbol("s")', 'Symbol(s) was thrown', undefined],
    ['return Promise.reject(new Error("refused"))', 'Error: refused', 1],
    ['return { toJSON() { throw new Error("in toJSON"); } }', 'Error: in toJSON', 1],
    ['const f = () => f() + 1;\nreturn f()', 'stack overflow', 1],
    ['return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))', 'stack overflow', 1],
    ['await new Promise(() => {})', 'waits for a promise that can never settle', undefined],
    ['throw new Error("x".repeat(1e6))', 'Error: xxx', 1],
  ])('%s', async (code, message, line) => {
    const error = await failureOf(code);
    expect(error).toMatchObject({ code: 'js.error', line });
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(2100);
  });

  test.each<[string, number]>([
    ['return (1', 1],
    ['const a = 1;\nlet a = 2;', 2],
    ['const a = 1;\nreturn a +;\n', 2],
    ['if (x) {\n', 2],
    ['return 1\n}', 2],
    ['with (input) {}', 1],
  ])('rejects %j with the line of the syntax error', async (code, line) => {
    expect(await failureOf(code)).toMatchObject({ code: 'js.syntax', line });
    const checked = await shared.run(
      { check: ['return 1', code, 'while (true) {}'] },
      { log: async () => null },
      { signal: new AbortController().signal, timeoutMs: 5_000 },
    );
    expect(checked).toEqual([null, { line, message: expect.stringMatching(/^\S/) }, null]);
  });
});

const blockers = {
  'a loop': 'for (;;) {}',
  'a loop in try': 'for (;;) { try { for (;;) {} } catch {} finally { continue; } }',
  'a built-in function': 'return new Array(2 ** 32 - 2).indexOf(1)',
  'a regular expression': 'return /^(a+)+$/.test("a".repeat(60) + "b")',
  'promises without end': 'const again = () => Promise.resolve().then(again); await again()',
  'a getter while its error is shown': 'throw { get message() { for (;;) {} } }',
  'a toJSON': 'return { toJSON() { for (;;) {} } }',
  'a proxy': 'return Object.keys(new Proxy({}, { ownKeys() { for (;;) {} } }))',
};

test.each(Object.entries(blockers))('BB-22 %s stops within a second', async (_what, code) => {
  const runtime = createJsRuntime({ poolSize: 1 });
  opened.push(runtime);
  const cancel = new AbortController();
  let start = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const logged = { push: () => start() } as unknown as string[];
  const running = run(`console.log("go"); ${code}`, { runtime, signal: cancel.signal, logged });
  await started;
  cancel.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  expect(await run('return "next"', { runtime })).toBe('next');
});

test('BB-22 memory is limited, and the worker continues with the next script', async () => {
  const runtime = createJsRuntime({ poolSize: 1 });
  opened.push(runtime);
  const hogs = [
    'const all = []; for (;;) all.push(new Array(1000).fill(1.5))',
    'const all = []; for (;;) all.push("x".repeat(1000))',
    'return new Uint8Array(2 ** 29)',
  ];
  for (const code of hogs) {
    expect(await failureOf(code, { runtime, memoryBytes: 32 * 2 ** 20 })).toMatchObject({
      code: 'js.memory',
      message: expect.stringContaining('out of memory (a script may use 32 MiB)'),
    });
  }
  const caught = 'try { new Uint8Array(2 ** 29) } catch { return "caught" }';
  expect(await run(caught, { runtime })).toBe('caught');
});

test('BB-24 completions contain exactly what is available', async () => {
  const below = [...javaScriptGlobals].flatMap(([name, members]) => members.map((member) => `${name}.${member}`));
  const methods = [...listMethods.map((name) => `[].${name}`), ...textMethods.map((name) => `"".${name}`)];
  const words = [...javaScriptGlobals.keys()].filter((name) => name !== 'undefined');
  const names = [...words, ...below, ...methods];
  const found = await run(`return {${names.map((name) => `${JSON.stringify(name)}: ${name} !== undefined`).join()}}`);
  expect(found).toEqual(Object.fromEntries(names.map((name) => [name, true])));
  const absent = ['fetch', 'require', 'process', 'setTimeout', 'queueMicrotask', 'structuredClone', 'URL', 'Buffer'];
  expect(await run(`return [${absent.map((name) => `typeof ${name}`).join()}]`)).toEqual(absent.map(() => 'undefined'));
  expect(absent.filter((name) => javaScriptGlobals.has(name))).toEqual([]);
});
