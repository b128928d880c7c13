/**
 * Tools: small units of work with a name, a schema and their own rules. Flows, models and agents all call them in the
 * same way.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { ToolErrorCategory } from '../events/tool-event.ts';
import type { Hub } from '../hub/hub.ts';
import type { RunSecrets } from '../hub/run-secrets.ts';
import type { AnswerSource, AskCapability } from '../requests/ask.ts';
import type { ResumePoint } from '../resume/resume-point.ts';
import type { ToolRounds } from '../resume/tool-rounds.ts';
import type { FlowsCapability } from './flows-capability.ts';

/** What implements a tool. */
export const toolKinds = ['core', 'http', 'command', 'lua', 'js', 'mcp', 'agent', 'flow'] as const;

export type ToolKind = (typeof toolKinds)[number];

/** If all three are set, private data may leak, so a person must approve each call. */
export interface ToolTags {
  readonly accessesPrivateData: boolean;
  readonly receivesUntrustedInput: boolean;
  readonly communicatesExternally: boolean;
}

/** The facts known about a tool without calling it. All fields are JSON. */
export interface ToolDescription {
  /** Full name, for example `core.file_read`, `my_tool`, `pack.my_tool` or `server.tool`. */
  readonly name: string;
  /** Title for display; defaults to the name. */
  readonly title?: string;
  /** Description for people and models. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonMap;
  readonly outputSchema?: JsonMap;
  /** The effect of calling the tool twice. */
  readonly effects: 'idempotent' | 'external';
  readonly risk: 'low' | 'medium' | 'high';
  /** Whether a person must approve each call. */
  readonly requiresApproval: boolean;
  readonly tags: ToolTags;
  readonly kind: ToolKind;
  /** Path of the tool's manifest, `core`, or the name of its MCP server. */
  readonly source: string;
  /** For the kinds `agent` and `flow`: what the tool runs, and the absolute path of its manifest's folder. */
  readonly runs?: { readonly name: string; readonly folder: string };
  /** The pack that contains the tool, as `namespace@name`; absent if it is not part of a pack. */
  readonly pack?: string;
  /** The product that owns the tool. Other products cannot call the tool unless it is `shared`. */
  readonly product?: string;
  readonly shared?: true;
}

/** The outcome of a tool call. All fields are JSON. */
export type ToolResult =
  | { readonly status: 'success'; readonly result: JsonValue; readonly metadata?: JsonMap }
  | {
      readonly status: 'error';
      readonly error_category: ToolErrorCategory;
      /** What is wrong and how to fix it, for people and models. */
      readonly message: string;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
      /**
       * In addition to `tool_id` and `attempt`: a failure's `code`, and `params` and `comment` if a person edited the
       * call.
       */
      readonly metadata: { readonly tool_id: string; readonly attempt: number } & JsonMap;
    };

/** A tool call to make. */
export interface ToolCall {
  readonly tool: string;
  readonly params: JsonMap;
  /** Identifies the call in its attempt or input. If absent, the runner derives the key from the request. */
  readonly callKey?: string;
  /** If false, calls that need approval are refused. */
  readonly mayAsk?: boolean;
  /**
   * The call comes from a step. A name without a dot refers to a tool of the step's own product first, then to a
   * built-in tool.
   */
  readonly ofStep?: true;
}

/** The context in which a tool acts. */
export interface ToolScope {
  /** Hub on which the call is emitted; the tool's child runs are emitted below it. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly runId: RunId;
  /** Number of agents above the caller. */
  readonly depth: number;
  /** No effects are allowed. */
  readonly isDry: boolean;
  /** Sends a question to a person; if absent, calls that need approval are refused. */
  readonly ask?: AskCapability;
  /** Secrets whose placeholders may occur in parameters. */
  readonly secrets?: RunSecrets;
  /** Flows that tools may run; absent if there are none. */
  readonly flows?: FlowsCapability;
  /** Number of this call's attempts that an earlier process started, that act outside the run and have no result. */
  readonly cutAttempts?: number;
  /**
   * Runs of flows and agents that this call started before it was interrupted or suspended. The last one is resumed.
   */
  readonly former?: readonly ResumePoint[];
  /** Answers to requests from runs that the tool starts; if absent, these runs cannot make requests. */
  readonly answers?: AnswerSource;
  /** Intermediate results of this call; absent if they cannot be stored. */
  readonly rounds?: ToolRounds;
  /** Full name of the node through which a person approved this call earlier; absent if it has no approval. */
  readonly approvedBy?: string;
}

/**
 * Calls tools. Nodes receive an instance bound to their run: hub, secrets, flows and questions come from the run,
 * regardless of the node's arguments.
 */
export interface ToolsCapability {
  /**
   * Returns tool descriptions.
   * @param names each may end in `.*` for all tools of a server, a pack or `core`
   * @throws EngineError `tool.unknown` with the nearest name
   */
  describe(names: readonly string[]): Promise<readonly ToolDescription[]>;
  /**
   * Calls a tool. Problems with the call or the tool are returned as a result with status `error`, never thrown.
   * @throws the signal's reason if it aborts; any error from `ask`; `Suspension` if anything the tool runs waits for a
   * person
   */
  call(call: ToolCall, scope: ToolScope): Promise<ToolResult>;
}

/** Error codes that callers use to distinguish failures. */
export const unknownToolCode = 'tool.unknown';

/** Converts a failed result to an error with its code; `details` contains the category and attempt. */
export function toolError(result: Extract<ToolResult, { readonly status: 'error' }>): EngineError {
  const { code, ...metadata } = result.metadata as JsonMap;
  return new EngineError({
    code: typeof code === 'string' ? code : `tool.${result.error_category.replace('_', '-')}`,
    message: result.message,
    recoverable: result.retryable,
    details: { category: result.error_category, ...metadata },
  });
}

/** Returns a tool name in the form that models use, without dots. `toolOfWire` reverses this. */
export function wireName(tool: string): string {
  return tool.replaceAll('.', '__');
}

/** Converts a name from a model back to the form that people write. */
export function toolOfWire(name: string): string {
  return name.replaceAll('__', '.');
}

/**
 * Returns the full names that a tool name in a step may refer to. A bare name can refer to a tool of the step's
 * product, a built-in tool, or a workspace tool, in this order.
 */
export function wholeToolNames(name: string, product: string | undefined): readonly string[] {
  if (name.includes('.')) return [name];
  return [...(product === undefined ? [] : [`${product}.${name}`]), `core.${name}`, name];
}

const nameForm = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/**
 * Returns why text cannot be a tool name; undefined if it can. A name with `__`, or with `_` before a dot, would come
 * back from a model as a different name.
 */
export function toolNameProblem(name: string): string | undefined {
  if (!nameForm.test(name))
    return `"${name}" is not a valid tool name: use letters, digits, _ and -, with dots between parts.`;
  if (toolOfWire(wireName(name)) === name) return undefined;
  return `"${name}" contains __, or _ before a dot. Models see __ in place of a dot. Choose another name.`;
}
