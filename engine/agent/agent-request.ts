/**
 * What the run of an agent is handed, and what it gives.
 */
import type { Clock } from '../base/clock.ts';
import type { ErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AnswerSource } from '../kernel/ask.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { AgentPlace, Capabilities, DryRun, ScriptsCapability } from '../kernel/capabilities.ts';
import type { FlowsCapability } from '../kernel/flows-capability.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { RunAsks } from '../kernel/run-asks.ts';
import type { RunResumedEvent, SuspendReason } from '../kernel/run-event.ts';
import type { ScriptSecrets } from '../kernel/run-secrets.ts';
import type { Spending, SpendingTotal } from '../kernel/spending.ts';
import type { AgentDoc, AgentOptions } from './agent-doc.ts';

/** What an agent uses of the world. */
export interface AgentCapabilities
  extends Pick<Capabilities, 'model' | 'templates' | 'hash' | 'answers' | 'tools' | 'governance'> {
  readonly scripts: ScriptsCapability;
}

/**
 * How far a dry run goes: `req` renders the prompts, sends nothing and throws its files away; `res` asks the model and runs no
 * Output.
 */
export type DryMode = 'req' | 'res';

/** Where an earlier process stopped. */
export interface AgentResume {
  readonly point: ResumePoint;
  /** What its `run:resumed` says. */
  readonly resumed: Omit<RunResumedEvent, 'type'>;
  /** Nobody is asked about what was cut: a person has agreed to what called the run being done again, or it acts nowhere. */
  readonly repeatsCut?: true;
}

/** What the inputs of a run go by. */
export interface PreparedInputs {
  readonly inputs: readonly JsonValue[];
  readonly beforeAll: JsonValue;
  readonly options: AgentOptions;
  /** Before Before All has changed them. */
  readonly startingOptions: AgentOptions;
}

/** Outputs of earlier runs that inputs may take over instead of running. */
export interface InputReuse {
  /** By index; `from` is the task of the input in that run. */
  find(
    prepared: PreparedInputs,
  ): Promise<ReadonlyMap<number, { readonly output: JsonValue; readonly fromRunId: RunId; readonly from: string }>>;
}

/** An agent to run, and everything that running it needs. */
export interface AgentRequest {
  readonly doc: AgentDoc;
  readonly place: AgentPlace;
  /** Null = none were given. */
  readonly inputs: readonly JsonValue[] | null;
  /** Of the config files, merged. */
  readonly baseOptions: AgentOptions;
  /** Of the caller; they are stronger than the file's own. */
  readonly callOptions?: AgentOptions;
  readonly runId: RunId;
  /** The run that called it. */
  readonly parentRunId?: RunId;
  /** How many runs of the same chain of redos came before; 0 = none. */
  readonly redoCount: number;
  /** How many agents stand above this one. */
  readonly depth: number;
  readonly dry?: DryMode;
  /** What a dry run has in place of effects. */
  readonly dryRun?: DryRun;
  /** Logs what the model is asked and what it answers, as `info`. Dry runs do so anyway, as far as they go. */
  readonly isVerbose?: boolean;
  /** `CTX` as far as it is the same for all agents: session, folders, versions, the run's number. */
  readonly context: JsonMap;
  /** Milliseconds for each script; null = no limit. */
  readonly scriptTimeoutMs: number | null;
  /** Milliseconds that each script may compute; absent = no limit. */
  readonly scriptComputeMs?: number;
  /** Asks the run to stop; its reason says why (see `cancellation`). */
  readonly scope: CancelScope;
  readonly clock: Clock;
  readonly capabilities: AgentCapabilities;
  /** What its scripts may ask for; absent = nothing. */
  readonly secrets?: ScriptSecrets;
  /** Answers to what its inputs ask, as they come in; absent = they cannot ask. */
  readonly answers?: AnswerSource;
  /** What tools of its models may run; absent = no flows. */
  readonly flows?: FlowsCapability;
  /** Where an earlier process stopped; the run goes on from there. */
  readonly resume?: AgentResume;
  /** Outputs of earlier runs to take over. */
  readonly reuse?: InputReuse;
}

/** Nothing that the agent does lasts. */
export function isDryRequest({ dry, dryRun }: Pick<AgentRequest, 'dry' | 'dryRun'>): boolean {
  return dry !== undefined || dryRun !== undefined;
}

/**
 * Whether a dry run ends before Output. A run that a script called continues if no model would be asked: the
 * script works with what it returns.
 */
export function endsBeforeOutput({
  dry,
  parentRunId,
  doc,
}: Pick<AgentRequest, 'dry' | 'parentRunId' | 'doc'>): boolean {
  const asksNoModel = parentRunId !== undefined && doc.prompts.length === 0;
  return dry === 'res' || (dry === 'req' && !asksNoModel);
}

/** How an agent's run ended and what it gave. */
export interface AgentRunResult extends SpendingTotal {
  readonly status: 'completed' | 'skipped' | 'failed' | 'cancelled' | 'suspended';
  /** One for each input, in their order; null for a run without any. */
  readonly outputs: readonly JsonValue[] | null;
  readonly afterAll: JsonValue;
  readonly redoRequested: boolean;
  /** Task ids of the inputs that failed, tolerated or not, in the order they did. */
  readonly failedTasks: readonly string[];
  /** Why it failed. */
  readonly error?: ErrorRecord;
  /** What Before All said when it skipped the run; may be empty. */
  readonly skipReason?: string;
  /** The input or stage that has waited longest for a person, when the run is suspended, and what for. */
  readonly waitsFor?: string;
  readonly suspendReason?: SuspendReason;
}

/** What all stages of a run share. */
export interface AgentRun {
  readonly request: AgentRequest;
  /** `CTX` without what differs from stage to stage. */
  readonly runContext: JsonMap;
  readonly spending: Spending;
  readonly asks: RunAsks;
  /** Of a run that a script called: which of its calls. */
  readonly callKey?: string | undefined;
}
