/**
 * Flow calls made by nodes.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { Hub } from '../hub/hub.ts';
import type { AnswerSource } from '../requests/ask.ts';
import type { ResumePoint } from '../resume/resume-point.ts';
import type { RunHost } from './run-host.ts';

/** A flow to run as a child of a run. */
export interface FlowCall {
  /** A path relative to the file that names it, or `namespace@pack/x.flow.yaml`. */
  readonly flow: string;
  /** The file that names it, if this is not the caller's own file: relative to the workspace, or absolute. */
  readonly namedIn?: string;
  readonly input: JsonMap;
}

export interface FlowCaller {
  /** The caller's hub. The child's events are emitted below it, and its run is the child's parent. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** The runs that an earlier process had started at this point, in order. The last one is resumed. */
  readonly former: readonly ResumePoint[];
  /** The child's host, if the caller's host records its steps. */
  readonly host?: RunHost;
  /** Identifies the tool call if the caller makes several. */
  readonly callKey?: string;
  /** Answers to requests from the child's nodes. */
  readonly answers?: AnswerSource;
}

/** Runs flows for one run: for the nodes of a flow, and for the tools of an agent and of its models. */
export interface FlowsCapability {
  /**
   * Returns the output of the called flow, as in its `run:end.output`.
   * @throws EngineError `flow.not-callable` | `flow.bad-inputs` | `secret.*` before it starts; its failure;
   * `flow.cancelled` if only the called flow was canceled; `Suspension` if anything in it waits for a person
   */
  run(call: FlowCall, caller: FlowCaller): Promise<JsonValue>;
}
