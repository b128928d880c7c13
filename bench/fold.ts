/**
 * Measures computing a run's state from its events: one by one, in the batches that a window receives, and all at once.
 * The baselines are a loop that only reads each event, and parsing the stored log.
 */

import type { RunEvent, RunState } from '../engine/isomorphic.ts';
import { asRunId, asSessionId, type EventEnvelope, emptyRunState, foldRun, reduceRun } from '../engine/isomorphic.ts';
import { median, report } from './statistics.ts';

const rounds = 7;
const warmUpRounds = 2;
/** Maximum number of events sent to a window at once. */
const batchSize = 500;

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
