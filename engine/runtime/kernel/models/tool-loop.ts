/**
 * Runs a model with tools: sends the request, makes the tool calls it returns and sends back the results, until a
 * response has no tool calls.
 */
import { cutText } from '../../../base/cut-text.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import {
  type ToolDescription,
  type ToolResult,
  type ToolScope,
  toolOfWire,
  wireName,
} from '../capabilities/tool-capability.ts';
import type { AgentToolEvent } from '../events/tool-event.ts';
import { canonicalText } from '../requests/ask.ts';
import { endingOf } from './answer-notices.ts';
import { askModel, type ModelCaller, reportingModelOf } from './ask-model.ts';
import type { ModelReply, ModelRequest, SpokenMessage } from './model-capability.ts';
import type { ModelTool, ModelToolCall, ModelToolResult } from './model-tools.ts';
import { joinedAnswers, type ModelAnswer } from './reporting-model.ts';

/** Default maximum number of responses to one request. */
export const usualSteps = 8;

/** Most providers' limit on the number of tools in a request. */
const mostTools = 128;
/** Maximum length of a tool name that providers accept. */
const longestName = 64;
/** Maximum number of calls made per response; further calls are not made. */
const mostCallsAtOnce = 64;
/** Maximum number of characters of a tool result that the model receives; the log contains the full result. */
const mostCharacters = 100_000;

/** The tools available to a model. */
export interface AvailableTools {
  /** Tool names; each may end in `.*`. */
  readonly names: readonly string[];
  /** Maximum number of responses. */
  readonly maxSteps: number;
  /** The context in which the tools are called. */
  readonly scope: ToolScope;
  /** Rejects tools that the caller may not offer to a model. @throws EngineError */
  readonly admit?: (tool: ToolDescription) => void;
}

interface ToolCaller extends ModelCaller {
  readonly can: Pick<Capabilities, 'model' | 'hash' | 'tools'>;
}

/** An exchange with a model that has tools. The response limit applies across all requests. */
export class ToolLoop {
  readonly #caller: ToolCaller;
  readonly #given: AvailableTools;
  /** Tools by the names that models use. */
  readonly #tools: ReadonlyMap<string, ToolDescription>;
  #steps = 0;

  private constructor(given: AvailableTools, caller: ToolCaller, tools: ReadonlyMap<string, ToolDescription>) {
    this.#given = given;
    this.#caller = caller;
    this.#tools = tools;
  }

  /** @throws EngineError `tool.unknown` | `tool.bad-name` | `model.too-many-tools`, or errors from `admit` */
  static async open(given: AvailableTools, caller: ToolCaller): Promise<ToolLoop> {
    const tools = await caller.can.tools.describe(given.names);
    for (const tool of tools) given.admit?.(tool);
    return new ToolLoop(given, caller, toolsByWireName(tools));
  }

