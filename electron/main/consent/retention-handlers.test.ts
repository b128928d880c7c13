import { expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { retentionHandlers } from './retention-handlers.ts';

interface Answers {
  readonly isAllowed?: boolean;
  readonly old?: { readonly runs: number; readonly oldestAt?: number };
  /** The code of an error with which setting fails. */
  readonly failure?: string;
}

const usualOld = { runs: 340, oldestAt: Date.parse('2026-01-03T12:00:00') };

function open({ isAllowed = true, old = usualOld, failure }: Answers) {
  const questions: ConsentQuestion[] = [];
  const done: unknown[] = [];
  const content: { workspace: string | null } = { workspace: '/shop\u202e' };
  const whileAsked: (() => void)[] = [];
  const person = {
    async call(name: string, rule: unknown) {
      if (name === 'countOldRuns') return old;
      if (name === 'readUndoLimits') return { megabytes: 256, days: 30, bytes: 12_345_678 };
      if (failure !== undefined) throw Object.assign(new Error('Refused.'), { code: failure });
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
  return {
    setRule: handlers['runs.setRetention'],
    setLimits: handlers['runs.setUndoLimits'],
    ...{ questions, done, content, whileAsked },
  };
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

test('lower limits of copies are set after the user agrees to delete copies', async () => {
  const no = open({ isAllowed: false });
  expect(await no.setLimits({ megabytes: 100, days: 7 })).toEqual({ isDone: false });
  expect([no.done, no.questions]).toEqual([
    [],
    [
      {
        message: 'Delete old copies of changed files?',
        detail: [
          '/shop\\u{202e}',
          '• Maximum size: 100 MiB (now 256 MiB)\n• Maximum age in days: 7 (now 30)',
          "The copies use 12 MiB now. Copies beyond these limits are deleted and can't be restored, so these changes of runs can't be undone anymore. The changed files stay.",
        ].join('\n\n'),
        allow: 'Delete Old Copies',
      },
    ],
  ]);
  const yes = open({});
  expect(await yes.setLimits({ megabytes: 256, days: 29 })).toEqual({ isDone: true });
  expect(yes.questions[0]?.detail).not.toContain('Maximum size');
  expect(yes.done).toEqual([['setUndoLimits', { megabytes: 256, days: 29 }]]);
});

test.each([[{ megabytes: 0, days: 30 }], [{ megabytes: 1_000, days: 29 }], [{ megabytes: 255, days: 10_000 }]])(
  'one lower limit is enough for the question: %o',
  async (limits) => {
    const { setLimits, questions, done } = open({ isAllowed: false });
    expect(await setLimits(limits)).toEqual({ isDone: false });
    expect([questions.length, done]).toEqual([1, []]);
  },
);

test.each([[{ megabytes: 256, days: 30 }], [{ megabytes: 1_000, days: 90 }]])(
  'limits that are not lower need no question, because they delete nothing: %o',
  async (limits) => {
    const { setLimits, questions, done } = open({ isAllowed: false });
    expect(await setLimits(limits)).toEqual({ isDone: true });
    expect([questions, done]).toEqual([[], [['setUndoLimits', limits]]]);
  },
);

test('limits are set neither without a folder nor in one that was opened during the question', async () => {
  const { setLimits, done, content, whileAsked } = open({});
  whileAsked.push(() => {
    content.workspace = '/other';
  });
  expect(await setLimits({ megabytes: 1, days: 30 })).toEqual({ isDone: false });
  content.workspace = null;
  expect(await setLimits({ megabytes: 1_000, days: 30 })).toEqual({ isDone: false });
  expect(done).toEqual([]);
});

test('errors of the engine reach the page', async () => {
  const { setLimits } = open({ failure: 'retention.list-inside' });
  await expect(setLimits({ megabytes: 1, days: 30 })).rejects.toMatchObject({ code: 'retention.list-inside' });
});
