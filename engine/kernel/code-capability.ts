/**
 * Running scripts that stand in flows.
 */
import type { RunId } from '../base/ids.ts';
import type { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { FlowsCapability } from './flows-capability.ts';
import type { Hub } from './hub.ts';

/** A text of a flow that is run. */
export interface FlowScript {
  readonly language: 'javascript' | 'lua';
  readonly code: string;
  /** What the script knows as `input`. */
  readonly input: JsonMap;
  /** Below its node, for instance `config`, `code`: errors name lines of the file. */
  readonly path: readonly string[];
}

/** Whose script it is. */
export interface FlowScriptScope {
  readonly nodeId: string;
  readonly runId: RunId;
  /** Logs go out here; of Lua also pins, labels, called agents, and what the policy decided. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** The file that it stands in; absent where only a graph was handed over. */
  readonly source?: FlowSource | undefined;
  /** What models of agents may call that Lua calls; absent = no flows. */
  readonly flows?: FlowsCapability;
}

/** Why a text is no code of its language, with the line of the text, from 1. */
export interface ScriptProblem {
  readonly line: number;
  readonly message: string;
}

/** Runs scripts that stand in flows: JavaScript, which reaches nothing outside of itself, and Lua, as scripts of agents run. */
export interface CodeCapability {
  /**
   * Gives what the script gives, which is JSON.
   * @throws EngineError `js.error` | `lua.error` (what it threw), `js.syntax` | `lua.syntax`, all with `line` of the file and
   *   `details.codeLine`; `js.memory` | `lua.memory`, `node.bad-output` with the path of the first culprit,
   *   `node.output-too-large`; or the signal's reason when it aborts (within 1 s)
   */
  run(script: FlowScript, scope: FlowScriptScope): Promise<JsonValue>;
}
