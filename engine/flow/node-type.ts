/**
 * The contract of a node type: its description (`NodeTypeSpec`) and what it does.
 */
import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { EngineError, ErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { AutonomyLevel } from '../flowspec/autonomy.ts';
import { withFields } from '../flowspec/describe-type.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import type { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { NodeEffects, NodeTypeSpec } from '../flowspec/node-type-spec.ts';
import type { StepValues } from '../flowspec/steps/step-templates.ts';
import type { AnswerSource } from '../kernel/ask.ts';
import type { Capabilities, CapabilityName } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Inbox } from '../kernel/inbox.ts';
import type { Reach } from '../kernel/permission.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { RunHost } from '../kernel/run-host.ts';

/**
 * What a host that repeats a run after a restart does with the type. A `step`, which is what most types are, is done once, and its
 * result is kept. What is pure, quick and asks nobody may be done again inside the `workflow`; so must be what has steps inside.
 */
export type NodeHosting = 'step' | 'workflow';

/** What one attempt of a node is handed. To be passed on as it is: a copy made with `...` has no `runId`. */
export interface NodeRunContext<Input, Config, Can extends CapabilityName> {
  readonly nodeId: string;
  /** Fresh for every attempt. */
  readonly runId: RunId;
  /** To be read only: other nodes and the log may hold the same values. */
  readonly input: Input;
  readonly config: Config;
  /** Aborts on cancel and when the attempt's time is up. Whatever waits must end soon after. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The file that runs; absent where only a graph was handed over. */
  readonly source?: FlowSource;
  /** Progress goes out here, in the context of the node's task. */
  readonly hub: Hub;
  /** Exactly the capabilities that the type declared. */
  readonly can: Pick<Capabilities, Can>;
  /** Keeps a sentence that says what the node waits for: the message of a time-out ends with it. */
  noteWait(what: string): void;
  /** Messages to this attempt; for types with `supportsInbox`. */
  readonly inbox?: Inbox;
  /** Runs the nodes of the loop's body; for types with `runsBody`. */
  readonly body?: LoopBody;
  /** Whether a condition holds for what bindings of the node see. */
  readonly holds: (condition: WhenExpr) => boolean;
  /** The runs that the attempt had called before it was cut, in their order; for types with `resumesCalls`. */
  readonly formerCalls?: readonly ResumePoint[];
  /** Who hosts the runs that it calls, where the host keeps their steps; for types with `resumesCalls` in the workflow. */
  readonly host?: RunHost;
  /** Answers for the runs that it calls, as they come in; for types with `resumesCalls`. */
  readonly answers?: AnswerSource;
  /** Whether an edge of the file goes this way out of the node. */
  readonly isWired: (route: string) => boolean;
  /** The run as steps see it; absent where the flow is no list of steps. */
  readonly step?: StepSurroundings;
}

/** What a step knows of its run beside its params. */
export interface StepSurroundings extends StepValues {
  readonly flowId: string;
  /** The product whose flow it is. */
  readonly product: string | undefined;
  readonly autonomyLevel: AutonomyLevel;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** As `StepConstraints.budgetsLeft`. */
  readonly budgetsLeft: Readonly<Record<string, number>>;
  /** Notes about the call of the step's agent or tool, for `artifacts` and the log; counts when the attempt succeeds. */
  note(meta: JsonMap): void;
}

/** What a loop may do with the nodes of its body. */
export interface LoopBody {
  /**
   * Runs the body once. A failure of the item is part of the result. `roots` are what its bindings see beside what
   * the loop itself sees.
   * @throws what stops the whole loop: it is cancelled, or nothing goes on in the run because nodes in it wait for a person
   */
  run(item: LoopItem): Promise<LoopItemResult>;
}

export interface LoopItem {
  /** From 0. */
  readonly index: number;
  readonly roots: Readonly<Record<string, JsonValue>>;
  readonly signal: AbortSignal;
  /** Among the items that overlap; absent = they come one after the other. */
  readonly place?: ItemPlace;
}

/** The place of an item among those that may be under way at once. */
export interface ItemPlace {
  /** Nothing of the item goes on before a person has answered. */
  leave(): void;
  /** It goes on; at once where there is a place. */
  enter(): Promise<void> | undefined;
}

export interface LoopItemResult {
  /** By id of the body's nodes: an output, or the marker that stands for it. */
  readonly outputs: JsonMap;
  /** Why the item failed; absent when it did not. */
  readonly error?: ErrorRecord;
  /** Whether a condition holds for what the nodes of the body saw and gave. */
  readonly holds: (condition: WhenExpr) => boolean;
}

