/**
 * Runs a flow in memory and returns all results.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, systemClock } from '../base/clock.ts';
import type { EngineError } from '../base/engine-error.ts';
import { hasErrors, renderDiagnostic } from '../language/findings/diagnostic.ts';
import { compileFlow } from '../language/flow/compile-flow.ts';
import type { CompiledFlow } from '../language/flow/compiled-flow.ts';
import { parseFlow } from '../language/flow/parse-flow.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import type { NodeType } from '../runtime/flow/node-type.ts';
import { type RunOrigin, runRoot } from '../runtime/flow/run-root.ts';
import type { ReuseSource } from '../runtime/flow/run-scope.ts';
import type { Capabilities } from '../runtime/kernel/capabilities/capabilities.ts';
import { foldRun } from '../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEndEvent, RunSuspendedEvent } from '../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../runtime/kernel/events/run-state.ts';
import { cancellation, createCancelScope } from '../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../runtime/kernel/hub/hub.ts';
import type { RunPause } from '../runtime/kernel/hub/run-pause.ts';
import type { InboxRouter } from '../runtime/kernel/requests/agent-inbox.ts';
import type { AnswerSource } from '../runtime/kernel/requests/ask.ts';
import { readResumePoint } from '../runtime/kernel/resume/read-resume-point.ts';
import type { ResumePoint } from '../runtime/kernel/resume/resume-point.ts';
import { builtinNodes } from '../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../runtime/nodes/node-registry.ts';
import { createCountingIds } from './counting-ids.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';

export interface TestRunOptions {
  readonly inputs?: JsonMap;
  /** Node types in addition to the built-in ones. */
  readonly nodeTypes?: readonly NodeType[];
  readonly clock?: Clock;
  readonly capabilities?: Partial<Capabilities>;
  readonly origin?: Partial<RunOrigin>;
  /** Resumes after these events of an earlier process; `answer` is a person's decision. */
  readonly resume?: { readonly events: readonly EventEnvelope[]; readonly answer?: ResumePoint['answer'] };
  readonly reuse?: ReuseSource;
  readonly answers?: AnswerSource;
  readonly inboxes?: InboxRouter;
  readonly pause?: RunPause;
  /** Called with each group of events as it is recorded; may throw. */
  readonly onRecord?: (events: readonly EventEnvelope[]) => void;
}

export interface TestRun {
  readonly events: readonly EventEnvelope[];
  readonly state: RunState;
  readonly last: RunEndEvent | RunSuspendedEvent;
  /** The last event, for a run that is certain to end. */
  readonly end: RunEndEvent;
}

export interface StartedTestRun {
  /** Settles when the run has ended and its hub is closed. */
  readonly done: Promise<TestRun>;
  /** Events that subscribers have received so far. */
  readonly events: readonly EventEnvelope[];
  cancel(reason?: EngineError): void;
}

/** Compiles text to a graph that can run. Node types are not checked, so that runs can contain unknown ones. */
export function compileText(text: string): CompiledFlow {
  const { doc, diagnostics } = parseFlow(text);
  if (doc === null || hasErrors(diagnostics)) {
    throw new Error(diagnostics.map((diagnostic) => renderDiagnostic('test', diagnostic)).join('\n'));
  }
  return compileFlow(doc);
}

/** Runs a flow, passed as YAML text or compiled, to its end. */
export function testRun(flow: string | CompiledFlow, options: TestRunOptions = {}): Promise<TestRun> {
  return startTestRun(flow, options).done;
}

