import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { type RandomTypedFlow, randomTypedFlows } from '../../testing/random-typed-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { testRun } from '../../testing/test-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { builtinNodes } from './builtin-nodes.ts';
import { createNodeRegistry } from './node-registry.ts';

const catalog = createNodeRegistry(builtinNodes);
const bindingErrors: ReadonlySet<string> = new Set(['binding.unknown-field', 'binding.wrong-type']);
const typeFailures: ReadonlySet<string> = new Set(['binding.missing', 'node.bad-input']);

interface Judged {
  /** Validation errors about bindings of nodes that ran successfully. */
  readonly falseAlarms: readonly string[];
  /** Number of node failures that validation could have predicted. */
  readonly failures: number;
  /** The predictable failures that validation did not report. */
  readonly missed: readonly string[];
}

/** Runs a flow regardless of its diagnostics, and compares the two. */
async function judge(flow: RandomTypedFlow): Promise<Judged> {
  const { diagnostics } = checkFlow(flow.text, catalog);
  const { events } = await testRun(flow.text);
  const about = (taskId: string): readonly Diagnostic[] =>
    diagnostics.filter(({ nodeId }) => nodeId === nodeOf(taskId));
  const completed = events.flatMap(({ event }) => (event.type === 'task:complete' ? [event.taskId] : []));
  const failures = events.flatMap(({ event }) =>
    event.type === 'task:failed' && isForeseeable(event, flow, events) ? [event] : [],
  );
  const missed = failures.filter(({ taskId }) => about(taskId).length === 0);
  return {
    falseAlarms: [
      ...completed.flatMap((taskId) => alarmOf(taskId, about(taskId))),
      ...heldConditions(diagnostics, events),
    ],
    failures: failures.length,
    missed: missed.map(({ taskId, error }) => `${taskId}: ${error.message}`),
  };
}

/** Returns the validation errors about the bindings of a node that ran successfully. */
function alarmOf(taskId: string, problems: readonly Diagnostic[]): readonly string[] {
  const wrong = problems.filter(({ severity, code }) => severity === 'error' && bindingErrors.has(code));
  // A map over an empty list never evaluates its template.
  const isItemless = wrong.every(({ message }) => message.includes('"item'));
  return isItemless ? [] : [`${taskId}: ${wrong.map(({ message }) => message).join(' ')}`];
}

/** Whether the cause of a failure can be known before the run. */
function isForeseeable(
  { taskId, error }: Extract<EventEnvelope['event'], { type: 'task:failed' }>,
  flow: RandomTypedFlow,
  events: readonly EventEnvelope[],
): boolean {
  if (!typeFailures.has(error.code) || readsAbsentNode(nodeOf(taskId), flow, events)) return false;
  return !/at "\w+\.(?:error|skipped)/.test(error.message);
}

/** Returns the conditions that were true although validation reports that they never are. */
function heldConditions(diagnostics: readonly Diagnostic[], events: readonly EventEnvelope[]): readonly string[] {
  return diagnostics.flatMap(({ code, nodeId, message, severity }) => {
    if (code !== 'when.never-holds' || severity !== 'error' || nodeId === undefined) return [];
    const condition = events.find(
      ({ event }) => event.type === 'task:complete' && event.taskId === `node:${nodeId}` && holdsIn(event.result),
    );
    return condition === undefined ? [] : [`${nodeId}: ${message}`];
  });
}

function holdsIn(result: unknown): boolean {
  return (
    (result as { condition?: unknown } | null)?.condition === true ||
    (result as { route?: unknown } | null)?.route === 'one'
  );
}

function nodeOf(taskId: string): string {
  return taskId.slice('node:'.length).replace(/^.*\]\./, '');
}

/** The output of a node that does not complete cannot be predicted. */
function readsAbsentNode(id: string, { nodes }: RandomTypedFlow, events: readonly EventEnvelope[]): boolean {
  const text = JSON.stringify(nodes.find((node) => node.id === id) ?? {});
  return events.some(({ event }) => {
    const absent =
      event.type === 'task:failed' ? nodeOf(event.taskId) : event.type === 'node:skipped' ? event.nodeId : undefined;
    return absent !== undefined && absent !== id && new RegExp(`\\b${absent}\\b`).test(text);
  });
}

test('validation reports no false binding errors and misses few failures', async () => {
  const all: Judged[] = [];
  const property = fc.asyncProperty(randomTypedFlows, async (flow) => {
    const judged = await judge(flow);
    all.push(judged);
    expect(judged.falseAlarms).toEqual([]);
  });
  await fc.assert(property, { numRuns: testRounds(20) });
  const failures = all.reduce((sum, one) => sum + one.failures, 0);
  const missed = all.flatMap((one) => one.missed);
  // The remaining ones concern values known only during a run, such as items of lists.
  const report = `${missed.length} of ${failures} failures in ${all.length} flows came unannounced`;
  expect(missed.length, report).toBeLessThanOrEqual(5 + failures * 0.2);
  if (all.length > 1000) process.stderr.write(`${report}\n`);
}, 3_600_000);
