import { expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { retentionHandlers } from './retention-handlers.ts';

interface Answers {
  readonly isAllowed?: boolean;
  readonly old?: { readonly runs: number; readonly oldestAt?: number };
}

function open({ isAllowed = true, old = { runs: 340, oldestAt: Date.parse('2026-01-03T12:00:00') } }: Answers) {
  const questions: ConsentQuestion[] = [];
  const done: unknown[] = [];
  const content = { workspace: '/shop\u202e' };
  const whileAsked: (() => void)[] = [];
  const person = {
    async call(name: string, rule: unknown) {
      if (name === 'countOldRuns') return old;
      done.push([name, rule]);
      return undefined;
    },
  };
  const window = { content, asPerson: async (act: (one: typeof person) => unknown) => act(person) };
  const handlers = retentionHandlers(window as unknown as AppWindow, async (question) => {
    questions.push(question);
    for (const act of whileAsked) act();
    return isAllowed;
  });
  return { setRule: handlers['runs.setRetention'], questions, done, content, whileAsked };
}

test('a rule for old runs is set after the user agrees to what it deletes', async () => {
  const no = open({ isAllowed: false });
  expect(await no.setRule({ olderThanDays: 90, keepPerFlow: 1 })).toEqual({ isDone: false });
  expect([no.done, no.questions]).toEqual([
    [],
    [
      {
        message: 'Delete old runs of this workspace automatically?',
        detail: [
          '/shop\\u{202e}',
          '• Runs that ended more than 90 days ago\n• All but the newest run of each flow',
          "This deletes 340 runs now, the oldest from 3 January 2026. Deleted runs can't be restored. Files that they wrote stay.",
        ].join('\n\n'),
        allow: 'Delete Old Runs',
      },
    ],
  ]);
  const yes = open({ old: { runs: 0 } });
  expect(await yes.setRule({ keepPerFlow: 50 })).toEqual({ isDone: true });
  expect(yes.questions[0]?.detail).toContain('• All but the newest 50 runs of each flow\n\nThis deletes no runs now.');
  expect(yes.done).toEqual([['setRetention', { keepPerFlow: 50 }]]);
});

test('keeping all runs needs no question, because it deletes nothing', async () => {
  const { setRule, questions, done } = open({ isAllowed: false });
  expect(await setRule({})).toEqual({ isDone: true });
  expect([questions, done]).toEqual([[], [['setRetention', {}]]]);
});

test('a rule is not set in a folder that was opened during the question', async () => {
  const { setRule, done, content, whileAsked } = open({});
  whileAsked.push(() => {
    content.workspace = '/other';
  });
  expect(await setRule({ olderThanDays: 90 })).toEqual({ isDone: false });
  expect(done).toEqual([]);
});
