/**
 * Tools: small pieces of work with a name, a schema and rules of their own, which flows, models and agents call in one and the same way.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AnswerSource, AskCapability } from './ask.ts';
import type { FlowsCapability } from './flows-capability.ts';
import type { Hub } from './hub.ts';
import type { ResumePoint } from './resume-point.ts';
import type { RunSecrets } from './run-secrets.ts';
import type { ToolErrorCategory } from './tool-event.ts';

/** What does the work of a tool. */
export const toolKinds = ['core', 'http', 'command', 'lua', 'js', 'mcp', 'agent', 'flow'] as const;

export type ToolKind = (typeof toolKinds)[number];

/** All three together mean that private data may leave: a person is asked before each call. */
export interface ToolTags {
  readonly accessesPrivateData: boolean;
  readonly receivesUntrustedInput: boolean;
  readonly communicatesExternally: boolean;
}

/** What is known of a tool without calling it. All of it is JSON. */
export interface ToolDescription {
  /** `core.file_read`, `my_tool`, `pack.my_tool`, `server.tool`. */
  readonly name: string;
  /** For people; absent = the name. */
  readonly title?: string;
  /** For people and models. */
  readonly description: string;
  /** JSON Schema of a map. */
  readonly inputSchema: JsonMap;
  readonly outputSchema?: JsonMap;
  /** What calling it twice would do to the world. */
  readonly effects: 'idempotent' | 'external';
  readonly risk: 'low' | 'medium' | 'high';
  /** A person is asked before each call. */
  readonly requiresApproval: boolean;
  readonly tags: ToolTags;
  readonly kind: ToolKind;
  /** Path of its manifest, `core`, or the name of its MCP server. */
  readonly source: string;
  /** Of the kinds `agent` and `flow`: what it runs, and the folder of its manifest, absolute. */
  readonly runs?: { readonly name: string; readonly folder: string };
  /** The pack that it came with, as `namespace@name`; absent = it came with none. */
  readonly pack?: string;
  /** The product that it is of: no other may call it, unless it is `shared`. */
  readonly product?: string;
  readonly shared?: true;
}

/** How a call of a tool has ended. All of it is JSON. */
export type ToolResult =
  | { readonly status: 'success'; readonly result: JsonValue; readonly metadata?: JsonMap }
  | {
      readonly status: 'error';
      readonly error_category: ToolErrorCategory;
      /** For people and models: what is wrong and how to mend it. */
      readonly message: string;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
      /** Beside `tool_id` and `attempt`: `code` of the failure, and where a person has edited the call, `params` and `comment`. */
      readonly metadata: { readonly tool_id: string; readonly attempt: number } & JsonMap;
    };

/** A call that is to be made. */
export interface ToolCall {
  readonly tool: string;
  readonly params: JsonMap;
  /** Names the call in its attempt or input; absent = whoever runs the node names it by what it asks for. */
  readonly callKey?: string;
  /** False: what needs an approval is refused. */
  readonly mayAsk?: boolean;
  /** A step names it: a name without a dot means a tool of the step's own product first, then one of the program. */
  readonly ofStep?: true;
}

/** In whose name a tool acts. */
export interface ToolScope {
  /** Where the call is told; runs that the tool calls go out below it. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly runId: RunId;
  /** How many agents stand above the caller. */
  readonly depth: number;
  /** No effect is allowed. */
  readonly isDry: boolean;
  /** Asks a person; absent = nobody can be asked, and what needs an approval is refused. */
  readonly ask?: AskCapability;
  /** Whose placeholders may stand in parameters. */
  readonly secrets?: RunSecrets;
  /** Flows that tools may run; absent = none. */
  readonly flows?: FlowsCapability;
  /** How many attempts of this very call an earlier process has begun that act outside and have no result. */
  readonly cutAttempts?: number;
  /** Runs of flows and agents that this very call had begun before it was cut, or rested: the last of them is taken up. */
  readonly former?: readonly ResumePoint[];
  /** Answers to what runs ask that the tool begins; absent = they can ask nobody. */
  readonly answers?: AnswerSource;
  /** Full name of the node with which a person has agreed to this very call before; absent = nobody has. */
  readonly approvedBy?: string;
}

/** Calls tools. Nodes get it bound to their run: hub, secrets, flows and questions are the run's, whatever a node hands over. */
export interface ToolsCapability {
  /**
   * @param names each may end in `.*`: all of a server, a pack or `core`
   * @throws EngineError `tool.unknown` with the nearest name
   */
  describe(names: readonly string[]): Promise<readonly ToolDescription[]>;
  /**
   * Never throws for what is wrong with the call or the tool: that is a result with the status `error`.
   * @throws the signal's reason when it aborts; what `ask` throws; `Suspension` when something that the tool runs waits for a person
   */
  call(call: ToolCall, scope: ToolScope): Promise<ToolResult>;
}

/** The codes of failures by which callers tell them apart. */
export const unknownToolCode = 'tool.unknown';

/** A failed result as an error, for whoever has to fail with it: its code, and category and attempt in `details`. */
export function toolError(result: Extract<ToolResult, { readonly status: 'error' }>): EngineError {
  const { code, ...metadata } = result.metadata as JsonMap;
  return new EngineError({
    code: typeof code === 'string' ? code : `tool.${result.error_category.replace('_', '-')}`,
    message: result.message,
    recoverable: result.retryable,
    details: { category: result.error_category, ...metadata },
  });
}

/** The name as models are given it: they take no dots. `toolOfWire` leads back. */
export function wireName(tool: string): string {
  return tool.replaceAll('.', '__');
}

/** The name as people write it. */
export function toolOfWire(name: string): string {
  return name.replaceAll('__', '.');
}

/** What a step may mean by the name of a tool: of a bare one the tool of its own product, then that of the program, then that of the workspace. */
export function wholeToolNames(name: string, product: string | undefined): readonly string[] {
  if (name.includes('.')) return [name];
  return [...(product === undefined ? [] : [`${product}.${name}`]), `core.${name}`, name];
}

const nameForm = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/**
 * Why a text cannot be the name of a tool; undefined = it can. One that has `__`, or `_` before a dot, would come back from a
 * model as another.
 */
export function toolNameProblem(name: string): string | undefined {
  if (!nameForm.test(name))
    return `"${name}" is no name of a tool: write letters, digits, _ and -, with dots between parts.`;
  if (toolOfWire(wireName(name)) === name) return undefined;
  return `"${name}" has two _ together, or one before a dot; models are given __ in place of a dot. Take another name.`;
}
