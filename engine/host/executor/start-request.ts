/**
 * Describes the requests that start runs.
 */
import type { RunId } from '../../base/ids.ts';
import type { FiringOfRun } from '../../history/store/firing-store.ts';
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { CheckedFlow } from '../../language/flow/check-flow.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { DryMode } from '../../runtime/agent/agent-request.ts';
import type { RunPart, StartedBy } from '../../runtime/kernel/events/run-event.ts';
import type { BreakpointsByFile } from '../../runtime/kernel/hub/run-pause.ts';
import type { RunOfConversation } from './run-job.ts';

/** A request to run a flow. */
export interface StartRun {
  /** Path of the definition: relative to the workspace with `/`, or absolute if it is outside. */
  readonly path: string;
  /** The definition itself, as saved or edited. */
  readonly text: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Overrides the flow's `policy.maxParallel`. */
  readonly maxParallel?: number;
  /** Lowers the flow's declared level; a higher level has no effect. */
  readonly autonomy?: AutonomyLevel;
  /**
   * The result of validating exactly this text with this engine's node types, if the caller has it. Avoids a second
   * validation.
   */
  readonly checked?: CheckedFlow;
  /** The part of the flow to run; the whole flow if absent. */
  readonly part?: RunPart;
  /** Outputs of top-level nodes by id, used instead of running them. Nodes that are needed only by these do not run. */
  readonly pins?: Readonly<Record<string, JsonValue>>;
  /** The conversation that the run belongs to. */
  readonly conversation?: RunOfConversation;
  /** Who starts the run; by default, the host of the engine. */
  readonly startedBy?: StartedBy;
  /** The firing of a trigger that starts the run. */
  readonly firing?: FiringOfRun;
  /** Breakpoints that act in this run, and in child runs, by file. They are kept for the run until it ends. */
  readonly breakpoints?: BreakpointsByFile;
  /** A hash by `FlowJobs.hashFlow`: the run does not start if the flow, or a file that it references, has another one. */
  readonly unlessChanged?: string;
}

/** A request to rerun an earlier run, except for results that can be reused. */
export interface RerunFrom extends Pick<StartRun, 'part' | 'pins' | 'breakpoints'> {
  readonly runId: RunId;
  /** Reruns this node and all later ones; if absent, only what has changed or did not complete. */
  readonly nodeId?: string;
  /** The current definition; if absent, the file is read. */
  readonly text?: string;
  /**
   * `seq` of an event of that run: only what had completed by then is reused, and everything later runs again. Results
   * of other runs are not reused either.
   */
  readonly until?: number;
  /** Outputs that a person gives top-level nodes of a flow, by ID, for this run only: the nodes do not run. */
  readonly given?: Readonly<Record<string, JsonValue>>;
  /** Name of the person who gives the outputs; defaults to the system user. */
  readonly by?: string;
}

/** A rerun's reference to the earlier run. */
export interface RerunLineage {
  readonly rerunOf: RunId;
  readonly rerunFromNode?: string;
  readonly rerunUntil?: number;
}

/** Returns what the log of a rerun says about the earlier run. */
export function rerunLineage({ runId: rerunOf, nodeId, until }: RerunFrom): RerunLineage {
  const from = nodeId === undefined ? {} : { rerunFromNode: nodeId };
  return { rerunOf, ...from, ...(until === undefined ? {} : { rerunUntil: until }) };
}

/** A request to run an agent. */
export interface StartAgent {
  /** A file, relative to `folder` or absolute, or a pack reference such as `demo@proof`. */
  readonly agent: string;
  /** Absolute base of relative paths and globs; defaults to the workspace. */
  readonly folder?: string;
  /** The unsaved definition; if absent, the file is read. */
  readonly text?: string;
  /** Inputs, each of which is an item. Cannot be combined with `files`. */
  readonly inputs?: readonly JsonValue[];
  /** Globs. Each matching file is an item. */
  readonly files?: readonly string[];
  /** Options that override those in the agent file. */
  readonly options?: AgentOptions;
  readonly dry?: DryMode;
  /** Whether to log prompts and responses at the level `info`. */
  readonly isVerbose?: boolean;
  /** Whether a missing pack may be installed without asking. */
  readonly installsMissing?: boolean;
  /** Who starts the run; by default, the host of the engine. */
  readonly startedBy?: StartedBy;
}
