/**
 * A run on a clock that the test moves.
 */
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { type StartedTestRun, startTestRun, type TestRunOptions, traceOf } from './test-run.ts';

/** A flow of a node `a` and, when given, a node `b`, without an edge: each as the keys behind its id. */
export function nodeThen(node: string, then?: string): string {
  return `
  flow: { name: f }
  nodes: [ { id: a, ${node} }${then === undefined ? '' : `, { id: b, ${then} }`} ]
  edges: []`;
}

export interface TimedRun extends StartedTestRun {
  readonly clock: ManualClock;
  /** `traceOf` what listeners received so far. */
  trace(...kinds: string[]): readonly string[];
}

/** As `startTestRun`, on a clock of its own. */
export function startTimedRun(flow: string, options: TestRunOptions = {}): TimedRun {
  const clock = createManualClock();
  const run = startTestRun(flow, { clock, ...options });
  return { clock, ...run, trace: (...kinds) => traceOf(run.events, kinds) };
}
