/**
 * What the world offers to nodes, and beside the model to agents: their scripts run somewhere, and agents call agents. The
 * kernel only names the abilities; adapters above implement them, and a node gets no more than its type declared.
 */
import type { RunId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { FindJson, FoundJson } from '../schema/find-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { AnswerSource, AskCapability } from './ask.ts';
import type { CodeCapability } from './code-capability.ts';
import type { CommandsCapability } from './command-capability.ts';
import type { Effect, GovernanceCapability } from './effect.ts';
import type { FilesCapability } from './files-capability.ts';
import type { FlowsCapability } from './flows-capability.ts';
import type { Hub } from './hub.ts';
import type { ModelAttachment, ModelCapability } from './model-capability.ts';
import type { PermissionsCapability } from './permission.ts';
import type { PureAgentsCapability } from './pure-agents-capability.ts';
import type { ResumePoint } from './resume-point.ts';
import type { ModelUsage } from './run-event.ts';
import type { ScriptSecrets } from './run-secrets.ts';
import type { ToolsCapability } from './tool-capability.ts';
import type { WebCapability } from './web-capability.ts';

/**
 * Which Handlebars is meant. `flow`: lists and maps become JSON, an empty map holds, there is a `json` helper. `agent`:
 * as agent files have it, with `[a, b]`, `[object]`, empty maps that do not hold, and `eq ne gt gte lt lte and or not len`.
 */
export type TemplateDialect = 'flow' | 'agent';

/** Renders prompt templates (Handlebars). */
export interface TemplatesCapability {
  /**
   * @param dialect `flow` when absent
   * @throws EngineError `template.bad-syntax` | `template.failed`
   */
  render(template: string, data: Readonly<Record<string, JsonValue>>, dialect?: TemplateDialect): Promise<string>;
}

/** A place where an answer does not fit its schema. */
export interface AnswerProblem {
  /** JSON pointer into the answer; empty = all of it. */
  readonly pointer: string;
  /** Completes the sentence that begins with "expected". */
  readonly expected: string;
  /** What stands there, as JSON, cut. */
  readonly found: string;
}

/** What is to be read. */
export interface AnswerReading {
  readonly text: string;
  readonly find: FindJson;
  /** What the value is to fit; absent = any value will do. `schemaProblems` has nothing against it. */
  readonly schema?: JsonSchema | undefined;
}

/** The value; or why the text holds none; or where the value does not fit. */
export type ReadAnswer = FoundJson | { readonly problems: readonly AnswerProblem[] };

/** Reads values out of texts. However large a text and however hostile a schema, it computes for some seconds at most. */
export interface AnswersCapability {
  /** @throws EngineError `schema.too-slow` | `schema.too-much`, or the signal's reason when it aborts */
  read(reading: AnswerReading, signal: AbortSignal): Promise<ReadAnswer>;
}

/** SHA-256 in hex; the kernel has no crypto of its own. */
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
  /** Finds the permissions that a node lacks; absent where no person can be asked for them. */
  readonly permissions?: PermissionsCapability;
  /** What every effect passes; absent where a program that runs flows by itself has set no rules. */
  readonly governance?: GovernanceCapability;
}

/** What is the same for all runs: which flows a run may call depends on the file that it is a run of, and it asks by itself. */
export type SharedCapabilities = Omit<Capabilities, 'flows' | 'ask'>;

/** Those that a node type may declare. */
export type CapabilityName = Exclude<keyof Capabilities, 'governance' | 'permissions'>;

/** The pack that an agent belongs to. All folders are absolute. */
export interface PackPlace {
  readonly namespace: string;
  readonly name: string;
  readonly folder: string;
  /** Of the reference, without the pack itself, for example `chat/ask`; empty = the pack's main agent. */
  readonly subPath: string;
  /** Where the pack may keep data: for this person, and for this workspace. */
  readonly baseSupportFolder: string;
  readonly workspaceSupportFolder: string;
  /** It is a pack of the workspace, but a link leads from there to a folder that is not: it has no rights of a pack. */
  readonly leadsOut?: true;
}

/** Where an agent was found. */
export interface AgentPlace {
  /** As it was asked for: a path or a pack reference. */
  readonly name: string;
  /** Absolute, with the system's separators. */
  readonly file: string;
  /** For people and the history: relative to the workspace with `/` where it lies in it, else as `name` or absolute. */
  readonly shownPath: string;
  readonly pack?: PackPlace;
}

/** An effect of a dry run that was left out, or that only its own files have seen. */
export interface DryEffect {
  readonly effect: Effect;
  /** As people know it: a path, a command with its arguments, an address without its secrets, a model. */
  readonly target: string;
}

/**
 * Where a dry run keeps what it changes: later scripts of the run see it, and nothing of it lasts. Opened for the run at the top, and
 * handed on to the agents that it calls.
 */
export interface DryRun {
  /** Requests to models and over the web are answered from a cassette; else they are left out. */
  readonly hasAnswers: boolean;
  /** Notes an effect that is left out. */
  leaveOut(effect: DryEffect): void;
  /** What a real run would have done so far, at most `mostDryEffects`. */
  effects(): readonly DryEffect[];
  /** Throws its files away. */
  close(): Promise<void>;
}

/** More effects of a dry run are not listed. */
export const mostDryEffects = 500;