  /**
   * Sends the request until a response has no tool calls. Usage and duration are the totals of all responses.
   * @throws EngineError `model.too-many-steps`; `model.output-invalid` if the length limit truncated a call; errors
   * from `askModel` and from tool calls, except problems with a call or tool, which are returned to the model
   */
  async ask(request: ModelRequest): Promise<ModelAnswer> {
    let asked: ModelRequest = { ...request, tools: [...this.#tools.values()].map(toModelTool) };
    let answer = await askModel(asked, this.#caller);
    for (;;) {
      this.#steps++;
      const { toolCalls = [] } = answer.reply;
      if (toolCalls.length === 0) return answer;
      if (isCutCall(answer.reply)) throw cutCall(answer, asked);
      if (this.#steps >= this.#given.maxSteps) throw tooManySteps(this.#given.maxSteps, toolCalls);
      const results = await this.#callAll(toolCalls, answer.callKey ?? `step:${this.#steps}`);
      asked = { ...asked, messages: [...asked.messages, spokenBy(answer), ...results] };
      answer = joinedAnswers(answer, await askModel(asked, this.#caller));
    }
  }

  /** Runs the calls in parallel if all are idempotent, otherwise one at a time. */
  async #callAll(calls: readonly ModelToolCall[], answerKey: string): Promise<readonly ModelToolResult[]> {
    const work = calls.map((call, index) => () => this.#call(call, index, answerKey));
    const isSafe = calls.every(({ name }) => this.#tools.get(name)?.effects !== 'external');
    if (!isSafe) {
      const results: ModelToolResult[] = [];
      for (const one of work) results.push(await one());
      return results;
    }
    const ends = await Promise.allSettled(work.map((one) => one()));
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  async #call(call: ModelToolCall, index: number, answerKey: string): Promise<ModelToolResult> {
    const { name, input, id } = call;
    const callKey = `${answerKey}/${index}`;
    const tool = this.#tools.get(name);
    const toolName = tool?.name ?? toolOfWire(name);
    this.#tell({ type: 'agent:tool:start', callKey, toolName, input });
    const refusal = index < mostCallsAtOnce ? this.#refusalOf(call, tool) : tooManyCalls;
    const { text, isError } =
      refusal === undefined && tool !== undefined && isJsonMap(input)
        ? await this.#result(tool.name, input, callKey)
        : { text: refusal ?? '', isError: true };
    this.#tell({ type: 'agent:tool:complete', callKey, toolName, result: text, isError });
    return { role: 'tool', toolCallId: id, toolName: name, content: text, ...(isError ? { isError } : {}) };
  }

  async #result(tool: string, params: JsonMap, callKey: string): Promise<ToolResultText> {
    const { can } = this.#caller;
    return toldOf(await can.tools.call({ tool, params, callKey }, this.#given.scope), params);
  }

  /** Describes why a call cannot be passed to a tool, so that the model can correct it. */
  #refusalOf({ name, input }: ModelToolCall, tool: ToolDescription | undefined): string | undefined {
    if (tool === undefined) {
      const known = [...this.#tools.keys()].join(', ');
      return `The tool "${name}" does not exist. You can call these tools: ${known}.`;
    }
    if (isJsonMap(input)) return undefined;
    const found = typeof input === 'string' ? 'not valid JSON' : 'another kind of JSON value';
    return `The arguments of ${name} must be a JSON object that matches its schema, but they are ${found}: ${shortText(input)}. Call it again with a JSON object.`;
  }

  #tell(event: AgentToolEvent): void {
    reportingModelOf(this.#caller).tellOnce(event, this.#caller.hub);
  }
}

const tooManyCalls = `Only the first ${mostCallsAtOnce} calls of a response are made. Make this call in your next response if you still need it.`;

function toModelTool({ name, description, inputSchema }: ToolDescription): ModelTool {
  return { name: wireName(name), description, inputSchema };
}

/** @throws EngineError `tool.bad-name` | `model.too-many-tools` */
function toolsByWireName(tools: readonly ToolDescription[]): ReadonlyMap<string, ToolDescription> {
  if (tools.length > mostTools) {
    const message = `The model would receive ${tools.length.toLocaleString('en')} tools, but most models accept at most ${mostTools}. List only the tools that it needs.`;
    throw new EngineError({ code: 'model.too-many-tools', message });
  }
  const byName = new Map<string, ToolDescription>();
  for (const tool of tools) {
    const name = wireName(tool.name);
    const other = byName.get(name);
    if (other !== undefined && other.name !== tool.name) {
      const message = `The tools "${other.name}" and "${tool.name}" would both be named "${name}" for the model. Give it only one of them.`;
      throw new EngineError({ code: 'tool.bad-name', message });
    }
    if (name.length > longestName) {
      const message = `The name of the tool "${tool.name}" is too long for models: the limit is ${longestName} characters, and a dot counts as two. Give the tool or its server a shorter name.`;
      throw new EngineError({ code: 'tool.bad-name', message });
    }
    byName.set(name, tool);
  }
  return byName;
}

function tooManySteps(maxSteps: number, calls: readonly ModelToolCall[]): EngineError {
  const names = [...new Set(calls.map(({ name }) => toolOfWire(name)))];
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const responses = maxSteps === 1 ? '1 response' : `${maxSteps} responses`;
  return new EngineError({
    code: 'model.too-many-steps',
    message: `The model still requested tool calls after ${responses}, most recently ${shown}${more}; the last request was not carried out. Raise maxSteps, or state in the prompt when to stop.`,
    details: { maxSteps, lastCalls: calls.map(({ name, input }) => ({ tool: toolOfWire(name), input })) },
  });
}

/** Whether the response's length limit truncated a call's arguments. The same limit would truncate them again. */
function isCutCall({ finishReason, toolCalls = [] }: ModelReply): boolean {
  return finishReason === 'length' && !isJsonMap(toolCalls.at(-1)?.input);
}

function cutCall({ reply }: ModelAnswer, request: ModelRequest): EngineError {
  const name = toolOfWire(reply.toolCalls?.at(-1)?.name ?? '');
  return new EngineError({
    code: 'model.output-invalid',
    message: `The model's call of the tool ${name} is incomplete, so it was not made. ${endingOf(reply, request) ?? ''}`,
  });
}

function spokenBy({ reply: { text, toolCalls = [], providerState } }: ModelAnswer): SpokenMessage {
  const state = providerState === undefined ? {} : { providerState };
  return { role: 'assistant', content: text, toolCalls, ...state };
}

interface ToolResultText {
  readonly text: string;
  readonly isError: boolean;
}

/** Returns what a model receives for a result and for a person's decision on the call. */
function toldOf(result: ToolResult, asked: JsonMap): ToolResultText {
  const isError = result.status === 'error';
  const text = isError ? result.message : textOf(result.result);
  const { params, comment } = result.metadata ?? {};
  const isEdited = isJsonMap(params) && canonicalText(params) !== canonicalText(asked);
  const notes = [
    ...(isEdited ? [`A person changed the arguments of this call to ${JSON.stringify(params)}.`] : []),
    ...(typeof comment === 'string' && !text.includes(comment) ? [`A person commented on this call: ${comment}`] : []),
  ];
  return { text: [...notes, cutResult(text)].join('\n'), isError };
}

function isJsonMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(result: JsonValue): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function cutResult(text: string): string {
  if (text.length <= mostCharacters) return text;
  return `${cutText(text, mostCharacters)}\n[To see the rest, request a part of it.]`;
}

function shortText(value: JsonValue): string {
  return cutText(textOf(value), 200);
}
