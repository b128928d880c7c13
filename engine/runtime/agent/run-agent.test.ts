import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { createFakeScripts, type ScriptBody } from '../../testing/fake-scripts.ts';
import { type AgentRunOptions, runAgentText, scriptSection } from '../../testing/run-agent-file.ts';
import { traceOf } from '../../testing/test-run.ts';

const flow = (kind: string, data: JsonMap = {}): JsonValue => ({ _aipack_: { kind, data } });

/** Runs an agent with these scripts (by heading) and prompts. */
async function runScripts(
  scripts: Readonly<Record<string, ScriptBody>>,
  { prompts = '', ...options }: AgentRunOptions & { prompts?: string } = {},
) {
  const fake = createFakeScripts(scripts);
  const text = Object.keys(scripts).map((heading) => scriptSection(heading, heading));
  const run = await runAgentText([...text, prompts].join('\n'), { scripts: fake, ...options });
  return { ...run, ran: fake.ran };
}

describe('an empty agent', () => {
  test('runs no input and returns nothing', async () => {
    const { result, end, events } = await runAgentText('');
    expect(result).toMatchObject({ status: 'completed', outputs: null, afterAll: null, redoRequested: false });
    expect(end.output).toEqual({ outputs: null, after_all: null });
    expect(traceOf(events, ['run', 'phase', 'task', 'stage'])).toEqual([
      'run:start agents/test.aip',
      'phase:start Before All',
      'phase:complete Before All',
      'phase:start After All',
      'phase:complete After All',
      'run:end completed',
    ]);
  });

  test('still runs its inputs', async () => {
    const { result, state } = await runAgentText('', { inputs: ['a', 'b'] });
    expect(result.outputs).toEqual([null, null]);
    expect([...state.nodes.keys()]).toEqual(['input:0', 'input:1']);
  });
});

describe('inputs', () => {
  test('AP-1 with only a Data script, runs one task without an input, calls no model, and returns null', async () => {
    const { result, ran, events } = await runScripts({ Data: () => 'x' });
    expect(result.outputs).toEqual([null]);
    expect(ran[0]?.globals).toMatchObject({ input: null, before_all: null });
    expect(traceOf(events, ['model'])).toEqual([]);
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'log',
      level: 'info',
      text: '-! No instruction, skipping genai.',
      taskId: 'input:0',
    });
  });

  test('AP-1 without a response, ai_response is nil in Output', async () => {
    const { ran } = await runScripts({ Data: () => 'x', Output: () => null });
    expect(ran[1]?.globals).toMatchObject({ data: 'x', ai_response: null });
  });

  test('AP-3 replaced by an empty list, a Data script still runs once', async () => {
    const { result, ran } = await runScripts(
      { 'Before All': () => flow('BeforeAllResponse', { inputs: {} }), Data: () => 1 },
      { inputs: ['a', 'b'] },
    );
    expect(result.outputs).toEqual([null]);
    expect(ran.map(({ name, globals }) => [name, globals['input'] ?? null])).toEqual([
      ['Before All', null],
      ['Data', null],
    ]);
  });

  test('inputs replaced by Before All are run, and After All receives their outputs', async () => {
    const { ran, result } = await runScripts(
      {
        'Before All': () => flow('BeforeAllResponse', { inputs: [1, 2], before_all: { lang: 'fr' } }),
        Output: ({ globals }) => globals['input'] ?? null,
        'After All': ({ globals }) => globals['outputs'] ?? null,
      },
      { inputs: ['a'] },
    );
    expect(result).toMatchObject({ outputs: [1, 2], afterAll: [1, 2] });
    expect(ran[0]?.globals).toMatchObject({ inputs: ['a'] });
    expect(ran.at(-1)?.globals).toMatchObject({ inputs: [1, 2], before_all: { lang: 'fr' } });
  });

  test('without inputs and stages for them, After All receives no outputs', async () => {
    const { ran } = await runScripts({ 'After All': () => null });
    expect(ran[0]?.globals).toMatchObject({ inputs: null, outputs: null });
  });

  test('files get a display text, and other inputs are unchanged', async () => {
    const inputs = [
      { _type: 'FileInfo', path: 'a/b.md' },
      { _type: 'FileRecord', path: 'c.md', _display: 'C' },
      { path: 'd.md' },
    ];
    const { ran, state } = await runScripts({ Data: () => null }, { inputs });
    expect(ran.map(({ globals }) => globals['input'])).toEqual([
      { ...inputs[0], _display: 'a/b.md' },
      inputs[1],
      inputs[2],
    ]);
    expect([...state.nodes.values()].map(({ label }) => label)).toEqual(['a/b.md', 'C', 'd.md']);
  });

  test('the content of an input is emitted with its task', async () => {
    const { state } = await runScripts({ Data: () => null }, { inputs: ['first line\nsecond', 5] });
    expect([...state.nodes.values()].map(({ input, label }) => [input, label])).toEqual([
      ['first line\nsecond', 'first line'],
      [5, '5'],
    ]);
  });
});

