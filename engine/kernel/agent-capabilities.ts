/**
 * What agents need of the world beside the model: their scripts run somewhere, and agents call agents.
 */
import type { RunId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { Hub } from './hub.ts';
import type { ModelAttachment } from './model-attachment.ts';
import type { ModelUsage } from './run-event.ts';

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
  /** No effect is allowed: nothing is written, sent or started. */
  readonly isDry: boolean;
}

export interface ScriptRequest {
  /** Lua, each line where it stands in the file. */
  readonly code: string;
  /** Variables beside the usual ones (`CTX` among them). `null` at the top level becomes nil. */
  readonly globals: JsonMap;
  /** Milliseconds; null = none but the engine's own. */
  readonly timeoutMs: number | null;
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
}

export interface AgentCaller {
  /** Where the caller tells; the child's events go out below it, and its run is the child's parent. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** How many agents stand above the one that is called. */
  readonly depth: number;
  /** No effect is allowed. */
  readonly isDry: boolean;
  /** The engine runs it again as often as it asks for that; else that is only told. */
  readonly followsRedo: boolean;
  /** Asked when the agent was found, before it is read; throws when the caller may not read it. Absent = it may. */
  readonly admit?: (place: AgentPlace) => Promise<void>;
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
   * @throws EngineError `agent.not-found` | `agent.invalid` | `agent.too-deep`, what `admit` throws, what made the run
   *   fail, or the signal's reason when it aborts
   */
  run(call: AgentCall, caller: AgentCaller): Promise<AgentAnswer>;
}
