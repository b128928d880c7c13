/** Tests that a run with a process that is killed repeatedly, at any moment, loses nothing and does nothing twice. */
import { expect, test } from 'vitest';
import { nodeNameOf } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { type JournalLine, workOf } from '../../testing/chaos-order.ts';
import { setUpChaos } from '../../testing/chaos-story.ts';

const { measure, killOften } = setUpChaos();

const terminalTypes = ['task:complete', 'task:failed', 'task:cancelled'];

/** Returns the completed work in a log, by the names in the journal. */
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

/** Returns everything that must be independent of the number of interruptions: how each node ended, and its output. */
function resultOf(log: readonly EventEnvelope[]) {
  const state = foldRun(emptyRunState, log);
  const nodes = [...state.nodes.values()].map(({ nodeId, nodeType, status, output, error, skip }) => {
    // Excludes the actual duration of a timer, and the length of a file to which a line was appended again with
    // consent.
    const given = nodeType === 'control.wait' || nodeId.startsWith('log') ? {} : { output };
    return [nodeId, { status, ...given, code: error?.code, skip }] as const;
  });
  return {
    ...{ status: state.status, output: state.output, nodes: Object.fromEntries(nodes) },
    ...{ failed: [...state.failedNodes].sort(), fired: [...state.firedEdges].sort() },
    skipped: [...state.skippedEdges].sort(),
  };
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

/** Checks that effects start once, and once more for each consent of a person. */
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

test('killed at any moment and resumed, a run of 40 nodes ends as if nothing had happened', async ({ annotate }) => {
  const whole = await measure();
  const told = await killOften(5, whole, ({ log, logs, journal }) => {
    expect(resultOf(log)).toEqual(resultOf(whole.log));
    return { asks: checkWork(log, journal, logs.map(worksOver)) };
  });
  await annotate(told);
}, 1_800_000);
