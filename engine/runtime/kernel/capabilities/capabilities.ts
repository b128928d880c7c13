/**
 * Capabilities of nodes and, besides the model, of agents: running scripts and calling agents. The kernel only defines
 * the interfaces. Adapters implement them, and a node receives only those that its type declared.
 */
import type { RunId } from '../../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { FindJson, FoundJson } from '../../../language/schema/find-json.ts';
import type { JsonSchema } from '../../../language/schema/json-schema.ts';
import type { ModelUsage } from '../events/run-event.ts';
import type { Hub } from '../hub/hub.ts';
import type { ScriptSecrets } from '../hub/run-secrets.ts';
import type { ModelAttachment, ModelCapability } from '../models/model-capability.ts';
import type { AnswerSource, AskCapability } from '../requests/ask.ts';
import type { PermissionsCapability } from '../requests/permission.ts';
import type { ResumePoint } from '../resume/resume-point.ts';
import type { CodeCapability } from './code-capability.ts';
import type { CommandsCapability } from './command-capability.ts';
import type { Effect, GovernanceCapability } from './effect.ts';
import type { FilesCapability } from './files-capability.ts';
import type { FlowsCapability } from './flows-capability.ts';
import type { PureAgentsCapability } from './pure-agents-capability.ts';
import type { ToolsCapability } from './tool-capability.ts';
import type { WebCapability } from './web-capability.ts';

/**
 * Variant of Handlebars. `flow`: lists and maps are rendered as JSON, an empty map is truthy, and there is a `json`
 * helper. `agent`: as in agent files, with `[a, b]`, `[object]`, falsy empty maps, and `eq ne gt gte lt lte and or not
 * len`.
 */
export type TemplateDialect = 'flow' | 'agent';

/** Renders prompt templates (Handlebars). */
export interface TemplatesCapability {
  /**
   * @param dialect defaults to `flow`
   * @throws EngineError `template.bad-syntax` | `template.failed`
   */
  render(template: string, data: Readonly<Record<string, JsonValue>>, dialect?: TemplateDialect): Promise<string>;
}

/** A mismatch between a response and its schema. */
export interface AnswerProblem {
  /** JSON pointer into the response; empty = the whole response. */
  readonly pointer: string;
  /** Continuation of a sentence that starts with "expected". */
  readonly expected: string;
  /** The value found, as truncated JSON. */
  readonly found: string;
}

/** A text to parse. */
export interface AnswerParseRequest {
  readonly text: string;
  readonly find: FindJson;
  /** Schema of the value; absent = any value is valid. Must be valid according to `schemaProblems`. */
  readonly schema?: JsonSchema | undefined;
}

/** The value; or why the text contains none; or the mismatches of the value. */
export type ParsedAnswer = FoundJson | { readonly problems: readonly AnswerProblem[] };

/**
 * Extracts values from texts. Computes for at most some seconds, however large the text and however hostile the schema.
 */
export interface AnswersCapability {
  /** @throws EngineError `schema.too-slow` | `schema.too-much`, or the signal's reason when it aborts */
  read(reading: AnswerParseRequest, signal: AbortSignal): Promise<ParsedAnswer>;
}

/** SHA-256 in hex; the kernel has no crypto implementation. */
export interface HashCapability {
  sha256(text: string): string;
}

export interface Capabilities {
  readonly model: ModelCapability;
  readonly files: FilesCapability;
  readonly templates: TemplatesCapability;
  readonly web: WebCapability;
  readonly commands: CommandsCapability;
  readonly hash: HashCapability;
  readonly answers: AnswersCapability;
  readonly agents: AgentsCapability;
  readonly pureAgents: PureAgentsCapability;
  readonly code: CodeCapability;
  readonly flows: FlowsCapability;
  readonly tools: ToolsCapability;
  readonly ask: AskCapability;
  /** Finds the permissions that a node lacks; absent if no person can be asked for them. */
  readonly permissions?: PermissionsCapability;
  /** The gate for every effect; absent if a program runs flows without rules. */
  readonly governance?: GovernanceCapability;
}

