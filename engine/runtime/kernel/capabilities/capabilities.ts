/**
 * Capabilities of nodes and, in addition to the model, of agents: running scripts and calling agents. The kernel only
 * defines the interfaces. Adapters implement them, and a node receives only those that its type declares.
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
import type { CallersCapability } from './callers-capability.ts';
import type { CodeCapability } from './code-capability.ts';
import type { CommandsCapability } from './command-capability.ts';
import type { Effect, GovernanceCapability } from './effect.ts';
import type { FilesCapability } from './files-capability.ts';
import type { FlowsCapability } from './flows-capability.ts';
import type { PureAgentsCapability } from './pure-agents-capability.ts';
import type { ToolsCapability } from './tool-capability.ts';
import type { WebCapability } from './web-capability.ts';

/**
 * Handlebars variant. `flow`: lists and maps are rendered as JSON, an empty map is truthy, and there is a `json`
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
  /** JSON pointer into the response; empty for the entire response. */
  readonly pointer: string;
  /** Continues a sentence that starts with "expected". */
  readonly expected: string;
  /** The value found, as truncated JSON. */
  readonly found: string;
}

/** Text to parse. */
export interface AnswerParseRequest {
  readonly text: string;
  readonly find: FindJson;
  /** Schema of the value; absent if any value is valid. Must be valid according to `schemaProblems`. */
  readonly schema?: JsonSchema | undefined;
}

/** The value, the reason why the text contains none, or the value's mismatches. */
export type ParsedAnswer = FoundJson | { readonly problems: readonly AnswerProblem[] };

/**
 * Extracts values from text. Computing time is limited to a few seconds, however large the text and however hostile the
 * schema.
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
  readonly callers: CallersCapability;
  /** Finds a node's missing permissions; absent if no person can be asked for them. */
  readonly permissions?: PermissionsCapability;
  /** The gate for every effect; absent if a program runs flows without rules. */
  readonly governance?: GovernanceCapability;
}

/**
 * Capabilities that are the same for all runs. The flows that a run may call depend on its file, and each run makes its
 * own requests.
 */
export type SharedCapabilities = Omit<Capabilities, 'flows' | 'ask'>;

/** Capabilities that a node type may declare. */
export type CapabilityName = Exclude<keyof Capabilities, 'governance' | 'permissions'>;

/** The pack that contains an agent. All folders are absolute paths. */
export interface PackPlace {
  readonly namespace: string;
  readonly name: string;
  readonly folder: string;
  /** The part of the reference after the pack, for example `chat/ask`; empty for the pack's main agent. */
  readonly subPath: string;
  /** Folders where the pack may store user data and workspace data. */
  readonly baseSupportFolder: string;
  readonly workspaceSupportFolder: string;
  /**
   * The pack is in the workspace but is a symbolic link to a folder outside it. It does not have a pack's permissions.
   */
  readonly leadsOut?: true;
}

/** An agent's location. */
export interface AgentLocation {
  /** The requested name: a path or a pack reference. */
  readonly name: string;
  /** Absolute path with the system's separators. */
  readonly file: string;
  /**
   * Path for display and the history: relative to the workspace with `/` if inside it, otherwise absolute or as in
   * `name`.
   */
  readonly shownPath: string;
  readonly pack?: PackPlace;
}

/** An effect that a dry run omitted, or that changed only the dry run's own files. */
export interface DryEffect {
  readonly effect: Effect;
  /** Target for display: a path, a command with its arguments, an address without its secrets, or a model. */
  readonly target: string;
}

/**
 * Stores a dry run's changes: later scripts in the run see them, and they are discarded afterward. Opened for the
 * top-level run and passed to the agents that it calls.
 */
export interface DryRun {
  /** Whether model and web requests are answered from a cassette; otherwise, they are omitted. */
  readonly hasAnswers: boolean;
  /** Records an omitted effect. */
  leaveOut(effect: DryEffect): void;
  /** Returns the effects that a real run would have had so far, up to `mostDryEffects`. */
  effects(): readonly DryEffect[];
  /** Discards the dry run's files. */
  close(): Promise<void>;
}

/** Maximum number of effects listed for a dry run. */
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
  /** Number of calling agents above this one; 0 if no agent called it. */
  readonly depth: number;
  /** Whether nothing may be written, sent or started. */
  readonly isDry: boolean;
  /** Where a dry run stores its files; if absent, a dry run may have no effects. */
  readonly dryRun?: DryRun | undefined;
  /** Secrets that the script may request; absent for none. */
  readonly secrets?: ScriptSecrets;
  /** For a pure agent: the script cannot access anything outside itself. */
  readonly isPure?: true;
  /** Must be passed on with each agent call; absent if no later process resumes calls. */
  readonly calls?: ScriptCalls;
  /** Must be passed on with each agent call; absent for no flows. */
  readonly flows?: FlowsCapability;
}

