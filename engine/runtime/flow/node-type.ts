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
import type { Inbox } from '../kernel/requests/agent-inbox.ts';
import type { AnswerSource } from '../kernel/requests/ask.ts';
import type { Reach } from '../kernel/requests/permission.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';

/**
 * How a host that replays runs after a restart treats the type. A `step`, the default for most types, runs once, and
 * its result is recorded. A type that is pure, fast and makes no requests may run again inside the `workflow`; a type
 * that contains steps must.
 */
export type NodeHosting = 'step' | 'workflow';

/** The context of one attempt of a node. Pass it on unchanged: a copy made with `...` has no `runId`. */
export interface NodeRunContext<Input, Config, Can extends CapabilityName> {
  readonly nodeId: string;
  /** A new ID for every attempt. */
  readonly runId: RunId;
  /** Read-only, because other nodes and the log may hold the same values. */
  readonly input: Input;
  readonly config: Config;
  /** Aborts when the run is canceled or the attempt times out. Anything that waits must then end soon. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The flow file; absent if only a graph was provided. */
  readonly source?: FlowSource;
  /** Emits progress in the context of the node's task. */
  readonly hub: Hub;
  /** Exactly the capabilities that the type declares. */
  readonly can: Pick<Capabilities, Can>;
  /** Sets a sentence that describes what the node waits for. It is appended to the timeout message. */
  noteWait(what: string): void;
  /** Receives messages sent to this attempt; for types with `supportsInbox`. */
  readonly inbox?: Inbox;
  /** Runs the nodes of the loop body; for types with `runsBody`. */
  readonly body?: LoopBody;
  /** Whether a condition is true, evaluated with the values available to the node's bindings. */
  readonly holds: (condition: WhenExpr) => boolean;
  /** The runs that the attempt had started before it was interrupted, in order; for types with `resumesCalls`. */
  readonly formerCalls?: readonly ResumePoint[];
  /** The host of the node's child runs, if it records their steps; for types with `resumesCalls` in the workflow. */
  readonly host?: RunHost;
  /** Answers for the node's child runs, as they arrive; for types with `resumesCalls`. */
  readonly answers?: AnswerSource;
  /** Whether the file has an edge for this branch of the node. */
  readonly isWired: (route: string) => boolean;
  /** The run as steps see it; absent if the flow is not a list of steps. */
  readonly step?: StepSurroundings;
}

/** Run information that a step receives in addition to its params. */
export interface StepSurroundings extends StepValues {
  readonly flowId: string;
  /** The product that contains the flow. */
  readonly product: string | undefined;
  readonly autonomyLevel: AutonomyLevel;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** See `StepConstraints.budgetsLeft`. */
  readonly budgetsLeft: Readonly<Record<string, number>>;
  /**
   * Adds notes about the call to the step's agent or tool, for `artifacts` and the log. Kept only if the attempt
   * succeeds.
   */
  note(meta: JsonMap): void;
}

/** The operations that a loop can perform on its body's nodes. */
export interface LoopBody {
  /**
   * Runs the body once. The item's failure is part of the result. `roots` are the values that its bindings see in
   * addition to the loop's values.
   * @throws the reason that stops the whole loop: it is canceled, or nothing in the run can continue because nodes in
   * the loop wait for a person
   */
  run(item: LoopItem): Promise<LoopItemResult>;
}

export interface LoopItem {
  /** Item index, starting at 0. */
  readonly index: number;
  readonly roots: Readonly<Record<string, JsonValue>>;
  readonly signal: AbortSignal;
  /** The item's slot if items run in parallel; absent if they run one at a time. */
  readonly place?: ItemPlace;
}

/** An item's slot among the items that may be in progress at once. */
export interface ItemPlace {
  /** Releases the slot, because the item cannot continue without an answer. */
  leave(): void;
  /** Takes a slot to continue; immediately if one is free. */
  enter(): Promise<void> | undefined;
}

export interface LoopItemResult {
  /** The body nodes' outputs or markers, by ID. */
  readonly outputs: JsonMap;
  /** Why the item failed; absent if it did not fail. */
  readonly error?: ErrorRecord;
  /** Whether a condition is true for the body nodes' values and outputs. */
  readonly holds: (condition: WhenExpr) => boolean;
}