/** A kind of node that can run, as registries hold it. */
export interface NodeType extends NodeTypeSpec {
  readonly capabilities: readonly CapabilityName[];
  readonly supportsInbox?: true;
  readonly runsBody?: true;
  readonly resumesCalls?: true;
  readonly asksWhenCut?: true;
  readonly isGoverned?: true;
  readonly hosting?: NodeHosting;
  /** What the type is where a flow is a list of steps; absent = it is no step. */
  readonly inSteps?: NodeType;
  /** Version of the bundle that it comes from; absent for built-in types. */
  readonly version?: string;
  effectsOf?(config: never, input: never): NodeEffects;
  writes?(config: never, input: never): boolean;
  reaches?(config: never, input: never): readonly Reach[];
  settingsOf?(config: never, can: never, input?: JsonMap): Promise<string>;
  run(context: NodeRunContext<never, never, never>): Promise<JsonValue>;
}

/** A description whose schemas are known, for whoever runs what they have checked. */
interface TypedSpec<Input extends z.ZodType, Config extends z.ZodType, Output extends z.ZodType> extends NodeTypeSpec {
  readonly inputSchema: Input;
  readonly configSchema: Config;
  readonly outputSchema: Output;
}

/** What a type does, beside what it is. */
interface NodeWork<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName,
> {
  /** What it needs of the world; it finds exactly these in `can`. */
  readonly capabilities: readonly Can[];
  /** Attempts get an inbox. */
  readonly supportsInbox?: true;
  /** A loop: it gets its `body` to run, and is itself never tried twice. */
  readonly runsBody?: true;
  /**
   * All that it does outside is done by the runs and tools that it calls: when it was cut, they go on and ask for themselves,
   * and it does not. It may throw a `Suspension`.
   */
  readonly resumesCalls?: true;
  /** All that it does outside is told before it is done, and it asks itself about what was cut: the runner does not. */
  readonly asksWhenCut?: true;
  /** What it does outside is put before the policy, and it tells what that decided. */
  readonly isGoverned?: true;
  readonly hosting?: NodeHosting;
  /** What the type is where a flow is a list of steps. */
  readonly inSteps?: NodeType;
  /** For a type whose settings decide what running twice would do; comes before `effects`. */
  effectsOf?(config: z.output<Config>, input: z.output<Input>): NodeEffects;
  /** Whether it leaves something behind, though doing so twice leaves no more: a file that it writes anew. */
  writes?(config: z.output<Config>, input: z.output<Input>): boolean;
  /** What it will reach that may need a person's permission: a node that lacks one waits for it before it runs. */
  reaches?(config: z.output<Config>, input: z.output<Input>): readonly Reach[];
  /**
   * What decides the output beside type, config and input, such as a model's settings; equal text means that an earlier
   * output may be reused. `input` is as the file has it, with its bindings.
   */
  settingsOf?(config: z.output<Config>, can: Pick<Capabilities, Can>, input?: JsonMap): Promise<string>;
  run(context: NodeRunContext<z.output<Input>, z.output<Config>, Can>): Promise<z.output<Output>>;
}

/**
 * Makes a node type of a description and what it does; the schemas of the one give `run` of the other its types. They are
 * two values, because windows know descriptions only.
 */
export function defineNodeType<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName = never,
>(description: TypedSpec<Input, Config, Output>, work: NodeWork<Input, Config, Output, Can>): NodeType {
  // Input and config reach `run` only after its own schemas have parsed them, which no type here can express.
  return withFields(description, work) as unknown as NodeType;
}

/** What the runner needs of a registry. Asking for an unknown type gives undefined. */
export interface NodeTypeLookup {
  get(type: string): NodeType | undefined;
  /** Whether nodes of a long-lived type may run; without the method, none may. */
  allowsLongLived?(type: string): boolean;
}

/**
 * Thrown by a node that has found out for itself that it is to be skipped: what stands behind it goes on as if its
 * condition had been false.
 */
export class NodeSkip extends Error {
  /** @param reason for people; may be empty */
  constructor(reason: string) {
    super(reason);
    this.name = 'NodeSkip';
  }
}

/** What an attempt has found, when the node would rather be tried again. */
interface UnwantedOutput {
  /** Becomes the output of the node if no attempts are left. */
  readonly output: JsonValue;
  /** Why, for the log. */
  readonly error: EngineError;
  /** How long to wait before the next attempt, in milliseconds; the `backoffMs` of the node's policy, or a second, when undefined. */
  readonly delayMs: number | undefined;
}

/**
 * Thrown by a node that has an output which another attempt may improve. Its `policy.retry` decides how often it is tried, without one
 * there are three attempts. The pauses together are never longer than the node's time limit.
 */
export class NodeRetry extends Error {
  readonly unwanted: UnwantedOutput;

  constructor(unwanted: UnwantedOutput) {
    super(unwanted.error.message);
    this.name = 'NodeRetry';
    this.unwanted = unwanted;
  }
}