/**
 * Capabilities that are the same for all runs. Which flows a run may call depends on its file, and each run makes its
 * own requests.
 */
export type SharedCapabilities = Omit<Capabilities, 'flows' | 'ask'>;

/** Capabilities that a node type may declare. */
export type CapabilityName = Exclude<keyof Capabilities, 'governance' | 'permissions'>;

/** The pack that contains an agent. All folders are absolute. */
export interface PackPlace {
  readonly namespace: string;
  readonly name: string;
  readonly folder: string;
  /** The part of the reference after the pack, for example `chat/ask`; empty = the pack's main agent. */
  readonly subPath: string;
  /** Folders where the pack may store data: for this user, and for this workspace. */
  readonly baseSupportFolder: string;
  readonly workspaceSupportFolder: string;
  /** The pack is in the workspace, but is a link to a folder outside. It does not have the rights of a pack. */
  readonly leadsOut?: true;
}

/** The location of an agent. */
export interface AgentLocation {
  /** The requested name: a path or a pack reference. */
  readonly name: string;
  /** Absolute path, with the system's separators. */
  readonly file: string;
  /**
   * Path for people and the history: relative to the workspace with `/` if it is inside, else as in `name` or absolute.
   */
  readonly shownPath: string;
  readonly pack?: PackPlace;
}

/** An effect of a dry run that was omitted, or that only changed its own files. */
export interface DryEffect {
  readonly effect: Effect;
  /** Target for display: a path, a command with its arguments, an address without its secrets, a model. */
  readonly target: string;
}

/**
 * Where a dry run stores its changes: later scripts of the run see them, and they are discarded afterwards. Opened for
 * the top-level run, and passed to the agents that it calls.
 */
export interface DryRun {
  /** Whether model and web requests are answered from a cassette; otherwise they are omitted. */
  readonly hasAnswers: boolean;
  /** Records an omitted effect. */
  leaveOut(effect: DryEffect): void;
  /** Returns the effects that a real run would have had so far, at most `mostDryEffects`. */
  effects(): readonly DryEffect[];
  /** Discards its files. */
  close(): Promise<void>;
}

/** Maximum number of listed effects of a dry run. */
export const mostDryEffects = 500;

/** The context in which a script acts. */
export interface ScriptScope {
  readonly place: AgentLocation;
  readonly runId: RunId;
  /**
   * Hub in the context of the task, or of the run if the script does not belong to a task. Receives pins, labels and
   * logs.
   */
  readonly hub: Hub;
  /** `input:<index>`; absent in Before All and After All. */
  readonly taskId?: string;
  /** Number of calling agents above this one; 0 if it was not called by an agent. */
  readonly depth: number;
  /** Whether nothing may be written, sent or started. */
  readonly isDry: boolean;
  /** Where a dry run stores its files; absent = a dry run may have no effects. */
  readonly dryRun?: DryRun | undefined;
  /** Secrets that the script may request; absent = none. */
  readonly secrets?: ScriptSecrets;
  /** For an agent with a pure contract: the script cannot access anything outside itself. */
  readonly isPure?: true;
  /** Must be passed on with each call of an agent; absent if calls are never resumed by a later process. */
  readonly calls?: ScriptCalls;
  /** Must be passed on with each call of an agent; absent = no flows. */
  readonly flows?: FlowsCapability;
}

/** The runs called by the scripts of one input, or of one stage outside inputs. */
export interface ScriptCalls {
  /** Registers the next call: returns its key, and the run that an earlier process had called at this point. */
  next(call: AgentCall): { readonly callKey: string; readonly former: ResumePoint | undefined };
  /** Makes the stage wait for the end of a call, even if its script does not await it. */
  hold(call: Promise<unknown>): void;
  /** The calling stage of the agent, if it does not belong to an input. */
  readonly loneStage: 'BeforeAll' | 'AfterAll' | undefined;
  /** Answers to requests of the called runs; undefined = they cannot make requests. */
  readonly answers: AnswerSource | undefined;
}

