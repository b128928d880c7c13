import { expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { writtenHandlers } from './written-handlers.ts';

const file = {
  path: 'tools/a.tool.yaml',
  decides: 'a tool manifest',
  before: 'a\nb\n',
  text: 'a\nc\n',
  changes: ['-b', '+c'],
};

function open(isAllowed: boolean) {
  const questions: ConsentQuestion[] = [];
  const accepted: unknown[] = [];
  const person = {
    call: async (name: string, request?: unknown) => {
      if (name === 'listWritten') return [file];
      accepted.push(request);
      return true;
    },
  };
  const window = { asPerson: async (act: (one: typeof person) => unknown) => act(person) } as unknown as AppWindow;
  const handlers = writtenHandlers(window, async (question) => {
    questions.push(question);
    return isAllowed;
  });
  return { accept: (path: string) => handlers['written.accept']({ path }), questions, accepted };
}

test('13.1 the system dialog shows what a run has changed, and only consent accepts it', async () => {
  const no = open(false);
  expect(await no.accept(file.path)).toEqual({ isDone: false });
  expect(no.questions).toMatchObject([
    { message: 'Allow the change to tools/a.tool.yaml?', detail: expect.stringContaining('-b\n+c'), allow: 'Allow' },
  ]);
  expect(no.accepted).toEqual([]);
  const yes = open(true);
  expect(await yes.accept(file.path)).toEqual({ isDone: true });
  expect(yes.accepted).toEqual([{ path: file.path, text: file.text }]);
});

test('13.1 a page cannot ask about a file that is not pending, or have its own text accepted', async () => {
  const { accept, questions, accepted } = open(true);
  expect(await accept('tools/b.tool.yaml')).toEqual({ isDone: false });
  expect(questions).toEqual([]);
  expect(accepted).toEqual([]);
});
