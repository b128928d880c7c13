// The worker code is bundled on its first import; importing it here excludes that time from the tests.
import 'virtual:js-worker';
import { afterAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { createJsRuntime } from './js-runtime.ts';

const runtime = createJsRuntime();
afterAll(() => runtime.close());

interface Running {
  readonly agent?: string;
  readonly step?: JsonMap;
  readonly files?: Readonly<Record<string, string>>;
  readonly answer?: (requests: readonly unknown[]) => Promise<readonly JsonValue[]>;
  readonly told?: unknown[];
  readonly signal?: AbortSignal;
}

function run(source: string, options: Running = {}): Promise<JsonValue> {
  const { agent = 'shop.planner', step = {}, files = {}, told = [], signal = new AbortController().signal } = options;
  const all: Readonly<Record<string, string>> = { ...files, 'planner.mjs': source };
  const host = {
    log: async (line: unknown) => {
      told.push(line);
      return null;
    },
    trace: async (line: unknown) => {
      told.push(line);
      return null;
    },
    module: async ({ path }: { readonly path: string }) => {
      const text = all[path];
      if (text === undefined) throw new EngineError({ code: 'files.not-found', message: `${path} does not exist` });
      return text;
    },
    ask: async ({ requests }: { readonly requests: readonly unknown[] }) =>
      await (options.answer ?? (async () => []))(requests),
  };
  const order = { module: 'planner.mjs', agent, inputText: JSON.stringify(step), maxResultBytes: 2 ** 20 };
  return runtime.run(order, host, { signal, timeoutMs: null });
}

async function failureOf(source: string, options?: Running): Promise<EngineError> {
  const thrown = await run(source, options).catch((error: unknown) => error);
  if (EngineError.is(thrown)) return thrown;
  throw new Error(`It gave ${JSON.stringify(thrown)}`);
}

/** Returns the module of an agent with this `run` body. */
const withBody = (body: string, before = ''): string => `import { AgentResult, BaseAgent } from 'millrace';
${before}
export default class Planner extends BaseAgent {
  name = 'shop.planner';
  async run(step) {
${body}
  }
}`;

describe('an agent of a module', () => {
  test('runs with its step, which it cannot change', async () => {
    const body = `try { step.params.n = 2; } catch (error) { return AgentResult.ok({ n: step.params.n, error: error.name }); }`;
    const result = await run(withBody(body), { step: { params: { n: 1 } } });
    expect(result).toEqual({ result: { ok: true, data: { n: 1, error: 'TypeError' }, error: null, meta: {} } });
  });

  test('returns its result, whatever it is', async () => {
    expect(await run(withBody('return 7'))).toEqual({ result: 7 });
    expect(await run(withBody(''))).toEqual({ gave: 'nothing' });
    expect(await failureOf(withBody('const a = {}; a.a = a; return a'))).toMatchObject({ code: 'node.bad-output' });
    expect(await failureOf(withBody('return "x".repeat(2 ** 21)'))).toMatchObject({ code: 'node.output-too-large' });
  });

  test('throws errors with positions in its files', async () => {
    const files = { 'words.mjs': '\nexport function fail() { throw new TypeError("no words"); }' };
    const failure = await failureOf(withBody('fail()', "import { fail } from './words.mjs';"), { files });
    expect(failure).toMatchObject({ code: 'js.error', details: { places: ['words.mjs:2', 'planner.mjs:6'] } });
    expect(failure.message).toBe('JavaScript error:\nTypeError: no words\nAt words.mjs:2\nAt planner.mjs:6');
    expect(await failureOf('export class {')).toMatchObject({
      code: 'js.syntax',
      details: { places: ['planner.mjs:1'] },
    });
    expect((await failureOf('throw new Error("at once")')).message).toContain('Error: at once\nAt planner.mjs:1');
    expect((await failureOf('await new Promise(() => {})')).message).toContain('waits for a promise');
    expect((await failureOf(withBody('await new Promise(() => {})'))).message).toContain('waits for a promise');
  });

  test('MF-010 starts fresh each time, with its original module', async () => {
    const source = withBody(
      'count++; this.own = (this.own ?? 0) + 1; globalThis.all = (globalThis.all ?? 0) + 1; return [count, this.own, all]',
      'let count = 0;',
    );
    for (let time = 0; time < 3; time++) expect(await run(source)).toEqual({ result: [1, 1, 1] });
  });

  test('may use top-level await in its module', async () => {
    expect(await run(withBody('return greeting', "const greeting = await Promise.resolve('hello');"))).toEqual({
      result: 'hello',
    });
  });
});

describe('what a module may import', () => {
  const importing = (what: string): string => withBody('return 1', `import ${JSON.stringify(what)};`);
  test('includes the library, and files in its folder, relative to each other', async () => {
    const files = {
      'deep/a.mjs': "import { b } from '../b.mjs'; export const a = b + 1;",
      'b.mjs': 'export const b = 1;',
    };
    expect(await run(withBody('return a', "import { a } from './deep/a.mjs';"), { files })).toEqual({ result: 2 });
  });

  test.each([
    'node:fs',
    'fs',
    'qjs:std',
    'std',
    'os',
    '/etc/passwd',
    'file:///etc/passwd',
    '../outside.mjs',
    './deep/../../outside.mjs',
    'https://example.com/a.mjs',
  ])('MF-013 excludes everything else: %s', async (name) => {
    expect(await failureOf(importing(name))).toMatchObject({ code: 'js.error' });
    expect((await failureOf(importing(name))).message).toContain(`"${name}" is neither`);
    const dynamic = await failureOf(withBody(`await import(${JSON.stringify(name)})`));
    expect(dynamic.message).toContain(`"${name}" is neither`);
  });

  test('is named in the error if it is missing', async () => {
    expect((await failureOf(importing('./none.mjs'))).message).toContain('none.mjs does not exist');
  });

  test('MF-013 nothing of Node, of a browser, or of the interpreter is available', async () => {
    const names = [
      'process',
      'require',
      'module',
      'Buffer',
      'fetch',
      'XMLHttpRequest',
      'WebSocket',
      'setTimeout',
      'navigator',
      'std',
      'os',
      'scriptArgs',
      'Deno',
      'Bun',
    ];
    const body = `return ${JSON.stringify(names)}.filter((name) => { try { return (0, eval)('typeof ' + name) !== 'undefined'; } catch { return true; } })`;
    expect(await run(withBody(body))).toEqual({ result: [] });
    const step = await run(
      withBody(
        'return { step: Object.keys(step).sort(), reasoner: Object.keys(step.reasoner), meta: Object.keys(import.meta) }',
      ),
      { step: { params: {} } },
    );
    expect(step).toEqual({ result: { step: ['params', 'reasoner', 'trace'], reasoner: ['ask'], meta: [] } });
  });

  test('a script that is not an agent cannot import anything, even after an agent', async () => {
    await run(withBody('return 1'));
    const script = { code: 'return await import("millrace")', inputText: '{}', maxResultBytes: 1000 };
    const failing = runtime.run(
      script,
      { log: async () => null },
      { signal: new AbortController().signal, timeoutMs: null },
    );
    await expect(failing).rejects.toMatchObject({ code: 'js.error' });
  });
});

describe('MF-111 the agents of a module', () => {
  const list = (source: string) => run(source, { agent: '' });
  const base = "import { BaseAgent } from 'millrace';\n";

  test('are all classes that it exports, each once', async () => {
    const source = `${base}
      class A extends BaseAgent { name = 'shop.a'; kind = 'critic'; async run() {} }
      class Between extends A { name = 'shop.b'; }
      export { A as default, A as Again, Between };
      export const words = ['x'];
      export function helper() {}
      export { BaseAgent };`;
    expect(await list(source)).toEqual([
      { export: 'Again', name: 'shop.a', kind: 'critic', problem: '' },
      { export: 'Between', name: 'shop.b', kind: 'critic', problem: '' },
    ]);
  });

  test.each([
    ["class A { name = 'shop.a'; async run() {} }", 'does not extend BaseAgent'],
    ['class A extends BaseAgent { async run() {} }', 'has no name: set name = "product.agent"'],
    ["class A extends BaseAgent { name = ''; async run() {} }", 'has no name: set name = "product.agent"'],
    ["class A extends BaseAgent { name = 'shop.a' }", 'has no method run(step)'],
    ["class A extends BaseAgent { name = 'shop.a'; run = 1 }", 'has no method run(step)'],
    ["class A extends BaseAgent { constructor() { super(); throw new Error('no'); } }", 'cannot be created: Error: no'],
  ])('are rejected if the module is %s', async (source, problem) => {
    expect(await list(`${base}export ${source}`)).toMatchObject([{ export: 'A', problem }]);
  });
});

describe('model requests of an agent', () => {
  test('are answered, and concurrent requests are sent together', async () => {
    const asked: unknown[] = [];
    const body = `
      const [a, b] = await Promise.all(['a', 'b'].map((prompt) => step.reasoner.ask({ purpose: 'INSIGHT', prompt })));
      const c = await step.reasoner.ask({ purpose: 'EXPLANATION', prompt: a.text + b.text });
      return [a.text, b.text, c.text, Object.isFrozen(a)];`;
    const result = await run(withBody(body), {
      answer: async (requests) => {
        asked.push(requests);
        return requests.map((request) => ({ ok: true, text: `<${(request as { prompt: string }).prompt}>` }));
      },
    });
    expect(result).toEqual({ result: ['<a>', '<b>', '<<a><b>>', true] });
    expect(asked).toEqual([
      [
        { purpose: 'INSIGHT', prompt: 'a' },
        { purpose: 'INSIGHT', prompt: 'b' },
      ],
      [{ purpose: 'EXPLANATION', prompt: '<a><b>' }],
    ]);
  });

  test('end with the agent: a request that it does not await is not sent', async () => {
    const asked: unknown[] = [];
    const body = "step.reasoner.ask({ purpose: 'INSIGHT', prompt: 'a' }); return 1";
    const answer = async (requests: readonly unknown[]) => {
      asked.push(requests);
      return requests.map(() => null);
    };
    expect(await run(withBody(body), { answer })).toEqual({ result: 1 });
    expect(asked).toEqual([]);
  });

  test('end the agent if the engine denies them', async () => {
    const answer = () => Promise.reject(new EngineError({ code: 'test.refused', message: 'no' }));
    const body = "await step.reasoner.ask({ purpose: 'INSIGHT', prompt: 'a' })";
    expect(await failureOf(withBody(body), { answer })).toMatchObject({ code: 'test.refused' });
  });
});

test('MF-121 emits traces and logs in order', async () => {
  const told: unknown[] = [];
  const body = `step.trace('begin', { n: 1 }); console.log('in between'); step.trace('end'); return 1`;
  await run(withBody(body), { told });
  expect(told).toEqual([
    { name: 'begin', data: { n: 1 } },
    { level: 'print', text: 'in between' },
    { name: 'end', data: null },
  ]);
});

test.each([
  ['while it runs', withBody('for (;;);')],
  ['while its module is read', 'for (;;);'],
  ['while it is made', withBody('return 1', '').replace("name = 'shop.planner';", 'name = (() => { for (;;); })();')],
])('an agent that hangs %s is stopped within a second', async (_when, source) => {
  let shortest = Number.POSITIVE_INFINITY;
  // Uses the shortest of several measurements, because the machine is shared.
  for (let time = 0; time < 3 && shortest > 1000; time++) {
    const stop = new AbortController();
    const running = run(source, { signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const at = performance.now();
    stop.abort(new EngineError({ code: 'run.cancelled', message: 'stopped' }));
    await expect(running).rejects.toMatchObject({ code: 'run.cancelled' });
    shortest = Math.min(shortest, performance.now() - at);
  }
  expect(shortest).toBeLessThan(1000);
});