/** Starts a run that the test can observe, cancel, or advance with its clock. */
export function startTestRun(flow: string | CompiledFlow, options: TestRunOptions = {}): StartedTestRun {
  const ids = createCountingIds();
  const clock = options.clock ?? systemClock;
  const scope = createCancelScope();
  const earlier = options.resume?.events ?? [];
  const recorded: EventEnvelope[] = [];
  const events: EventEnvelope[] = [];
  let isRecording = true;
  const runHub = createHub({
    runId: ids.runId(),
    sessionId: ids.sessionId(),
    clock,
    firstSeq: earlier.length,
    record: (group) => {
      options.onRecord?.(group);
      recorded.push(...group);
    },
    onRecordFailure: (thrown) => {
      isRecording = false;
      scope.cancel(thrown as EngineError);
    },
  });
  const live = liveState(earlier);
  runHub.subscribe((group) => {
    events.push(...group);
    live.add(group);
  });
  const request = {
    flow: typeof flow === 'string' ? compileText(flow) : flow,
    registry: createNodeRegistry([...builtinNodes, ...(options.nodeTypes ?? [])]),
    inputs: options.inputs ?? {},
    clock,
    ids,
    capabilities: options.capabilities ?? createFakeCapabilities().capabilities,
    ...(options.inboxes === undefined ? {} : { inboxes: options.inboxes }),
    ...(options.reuse === undefined ? {} : { reuse: options.reuse }),
    ...(options.answers === undefined ? {} : { answers: options.answers }),
    ...(options.resume === undefined ? {} : { resume: resumePointOf(options.resume) }),
  };
  const isFresh = options.resume === undefined;
  const origin = isFresh ? { sourcePath: 'test.flow.yaml', definitionHash: '0'.repeat(64), ...options.origin } : {};
  const run = async (): Promise<TestRun> => {
    // Delayed by one turn, so that the test has the run before the first node starts.
    await Promise.resolve();
    const last = await runRoot(request, runHub.hub.with({ pause: options.pause }), origin, scope);
    runHub.close();
    const state = live.now();
    if (isRecording) assertReplays([...earlier, ...recorded], state);
    return {
      ...{ events, state, last },
      get end() {
        if (last.type === 'run:end') return last;
        throw new Error('The run was suspended');
      },
    };
  };
  return { done: run(), events, cancel: (reason = cancellation()) => scope.cancel(reason) };
}

function resumePointOf({ events, answer }: NonNullable<TestRunOptions['resume']>): ResumePoint {
  return readResumePoint(events, { whole: (value) => value, ...(answer === undefined ? {} : { answer }) });
}

/** Folds like a window: occasionally, all new events at once. */
function liveState(earlier: readonly EventEnvelope[]): { add(group: readonly EventEnvelope[]): void; now(): RunState } {
  let state = foldRun(emptyRunState, earlier);
  let waiting: EventEnvelope[] = [];
  const now = (): RunState => {
    state = foldRun(state, waiting);
    waiting = [];
    return state;
  };
  return {
    now,
    add(group) {
      waiting.push(...group);
      if (waiting.length >= Math.max(10, state.nodes.size)) now();
    },
  };
}

/** Checks X-14 for every run of a test: the log alone leads to the same state as live events. */
function assertReplays(recorded: readonly EventEnvelope[], live: RunState): void {
  const replayed = foldRun(emptyRunState, recorded);
  if (!isDeepStrictEqual(inPlainParts(replayed), inPlainParts(live))) throw new Error('The log does not replay');
}

/** Converts the collections of a state, because a comparison cannot inspect them and would consider any two equal. */
function inPlainParts({ nodes, failedNodes, firedEdges, skippedEdges, ...rest }: RunState): unknown {
  return { ...rest, nodes: [...nodes], failedNodes: [...failedNodes], edges: [[...firedEdges], [...skippedEdges]] };
}

/**
 * Returns one line per event, `type subject`, to compare whole runs at a glance. Includes only types that start with
 * one of `kinds`.
 */
export function traceOf(events: readonly EventEnvelope[], kinds: readonly string[] = ['']): readonly string[] {
  const wanted = events.filter(({ event }) => kinds.some((kind) => event.type.startsWith(kind)));
  return wanted.map(({ event }) => `${event.type} ${subjectOf(event)}`.trimEnd());
}

function subjectOf(event: EventEnvelope['event']): string {
  if ('nodeId' in event) return event.nodeId ?? '';
  if ('edgeId' in event) return event.edgeId;
  if (event.type === 'run:end') return event.status;
  if ('content' in event) return event.content;
  return 'name' in event ? event.name : '';
}
