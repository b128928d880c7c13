/**
 * A run that is killed repeatedly until it has ended, and the invariants checked in between.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect } from 'vitest';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import type { ChaosOrder, JournalLine } from './chaos-order.ts';
import {
  bundleChaosProgram,
  createDice,
  type Found,
  inFolder,
  inspect,
  planOf,
  runSession,
  statusAfter,
} from './chaos-sessions.ts';
import type { ChildProgram } from './child-program.ts';
import { testRounds } from './test-rounds.ts';

type Subject = ChaosOrder['subject'];

/** The undisturbed run. */
export interface WholeRun {
  readonly subject?: Subject;
  readonly lengthMs: number;
  readonly log: readonly EventEnvelope[];
  readonly journal: readonly JournalLine[];
}

/** The result of a sequence of killed processes. */
export interface Story {
  readonly kills: number;
  readonly resumes: number;
  readonly log: readonly EventEnvelope[];
  /** The log after each process. */
  readonly logs: readonly (readonly EventEnvelope[])[];
  /** What the nodes and models recorded about their work. */
  readonly journal: readonly JournalLine[];
}

/** Bundles the program for the tests of a file. */
export function setUpChaos() {
  let program: ChildProgram;
  beforeAll(async () => {
    program = await bundleChaosProgram();
  }, 60_000);

  /** Runs a subject, or the flow, to its end in one process. */
  async function measure(subject?: Subject): Promise<WholeRun> {
    const of = subject === undefined ? {} : { subject };
    return await inFolder(async (folder) => {
      const { lengthMs, news } = await runSession(program, folder, { order: { session: 0, ...of } });
      expect(news.at(-1)).toEqual({ type: 'over', status: 'completed' });
      const { log } = await inspect(folder);
      return { ...of, lengthMs, log, journal: journalOf(folder) };
    });
  }

  /** Runs from start to end, with as many processes as necessary. */
  async function tellStory(folder: string, whole: WholeRun, dice: () => number): Promise<Story> {
    const { subject, lengthMs } = whole;
    const of = subject === undefined ? {} : { subject };
    const chance = { dice, whole: { lengthMs, events: whole.log.length } };
    const logs: (readonly EventEnvelope[])[] = [];
    let kills = 0;
    let found: Found | undefined;
    while (found?.status !== 'completed') {
      const goesOn = found === undefined ? {} : { runId: found.runId };
      const approves = found?.status === 'suspended' ? { approve: true as const } : {};
      const former = found?.log ?? [];
      const order = { session: logs.length, ...of, ...goesOn, ...approves };
      const { wasKilled, news } = await runSession(program, folder, planOf(order, former.length, chance));
      found = await inspect(folder);
      const { log, status } = found;
      expect(log.slice(0, former.length)).toEqual(former);
      expect(log.length).toBeGreaterThan(Math.max(-1, ...news.map((one) => (one.type === 'told' ? one.seq : -1))));
      expect(status).toBe(statusAfter(log));
      logs.push(log);
      // After the end of a run there is nothing to interrupt.
      if (wasKilled && status !== 'completed') kills++;
    }
    return { kills, resumes: logs.length - 1, log: found.log, logs, journal: journalOf(folder) };
  }

  /**
   * Repeats until this number of processes were killed, multiplied by the test rounds.
   * @param check checks a finished sequence and returns its counts
   * @returns the totals, for people
   */
  async function killOften(
    baseKills: number,
    whole: WholeRun,
    check: (story: Story) => Readonly<Record<string, number>>,
  ): Promise<string> {
    const wantedKills = testRounds(baseKills);
    const dice = createDice(wantedKills);
    const sum = { kills: 0, resumes: 0 };
    const counts: Record<string, number> = {};
    while (sum.kills < wantedKills) {
      const story = await inFolder((folder) => tellStory(folder, whole, dice));
      sum.kills += story.kills;
      sum.resumes += story.resumes;
      for (const [key, count] of Object.entries(check(story))) counts[key] = (counts[key] ?? 0) + count;
    }
    expect(sum.resumes).toBeGreaterThanOrEqual(sum.kills);
    const all = JSON.stringify({ ...sum, ...counts });
    return `${all} of a run of ${whole.log.length} events in ${Math.round(whole.lengthMs)} ms`;
  }

  return { measure, killOften };
}

function journalOf(folder: string): readonly JournalLine[] {
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalLine);
}
