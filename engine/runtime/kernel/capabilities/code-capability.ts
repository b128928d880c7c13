/**
 * Runs scripts of flows.
 */
import type { RunId } from '../../../base/ids.ts';
import type { FlowSource } from '../../../language/flow/flow-source.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { Hub } from '../hub/hub.ts';
import type { FlowsCapability } from './flows-capability.ts';

/** A script in a flow. */
export interface FlowScript {
  readonly language: 'javascript' | 'lua';
  readonly code: string;
  /** Value of the script's `input`. */
  readonly input: JsonMap;
  /** Path relative to its node, for instance `config`, `code`. Used to report lines of the file. */
  readonly path: readonly string[];
}

/** The context of a script. */
export interface FlowScriptScope {
  readonly nodeId: string;
  readonly runId: RunId;
  /** Receives logs; for Lua also pins, labels, called agents, and policy decisions. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** The file that contains it; absent if only a graph was provided. */
  readonly source?: FlowSource | undefined;
  /** Flows available to models of agents that Lua calls; absent = none. */
  readonly flows?: FlowsCapability;
}

/** Why a text is not valid code, with its line, starting from 1. */
export interface ScriptProblem {
  readonly line: number;
  readonly message: string;
}

/** Runs scripts of flows: JavaScript, without access to anything outside, and Lua, like scripts of agents. */
export interface CodeCapability {
  /**
   * Returns the script's result, which is JSON.
   * @throws EngineError `js.error` | `lua.error` (what it threw), `js.syntax` | `lua.syntax`, all with `line` of the
   * file and `details.codeLine`; `js.memory` | `lua.memory`, `node.bad-output` with the path of the first invalid
   * value, `node.output-too-large`; or the signal's reason when it aborts (within 1 s)
   */
  run(script: FlowScript, scope: FlowScriptScope): Promise<JsonValue>;
}
