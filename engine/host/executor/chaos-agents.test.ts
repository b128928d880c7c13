/**
 * Tests that an agent run with a process that is killed repeatedly, at any moment, loses nothing and pays for nothing
 * twice.
 */
import { expect, test } from 'vitest';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { ChaosOrder, JournalLine } from '../../testing/chaos-order.ts';
import { setUpChaos } from '../../testing/chaos-story.ts';
import { openScopes } from '../../testing/open-scopes.ts';

const { measure, killOften } = setUpChaos();

/** Returns everything that must be independent of the number of interruptions. Repeated calls also cost twice. */
function resultOf(log: readonly EventEnvelope[]): unknown {
  const { status, output, failedNodes } = foldRun(emptyRunState, log);
  const text = JSON.stringify({ status, output, failed: [...failedNodes] });
  return JSON.parse(text, (key, value: unknown) => (key === 'usage' || key === 'costUsd' ? undefined : value));
}

/** Returns the model calls in alphabetical order. */
function questionsOf(journal: readonly JournalLine[]): readonly string[] {
  return questionStarts(journal)
    .map(({ work }) => work)
    .sort();
}

function questionStarts(journal: readonly JournalLine[]): readonly JournalLine[] {
  return journal.filter(({ moment, work }) => moment === 'start' && /^[qij] /.test(work));
}

/** Returns the model calls with outputs in a log: those of inputs that have ended. */
function answeredIn(log: readonly EventEnvelope[]): ReadonlySet<string> {
  const inputs = new Map<string, string>();
  const answered = new Set<string>();
  for (const { runId, event } of log) {
    if (event.type === 'node:input') inputs.set(`${runId} ${event.nodeId}`, String(event.input));
    if (event.type !== 'task:complete') continue;
    const input = inputs.get(`${runId} ${event.taskId}`);
    if (input !== undefined) answered.add(/^[ij] /.test(input) ? input : `q ${input}`);
  }
  return answered;
}

/** Returns how many calls were repeated with a person's consent. */
function checkQuestions(
  journal: readonly JournalLine[],
  answered: readonly ReadonlySet<string>[],
  { asks, questions }: { readonly asks: number; readonly questions: readonly string[] },
): number {
  const starts = questionStarts(journal);
  for (const { session, work } of starts) {
    const isAnswered = session > 0 && answered[session - 1]?.has(work) === true;
    expect({ session, work, isAnswered }).toEqual({ session, work, isAnswered: false });
  }
  expect([...new Set(questionsOf(journal))]).toEqual(questions);
  const again = starts.length - questions.length;
  // An input makes one call itself and about two more through its script, of which at most one is active.
  expect(again).toBeLessThanOrEqual(2 * asks);
  return again;
}

test.for<NonNullable<ChaosOrder['subject']>>(['agent', 'agents'])(
  'killed at any moment and resumed, a run of %s pays nothing twice unasked',
  { timeout: 1_800_000 },
  async (subject, { annotate }) => {
    const whole = await measure(subject);
    const questions = questionsOf(whole.journal);
    expect(new Set(questions).size).toBe(questions.length);
    const told = await killOften(1, whole, ({ log, logs, journal }) => {
      const asks = log.filter(({ event }) => event.type === 'node:suspended').length;
      expect(openScopes(log)).toEqual([]);
      expect(resultOf(log)).toEqual(resultOf(whole.log));
      return { asks, paidAgain: checkQuestions(journal, logs.map(answeredIn), { asks, questions }) };
    });
    await annotate(told);
  },
);
