/**
 * Tests a run that asks people, with a process that is killed repeatedly while another one answers: no answer is lost,
 * none is used twice, and everything after an answer is done once.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
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
import type { ChildProgram } from '../../testing/child-program.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { claimAnswer, readWaiting } from './run-answers.ts';

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChaosProgram();
}, 60_000);

/** Full names of everything that asks, in alphabetical order. */
const questions = [
  ...['again[0].more', 'again[1].more', 'call/may', 'each[0].check', 'each[1].check', 'each[2].check'],
  ...['fill', 'first', 'write/input:0', 'write/input:1'],
];

/** Effects that happen once over all answers together. */
const effects = [
  'book {"who":"a: yes to each[0].check"}',
  'book {"who":"c: yes to each[2].check"}',
  'book {"who":"zoe: yes to call/may"}',
  'left',
  'right',
];

/** Returns the same answer whenever a request is answered: one in the loop is rejected, and one is edited. */
function payloadFor(name: string): JsonMap {
  if (name === 'fill') return { user_input_response: { form_id: 'any', values: { to: 'kim' } } };
  const params = name === 'call/may' ? { params: { who: 'zoe' } } : {};
  return { approved: name !== 'each[1].check', comment: `yes to ${name}`, ...params };
}

/** A claimed answer, which must be in the log at the end. */
interface Claimed {
  readonly name: string;
  readonly by: string;
}

/** People at another process, who answer some of the open requests. A second answer is reported as already answered. */
class People {
  readonly claimed: Claimed[] = [];
  readonly #dice: () => number;
  #whileRunning = 0;

  constructor(dice: () => number) {
    this.#dice = dice;
  }

  get whileRunning(): number {
    return this.#whileRunning;
  }

