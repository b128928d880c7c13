import { expect, test } from 'vitest';
import { evaluationContract, mainEvaluation } from '../../ipc/contracts/evaluation-contract.ts';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { evaluationHandlers } from './evaluation-handlers.ts';

const summary = { passed: 1, failed: 0, durationMs: 5, recorded: 1 };
const request = { cases: [{ file: 'a.test.yaml', name: 'late', entry: 0 }], record: 'missing' } as const;

function open(answers: { isAllowed?: boolean; usd?: { low: number; high: number }; waits?: boolean } = {}) {
  const { isAllowed = true, usd, waits = false } = answers;
  const questions: ConsentQuestion[] = [];
  const calls: unknown[] = [];
  const content: { workspace: string | null } = { workspace: '/shop\u202e' };
  const whileAsked: (() => void)[] = [];
  const person = {
    async call(name: string, asked: unknown, signal?: AbortSignal) {
      calls.push([name, asked]);
      if (name === 'estimateRecording') return { cases: 1, ...(usd === undefined ? {} : { usd }) };
      if (!waits) return summary;
      return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const window = { content, asPerson: async (act: (one: typeof person) => unknown) => act(person) };
  const handlers = evaluationHandlers(window as unknown as AppWindow, async (question) => {
    questions.push(question);
    for (const act of whileAsked) act();
    return isAllowed;
  });
  return { ...{ questions, calls, content, whileAsked }, record: handlers['tests.record'], handlers };
}

test('calls are recorded after the person agrees to the estimate', async () => {
  const no = open({ isAllowed: false, usd: { low: 0.001, high: 0.0042 } });
  expect(await no.record(request)).toBeNull();
  expect(no.calls).toEqual([['estimateRecording', request]]);
  expect(no.questions).toEqual([
    {
      message: 'Call models and services now, and record the responses?',
      detail: [
        '/shop\\u{202e}',
        'Test "late" in a.test.yaml',
        [
          '• Calls of 1 test without a recording',
          '• Models: those of the flows and agents',
          '• Version of the files: the current one, with unsaved changes',
          '• Estimated cost: at most US$0.0042',
        ].join('\n'),
        'Recording sends data to the models, services and tools that the flows use, and their effects outside are real. Files that the tests write are discarded.',
      ].join('\n\n'),
      allow: 'Call and Record',
    },
  ]);
  const yes = open();
  expect(await yes.record({ record: 'all' })).toEqual(summary);
  expect(yes.questions[0]?.detail).toMatch(/• All calls of 1 test\n(?:.*\n){2}• Cost: unknown/);
  expect(yes.calls.at(-1)).toEqual(['runTests', { record: 'all' }]);
});

test('the question names the model and the version, as they are shown', async () => {
  const { record, questions, calls } = open();
  const asked = { ...request, model: 'here::big\u202e\n• Cost: none', version: 'v1\u202e' };
  await record(asked);
  expect(calls.at(-1)).toEqual(['runTests', asked]);
  const lines = questions[0]?.detail?.split('\n');
  expect(lines).toContain('• Version of the files: v1\\u{202e} (Git)');
  expect(lines).not.toContain('• Cost: none');
  expect(lines?.find((line) => line.startsWith('• Model of all'))).toMatch(/^.*: here::big\\u\{202e\}/);
});

test('nothing is recorded in a folder that was opened during the question', async () => {
  const { record, calls, content, whileAsked } = open();
  whileAsked.push(() => {
    content.workspace = '/other';
  });
  expect(await record(request)).toBeNull();
  expect(calls).toHaveLength(1);
});

test('a recording stops on request', async () => {
  const { record, handlers, calls } = open({ waits: true });
  const recording = record(request);
  await expect.poll(() => calls.length).toBe(2);
  await handlers['tests.stopRecording']();
  await expect(recording).rejects.toMatchObject({ name: 'AbortError' });
});

test('a page cannot record without main', () => {
  const { args } = evaluationContract.runTests;
  expect(args.safeParse([{ record: 'none' }]).success).toBe(true);
  for (const one of [{ record: 'missing' }, { record: 'all' }, {}, { record: 'none', isKept: true }])
    expect(args.safeParse([one]).success).toBe(false);
  const asked = mainEvaluation['tests.record'].args;
  expect(asked.safeParse([request]).success).toBe(true);
  expect(asked.safeParse([{ record: 'none' }]).success).toBe(false);
  expect(asked.safeParse([{ record: 'all', files: ['../a.test.yaml'] }]).success).toBe(false);
  expect(asked.safeParse([{ record: 'all', texts: { '/etc/x': '' } }]).success).toBe(false);
});
