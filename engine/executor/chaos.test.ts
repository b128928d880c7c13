/** A run whose process is killed again and again, at any moment, loses nothing and does nothing twice. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeNameOf } from '../base/ids.ts';
import { foldRun } from '../kernel/fold-run.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import { emptyRunState } from '../kernel/run-state.ts';
import { type JournalLine, workOf } from '../testing/chaos-order.ts';
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
import { testRounds } from '../testing/test-rounds.ts';

let program: ChildProgram;

beforeAll(async () => {
  program = await bundleChaosProgram();
}, 60_000);
afterAll(() => program.remove());

const terminalTypes = ['task:complete', 'task:failed', 'task:cancelled'];

/** The pieces of work that are over according to a log, by the names of the journal. */
function worksOver(log: readonly EventEnvelope[]): ReadonlySet<string> {
  const inputs = new Map<string, unknown>();
  const over = new Set<string>();
  for (const { event } of log) {
    if (event.type === 'node:input') inputs.set(event.nodeId, event.input);
    if (event.type === 'node:skipped') over.add(event.nodeId);
    if (!terminalTypes.includes(event.type) || !('taskId' in event)) continue;
    const name = nodeNameOf(event.taskId) ?? '';
    over.add(workOf(name.slice(name.lastIndexOf('.') + 1), inputs.get(name)));
  }
  return over;
}

function journalOf(folder: string): readonly JournalLine[] {
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalLine);
}

/** What must be the same however often the run was cut: how each node ended, and what it gave. */
function resultOf(log: readonly EventEnvelope[]) {
  const state = foldRun(emptyRunState, log);
  const nodes = [...state.nodes.values()].map(({ nodeId, nodeType, status, output, error, skip }) => {
    // How long a timer really took, and how long a file is to which a person has let a line be appended twice.
    const given = nodeType === 'control.wait' || nodeId.startsWith('log') ? {} : { output };
    return [nodeId, { status, ...given, code: error?.code, skip }] as const;
  });
  return {
    ...{ status: state.status, output: state.output, nodes: Object.fromEntries(nodes) },
    ...{ failed: [...state.failedNodes].sort(), fired: [...state.firedEdges].sort() },
    skipped: [...state.skippedEdges].sort(),
  };
}

interface Measure {
  readonly lengthMs: number;
  readonly events: number;
  readonly result: ReturnType<typeof resultOf>;
}

interface Story {
  kills: number;
  resumes: number;
  asks: number;
}

/** One run from its start to its end, however many processes that takes. */
async function tellStory(folder: string, chance: { dice: () => number; whole: Measure }): Promise<Story> {
  const story: Story = { kills: 0, resumes: 0, asks: 0 };
  const overBefore: ReadonlySet<string>[] = [];
  let found: Found | undefined;
  for (let session = 0; found?.status !== 'completed'; session++) {
    const goesOn = found === undefined ? {} : { runId: found.runId };
    const approves = found?.status === 'suspended' ? { approve: true as const } : {};
    const plan = planOf({ session, ...goesOn, ...approves }, found?.log.length ?? 0, chance);
    const { wasKilled, news } = await runSession(program, folder, plan);
    const former = found?.log ?? [];
    found = await inspect(folder);
    expect(found.log.slice(0, former.length)).toEqual(former);
    expect(found.log.length).toBeGreaterThan(Math.max(-1, ...news.map((one) => (one.type === 'told' ? one.seq : -1))));
    expect(found.status).toBe(statusAfter(found.log));
    overBefore.push(worksOver(found.log));
    // Behind the end of a run there is nothing to cut.
    if (wasKilled && found.status !== 'completed') story.kills++;
    if (session > 0) story.resumes++;
  }
  story.asks = checkWork(found.log, journalOf(folder), overBefore);
  expect(resultOf(found.log)).toEqual(chance.whole.result);
  return story;
}

/** Returns how often a person was asked. */
function checkWork(
  log: readonly EventEnvelope[],
  journal: readonly JournalLine[],
  overBefore: readonly ReadonlySet<string>[],
): number {
  for (const { session, work } of journal) {
    const isRepeated = session > 0 && overBefore[session - 1]?.has(work) === true;
    expect({ session, work, isRepeated }).toEqual({ session, work, isRepeated: false });
  }
  const ends = log.filter(({ event }) => terminalTypes.includes(event.type));
  const starts = log.filter(({ event }) => event.type === 'task:start' && event.resumed !== true);
  expect(namesOf(ends)).toEqual(namesOf(starts));
  expect(new Set(namesOf(ends)).size).toBe(ends.length);
  checkExternal(log, journal);
  return log.filter(({ event }) => event.type === 'node:suspended').length;
}

/** What acts outside begins once, and once more each time that a person has let it. */
function checkExternal(log: readonly EventEnvelope[], journal: readonly JournalLine[]): void {
  const names = [1, 2, 3, 4].map((one) => ({ nodeId: `log${one}`, work: `log${one}` }));
  for (const [index, who] of ['ann', 'bob', 'cyd', 'dee'].entries()) {
    names.push({ nodeId: `each[${index}].book`, work: workOf('book', { who }) });
  }
  for (const { nodeId, work } of names) {
    const asked = log.filter(({ event }) => event.type === 'node:suspended' && event.nodeId === nodeId).length;
    const starts = journal.filter((line) => line.moment === 'start' && line.work === work).length;
    expect({ work, isUnasked: starts > 1 + asked }).toEqual({ work, isUnasked: false });
    expect(journal.some((line) => line.moment === 'end' && line.work === work)).toBe(true);
  }
}

function namesOf(events: readonly EventEnvelope[]): readonly string[] {
  return events.flatMap(({ event }) => ('taskId' in event ? [event.taskId] : [])).sort();
}

/** The run that nobody disturbs, with what external nodes left behind. */
async function measure(): Promise<Measure> {
  return await inFolder(async (folder) => {
    const { lengthMs, news } = await runSession(program, folder, { order: { session: 0 } });
    expect(news.at(-1)).toEqual({ type: 'over', status: 'completed' });
    const { log } = await inspect(folder);
    return { lengthMs, events: log.length, result: resultOf(log) };
  });
}

test('killed at any moment and resumed, a run of 40 nodes ends as if nothing had happened', async ({ annotate }) => {
  const wantedKills = testRounds(10);
  const whole = await measure();
  const sum: Story = { kills: 0, resumes: 0, asks: 0 };
  const dice = createDice(wantedKills);
  while (sum.kills < wantedKills) {
    const { kills, resumes, asks } = await inFolder((folder) => tellStory(folder, { dice, whole }));
    sum.kills += kills;
    sum.resumes += resumes;
    sum.asks += asks;
  }
  expect(sum.resumes).toBeGreaterThanOrEqual(sum.kills);
  await annotate(`${JSON.stringify(sum)} of a run of ${whole.events} events in ${Math.round(whole.lengthMs)} ms`);
}, 1_800_000);