/** In whose name a script acts. */
export interface ScriptScope {
  readonly place: AgentPlace;
  readonly runId: RunId;
  /** In the context of the task, or of the run where the script belongs to no task. Pins, labels and logs go out here. */
  readonly hub: Hub;
  /** `input:<index>`; absent in Before All and After All. */
  readonly taskId?: string;
  /** How many agents stand above this one; 0 = it was not called by another. */
  readonly depth: number;
  /** Nothing is written, sent or started. */
  readonly isDry: boolean;
  /** Where a dry run keeps its files; absent = no effect is allowed in one. */
  readonly dryRun?: DryRun | undefined;
  /** What the script may ask for; absent = nothing. */
  readonly secrets?: ScriptSecrets;
  /** Of an agent of the contract pure: there is nothing that reaches out of the script. */
  readonly isPure?: true;
  /** To be handed on with each call of an agent; absent where a later process never goes on with what is called. */
  readonly calls?: ScriptCalls;
  /** To be handed on with each call of an agent; absent = no flows. */
  readonly flows?: FlowsCapability;
}

/** The runs that the scripts of one input, or of one stage outside of inputs, call. */
export interface ScriptCalls {
  /** Takes the next call: the key that names it, and the run that an earlier process had called in its place. */
  next(call: AgentCall): { readonly callKey: string; readonly former: ResumePoint | undefined };
  /** Has the stage wait for the end of what was called, also when its script does not any more. */
  hold(call: Promise<unknown>): void;
  /** The part of the agent whose calls they are, where it belongs to no input. */
  readonly loneStage: 'BeforeAll' | 'AfterAll' | undefined;
  /** Answers to what the called runs ask; undefined = they cannot ask. */
  readonly answers: AnswerSource | undefined;
}

export interface ScriptRequest {
  /** Lua, each line where it stands in the file. */
  readonly code: string;
  /** Variables beside the usual ones (`CTX` among them). `null` at the top level becomes nil. */
  readonly globals: JsonMap;
  /** Milliseconds; null = none but the engine's own. */
  readonly timeoutMs: number | null;
  /** Milliseconds that it may compute; absent = no limit. */
  readonly computeMs?: number;
}

/** Runs Lua. */
export interface ScriptsCapability {
  /**
   * Runs a script in a machine of its own. Gives its first value; nil is `null`, an empty table `{}`.
   * @throws EngineError `lua.error` (what the script raised; `line` of the file), `lua.syntax`, `lua.timeout`, `lua.memory`,
   *   `lua.bad-value` (a function or the like was returned), or the signal's reason when it aborts (within 1 s)
   */
  run(request: ScriptRequest, scope: ScriptScope, signal: AbortSignal): Promise<JsonValue>;
  /**
   * Reads a file that a script wants to send to the model; its path as paths in scripts are.
   * @throws EngineError `files.*` | `effect.denied`
   */
  readAttachment(path: string, scope: ScriptScope, signal: AbortSignal): Promise<ModelAttachment>;
}

/** An agent that is to run as a child of a run. */
export interface AgentCall {
  /** A pack reference or a path. */
  readonly agent: string;
  /** Null = none were given. */
  readonly inputs: readonly JsonValue[] | null;
  /** By the names of `AgentOptions`. */
  readonly options?: JsonMap;
  /** Where a relative path starts, absolute; without it the workspace. */
  readonly baseFolder?: string;
  /** An agent of another contract is not run. */
  readonly mustBePure?: true;
}

export interface AgentCaller {
  /** Where the caller tells; the child's events go out below it, and its run is the child's parent. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** How many agents stand above the one that is called. */
  readonly depth: number;
  /** Nothing is written, sent or started. */
  readonly isDry: boolean;
  /** That of the calling script. */
  readonly dryRun?: DryRun | undefined;
  /** The engine runs it again as often as it asks for that; else that is only told. */
  readonly followsRedo: boolean;
  /** The runs that an earlier process had called in this place, in their order: the last one is taken up. */
  readonly former?: readonly ResumePoint[];
  /** Of a script: which of its calls it is. */
  readonly calls?: ScriptCalls;
  /** Of a tool: which of its caller's calls it is. */
  readonly callKey?: string;
  /** Of a node: answers to what the called run asks; absent = it cannot ask, unless `calls` has some. */
  readonly answers?: AnswerSource;
  /** What tools of its models may run; absent = no flows. */
  readonly flows?: FlowsCapability;
  /**
   * Asked when the agent was found, before it is read; throws when the caller may not read it. Absent = the rules for nodes.
   * @returns the real path that may be read
   */
  readonly admit?: (place: AgentPlace) => Promise<string>;
}

/** How an agent's run ended, when it did not fail. */
export interface AgentAnswer {
  readonly outputs: readonly JsonValue[] | null;
  readonly afterAll: JsonValue;
  readonly redoRequested: boolean;
  /** Before All skipped the run; the text may be empty. */
  readonly skipReason?: string;
  /** Of all its runs, when it was run again, and of the runs that they called; what was replayed is not in it. */
  readonly usage?: ModelUsage;
  /** US dollars, as far as prices are known. */
  readonly costUsd?: number;
}

/** Runs agents as children of runs. */
export interface AgentsCapability {
  /**
   * @throws EngineError `agent.not-found` | `agent.invalid` | `agent.not-pure` | `agent.too-deep`, what `admit` throws, what made the run
   *   fail, or the signal's reason when it aborts; `Suspension` when something of the run waits for a person
   */
  run(call: AgentCall, caller: AgentCaller): Promise<AgentAnswer>;
}
