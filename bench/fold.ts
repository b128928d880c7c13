/**
 * Measures computing a run's state from its events: one by one, in the batches that a window receives, and all at once.
 * Then opening a run in the window, and steps through its past. The baselines are a loop that only reads each event, and
 * parsing the stored log.
 */

import type { RunEvent, RunState } from '../engine/isomorphic.ts';
import { asRunId, asSessionId, type EventEnvelope, emptyRunState, foldRun, reduceRun } from '../engine/isomorphic.ts';
import { createLiveRuns } from '../renderer/stores/runs/live/live-runs.ts';
import { createRunMoments } from '../renderer/stores/runs/live/run-moments.ts';
import { cpuMs, median, percentile, report } from './statistics.ts';

const rounds = 7;
const warmUpRounds = 2;
/** Maximum number of events sent to a window at once. */
const batchSize = 500;
/** Number of events that a window reads from the history at once. */
const readSize = 5000;

/** Returns the events of a chain of nodes that all complete, or all fail and are tolerated: four per node. */
function chainLog(nodeCount: number, end: 'task:complete' | 'task:failed'): readonly EventEnvelope[] {
  const events: RunEvent[] = [
    { type: 'run:start', kind: 'flow', name: 'chain', sourcePath: 'chain.flow.yaml', definitionHash: '', inputs: {} },
  ];
  for (let i = 0; i < nodeCount; i++) {
    const nodeId = `n${i}`;
    const task = { taskId: `node:${nodeId}`, nodeId };
    const ended = { durationMs: 1, attempts: 1 };
    events.push(
      { type: 'task:start', ...task, nodeType: 'echo' },
      { type: 'node:input', nodeId, input: { text: 'start' } },
      end === 'task:complete'
        ? { type: end, ...task, ...ended, result: { text: 'start' } }
        : { type: end, ...task, ...ended, error: { code: 'demo.failed', message: 'No' } },
      { type: 'edge:fired', edgeId: `${nodeId}->n${i + 1}`, from: nodeId, to: `n${i + 1}` },
    );
  }
  events.push({ type: 'run:end', status: 'completed', failedNodes: [], durationMs: 1 });
  const context = { sessionId: asSessionId('bench'), phase: { name: 'Run Flow' } };
  return events.map((event, seq) => ({ seq, at: 1_700_000_000_000 + seq, runId: asRunId('bench'), context, event }));
}

