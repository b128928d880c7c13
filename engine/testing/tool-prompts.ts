/**
 * Prompts with tools, and a model with responses set by a test.
 */
import type { AutonomyLevel } from '../language/flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import type { ToolDescription } from '../runtime/kernel/capabilities/tool-capability.ts';
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';
import type { ModelReply, ModelRequest } from '../runtime/kernel/models/model-capability.ts';
import { testTool } from '../world/tools/test-tools.ts';
import type { RunnableTool } from '../world/tools/tool-source.ts';
import { createAnswerDesk } from './answer-desk.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';
import { levelsAlone } from './step-runs.ts';
import { testRun } from './test-run.ts';

type Run = Parameters<typeof testTool>[0];

/** Returns a tool that accepts any parameters. */
export function tool(name: string, run: Run, more: Partial<ToolDescription> = {}) {
  return testTool(run, { name, inputSchema: { type: 'object' }, ...more });
}

export const external = { effects: 'external' } as const;

export function says(text: string, more: Partial<ModelReply> = {}): ModelReply {
  return { text, finishReason: 'stop', ...more };
}

/** Returns a response with tool calls; `name(input)` uses the names that models see. */
export function calls(...wanted: readonly (readonly [name: string, input?: JsonValue])[]): ModelReply {
  const toolCalls = wanted.map(([name, input = {}], index) => ({ id: `c${index}`, name, input }));
  return says('', { finishReason: 'tool-calls', toolCalls });
}

export interface Trial {
  readonly tools?: readonly RunnableTool[];
  /** Responses by their number. */
  readonly replies: readonly (ModelReply | ((request: ModelRequest) => ModelReply))[];
  readonly config?: JsonMap;
  readonly files?: Readonly<Record<string, string>>;
  /** Autonomy level of the flow; absent for none. */
  readonly autonomy?: AutonomyLevel;
}

/** Creates an environment in which the prompt can run several times, with one model that continues where it stopped. */
export function trialOf({ tools = [], replies, config = {}, files = {}, autonomy }: Trial) {
  let next = 0;
  const world = createFakeCapabilities({
    tools,
    files,
    ...(autonomy === undefined ? {} : { governance: levelsAlone }),
    reply: (request) => {
      const reply = replies[Math.min(next++, replies.length - 1)] ?? says('');
      return typeof reply === 'function' ? reply(request) : reply;
    },
  });
  const node = { id: 'ask', type: 'prompt', input: { prompt: 'Do it' }, config: { tools: ['*'], ...config } };
  const names = tools.map(({ description }) => description.name);
  if (config['tools'] === undefined) node.config.tools = names;
  const text = JSON.stringify({ flow: { name: 'f', policy: { autonomy } }, nodes: [node], edges: [] });
  const desk = createAnswerDesk();
  const run = (events?: readonly EventEnvelope[]) =>
    testRun(text, {
      capabilities: world.capabilities,
      answers: desk,
      ...(events === undefined ? {} : { resume: { events } }),
    });
  return { run, desk, asked: world.asked };
}

export function eventsOf<Type extends RunEvent['type']>(log: readonly EventEnvelope[], type: Type) {
  return log.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));
}

/** Returns the tool results that the model received in its last request. */
export function toolsIn(
  request: ModelRequest | undefined,
): readonly (readonly [name: string, text: string, isError: boolean])[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [[message.toolName, message.content, message.isError === true] as const] : [],
  );
}
