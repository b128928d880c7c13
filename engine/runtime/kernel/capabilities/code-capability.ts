/**
 * Runs flow scripts.
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
  /** Path relative to its node, such as `config`, `code`. Used to report file lines. */
  readonly path: readonly string[];
}

/** The context of a script. */
export interface FlowScriptScope {
  readonly nodeId: string;
  readonly runId: RunId;
  /** Receives logs; for Lua, also pins, labels, called agents and policy decisions. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** The file that contains the script; absent if only a graph was provided. */
  readonly source?: FlowSource | undefined;
  /** Flows available to the models of agents that Lua calls; absent for none. */
  readonly flows?: FlowsCapability;
}

/** Why text is not valid code, with its line, starting at 1. */
export interface ScriptProblem {
  readonly line: number;
  readonly message: string;
}

/** Runs flow scripts: JavaScript, which cannot access anything outside, and Lua, which runs like agent scripts. */
export interface CodeCapability {
  /**
   * Returns the script's result, which is JSON.
   * @throws EngineError `js.error` | `lua.error` (what it threw), `js.syntax` | `lua.syntax`, all with the file's
   * `line` and `details.codeLine`; `js.memory` | `lua.memory`, `node.bad-output` with the path of the first invalid
   * value, `node.output-too-large`; or the signal's reason when it aborts (within 1 s)
   */
  run(script: FlowScript, scope: FlowScriptScope): Promise<JsonValue>;
}
