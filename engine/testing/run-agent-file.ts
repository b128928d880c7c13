/**
 * Runs agents in memory and returns all results.
 */

import { type Clock, systemClock } from '../base/clock.ts';
import type { EngineError } from '../base/engine-error.ts';
import type { AgentOptions } from '../language/agent/agent-doc.ts';
import { parseAgent } from '../language/agent/parse-agent.ts';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import type { AgentRequest, AgentRunResult, DryMode } from '../runtime/agent/agent-request.ts';
import { type AgentOrigin, runAgentRoot } from '../runtime/agent/run-agent.ts';
import type { AgentLocation, Capabilities, ScriptsCapability } from '../runtime/kernel/capabilities/capabilities.ts';
import { foldRun } from '../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEndEvent } from '../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../runtime/kernel/events/run-state.ts';
import { cancellation, createCancelScope } from '../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../runtime/kernel/hub/hub.ts';
import type { AnswerSource } from '../runtime/kernel/requests/ask.ts';
import { createCountingIds } from './counting-ids.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';
import { createFakeScripts } from './fake-scripts.ts';

export interface AgentRunOptions {
  /** Inputs of the agent; absent for none. */
  readonly inputs?: readonly JsonValue[];
  /** Without them, an agent with scripts fails. */
  readonly scripts?: ScriptsCapability;
  /** Capabilities; fake ones by default. */
  readonly capabilities?: Pick<Capabilities, 'model' | 'templates' | 'hash' | 'answers' | 'tools'>;
  /** Options of the config files; the model is `fake::default` unless they set one. */
  readonly baseOptions?: AgentOptions;
  readonly callOptions?: AgentOptions;
  readonly redoCount?: number;
  readonly dry?: DryMode;
  /** Context in addition to the session. */
  readonly context?: JsonMap;
  readonly place?: AgentLocation;
  readonly scriptTimeoutMs?: number;
  readonly clock?: Clock;
  readonly origin?: Partial<AgentOrigin>;
  /** Answers to the questions of its inputs; without it, they cannot ask. */
  readonly answers?: AnswerSource;
  /** Runs it as a child of a run with this id. */
  readonly parentRunId?: AgentRequest['runId'];
}

export interface AgentRunInTest {
  readonly result: AgentRunResult;
  readonly end: RunEndEvent;
  readonly events: readonly EventEnvelope[];
  readonly state: RunState;
}

export interface StartedAgentRun {
  readonly done: Promise<AgentRunInTest>;
  /** Events that subscribers have received so far. */
  readonly events: readonly EventEnvelope[];
  cancel(reason?: EngineError): void;
}

const testPlace: AgentLocation = { name: 'agents/test.aip', file: '/ws/agents/test.aip', shownPath: 'agents/test.aip' };

/** Runs an agent, passed as the text of its file, to its end. */
export function runAgentText(text: string, options: AgentRunOptions = {}): Promise<AgentRunInTest> {
  return startAgentText(text, options).done;
}

/** Starts a run that the test can observe, cancel, or advance with its clock. */
export function startAgentText(text: string, options: AgentRunOptions = {}): StartedAgentRun {
  const ids = createCountingIds();
  const clock = options.clock ?? systemClock;
  const scope = createCancelScope();
  const events: EventEnvelope[] = [];
  const runId = ids.runId();
  const sessionId = ids.sessionId();
  const parent = options.parentRunId === undefined ? {} : { parentRunId: options.parentRunId };
  const runHub = createHub({ runId, sessionId, clock, ...parent });
  runHub.subscribe((group) => events.push(...group));
  const request: AgentRequest = {
    ...{ doc: docOf(text), place: options.place ?? testPlace, runId, ...parent, clock, scope },
    inputs: options.inputs ?? null,
    baseOptions: { model: 'fake::default', ...options.baseOptions },
    ...(options.callOptions === undefined ? {} : { callOptions: options.callOptions }),
    redoCount: options.redoCount ?? 0,
    depth: 0,
    ...(options.dry === undefined ? {} : { dry: options.dry }),
    ...(options.answers === undefined ? {} : { answers: options.answers }),
    context: { SESSION_UID: sessionId, ...options.context },
    scriptTimeoutMs: options.scriptTimeoutMs ?? null,
    capabilities: {
      ...(options.capabilities ?? createFakeCapabilities().capabilities),
      scripts: options.scripts ?? createFakeScripts({}),
    },
  };
  const run = async (): Promise<AgentRunInTest> => {
    // Delayed by one turn, so that the test has the run before the first script starts.
    await Promise.resolve();
    const { event, result } = await runAgentRoot(request, runHub.hub, {
      definitionHash: '0'.repeat(64),
      ...options.origin,
    });
    runHub.close();
    if (event.type !== 'run:end') throw new Error('The run was suspended');
    return { result, end: event, events, state: foldRun(emptyRunState, events) };
  };
  return { done: run(), events, cancel: (reason = cancellation()) => scope.cancel(reason) };
}

function docOf(text: string): AgentRequest['doc'] {
  const { doc, diagnostics } = parseAgent(text);
  if (doc === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return doc;
}

/** Returns the text of a script section, with `code` in a fence. */
export function scriptSection(heading: string, code: string): string {
  return `# ${heading}\n\`\`\`lua\n${code}\n\`\`\`\n`;
}
