/** Tests inputs that ask while their run is active: answers reach them at once, and other inputs do not wait. */
import { expect, test, vi } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { createFakeScripts, type ScriptBody, type ScriptCall } from '../../testing/fake-scripts.ts';
import { scriptSection, startAgentText } from '../../testing/run-agent-file.ts';
import { traceOf } from '../../testing/test-run.ts';

const ask = (key: string): JsonValue => ({ _aipack_: { kind: 'Ask', data: { key, title: 'May I?' } } });

/** Returns the script's `CTX.ANSWERS`, by key. */
function answersOf({ globals }: ScriptCall): Readonly<Record<string, { approved?: boolean; by?: string }>> {
  const context = globals['CTX'] as { readonly ANSWERS: Readonly<Record<string, { approved?: boolean }>> };
  return context.ANSWERS;
}

/** Creates a script that asks for input `a` and works on `b` until `release` is called. */
function oneAsksOneWorks() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const Data: ScriptBody = async (call) => {
    if (call.globals['input'] === 'b') await released;
    else if (answersOf(call)['ok'] === undefined) return ask('ok');
    return answersOf(call)['ok']?.by ?? 'nobody';
  };
  return { release: () => release(), Data };
}

const agent = `${scriptSection('Data', 'Data')}${scriptSection('Output', 'Output')}`;
const Output: ScriptBody = ({ globals }) => globals['data'] ?? null;

test('12.1 e h an input that asks frees its slot for others, and receives its answer while they are running', async () => {
  const { release, Data } = oneAsksOneWorks();
  const desk = createAnswerDesk();
  const scripts = createFakeScripts({ Data, Output });
  const baseOptions = { input_concurrency: 1 };
  const run = startAgentText(agent, { inputs: ['a', 'b', 'c'], scripts, baseOptions, answers: desk });
  const done = run.done.catch((error: Error) => error.message);
  const told = (): readonly string[] => traceOf(run.events, ['approval:', 'node:suspended', 'run:']);
  await vi.waitFor(() => expect(scripts.ran.length).toBe(2));
  expect(told()).toEqual(['run:start agents/test.aip', 'approval:requested input:0', 'node:suspended input:0']);
  desk.give({ name: 'input:0' }, run.events);
  // It continues before an input that has not started.
  release();
  await vi.waitFor(() => expect(told()).toContain('approval:requested input:2'));
  expect(await done).toBe('The run was suspended');
  expect(told().slice(3)).toEqual([
    ...['approval:resolved input:0', 'approval:requested input:2', 'node:suspended input:2', 'run:suspended input:2'],
  ]);
  expect(scripts.ran.map(({ name, globals }) => `${name} ${String(globals['input'])}`)).toEqual([
    ...['Data a', 'Data b', 'Output b', 'Data a', 'Output a', 'Data c'],
  ]);
});

test('12.1 c two inputs each have their own answers, even for the same key', async () => {
  const desk = createAnswerDesk();
  const Data: ScriptBody = (call) => answersOf(call)['ok']?.by ?? ask('ok');
  const blocker = oneAsksOneWorks();
  const scripts = createFakeScripts({
    Data: (call) => (call.globals['input'] === 'b' ? blocker.Data(call) : Data(call)),
    Output,
  });
  const baseOptions = { input_concurrency: 3 };
  const run = startAgentText(agent, { inputs: ['a', 'b', 'c'], scripts, baseOptions, answers: desk });
  await vi.waitFor(() => expect(traceOf(run.events, ['node:suspended'])).toHaveLength(2));
  desk.give({ name: 'input:2', by: 'lee' }, run.events);
  desk.give({ name: 'input:0', by: 'kim' }, run.events);
  await vi.waitFor(() => expect(traceOf(run.events, ['approval:resolved'])).toHaveLength(2));
  blocker.release();
  expect((await run.done).result.outputs).toEqual(['kim', 'nobody', 'lee']);
});

test('12.1 f a waiting input ends when another one fails, and later answers are ignored', async () => {
  const desk = createAnswerDesk();
  const { release, Data } = oneAsksOneWorks();
  const scripts = createFakeScripts({
    Data,
    Output: () => {
      throw new Error('no');
    },
  });
  const run = startAgentText(agent, { inputs: ['a', 'b'], scripts, answers: desk });
  await vi.waitFor(() => expect(traceOf(run.events, ['node:suspended'])).toHaveLength(1));
  release();
  const { end, events } = await run.done;
  expect(end.status).toBe('failed');
  expect(events.map(({ event }) => event)).toContainEqual({
    ...{ type: 'task:cancelled', taskId: 'input:0', reason: 'fail-fast' },
  });
});

test('an agent that cannot be answered fails when it asks, with a clear message', async () => {
  const scripts = createFakeScripts({ Data: () => ask('ok') });
  const { end } = await startAgentText(scriptSection('Data', 'Data'), { inputs: ['a'], scripts }).done;
  expect(end).toMatchObject({ status: 'failed', error: { code: 'ask.unavailable', stage: 'Data' } });
  expect(end.error?.message).toMatch(/cannot wait for an answer: scripts in flows cannot\. Call it with a node/);
});