/** An executable node type as stored in registries. */
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
  /** Version of the pack that defines the type; absent for built-in types. */
  readonly version?: string;
  effectsOf?(config: never, input: never): NodeEffects;
  writes?(config: never, input: never): boolean;
  reaches?(config: never, input: never): readonly Reach[];
  settingsOf?(config: never, can: never, input?: JsonMap): Promise<string>;
  run(context: NodeRunContext<never, never, never>): Promise<JsonValue>;
}

/** A description with known schemas, for code that handles validated values. */
interface TypedSpec<Input extends z.ZodType, Config extends z.ZodType, Output extends z.ZodType> extends NodeTypeSpec {
  readonly inputSchema: Input;
  readonly configSchema: Config;
  readonly outputSchema: Output;
}

/** A type's implementation. */
interface NodeWork<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName,
> {
  /** The capabilities that the type needs; `can` contains exactly these. */
  readonly capabilities: readonly Can[];
  /** Whether attempts receive an inbox. */
  readonly supportsInbox?: true;
  /** Whether the type is a loop: it receives its `body` to run and is never retried itself. */
  readonly runsBody?: true;
  /**
   * Whether all the type's outside effects come from runs and tools that it calls. After an interruption, those are
   * resumed and request decisions themselves; the node does not. The type may throw a `Suspension`.
   */
  readonly resumesCalls?: true;
  /**
   * Whether the type logs all outside effects before they happen and, in place of the runner, requests decisions about
   * interrupted effects itself.
   */
  readonly asksWhenCut?: true;
  /** Whether the policy checks the type's outside effects, and the type emits the decisions. */
  readonly isGoverned?: true;
  readonly hosting?: NodeHosting;
  /** The type to use in a flow that is a list of steps. */
  readonly inSteps?: NodeType;
  /**
   * Returns the effects of running twice, for types where they depend on the settings; takes precedence over `effects`.
   */
  effectsOf?(config: z.output<Config>, input: z.output<Input>): NodeEffects;
  /** Whether the type leaves a lasting effect that is the same if it runs twice, such as overwriting a file. */
  writes?(config: z.output<Config>, input: z.output<Input>): boolean;
  /**
   * Returns the accesses that may need a person's permission. A node that lacks a permission waits for it before it
   * runs.
   */
  reaches?(config: z.output<Config>, input: z.output<Input>): readonly Reach[];
  /**
   * Returns, as text, everything that affects the output besides type, config and input, such as a model's settings. If
   * the text is the same, an earlier output may be reused. `input` is as in the file, with its bindings.
   */
  settingsOf?(config: z.output<Config>, can: Pick<Capabilities, Can>, input?: JsonMap): Promise<string>;
  run(context: NodeRunContext<z.output<Input>, z.output<Config>, Can>): Promise<z.output<Output>>;
}

const paidCapabilities: ReadonlySet<string> = new Set(['model', 'agents', 'pureAgents']);

/** Returns whether a node of the type can use a model, which costs money. An unknown type can. */
export function mayUseModel(type: NodeType | undefined): boolean {
  return type?.capabilities.some((name) => paidCapabilities.has(name)) ?? true;
}

/**
 * Creates a node type from a description and an implementation. The description's schemas determine the types of `run`.
 * Description and implementation are separate values, because windows only know descriptions.
 */
export function defineNodeType<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName = never,
>(description: TypedSpec<Input, Config, Output>, work: NodeWork<Input, Config, Output, Can>): NodeType {
  // Input and config are parsed by the type's own schemas before they reach `run`. The type system cannot express this
  // here.
  return withFields(description, work) as unknown as NodeType;
}

/** The parts of a registry that the runner needs. Returns undefined for unknown types. */
export interface NodeTypeLookup {
  get(type: string): NodeType | undefined;
  /** Whether nodes of a long-lived type may run. If the method is absent, they may not. */
  allowsLongLived?(type: string): boolean;
}

/** Thrown by a node to skip itself. The nodes after it continue as if its condition had been false. */
export class NodeSkip extends Error {
  /** @param reason text for display; may be empty */
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
  /** Milliseconds until the next attempt. If undefined: `backoffMs` from the node's policy, or one second. */
  readonly delayMs: number | undefined;
}

/**
 * Thrown by a node whose output another attempt may improve. Its `policy.retry` sets the number of attempts; the
 * default is 3. The total delay never exceeds the node's time limit.
 */
export class NodeRetry extends Error {
  readonly unwanted: UnwantedOutput;

  constructor(unwanted: UnwantedOutput) {
    super(unwanted.error.message);
    this.name = 'NodeRetry';
    this.unwanted = unwanted;
  }
}
