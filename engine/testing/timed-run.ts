/**
 * A run with a clock controlled by the test.
 */
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { type StartedTestRun, startTestRun, type TestRunOptions, traceOf } from './test-run.ts';

/**
 * Returns a flow with a node `a` and optionally a node `b`, without an edge; each is given as the keys after its id.
 */
export function nodeThen(node: string, then?: string): string {
  return `
  flow: { name: f }
  nodes: [ { id: a, ${node} }${then === undefined ? '' : `, { id: b, ${then} }`} ]
  edges: []`;
}

export interface TimedRun extends StartedTestRun {
  readonly clock: ManualClock;
  /** Returns `traceOf` the events that subscribers have received so far. */
  trace(...kinds: string[]): readonly string[];
}

/** Starts a run like `startTestRun`, with a separate clock. */
export function startTimedRun(flow: string, options: TestRunOptions = {}): TimedRun {
  const clock = createManualClock();
  const run = startTestRun(flow, { clock, ...options });
  return { clock, ...run, trace: (...kinds) => traceOf(run.events, kinds) };
}
