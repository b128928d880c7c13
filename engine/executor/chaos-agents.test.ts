/** A run of agents whose process is killed again and again, at any moment, loses nothing and pays nothing twice. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldRun } from '../kernel/fold-run.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import { emptyRunState } from '../kernel/run-state.ts';
import type { ChaosOrder, JournalLine } from '../testing/chaos-order.ts';
import {
  bundleChaosProgram,
  createDice,
  type Found,
  inFolder,
  inspect,
  planOf,
  runSession,
  statusAfter,
} from '../testing/chaos-sessions.ts';
import type { ChildProgram } from '../testing/child-program.ts';
import { openScopes } from '../testing/open-scopes.ts';
import { testRounds } from '../testing/test-rounds.ts';

let program: ChildProgram;

beforeAll(async () => {
  program = await bundleChaosProgram();
}, 60_000);
afterAll(() => program.remove());

type Subject = NonNullable<ChaosOrder['subject']>;

interface Measure {
  readonly subject: Subject;
  readonly lengthMs: number;
  readonly events: number;
  readonly result: unknown;
  /** In alphabetical order. */
  readonly questions: readonly string[];
}

/** What must be the same however often the run was cut; what was asked twice also costs twice. */
function resultOf(log: readonly EventEnvelope[]): unknown {
  const { status, output, failedNodes } = foldRun(emptyRunState, log);
  const text = JSON.stringify({ status, output, failed: [...failedNodes] });
  return JSON.parse(text, (key, value: unknown) => (key === 'usage' || key === 'costUsd' ? undefined : value));
}

function questionsOf(folder: string): readonly JournalLine[] {
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalLine).filter(({ work }) => /^[qij] /.test(work));
}

/** The questions that a log holds the outputs of: those of inputs that have ended, as the agents put them. */
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

interface Story {
  kills: number;
  resumes: number;
  asks: number;
  paidAgain: number;
}

async function measure(subject: Subject): Promise<Measure> {
  return await inFolder(async (folder) => {
    const { lengthMs, news } = await runSession(program, folder, { order: { session: 0, subject } });
    expect(news.at(-1)).toEqual({ type: 'over', status: 'completed' });
    const { log } = await inspect(folder);
    const starts = questionsOf(folder).filter(({ moment }) => moment === 'start');
    const questions = starts.map(({ work }) => work).sort();
    expect(new Set(questions).size).toBe(questions.length);
    return { subject, lengthMs, events: log.length, result: resultOf(log), questions };
  });
}

/** One run from its start to its end, however many processes that takes. */
async function tellStory(folder: string, chance: { dice: () => number; whole: Measure }): Promise<Story> {
  const { subject } = chance.whole;
  const story: Story = { kills: 0, resumes: 0, asks: 0, paidAgain: 0 };
  const answered: ReadonlySet<string>[] = [];
  let found: Found | undefined;
  for (let session = 0; found?.status !== 'completed'; session++) {
    const goesOn = found === undefined ? {} : { runId: found.runId };
    const approves = found?.status === 'suspended' ? { approve: true as const } : {};
    const plan = planOf({ session, subject, ...goesOn, ...approves }, found?.log.length ?? 0, chance);
    const { wasKilled, news } = await runSession(program, folder, plan);
    const former = found?.log ?? [];
    found = await inspect(folder);
    expect(found.log.slice(0, former.length)).toEqual(former);
    expect(found.log.length).toBeGreaterThan(Math.max(-1, ...news.map((one) => (one.type === 'told' ? one.seq : -1))));
    expect(found.status).toBe(statusAfter(found.log));
    answered.push(answeredIn(found.log));
    // Behind the end of a run there is nothing to cut.
    if (wasKilled && found.status !== 'completed') story.kills++;
    if (session > 0) story.resumes++;
  }
  story.asks = found.log.filter(({ event }) => event.type === 'node:suspended').length;
  story.paidAgain = checkQuestions(questionsOf(folder), answered, { asks: story.asks, whole: chance.whole });
  expect(openScopes(found.log)).toEqual([]);
  expect(resultOf(found.log)).toEqual(chance.whole.result);
  return story;
}

/** Returns how many questions were asked once more, which a person has let be done again. */
function checkQuestions(
  journal: readonly JournalLine[],
  answered: readonly ReadonlySet<string>[],
  { asks, whole }: { readonly asks: number; readonly whole: Measure },
): number {
  const starts = journal.filter(({ moment }) => moment === 'start');
  for (const { session, work } of starts) {
    const isAnswered = session > 0 && answered[session - 1]?.has(work) === true;
    expect({ session, work, isAnswered }).toEqual({ session, work, isAnswered: false });
  }
  expect([...new Set(starts.map(({ work }) => work))].sort()).toEqual(whole.questions);
  const again = starts.length - whole.questions.length;
  // An input asks once itself, and through its script about two more at most, of which one is at work.
  expect(again).toBeLessThanOrEqual(2 * asks);
  return again;
}

test.for<Subject>(['agent', 'agents'])(
  'killed at any moment and resumed, a run of %s pays nothing twice unasked',
  { timeout: 1_800_000 },
  async (subject, { annotate }) => {
    const wantedKills = testRounds(2);
    const whole = await measure(subject);
    const sum: Story = { kills: 0, resumes: 0, asks: 0, paidAgain: 0 };
    const dice = createDice(wantedKills);
    while (sum.kills < wantedKills) {
      const story = await inFolder((folder) => tellStory(folder, { dice, whole }));
      for (const key of ['kills', 'resumes', 'asks', 'paidAgain'] as const) sum[key] += story[key];
    }
    expect(sum.resumes).toBeGreaterThanOrEqual(sum.kills);
    await annotate(`${JSON.stringify(sum)} of a run of ${whole.events} events in ${Math.round(whole.lengthMs)} ms`);
  },
);
