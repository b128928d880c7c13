/**
 * Tools for tests, and executor calls that record their events.
 */
import type { Clock } from '../../base/clock.ts';
import { asRunId, asSessionId } from '../../base/ids.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { ToolDescription, ToolResult, ToolScope } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import type { AskAnswer, AskRequest } from '../../runtime/kernel/requests/ask.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { createToolExecutor, type ToolExecutorOptions } from './tool-executor.ts';
import type { RunnableTool } from './tool-source.ts';

/** Returns an idempotent, harmless tool that returns the result of `run`. */
export function testTool(
  run: RunnableTool['run'],
  description: Partial<ToolDescription> = {},
  more: Omit<RunnableTool, 'description' | 'run'> = {},
): RunnableTool {
  return {
    description: {
      name: 'look_up',
      description: 'Looks something up.',
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      effects: 'idempotent',
      risk: 'low',
      requiresApproval: false,
      tags: { accessesPrivateData: false, receivesUntrustedInput: false, communicatesExternally: false },
      kind: 'js',
      source: 'tools/look_up.tool.yaml',
      ...description,
    },
    ...more,
    run,
  };
}

export interface ToolTrial {
  readonly clock: ManualClock;
  readonly told: readonly RunEvent[];
  readonly asked: readonly AskRequest[];
  call(params?: JsonMap, scope?: Partial<ToolScope>): Promise<ToolResult>;
}

/** Creates an executor with one tool. @param answer answer to all requests; without it, no requests can be made */
export function trialOf(
  tool: RunnableTool,
  answer?: JsonMap,
  more: Partial<ToolExecutorOptions> = {},
  clock: ManualClock = createManualClock(),
): ToolTrial {
  const told: RunEvent[] = [];
  const asked: AskRequest[] = [];
  const { capabilities } = createFakeCapabilities();
  const source = { list: async () => [tool], find: async (name: string) => (name === nameOf(tool) ? tool : undefined) };
  const executor = createToolExecutor({ source, answers: capabilities.answers, ...more });
  const ask = async (_key: string, request: AskRequest): Promise<AskAnswer> => {
    asked.push(request);
    return { payload: answer ?? {}, by: 'ann', at: 0 };
  };
  return {
    ...{ clock, told, asked },
    call: async (params = { id: 1 }, scope = {}) =>
      await executor.call(
        { tool: nameOf(tool), params, callKey: 'tool:1' },
        { ...scopeOf(told, clock), ...(answer === undefined ? {} : { ask }), ...scope },
      ),
  };
}

function nameOf({ description }: RunnableTool): string {
  return description.name;
}

/** Creates a scope that records its events. */
export function scopeOf(told: RunEvent[], clock: Clock): ToolScope {
  const { hub, subscribe } = createHub({ runId: asRunId('r'), sessionId: asSessionId('s'), clock });
  subscribe((events) => told.push(...events.map(({ event }) => event)));
  return { hub, signal: new AbortController().signal, clock, runId: asRunId('r'), depth: 0, isDry: false };
}
