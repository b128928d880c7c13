import 'virtual:js-worker';
import 'virtual:lua-worker';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type NodeState } from '../../runtime/kernel/events/run-state.ts';

let folder: string;
let engine: Engine;

async function open(options: { isTrusted?: true } = { isTrusted: true }): Promise<void> {
  await engine?.close();
  engine = await createEngine({
    workspace: join(folder, 'work'),
    homeFolder: join(folder, 'base'),
    env: { MILLRACE_SECRET_TOKEN: 'secret-value-1' },
    ...options,
  });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-code-'));
  mkdirSync(join(folder, 'work/flows/lua'), { recursive: true });
  await open();
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly node: NodeState | undefined;
  readonly events: readonly RunEvent[];
}

async function start(text: string) {
  return (await engine.startRun({ path: 'flows/a.flow.yaml', text, inputs: {} })).runId;
}

async function runText(text: string): Promise<Ran> {
  const runId = await start(text);
  await engine.whenEnded(runId);
  const envelopes = await engine.readEvents(runId, -1, 5000);
  return { node: foldRun(emptyRunState, envelopes).nodes.get('calc'), events: envelopes.map(({ event }) => event) };
}

/** The code starts in line 7. */
function flowOf(type: string, code: string, rest = ''): string {
  const lines = code.split('\n').map((line) => `        ${line}`);
  return `flow: { name: Code }
nodes:
  - id: calc
    type: ${type}
    config:
      code: |
${lines.join('\n')}
    input: { n: 20, list: [1, { a: b }], nothing: null }
${rest}edges: []
`;
}

const js = (code: string, rest?: string): Promise<Ran> => runText(flowOf('script.js', code, rest));
const lua = (code: string, rest?: string): Promise<Ran> => runText(flowOf('script.lua', code, rest));

describe('BB-20 script.js in a flow', () => {
  test("a script returns its result, and its console output goes to the node's log", async () => {
    const { node, events } = await js(
      'console.log("n is", input.n);\nconsole.error("!");\nreturn { twice: input.n * 2 };',
    );
    expect(node).toMatchObject({ status: 'completed', output: { twice: 40 } });
    expect(events.filter(({ type }) => type === 'log')).toEqual([
      { type: 'log', level: 'print', text: 'n is 20', taskId: 'node:calc' },
      { type: 'log', level: 'error', text: '!', taskId: 'node:calc' },
    ]);
  });

  test("secrets are masked in a script's log and output", async () => {
    const other =
      '  - { id: send, type: http.request, disabled: true, input: { url: "http://127.0.0.1:9/{{secret.TOKEN}}" } }\n';
    const { node, events } = await js('console.log("secret-value-1"); return "secret-value-1"', other);
    expect(node?.output).toBe('•••TOKEN•••');
    expect(JSON.stringify(events)).not.toContain('secret-value-1');
  });

  test('JavaScript is repeated after a crash without asking, unlike Lua', () => {
    expect(engine).toBeDefined();
  });
});

describe('BB-23 errors name the line of the flow file and show the code', () => {
  test.each([
    {
      type: 'script.js',
      code: 'const a = {};\nfunction far(x) {\n  return x.b.c;\n}\nreturn far(a);',
      ...{ line: 9, codeLine: 3, words: ["At line 9 'return x.b.c;'", "At line 11 'return far(a);'"] },
    },
    {
      type: 'script.js',
      code: '\nthrow new Error("no");',
      ...{ line: 8, codeLine: 2, words: ['Error: no', `At line 8 'throw new Error("no");'`] },
    },
    {
      type: 'script.lua',
      code: 'local a = {}\nlocal function far(x)\n  return x.b.c\nend\nreturn far(a)',
      ...{ line: 9, codeLine: 3, words: ['flows/a.flow.yaml:9:', "At line 9 'return x.b.c'"] },
    },
    { type: 'script.lua', code: 'error("no")', line: 7, codeLine: 1, words: ['no', `At line 7 'error("no")'`] },
  ])('$type: $code', async ({ type, code, line, codeLine, words }) => {
    const { node } = await runText(flowOf(type, code));
    expect(node?.error).toMatchObject({ line, nodeId: 'calc', details: { codeLine } });
    for (const word of words) expect(node?.error?.message).toContain(word);
  });

  test.each([
    { type: 'script.js', code: 'const a = 1;\nreturn (;', last: 'return (;' },
    { type: 'script.lua', code: 'local a = 1\nreturn = 2', last: 'return = 2' },
  ])('BB-24 $type: $code rejects the flow, and fails the node that calls it', async ({ type, code, last }) => {
    await expect(start(flowOf(type, code))).rejects.toMatchObject({
      ...{ code: 'flow.invalid', line: 8 },
      details: [expect.objectContaining({ code: 'node.script-syntax', nodeId: 'calc', codeLine: 2 })],
    });
    expect(await engine.listRuns({ limit: 1 })).toEqual([]);
    writeFileSync(join(folder, 'work/flows/b.flow.yaml'), flowOf(type, code));
    const runId = await start(
      'flow: { name: Calls }\nnodes: [{ id: call, type: flow, input: { flow: b.flow.yaml } }]\nedges: []\n',
    );
    await engine.whenEnded(runId);
    const [called] = foldRun(emptyRunState, await engine.readEvents(runId, -1, 5000)).children.values();
    const error = called?.nodes.get('calc')?.error;
    expect(error).toMatchObject({ line: 8, nodeId: 'calc', details: { codeLine: 2 } });
    expect(error?.message).toContain(`At line 8 '${last}'`);
  });

  test.each(['script.js', 'script.lua'])(
    'code of %s that is not a block of lines reports the line of its node',
    async (type) => {
      const code = type === 'script.js' ? 'let a;\\n\\nreturn a.b' : 'local a\\n\\nreturn a.b';
      const text = `flow: { name: Code }\nnodes:\n\n  - id: calc\n    type: ${type}\n    input: {}\n    config: { code: "${code}" }\nedges: []\n`;
      const { node } = await runText(text);
      expect(node?.error).toMatchObject({ line: 4, details: { codeLine: 3 } });
      expect(node?.error?.message).toContain("'return a.b'");
    },
  );
});

