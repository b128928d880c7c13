import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import type { ScriptBody } from '../../testing/fake-scripts.ts';
import { runAgentText } from '../../testing/run-agent-file.ts';
import { runPrompt } from '../../testing/run-prompt.ts';
import { traceOf } from '../../testing/test-run.ts';

describe('errors', () => {
  const noModel = { baseOptions: { model: '' } } as const;

  test('without a model, the input fails as soon as there is a prompt to send', async () => {
    const { capabilities } = createFakeCapabilities();
    const text = (heading: string) => runAgentText(heading, { ...noModel, capabilities });
    expect((await text('# User\nHi\n')).result.error).toMatchObject({
      code: 'model.missing',
      stage: 'Ai',
      message: 'Model is missing for agent path: agents/test.aip',
    });
    expect((await text('# User\n \n')).result).toMatchObject({ status: 'completed', outputs: [null] });
  });

  test('an error of the model fails the input at stage Ai with its code', async () => {
    const { result, events } = await runPrompt('# User\nHi\n', {
      bodies: { Output: () => 'never' },
      world: {
        reply: () => {
          throw new EngineError({ code: 'model.rate-limited', message: 'Too many requests', recoverable: true });
        },
      },
    });
    expect(result.error).toEqual({
      code: 'model.rate-limited',
      message: 'Fail to make AI Request.\nCause: Too many requests',
      stage: 'Ai',
      recoverable: true,
    });
    expect(traceOf(events, ['model'])).toEqual(['model:request']);
  });

  test('a missing key is reported with the name of its variable', async () => {
    const { result } = await runPrompt('# User\nHi\n', {
      world: {
        reply: () => {
          const details = { provider: 'openai', variable: 'OPENAI_API_KEY' };
          throw new EngineError({ code: 'model.missing-key', message: 'The key is missing', details });
        },
      },
    });
    expect(result.error).toMatchObject({
      code: 'model.missing-key',
      message: 'Environment API KEY missing: OPENAI_API_KEY',
    });
  });

  test('a template error fails the input at stage Ai', async () => {
    const { result } = await runPrompt('# User\n{{#if}}\n');
    expect(result.error).toMatchObject({ code: expect.stringMatching(/^template\./), stage: 'Ai' });
  });
});

describe('dry runs', () => {
  const bodies = { Data: () => 'D', Output: () => 'out', 'After All': () => 'all' };

  test('req calls no model, shows the prompts, runs neither Output nor After All, and blocks effects of scripts', async () => {
    const isDry: boolean[] = [];
    const watched = {
      ...bodies,
      Data: ({ scope }: Parameters<ScriptBody>[0]) => {
        isDry.push(scope.isDry);
        return 'D';
      },
    };
    const { result, asked, ran, events } = await runPrompt('# System\nS\n# User\nSay {{data}}\n', {
      dry: 'req',
      inputs: ['x'],
      bodies: watched,
    });
    expect(asked).toEqual([]);
    expect(ran.map(({ name }) => name)).toEqual(['Data']);
    expect(isDry).toEqual([true]);
    expect(result).toMatchObject({ status: 'completed', outputs: [null], afterAll: null });
    const logs = events.flatMap(({ event }) =>
      event.type === 'log' && event.taskId !== undefined ? [event.text] : [],
    );
    expect(logs).toEqual(['-- system:\nS\n', '-- user:\nSay D\n']);
  });

  test('res calls the model and runs After All, but not Output', async () => {
    const { result, asked, ran } = await runPrompt('# User\nSay {{data}}\n', { dry: 'res', bodies });
    expect(asked).toHaveLength(1);
    expect(ran.map(({ name }) => name)).toEqual(['Data', 'After All']);
    expect(result).toMatchObject({ outputs: [null], afterAll: 'all' });
  });
});
