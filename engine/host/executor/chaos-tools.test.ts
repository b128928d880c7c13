/**
 * Tests that a run with models that call tools and a process that is killed repeatedly pays for no response twice and
 * repeats no call without consent.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { currentOwner } from '../../history/store/owner.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { ChaosOrder, JournalLine } from '../../testing/chaos-order.ts';
import {
  bundleChaosProgram,
  createDice,
  type Found,
  inFolder,
  inspect,
  type Plan,
  runSession,
  statusAfter,
} from '../../testing/chaos-sessions.ts';
import { answerTo } from '../../testing/chaos-tools.ts';
import type { ChildProgram } from '../../testing/child-program.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { claimAnswer, readWaiting } from './run-answers.ts';

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChaosProgram();
}, 60_000);

function planOf(order: ChaosOrder, stored: number, dice: () => number): Plan {
  if (dice() >= 0.5) return { order, killAfterMs: dice() * 200 };
  return {
    order: { ...order, crash: { seq: stored + Math.floor(dice() * 120), when: dice() < 0.5 ? 'before' : 'after' } },
  };
}

/** Approves all open requests. */
async function approveAll(folder: string, { runId }: Found): Promise<void> {
  const file = path.join(folder, 'runs.db');
  const store = await openRunStore({ file, clock: systemClock, owner: currentOwner() });
  try {
    for (const { name, key } of readWaiting(store, runId)) {
      // Only tool calls wait: an interrupted prompt does not ask about itself.
      expect(key).toMatch(/^model:[0-9a-f]{64}:0\/\d(?::cut:\d+)?$/);
      const request = { runId, nodeId: name, key: key ?? '', payload: { approved: true }, by: 'kim' };
      claimAnswer(store, request, { now: systemClock.now(), takesOver: false });
    }
  } finally {
    store.close();
  }
}

async function tellStory(folder: string, dice: () => number) {
  const logs: (readonly EventEnvelope[])[] = [];
  let kills = 0;
  let order: ChaosOrder = { session: 0, subject: 'tools' };
  for (;;) {
    const former = logs.at(-1) ?? [];
    const { wasKilled } = await runSession(program, folder, planOf(order, former.length, dice));
    const found = await inspect(folder);
    expect(found.log.slice(0, former.length)).toEqual(former);
    expect(found.status).toBe(statusAfter(found.log));
    logs.push(found.log);
    if (found.status === 'completed') return { kills, logs, log: found.log, journal: journalOf(folder) };
    if (found.status === 'suspended') await approveAll(folder, found);
    else if (wasKilled) kills++;
    order = { session: order.session + 1, subject: 'tools', runId: found.runId };
  }
}

function journalOf(folder: string): readonly JournalLine[] {
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalLine);
}

function eventsOf<Type extends RunEvent['type']>(log: readonly EventEnvelope[], type: Type) {
  return log.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));
}

/** Returns what a log already contains: the texts of responses, and the parameters of tool calls. */
function doneIn(log: readonly EventEnvelope[]): ReadonlySet<string> {
  const answers = eventsOf(log, 'model:response').map(({ text }) => String(text));
  const results = eventsOf(log, 'tool:result').map(({ result }) => String((result as { result?: unknown }).result));
  return new Set([...answers, ...results]);
}

const toolWork = /^(?:look|book|send) /;
const outsideWork = /^(?:book|send) /;
const modelWork = /^(?:one$|item |gave )/;

test('12.1 killed at any moment, a run with models that call tools pays for no response twice and repeats no call without consent', {
  timeout: 3_600_000,
}, async ({ annotate }) => {
  const wantedKills = testRounds(1);
  const dice = createDice(wantedKills);
  const sum = { stories: 0, kills: 0, sessions: 0, cutAndAsked: 0, calledAgain: 0, askedAgain: 0 };
  while (sum.kills < wantedKills) {
    const { kills, logs, log, journal } = await inFolder((folder) => tellStory(folder, dice));
    expect(openScopes(log)).toEqual([]);
    const { output } = foldRun(emptyRunState, log);
    expect(JSON.stringify(output)).toContain('answer to gave send item b 2.1');
    const starts = journal.filter(({ moment }) => moment === 'start');
    for (const { session, work } of starts) {
      const done = doneIn(logs[session - 1] ?? []);
      const gave = toolWork.test(work) ? `gave ${work}` : modelWork.test(work) ? answerTo(work) : '';
      expect({ session, work, isDone: done.has(gave) }).toEqual({ session, work, isDone: false });
    }
    const outside = starts.flatMap(({ work }) => (outsideWork.test(work) ? [work] : []));
    // Three prompts, each of which books twice and sends once.
    expect(new Set(outside).size).toBe(9);
    const asked = log.filter(({ event }) => event.type === 'approval:resolved' && event.key.includes(':cut:')).length;
    expect(outside.length - 9).toBeLessThanOrEqual(asked);
    for (const type of ['agent:tool:start', 'agent:tool:complete', 'tool:result'] as const) {
      const keys = log.flatMap(({ context, event }) =>
        event.type === type && 'callKey' in event ? [`${context.task?.id} ${event.callKey}`] : [],
      );
      expect(new Set(keys).size).toBe(18);
      expect(keys).toHaveLength(18);
    }
    const answers = eventsOf(log, 'model:response');
    expect(answers).toHaveLength(12);
    sum.stories++;
    sum.kills += kills;
    sum.sessions += logs.length;
    sum.cutAndAsked += asked;
    sum.calledAgain += outside.length - 9;
    sum.askedAgain += starts.filter(({ work }) => modelWork.test(work)).length - 12;
  }
  await annotate(JSON.stringify(sum));
});