/** The runs started by the scripts of one input, or of one stage outside inputs. */
export interface ScriptCalls {
  /** Registers the next call: returns its key and the run that an earlier process had started at this point. */
  next(call: AgentCall): { readonly callKey: string; readonly former: ResumePoint | undefined };
  /** Makes the stage wait for the end of a call even if its script does not await it. */
  hold(call: Promise<unknown>): void;
  /** The agent's calling stage, if it does not belong to an input. */
  readonly loneStage: 'BeforeAll' | 'AfterAll' | undefined;
  /** Answers to child run requests; undefined if child runs cannot make requests. */
  readonly answers: AnswerSource | undefined;
}

export interface ScriptRequest {
  /** Lua code, with each line at its line number in the file. */
  readonly code: string;
  /** Variables in addition to the standard ones (which include `CTX`). `null` at the top level becomes nil. */
  readonly globals: JsonMap;
  /** Time limit in milliseconds; null to apply only the engine's own limit. */
  readonly timeoutMs: number | null;
  /** CPU time limit in milliseconds; absent for no limit. */
  readonly computeMs?: number;
}

/** Runs Lua. */
export interface ScriptsCapability {
  /**
   * Runs a script in a separate interpreter. Returns its first value; nil is `null`, an empty table `{}`.
   * @throws EngineError `lua.error` (raised by the script; has the file's `line`), `lua.syntax`, `lua.timeout`,
   * `lua.memory`, `lua.bad-value` (it returned a function or similar), or the signal's reason when it aborts (within 1
   * s)
   */
  run(request: ScriptRequest, scope: ScriptScope, signal: AbortSignal): Promise<JsonValue>;
  /**
   * Reads a file that a script wants to send to the model; its path follows the script rules.
   * @throws EngineError `files.*` | `effect.denied`
   */
  readAttachment(path: string, scope: ScriptScope, signal: AbortSignal): Promise<ModelAttachment>;
}

/** An agent to run as a child of a run. */
export interface AgentCall {
  /** A pack reference or a path. */
  readonly agent: string;
  /** Null if no inputs were given. */
  readonly inputs: readonly JsonValue[] | null;
  /** Options by the names in `AgentOptions`. */
  readonly options?: JsonMap;
  /** Absolute base folder for relative paths; the workspace if absent. */
  readonly baseFolder?: string;
  /** Rejects an agent with a different contract. */
  readonly mustBePure?: true;
}

export interface AgentCaller {
  /** The caller's hub. The child's events are emitted below it, and its run is the child's parent. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Number of calling agents above the called agent. */
  readonly depth: number;
  /** Whether nothing may be written, sent or started. */
  readonly isDry: boolean;
  /** The calling script's dry run. */
  readonly dryRun?: DryRun | undefined;
  /** Whether the engine performs requested redos; otherwise, they are only reported. */
  readonly followsRedo: boolean;
  /** The runs that an earlier process had started at this point, in order. The last one is resumed. */
  readonly former?: readonly ResumePoint[];
  /** For a script: identifies the call. */
  readonly calls?: ScriptCalls;
  /** For a tool: identifies the caller's tool call. */
  readonly callKey?: string;
  /**
   * For a node: answers to the child run's requests. If absent, the child run cannot make requests unless `calls` has
   * answers.
   */
  readonly answers?: AnswerSource;
  /** Flows that its models' tools may run; absent for none. */
  readonly flows?: FlowsCapability;
  /**
   * Called after the agent is found and before it is read. Throws if the caller may not read it. If absent, the rules
   * for nodes apply.
   * @returns the real path that may be read
   */
  readonly admit?: (place: AgentLocation) => Promise<string>;
}

/** The result of an agent run that did not fail. */
export interface AgentAnswer {
  readonly outputs: readonly JsonValue[] | null;
  readonly afterAll: JsonValue;
  readonly redoRequested: boolean;
  /** Why Before All skipped the run; may be empty. */
  readonly skipReason?: string;
  /** Usage across all its runs, including redos and child runs; excludes replayed responses. */
  readonly usage?: ModelUsage;
  /** Cost in US dollars, insofar as prices are known. */
  readonly costUsd?: number;
}

/** Runs agents as children of runs. */
export interface AgentsCapability {
  /**
   * @throws EngineError `agent.not-found` | `agent.invalid` | `agent.not-pure` | `agent.too-deep`, errors from `admit`,
   * the run's failure, or the signal's reason when it aborts; `Suspension` if something in the run waits for a person
   */
  run(call: AgentCall, caller: AgentCaller): Promise<AgentAnswer>;
}
