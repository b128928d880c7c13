/**
 * The input and result of an agent run.
 */
import type { Clock } from '../../base/clock.ts';
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { AgentDoc, AgentOptions } from '../../language/agent/agent-doc.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { AgentLocation, Capabilities, DryRun, ScriptsCapability } from '../kernel/capabilities/capabilities.ts';
import type { FlowsCapability } from '../kernel/capabilities/flows-capability.ts';
import type { RunResumedEvent, SuspendReason } from '../kernel/events/run-event.ts';
import type { CancelScope } from '../kernel/hub/cancel-scope.ts';
import type { ScriptSecrets } from '../kernel/hub/run-secrets.ts';
import type { Spending, SpendingTotal } from '../kernel/hub/spending.ts';
import type { AnswerSource } from '../kernel/requests/ask.ts';
import type { RunAsks } from '../kernel/requests/run-asks.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';

/** The capabilities that an agent uses. */
export interface AgentCapabilities
  extends Pick<Capabilities, 'model' | 'templates' | 'hash' | 'answers' | 'tools' | 'governance'> {
  readonly scripts: ScriptsCapability;
}

/**
 * Extent of a dry run: `req` renders the prompts, sends nothing and discards its files; `res` calls the model and does
 * not run Output.
 */
export type DryMode = 'req' | 'res';

/** The point where an earlier process stopped. */
export interface AgentResume {
  readonly point: ResumePoint;
  /** Content of the `run:resumed` event. */
  readonly resumed: Omit<RunResumedEvent, 'type'>;
  /**
   * Interrupted work is repeated without asking, because a person agreed to repeat the caller, or because the run has
   * no effects.
   */
  readonly repeatsCut?: true;
}

/** The facts that a run's inputs depend on. */
export interface PreparedInputs {
  readonly inputs: readonly JsonValue[];
  readonly beforeAll: JsonValue;
  readonly options: AgentOptions;
  /** Options before Before All modified them. */
  readonly startingOptions: AgentOptions;
}

/** Earlier outputs that inputs may reuse instead of running again. */
export interface InputReuse {
  /** Returns outputs by index. `from` is the input's task in the earlier run. */
  find(
    prepared: PreparedInputs,
  ): Promise<ReadonlyMap<number, { readonly output: JsonValue; readonly fromRunId: RunId; readonly from: string }>>;
}

/** An agent to run, with everything needed to run it. */
export interface AgentRequest {
  readonly doc: AgentDoc;
  readonly place: AgentLocation;
  /** Null if no inputs were given. */
  readonly inputs: readonly JsonValue[] | null;
  /** Merged options from the config files. */
  readonly baseOptions: AgentOptions;
  /** The caller's options, which override the file's. */
  readonly callOptions?: AgentOptions;
  readonly runId: RunId;
  /** The run that started this one. */
  readonly parentRunId?: RunId;
  /** Number of earlier runs in the same chain of redos; 0 if there are none. */
  readonly redoCount: number;
  /** Number of direct and indirect callers of this agent. */
  readonly depth: number;
  readonly dry?: DryMode;
  /** Replaces effects in a dry run. */
  readonly dryRun?: DryRun;
  /** Logs prompts and responses at level `info`. Dry runs always do. */
  readonly isVerbose?: boolean;
  /** The part of `CTX` that is the same for all agents: session, folders, versions, run number. */
  readonly context: JsonMap;
  /** Timeout of each script in milliseconds; null for no limit. */
  readonly scriptTimeoutMs: number | null;
  /** Milliseconds of CPU time for each script; absent for no limit. */
  readonly scriptComputeMs?: number;
  /** Signals the run to stop. Its abort reason explains why (see `cancellation`). */
  readonly scope: CancelScope;
  readonly clock: Clock;
  readonly capabilities: AgentCapabilities;
  /** Secrets available to its scripts; absent if there are none. */
  readonly secrets?: ScriptSecrets;
  /** Delivers answers to input questions as they arrive; absent if inputs cannot ask. */
  readonly answers?: AnswerSource;
  /** Runs flows for the models' tools; absent if tools cannot run flows. */
  readonly flows?: FlowsCapability;
  /** The point where an earlier process stopped and this run resumes. */
  readonly resume?: AgentResume;
  /** Earlier outputs to reuse. */
  readonly reuse?: InputReuse;
}

/** Whether the agent does nothing permanent. */
export function isDryRequest({ dry, dryRun }: Pick<AgentRequest, 'dry' | 'dryRun'>): boolean {
  return dry !== undefined || dryRun !== undefined;
}

/**
 * Whether a dry run ends before Output. A run started by a script continues if it calls no model, because the script
 * needs its result.
 */
export function endsBeforeOutput({
  dry,
  parentRunId,
  doc,
}: Pick<AgentRequest, 'dry' | 'parentRunId' | 'doc'>): boolean {
  const asksNoModel = parentRunId !== undefined && doc.prompts.length === 0;
  return dry === 'res' || (dry === 'req' && !asksNoModel);
}

/** How an agent run ended, and its outputs. */
export interface AgentRunResult extends SpendingTotal {
  readonly status: 'completed' | 'skipped' | 'failed' | 'cancelled' | 'suspended';
  /** One output per input, in order; null for a run without inputs. */
  readonly outputs: readonly JsonValue[] | null;
  readonly afterAll: JsonValue;
  readonly redoRequested: boolean;
  /** Task IDs of failed inputs, tolerated or not, in order of failure. */
  readonly failedTasks: readonly string[];
  /** Why the run failed. */
  readonly error?: ErrorRecord;
  /** Before All's reason for skipping the run; may be empty. */
  readonly skipReason?: string;
  /** If the run is suspended: the input or stage that has waited longest for a person, and the request it waits for. */
  readonly waitsFor?: string;
  readonly suspendReason?: SuspendReason;
}

/** State shared by all stages of a run. */
export interface AgentRun {
  readonly request: AgentRequest;
  /** `CTX` without the parts that differ by stage. */
  readonly runContext: JsonMap;
  readonly spending: Spending;
  readonly asks: RunAsks;
  /** For a run started by a script: the key of the script's call. */
  readonly callKey?: string | undefined;
}
