/**
 * The contract of a node type: its description (`NodeTypeSpec`) and its implementation.
 */
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { EngineError, ErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { WhenExpr } from '../../language/flow/flow-doc.ts';
import type { FlowSource } from '../../language/flow/flow-source.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { StepValues } from '../../language/steps/step-templates.ts';
import { withFields } from '../../language/types/describe-type.ts';
import type { NodeEffects, NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import type { Capabilities, CapabilityName } from '../kernel/capabilities/capabilities.ts';
import type { RunHost } from '../kernel/capabilities/run-host.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import type { AnswerSource } from '../kernel/requests/ask.ts';
import type { Inbox } from '../kernel/requests/inbox.ts';
import type { Reach } from '../kernel/requests/permission.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';

/**
 * How a host that repeats a run after a restart treats the type. A `step`, the default for most types, runs once, and
 * its result is recorded. A type that is pure, fast and makes no requests may run again inside the `workflow`; a type
 * that contains steps must.
 */
export type NodeHosting = 'step' | 'workflow';

/** The context of one attempt of a node. Pass it on unchanged: a copy made with `...` has no `runId`. */
export interface NodeRunContext<Input, Config, Can extends CapabilityName> {
  readonly nodeId: string;
  /** A new ID for every attempt. */
  readonly runId: RunId;
  /** Read-only: other nodes and the log may hold the same values. */
  readonly input: Input;
  readonly config: Config;
  /** Aborts on cancel and when the attempt times out. Anything that waits must end soon after. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The file that runs; absent if only a graph was provided. */
  readonly source?: FlowSource;
  /** Emits progress in the context of the node's task. */
  readonly hub: Hub;
  /** Exactly the capabilities that the type declared. */
  readonly can: Pick<Capabilities, Can>;
  /** Sets a sentence that describes what the node waits for. It is appended to the message of a timeout. */
  noteWait(what: string): void;
  /** Receives messages to this attempt; for types with `supportsInbox`. */
  readonly inbox?: Inbox;
  /** Runs the nodes of the loop's body; for types with `runsBody`. */
  readonly body?: LoopBody;
  /** Returns whether a condition is true for the values that bindings of the node see. */
  readonly holds: (condition: WhenExpr) => boolean;
  /** The runs that the attempt had called before it was interrupted, in order; for types with `resumesCalls`. */
  readonly formerCalls?: readonly ResumePoint[];
  /**
   * The host of the runs that it calls, if the host records their steps; for types with `resumesCalls` in the workflow.
   */
  readonly host?: RunHost;
  /** Answers for the runs that it calls, as they arrive; for types with `resumesCalls`. */
  readonly answers?: AnswerSource;
  /** Returns whether the file has an edge for this branch of the node. */
  readonly isWired: (route: string) => boolean;
  /** The run as seen by steps; absent if the flow is not a list of steps. */
  readonly step?: StepSurroundings;
}

/** What a step knows about its run besides its params. */
export interface StepSurroundings extends StepValues {
  readonly flowId: string;
  /** The product that contains the flow. */
  readonly product: string | undefined;
  readonly autonomyLevel: AutonomyLevel;
  /** Number of the attempt, starting from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** See `StepConstraints.budgetsLeft`. */
  readonly budgetsLeft: Readonly<Record<string, number>>;
  /**
   * Adds notes about the call of the step's agent or tool, for `artifacts` and the log. Kept only if the attempt
   * succeeds.
   */
  note(meta: JsonMap): void;
}

/** What a loop can do with the nodes of its body. */
export interface LoopBody {
  /**
   * Runs the body once. A failure of the item is part of the result. `roots` are the values that its bindings see in
   * addition to those of the loop.
   * @throws what stops the whole loop: it is canceled, or nothing in the run can continue because nodes in the loop
   * wait for a person
   */
  run(item: LoopItem): Promise<LoopItemResult>;
}

export interface LoopItem {
  /** Index of the item, starting from 0. */
  readonly index: number;
  readonly roots: Readonly<Record<string, JsonValue>>;
  readonly signal: AbortSignal;
  /** The item's slot, if items run in parallel; absent = they run one after the other. */
  readonly place?: ItemPlace;
}

/** The slot of an item among those that may be in progress at once. */
export interface ItemPlace {
  /** Releases the slot, because the item cannot continue without an answer. */
  leave(): void;
  /** Takes a slot to continue; immediately if one is free. */
  enter(): Promise<void> | undefined;
}

export interface LoopItemResult {
  /** Outputs or markers of the body's nodes, by ID. */
  readonly outputs: JsonMap;
  /** Why the item failed; absent if it did not. */
  readonly error?: ErrorRecord;
  /** Returns whether a condition is true for the values and outputs of the body's nodes. */
  readonly holds: (condition: WhenExpr) => boolean;
}

/** An executable node type, as stored in registries. */
export interface NodeType extends NodeTypeSpec {
  readonly capabilities: readonly CapabilityName[];
  readonly supportsInbox?: true;
  readonly runsBody?: true;
  readonly resumesCalls?: true;
  readonly asksWhenCut?: true;
  readonly isGoverned?: true;
  readonly hosting?: NodeHosting;
  /** The type to use in a flow that is a list of steps; absent if it cannot be a step. */
  readonly inSteps?: NodeType;
  /** Version of the pack that defines it; absent for built-in types. */
  readonly version?: string;
  effectsOf?(config: never, input: never): NodeEffects;
  writes?(config: never, input: never): boolean;
  reaches?(config: never, input: never): readonly Reach[];
  settingsOf?(config: never, can: never, input?: JsonMap): Promise<string>;
  run(context: NodeRunContext<never, never, never>): Promise<JsonValue>;
}

/** A description with known schemas, for code that runs with validated values. */
interface TypedSpec<Input extends z.ZodType, Config extends z.ZodType, Output extends z.ZodType> extends NodeTypeSpec {
  readonly inputSchema: Input;
  readonly configSchema: Config;
  readonly outputSchema: Output;
}

/** The implementation of a type. */
interface NodeWork<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName,
> {
  /** The capabilities that it needs; `can` contains exactly these. */
  readonly capabilities: readonly Can[];
  /** Whether attempts get an inbox. */
  readonly supportsInbox?: true;
  /** Whether the type is a loop: it receives its `body` to run, and is never retried itself. */
  readonly runsBody?: true;
  /**
   * Whether all its outside effects come from runs and tools that it calls. After an interruption, these are resumed
   * and request decisions themselves; the node does not. It may throw a `Suspension`.
   */
  readonly resumesCalls?: true;
  /**
   * Whether it logs all outside effects before they happen, and requests decisions about interrupted ones itself
   * instead of the runner.
   */
  readonly asksWhenCut?: true;
  /** Whether its outside effects are checked by the policy, and it emits the decisions. */
  readonly isGoverned?: true;
  readonly hosting?: NodeHosting;
  /** The type to use in a flow that is a list of steps. */
  readonly inSteps?: NodeType;
  /**
   * Returns the effects of running twice, for a type where they depend on its settings; takes precedence over
   * `effects`.
   */
  effectsOf?(config: z.output<Config>, input: z.output<Input>): NodeEffects;
  /** Returns whether it leaves a lasting effect that does not change if it runs twice, such as overwriting a file. */
  writes?(config: z.output<Config>, input: z.output<Input>): boolean;
  /**
   * Returns what it will access that may need a person's permission. A node that lacks one waits for it before it runs.
   */
  reaches?(config: z.output<Config>, input: z.output<Input>): readonly Reach[];
  /**
   * Returns what affects the output besides type, config and input, such as a model's settings. If the text is equal,
   * an earlier output may be reused. `input` is as in the file, with its bindings.
   */
  settingsOf?(config: z.output<Config>, can: Pick<Capabilities, Can>, input?: JsonMap): Promise<string>;
  run(context: NodeRunContext<z.output<Input>, z.output<Config>, Can>): Promise<z.output<Output>>;
}

/**
 * Creates a node type from a description and an implementation. The schemas of the description determine the types of
 * `run`. They are separate values, because windows only know descriptions.
 */
export function defineNodeType<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName = never,
>(description: TypedSpec<Input, Config, Output>, work: NodeWork<Input, Config, Output, Can>): NodeType {
  // Input and config reach `run` only after they were parsed by its own schemas, which the type system cannot express
  // here.
  return withFields(description, work) as unknown as NodeType;
}

/** The parts of a registry that the runner needs. Returns undefined for an unknown type. */
export interface NodeTypeLookup {
  get(type: string): NodeType | undefined;
  /** Returns whether nodes of a long-lived type may run. If the method is absent, none may. */
  allowsLongLived?(type: string): boolean;
}

/** Thrown by a node to skip itself. The nodes after it continue as if its condition had been false. */
export class NodeSkip extends Error {
  /** @param reason text for people; may be empty */
  constructor(reason: string) {
    super(reason);
    this.name = 'NodeSkip';
  }
}

/** The result of an attempt that requests another attempt. */
interface UnwantedOutput {
  /** Becomes the node's output if no attempts are left. */
  readonly output: JsonValue;
  /** The reason, for the log. */
  readonly error: EngineError;
  /** Milliseconds before the next attempt. If undefined, the `backoffMs` of the node's policy, or one second. */
  readonly delayMs: number | undefined;
}

/**
 * Thrown by a node with an output that another attempt may improve. Its `policy.retry` sets the number of attempts; the
 * default is three. The total delay never exceeds the node's time limit.
 */
export class NodeRetry extends Error {
  readonly unwanted: UnwantedOutput;

  constructor(unwanted: UnwantedOutput) {
    super(unwanted.error.message);
    this.name = 'NodeRetry';
    this.unwanted = unwanted;
  }
}
