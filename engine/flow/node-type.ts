/**
 * The contract of a node type: its description (`NodeTypeSpec`) and how it runs.
 */
import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { NodeEffects, NodeTypeSpec } from '../flowspec/node-type-spec.ts';
import type { Capabilities, CapabilityName } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';

/** What one attempt of a node is handed. */
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
  /** Progress goes out here, in the context of the node's task. */
  readonly hub: Hub;
  /** Exactly the capabilities that the type declared. */
  readonly can: Pick<Capabilities, Can>;
}

/** A kind of node that can run, as registries hold it. */
export interface NodeType extends NodeTypeSpec {
  readonly capabilities: readonly CapabilityName[];
  /** For a type whose settings decide what running twice would do; comes before `effects`. */
  effectsOf?(config: never): NodeEffects;
  run(context: NodeRunContext<never, never, never>): Promise<JsonValue>;
}

interface NodeTypeDefinition<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName,
> extends NodeTypeSpec {
  readonly inputSchema: Input;
  readonly configSchema: Config;
  readonly outputSchema: Output;
  readonly capabilities: readonly Can[];
  effectsOf?(config: z.output<Config>): NodeEffects;
  run(context: NodeRunContext<z.output<Input>, z.output<Config>, Can>): Promise<z.output<Output>>;
}

/** Makes a node type; the schemas give `run` its types. */
export function defineNodeType<
  Input extends z.ZodType,
  Config extends z.ZodType,
  Output extends z.ZodType<JsonValue>,
  Can extends CapabilityName = never,
>(definition: NodeTypeDefinition<Input, Config, Output, Can>): NodeType {
  // Input and config reach `run` only after its own schemas have parsed them, which no type here can express.
  return definition as unknown as NodeType;
}

/** What the runner needs of a registry. Asking for an unknown type gives undefined. */
export interface NodeTypeLookup {
  get(type: string): NodeType | undefined;
}