describe('skipping', () => {
  test('AP-2 one input: its output is null, its task is skipped with the reason, the others continue', async () => {
    const { result, end, state, ran } = await runScripts(
      {
        Data: ({ globals }) => (globals['input'] === 'a' ? flow('Skip', { reason: 'is a' }) : null),
        Output: ({ globals }) => globals['input'] ?? null,
      },
      { inputs: ['a', 'b', 'c'] },
    );
    expect(result).toMatchObject({ status: 'completed', outputs: [null, 'b', 'c'] });
    expect(end.status).toBe('completed');
    expect(state.nodes.get('input:0')).toMatchObject({ status: 'skipped', skip: { text: 'is a' } });
    expect(ran.filter(({ name }) => name === 'Output')).toHaveLength(2);
  });

  test('Before All skips the whole run', async () => {
    const { result, end, ran, state } = await runScripts({
      'Before All': () => flow('Skip', { reason: 'nothing to do' }),
      Data: () => null,
      'After All': () => null,
    });
    expect(result).toMatchObject({ status: 'skipped', outputs: null, skipReason: 'nothing to do' });
    expect(end).toMatchObject({ status: 'skipped', skipReason: 'nothing to do' });
    expect(end).not.toHaveProperty('output');
    expect(ran).toHaveLength(1);
    expect(state.nodes.size).toBe(0);
  });

  test('After All returns a skip as a plain value', async () => {
    const { result } = await runScripts({ 'After All': () => flow('Skip') });
    expect(result).toMatchObject({ status: 'completed', afterAll: flow('Skip') });
  });
});

describe('an invalid directive', () => {
  test('AP-4 Before All returns inputs with names', async () => {
    const { result } = await runScripts({ 'Before All': () => flow('BeforeAllResponse', { inputs: { a: 1 } }) });
    expect(result.error).toMatchObject({ code: 'agent.bad-response', stage: 'BeforeAll' });
    expect(result.error?.message).toContain('array, or empty object. But was an object with name/value.');
  });

  test('AP-5 data_response with an unknown key', async () => {
    const { result, state } = await runScripts({ Data: () => flow('DataResponse', { foo: 1 }) });
    expect(result.error).toMatchObject({ code: 'agent.bad-response', stage: 'Data' });
    expect(result.error?.message).toContain('But also contained: foo');
    expect(state.nodes.get('input:0')).toMatchObject({ status: 'failed', error: result.error });
  });

  test.each(['Before All', 'Data', 'Output'])('an unknown kind from %s', async (heading) => {
    const { result } = await runScripts({ [heading]: () => flow('Jump') });
    expect(result.error).toMatchObject({
      stage: heading.replace(' ', ''),
      message: "_aipack_ kind 'Jump' is not known.",
    });
  });

  test('options of the wrong type are reported with their stage', async () => {
    const { result } = await runScripts({ Data: () => flow('DataResponse', { options: { temperature: 'hot' } }) });
    expect(result.error).toMatchObject({ code: 'agent.bad-options', stage: 'Data' });
  });
});

describe('failures', () => {
  test('a failure of Before All ends the run', async () => {
    const { result, events, ran } = await runScripts({
      'Before All': () => {
        throw new EngineError({ code: 'lua.error', message: 'no', line: 3 });
      },
      Data: () => null,
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'lua.error', line: 3, stage: 'BeforeAll' } });
    expect(ran).toHaveLength(1);
    expect(traceOf(events, ['phase', 'run:end'])).toEqual([
      'phase:start Before All',
      'phase:failed Before All',
      'run:end failed',
    ]);
  });

  test('a failure of After All fails the run although its inputs completed', async () => {
    const { result, end } = await runScripts({
      Data: () => null,
      'After All': () => {
        throw new Error('bug');
      },
    });
    expect(result.error).toMatchObject({ code: 'internal', message: 'bug', stage: 'AfterAll' });
    expect(end).toMatchObject({ status: 'failed', failedNodes: [] });
  });
});

describe('stages', () => {
  test('each emits its start and end, those of an input with its task', async () => {
    const { events } = await runScripts(
      { 'Before All': () => 1, Data: () => 2, Output: () => 3, 'After All': () => 4 },
      { prompts: '# User\nHi\n' },
    );
    const told = events.flatMap(({ event }) =>
      event.type === 'stage:start' || event.type === 'stage:end' ? [[event.type, event.stage, event.taskId]] : [],
    );
    expect(told).toEqual([
      ['stage:start', 'BeforeAll', undefined],
      ['stage:end', 'BeforeAll', undefined],
      ...['Data', 'Ai', 'Output'].flatMap((stage) => [
        ['stage:start', stage, 'input:0'],
        ['stage:end', stage, 'input:0'],
      ]),
      ['stage:start', 'AfterAll', undefined],
      ['stage:end', 'AfterAll', undefined],
    ]);
  });

  test('a failed stage also ends', async () => {
    const { events } = await runScripts({ Data: () => flow('Redo') });
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'stage:end', stage: 'Data', taskId: 'input:0' }),
    );
  });
});