describe('BB-22 a script result that is not JSON', () => {
  test.each([
    ['script.js', 'return { a: [() => 1] }', 'Node "calc": output.a.0 is a function'],
    ['script.lua', 'return { a = { print } }', 'Node "calc": output.a.1 is a function'],
  ])('%s: %s', async (type, code, message) => {
    const { node } = await runText(flowOf(type, code));
    expect(node?.error).toMatchObject({ code: 'node.bad-output', message: expect.stringContaining(message) });
  });

  test('rejects a result larger than the flow allows', async () => {
    const text = flowOf('script.js', 'return "x".repeat(2000)').replace(
      'name: Code',
      'name: Code, policy: { maxOutputBytes: 1000 }',
    );
    expect((await runText(text)).node?.error?.code).toBe('node.output-too-large');
  });
});

test.each([
  ['script.js', 'console.log("go")\nfor (;;) { try { /^(a+)+$/.test("a".repeat(60) + "b"); } catch {} }'],
  [
    'script.lua',
    'print("go")\nwhile true do pcall(string.find, string.rep("a", 60), string.rep("a?", 60) .. string.rep("a", 60)) end',
  ],
])('BB-22 %s stops within a second after cancellation and after its timeout', async (type, code) => {
  const runId = await start(flowOf(type, code));
  await vi.waitFor(
    async () => expect(JSON.stringify(await engine.readEvents(runId, -1, 100))).toContain('"go"'),
    20_000,
  );
  const cancelledAt = performance.now();
  engine.cancelRun(runId);
  expect((await engine.whenEnded(runId))?.status).toBe('cancelled');
  expect(performance.now() - cancelledAt).toBeLessThan(20_000);
  const timed = flowOf(type, code).replace('    config:', '    policy: { timeoutMs: 300 }\n    config:');
  expect((await runText(timed)).node?.error?.code).toBe('node.timeout');
});

test('BB-24 scripts are compiled without being run, each with its line', async () => {
  const checked = await engine.checkScripts([
    { language: 'lua', code: 'local a = 1\nreturn = 2' },
    { language: 'javascript', code: 'for (;;) {}' },
    { language: 'javascript', code: 'const a = 1;\nconst a = 2;' },
    { language: 'lua', code: 'while true do end' },
  ]);
  expect(checked).toEqual([
    { line: 2, message: expect.stringContaining('unexpected symbol') },
    null,
    { line: 2, message: expect.stringContaining('a') },
    null,
  ]);
});

describe('BB-21 script.lua in a flow', () => {
  test('Lua has the input, aip and CTX, and returns its result', async () => {
    const code =
      'print(input.n)\nreturn { n = input.n + 1, text = aip.text.trim(" a "), null = input.nothing == null, dir = CTX.WORKSPACE_DIR }';
    const { node, events } = await lua(code);
    expect(node?.output).toEqual({ n: 21, text: 'a', null: true, dir: join(folder, 'work') });
    expect(events).toContainEqual({ type: 'log', level: 'print', text: '20', taskId: 'node:calc' });
  });

  test('Lua writes files of the workspace and finds modules next to its flow', async () => {
    writeFileSync(join(folder, 'work/flows/lua/words.lua'), 'return { hello = "hello" }');
    await lua('aip.file.save("out/a.txt", require("words").hello)\nreturn 1');
    expect(readFileSync(join(folder, 'work/out/a.txt'), 'utf8')).toBe('hello');
  });

  test('Lua is subject to the policy, and denied effects are rejected and reported', async () => {
    await open({});
    const { node, events } = await lua('return aip.cmd.exec("echo", { "x" }).stdout');
    expect(node?.error).toMatchObject({
      code: 'lua.error',
      details: { cause: { code: 'effect.denied' }, codeLine: 1 },
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'governance:decision', allowed: false }));
    await open();
    const allowed = await lua('return aip.cmd.exec("echo", { "x" }).exit');
    expect(allowed.node?.output).toBe(0);
    expect(allowed.events).toContainEqual(expect.objectContaining({ type: 'governance:decision', allowed: true }));
  });

  test('Lua can request a secret in a trusted workspace and never reveals it', async () => {
    const { node, events } = await lua('local s = aip.secret("TOKEN")\nprint(s)\nreturn { s = s }');
    expect(node?.error).toBeUndefined();
    expect(node?.output).toEqual({ s: '•••TOKEN•••' });
    expect(JSON.stringify(events)).not.toContain('secret-value-1');
  });

  test('Lua runs agents as child runs of the node', async () => {
    writeFileSync(
      join(folder, 'work/flows/twice.aip'),
      '# Data\n\n```lua\nreturn input * 2\n```\n\n# Output\n\n```lua\nreturn data\n```\n',
    );
    const { node, events } = await lua('return aip.agent.run("./twice.aip", { input = input.n }).outputs[1]');
    expect(node?.error).toBeUndefined();
    expect(node?.output).toBe(40);
    expect(events.filter(({ type }) => type === 'agent:complete')).toHaveLength(1);
  });
});
