/**
 * Calls of flows, as nodes see them.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AnswerSource } from './ask.ts';
import type { Hub } from './hub.ts';
import type { ResumePoint } from './resume-point.ts';
import type { RunHost } from './run-host.ts';

/** A flow that is to run as a child of a run. */
export interface FlowCall {
  /** A path, relative to the file that names it, or `namespace@pack/x.flow.yaml`. */
  readonly flow: string;
  /** The file that names it, where that is not the caller's own: relative to the workspace, or absolute. */
  readonly namedIn?: string;
  readonly input: JsonMap;
}

export interface FlowCaller {
  /** Where the caller tells; the child's events go out below it, and its run is the child's parent. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** The runs that an earlier process had called in this place, in their order: the last one is taken up. */
  readonly former: readonly ResumePoint[];
  /** Who hosts the child, where the host of the caller keeps its steps. */
  readonly host?: RunHost;
  /** Which call of a tool it is, where the caller makes several. */
  readonly callKey?: string;
  /** Answers to what nodes of the child ask. */
  readonly answers?: AnswerSource;
}

/** Runs flows for one run: for the nodes of a flow, and for the tools of an agent and of its models. */
export interface FlowsCapability {
  /**
   * What the called flow gives, as its `run:end.output` has it.
   * @throws EngineError `flow.not-callable` | `flow.bad-inputs` | `secret.*` before it starts; what made it fail;
   *   `flow.cancelled` when somebody cancelled it alone; `Suspension` when something in it waits for a person
   */
  run(call: FlowCall, caller: FlowCaller): Promise<JsonValue>;
}