/** Returns the events of a loop in which each item streams a response in pieces. */
function loopLog(items: number, pieces: number): readonly EventEnvelope[] {
  const context = { sessionId: asSessionId('bench') };
  const events: Pick<EventEnvelope, 'context' | 'event'>[] = [];
  const add = (event: RunEvent, taskId?: string): void => {
    events.push({ event, context: taskId === undefined ? context : { ...context, task: { id: taskId } } });
  };
  const run = { name: 'loop', sourcePath: 'loop.flow.yaml', definitionHash: '', inputs: {} };
  add({ type: 'run:start', kind: 'flow', ...run });
  add({ type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' });
  add({ type: 'node:input', nodeId: 'each', input: { items: Array.from({ length: items }, (_, index) => index) } });
  for (let item = 0; item < items; item++) {
    const nodeId = `each[${item}].ask`;
    const task = { taskId: `node:${nodeId}`, nodeId };
    add({ type: 'task:start', ...task, nodeType: 'prompt' });
    add({ type: 'node:input', nodeId, input: { prompt: `Question ${item}` } });
    for (let piece = 0; piece < pieces; piece++) add({ type: 'agent:text', content: `word ${piece} ` }, task.taskId);
    add({ type: 'task:complete', ...task, result: { text: 'the response' }, durationMs: 1, attempts: 1 });
  }
  return events.map((event, seq) => ({ seq, at: 1_700_000_000_000 + seq, runId: asRunId('bench'), ...event }));
}

function foldInBatches(events: readonly EventEnvelope[]): RunState {
  let state = emptyRunState;
  for (let at = 0; at < events.length; at += batchSize) state = foldRun(state, events.slice(at, at + batchSize));
  return state;
}

/** Reads the event fields that every fold has to read. */
function look(events: readonly EventEnvelope[]): number {
  let nodes = 0;
  for (const { event } of events) {
    if (event.type.startsWith('task:') && 'nodeId' in event && event.nodeId !== undefined) nodes++;
  }
  return nodes;
}

/** Returns each function's median duration in milliseconds, measured alternately. */
function timesOf<Name extends string>(works: Record<Name, () => unknown>): Record<Name, number> {
  const names = Object.keys(works) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const name of names) {
      const startedAt = performance.now();
      works[name]();
      if (round >= warmUpRounds) samples.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<Name, number>;
}

function parsed(lines: readonly string[]): readonly EventEnvelope[] {
  return lines.map((line) => JSON.parse(line) as EventEnvelope);
}

function benchRun(nodeCount: number, end: 'task:complete' | 'task:failed'): void {
  const events = chainLog(nodeCount, end);
  const lines = events.map((event) => JSON.stringify(event));
  const { looking, parsing, ...times } = timesOf({
    looking: () => look(events),
    parsing: () => parsed(lines),
    'one by one': () => events.reduce(reduceRun, emptyRunState),
    [`in batches of ${batchSize}`]: () => foldInBatches(events),
    'at once': () => foldRun(emptyRunState, events),
    'parsed and folded all at once': () => foldRun(emptyRunState, parsed(lines)),
  });
  console.log(`run of ${nodeCount} nodes, each ending in ${end}: ${events.length} events, median of ${rounds}`);
  const nsPerEvent = (ms: number): number => (ms / events.length) * 1e6;
  for (const [what, ms] of Object.entries(times)) {
    const perSecond = Math.round(events.length / ms) * 1000;
    const yardstick = what.startsWith('parsed')
      ? { name: 'JSON.parse alone', value: nsPerEvent(parsing) }
      : { name: 'loop that reads each', value: nsPerEvent(looking) };
    report({
      what: `${what} (${ms.toFixed(0)} ms, ${perSecond} per second)`,
      ours: nsPerEvent(ms),
      yardstick,
      unit: 'ns per event',
    });
  }
}

benchRun(20_000, 'task:complete');
benchRun(20_000, 'task:failed');
benchRun(25_000, 'task:complete');
benchRun(100_000, 'task:complete');

/** Opens a run as the window does: reads it from the history in pages, which it parses. */
function opened(lines: readonly string[]) {
  const liveRuns = createLiveRuns();
  for (let at = 0; at < lines.length; at += readSize) {
    liveRuns.getState().applyEvents(parsed(lines.slice(at, at + readSize)));
  }
  const engine = {
    call: async (_: string, __: string, after: number, limit: number) =>
      parsed(lines.slice(after + 1, after + 1 + limit)),
  };
  const notices = { getState: () => ({ addError: (_: string, error: unknown) => console.error(error) }) };
  return { liveRuns, moments: createRunMoments(engine as never, liveRuns, notices as never) };
}

/** Measures the CPU time of opening a run, and of jumps and steps to moments all over it. */
async function benchMoments(what: string, events: readonly EventEnvelope[]): Promise<void> {
  const lines = events.map((event) => JSON.stringify(event));
  const [opening, parsing] = [[], []] as [number[], number[]];
  for (let round = 0; round < 3; round++) {
    const before = cpuMs();
    opened(lines);
    const between = cpuMs();
    parsed(lines);
    opening.push(between - before);
    parsing.push(cpuMs() - between);
  }
  const count = `${events.length} events`;
  const whole = { name: 'JSON.parse alone', value: median(parsing) };
  report({ what: `open a run of ${count}, ${what}`, ours: median(opening), yardstick: whole, unit: 'ms of CPU' });
  const { moments } = opened(lines);
  const runId = asRunId('bench');
  const [steps, pages] = [[], []] as [number[], number[]];
  for (let seq = 7; seq < events.length; seq += Math.floor(events.length / 40)) {
    for (const show of [
      () => moments.show(runId, seq),
      () => moments.step(runId, -1, 'event'),
      () => moments.step(runId, 1, 'node'),
    ]) {
      const before = cpuMs();
      await show();
      steps.push(cpuMs() - before);
    }
    const before = cpuMs();
    parsed(lines.slice(seq, seq + 1000));
    pages.push(cpuMs() - before);
  }
  const page = { name: 'JSON.parse of 1,000 events', value: median(pages) };
  report({ what: 'a step in its past, median', ours: median(steps), yardstick: page, unit: 'ms of CPU' });
  report({
    what: 'a step in its past, slowest of 20',
    ours: percentile(steps, 0.95),
    yardstick: page,
    unit: 'ms of CPU',
  });
}

await benchMoments('a chain of nodes', chainLog(25_000, 'task:complete'));
await benchMoments('a loop of 2,000 streamed responses', loopLog(2_000, 47));