  /** @param chance probability of answering each request, from 0 to 1 */
  answer(store: RunStore, runId: RunId, chance: number): void {
    for (const { name, key } of readWaiting(store, runId)) {
      if (key === undefined || this.#dice() >= chance) continue;
      const by = `person ${this.claimed.length}`;
      const request = { runId, nodeId: name, key, payload: payloadFor(name), by };
      const now = systemClock.now();
      try {
        claimAnswer(store, request, { now, takesOver: false });
      } catch (error) {
        // The run may have ended or been interrupted between reading the requests and the claim.
        if (EngineError.is(error) && error.code === 'run.invalid-state') continue;
        throw error;
      }
      this.claimed.push({ name, by });
      if (store.getRun(runId)?.status === 'running') this.#whileRunning++;
      const again = (): unknown => claimAnswer(store, { ...request, by: 'somebody else' }, { now, takesOver: false });
      expect(again).toThrow(expect.objectContaining({ code: 'run.invalid-state' }));
    }
  }

  /** Answers occasionally while a process runs. */
  async answerUntil(folder: string, isOver: () => boolean): Promise<void> {
    const file = path.join(folder, 'runs.db');
    while (!isOver()) {
      await new Promise<void>((resolve) => systemClock.setTimer(resolve, 20 + this.#dice() * 150));
      if (!existsSync(file) || isOver()) continue;
      await withStore(folder, (store) => {
        const [run] = store.listRuns({ limit: 1 });
        if (run !== undefined) this.answer(store, run.runId, 0.2);
      });
    }
  }
}

async function withStore<T>(folder: string, work: (store: RunStore) => T): Promise<T> {
  const file = path.join(folder, 'runs.db');
  const store = await openRunStore({ file, clock: systemClock, owner: currentOwner() });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Returns what the next process does, and when it is killed. */
function planOf(order: ChaosOrder, stored: number, dice: () => number): Plan {
  if (dice() < 0.4) {
    return {
      order: { ...order, crash: { seq: stored + Math.floor(dice() * 25), when: dice() < 0.5 ? 'before' : 'after' } },
    };
  }
  return { order, killAfterMs: dice() * 700 };
}

/** Runs one process while people answer, and returns what it leaves behind. */
async function runOne(folder: string, people: People, plan: Plan): Promise<{ wasKilled: boolean; found: Found }> {
  let isOver = false;
  const session = runSession(program, folder, plan).finally(() => {
    isOver = true;
  });
  const [{ wasKilled, news }] = await Promise.all([session, people.answerUntil(folder, () => isOver)]);
  const found = await inspect(folder);
  expect(found.log.length).toBeGreaterThan(Math.max(-1, ...news.map((one) => (one.type === 'told' ? one.seq : -1))));
  return { wasKilled, found };
}

/** Returns the start of the next process: a person lets an interrupted node run again, or others have answered. */
async function nextOrder(folder: string, people: People, { runId, status }: Found): Promise<Partial<ChaosOrder>> {
  if (status !== 'suspended') return { runId };
  return await withStore(folder, (store) => {
    const cut = readWaiting(store, runId).find(({ key }) => key === undefined);
    if (cut !== undefined) return { runId, approve: true, nodeId: cut.name };
    while (!store.waiting.hasNews(runId)) people.answer(store, runId, 0.4);
    return { runId };
  });
}

async function tellStory(folder: string, dice: () => number) {
  const people = new People(dice);
  let kills = 0;
  let order: ChaosOrder = { session: 0, subject: 'asks' };
  for (let former: readonly EventEnvelope[] = []; ; ) {
    const { wasKilled, found } = await runOne(folder, people, planOf(order, former.length, dice));
    expect(found.log.slice(0, former.length)).toEqual(former);
    expect(found.status).toBe(statusAfter(found.log));
    if (found.status === 'completed') return { kills, log: found.log, people };
    // A suspended run cannot be interrupted.
    if (wasKilled && found.status !== 'suspended') kills++;
    former = found.log;
    order = { session: order.session + 1, subject: 'asks', ...(await nextOrder(folder, people, found)) };
  }
}

/** Returns the answers in the log, by the full names of nodes. */
function answersIn(log: readonly EventEnvelope[]): readonly Claimed[] {
  return log.flatMap(({ parentRunId, event }) => {
    if (event.type !== 'approval:resolved' && event.type !== 'input:received') return [];
    const caller = event.nodeId.startsWith('input:') ? 'write' : 'call';
    const name = parentRunId === undefined ? event.nodeId : `${caller}/${event.nodeId}`;
    return [{ name, by: event.by ?? '' }];
  });
}

/** Returns whether a node or task with that name has effects. */
const acts = (name: string): boolean => /(?:^|[./])(?:book|left|right|kept)\b/.test(name);

const byName = (one: Claimed, other: Claimed): number => one.name.localeCompare(other.name);

function journalOf(folder: string): readonly JournalLine[] {
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalLine);
}

test('12.1 killed at any moment while others answer, a run loses no answer, uses none twice and repeats no effect', {
  timeout: 3_600_000,
}, async ({ annotate }) => {
  const wantedKills = testRounds(1);
  const dice = createDice(wantedKills);
  const sum = { stories: 0, kills: 0, sessions: 0, answers: 0, whileRunning: 0, cutAndAsked: 0, again: 0 };
  while (sum.kills < wantedKills) {
    await inFolder(async (folder) => {
      const { kills, log, people } = await tellStory(folder, dice);
      expect(openScopes(log)).toEqual([]);
      // Each claimed answer is in the log once and unchanged, and no others are.
      expect(answersIn(log).toSorted(byName)).toEqual(people.claimed.toSorted(byName));
      expect(people.claimed.map(({ name }) => name).sort()).toEqual(questions);
      const { status, output } = foldRun(emptyRunState, log);
      expect(status).toBe('completed');
      expect(output).toMatchObject({
        end: {
          value: [
            'seat of yes to first',
            'seat of kim',
            expect.anything(),
            'yes to again[1].more',
            { said: 'seat of zoe: yes to call/may' },
            ['yes to write/input:0', 'yes to write/input:1'],
          ],
        },
      });
      const starts = journalOf(folder).filter(({ moment, work }) => moment === 'start' && acts(work));
      expect([...new Set(starts.map(({ work }) => work))].sort()).toEqual(effects);
      const asked = log.filter(({ event }) => event.type === 'node:suspended' && acts(event.nodeId)).length;
      // Interrupted effects are only repeated with a person's consent.
      expect(starts.length - effects.length).toBeLessThanOrEqual(asked);
      sum.stories++;
      sum.kills += kills;
      sum.answers += people.claimed.length;
      sum.whileRunning += people.whileRunning;
      sum.cutAndAsked += asked;
      sum.again += starts.length - effects.length;
      sum.sessions += Math.max(...journalOf(folder).map(({ session }) => session)) + 1;
    });
  }
  await annotate(JSON.stringify(sum));
});