export interface ScriptRequest {
  /** Lua code, with each line at its line number in the file. */
  readonly code: string;
  /** Variables in addition to the standard ones (including `CTX`). `null` at the top level becomes nil. */
  readonly globals: JsonMap;
  /** Time limit in milliseconds; null = only the engine's own limit. */
  readonly timeoutMs: number | null;
  /** CPU time limit in milliseconds; absent = no limit. */
  readonly computeMs?: number;
}

/** Runs Lua. */
export interface ScriptsCapability {
  /**
   * Runs a script in a separate interpreter. Returns its first value; nil is `null`, an empty table `{}`.
   * @throws EngineError `lua.error` (raised by the script; `line` of the file), `lua.syntax`, `lua.timeout`,
   * `lua.memory`, `lua.bad-value` (it returned a function or similar), or the signal's reason when it aborts (within 1
   * s)
   */
  run(request: ScriptRequest, scope: ScriptScope, signal: AbortSignal): Promise<JsonValue>;
  /**
   * Reads a file that a script wants to send to the model; its path follows the rules of scripts.
   * @throws EngineError `files.*` | `effect.denied`
   */
  readAttachment(path: string, scope: ScriptScope, signal: AbortSignal): Promise<ModelAttachment>;
}

/** An agent to run as a child of a run. */
export interface AgentCall {
  /** A pack reference or a path. */
  readonly agent: string;
  /** Null if none were given. */
  readonly inputs: readonly JsonValue[] | null;
  /** Options by the names in `AgentOptions`. */
  readonly options?: JsonMap;
  /** Absolute base folder of a relative path; the workspace if absent. */
  readonly baseFolder?: string;
  /** Rejects an agent with another contract. */
  readonly mustBePure?: true;
}

export interface AgentCaller {
  /** Hub of the caller. The child's events are emitted below it, and its run is the child's parent. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Number of calling agents above the called one. */
  readonly depth: number;
  /** Whether nothing may be written, sent or started. */
  readonly isDry: boolean;
  /** Dry run of the calling script. */
  readonly dryRun?: DryRun | undefined;
  /** Whether the engine performs requested redos; otherwise they are only reported. */
  readonly followsRedo: boolean;
  /** The runs that an earlier process had called at this point, in order. The last one is resumed. */
  readonly former?: readonly ResumePoint[];
  /** For a script: identifies the call. */
  readonly calls?: ScriptCalls;
  /** For a tool: identifies the call of its caller. */
  readonly callKey?: string;
  /**
   * For a node: answers to requests of the called run; absent = it cannot make requests, unless `calls` has answers.
   */
  readonly answers?: AnswerSource;
  /** Flows that tools of its models may run; absent = none. */
  readonly flows?: FlowsCapability;
  /**
   * Called when the agent was found, before it is read. Throws if the caller may not read it. Absent = the rules for
   * nodes.
   * @returns the real path that may be read
   */
  readonly admit?: (place: AgentLocation) => Promise<string>;
}

/** The result of an agent's run that did not fail. */
export interface AgentAnswer {
  readonly outputs: readonly JsonValue[] | null;
  readonly afterAll: JsonValue;
  readonly redoRequested: boolean;
  /** Why Before All skipped the run; may be empty. */
  readonly skipReason?: string;
  /** Usage of all its runs, including redos and child runs; replayed responses are excluded. */
  readonly usage?: ModelUsage;
  /** Cost in US dollars, as far as prices are known. */
  readonly costUsd?: number;
}

/** Runs agents as children of runs. */
export interface AgentsCapability {
  /**
   * @throws EngineError `agent.not-found` | `agent.invalid` | `agent.not-pure` | `agent.too-deep`, errors of `admit`,
   * the failure of the run, or the signal's reason when it aborts; `Suspension` if something in the run waits for a
   * person
   */
  run(call: AgentCall, caller: AgentCaller): Promise<AgentAnswer>;
}
