/**
 * The description of a node type, without its implementation. The card, the form, the palette, validation, the JSON
 * schema and the command line all use it.
 */
import type { z } from 'zod';
import type { NodePolicy } from '../flow/flow-doc.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';

/** Categories of node types, shown by the color of a card's tile. */
export const nodeCategories = ['agent', 'model', 'logic', 'loop', 'file', 'net', 'text', 'human', 'flow'] as const;

type NodeCategory = (typeof nodeCategories)[number];

/** Tile icons; `renderer/ui` draws them. */
export const nodeIcons = [
  'message',
  'bot',
  'file-input',
  'file-output',
  'text',
  'quote',
  'box',
  'tool',
  'equal',
  'clock',
  'octagon-x',
  'circle-dashed',
  'split',
  'repeat',
  'globe',
  'terminal',
  'braces',
  'code',
  'list',
  'filter',
  'workflow',
  'approval',
  'form',
  'plan',
] as const;

type NodeIcon = (typeof nodeIcons)[number];

/**
 * The effect of running twice: `pure` has none, `idempotent` has the same effect again, `external` has an additional
 * effect. After a crash, only an `external` node must not be repeated silently.
 */
export type NodeEffects = 'pure' | 'idempotent' | 'external';

/** Part of the text on a card: plain text, or a value drawn as a chip. */
export type SummaryPart = string | { readonly chip: string };

/** What a new node can use from the previous node. Without a previous node, every method returns its fallback. */
export interface StartSource {
  /** Returns a binding to the node's text output with `words` before it, if its output is text. */
  text(otherwise: string, words?: string): string;
  list(otherwise: readonly JsonValue[]): string | readonly JsonValue[];
  any(otherwise: JsonValue): JsonValue;
  /** Text with a fixed set of values, such as a label chosen by a model; absent if there is none. */
  readonly choice?: { readonly binding: string; readonly values: readonly string[] };
}

/** A new node's initial content. */
export interface NodeStart {
  readonly input: JsonMap;
  readonly config?: JsonMap;
}

/** Another initial configuration of a type, which users look for as a separate entry. */
export interface NodeVariant extends Pick<NodeTypeSpec, 'title' | 'description' | 'example'> {
  /** Unique among the type's variants: lowercase letters and hyphens. */
  readonly id: string;
  /** Returns a node's initial content. Must be valid as it is. */
  start(from: StartSource): NodeStart;
}

/**
 * Returns the JSON Schema of a value as written in the file. Bindings have their target's schema; `{}` if unknown.
 * @param roots roots, by name, that bindings in it can read instead of the flow's roots
 */
export type SchemaOf = (value: JsonValue | undefined, roots?: Readonly<Record<string, JsonMap>>) => JsonMap;

/** A setting that does not have the effect a user may expect. */
export interface UnusedSetting {
  /** Path relative to the node. */
  readonly path: readonly (string | number)[];
  /** A sentence about it, with a suggested fix. */
  readonly message: string;
}

/** A node type's description. */
export interface NodeTypeSpec {
  /** Key in the registry, for example `file.read`. */
  readonly type: string;
  readonly title: string;
  /** One sentence for the palette and the documentation. */
  readonly description: string;
  /** A one-line example, to help users choose among types. */
  readonly example?: string;
  readonly category: NodeCategory;
  readonly icon: NodeIcon;
  /** Validated after bindings are resolved. Literals are also validated before a run. */
  readonly inputSchema: z.ZodType;
  /** Fixed settings without bindings. */
  readonly configSchema: z.ZodType;
  readonly outputSchema: z.ZodType;
  readonly effects: NodeEffects;
  /** Input fields with text that may reference secrets: their values are sent to external services and nowhere else. */
  readonly secretFields?: readonly string[];
  /** Paths of maps in the config whose `schemaFile` may name a file. Its schema is then used as `schema`. */
  readonly schemaPlaces?: readonly (readonly string[])[];
  /** Returns a node's settings that have no effect or a misleading one; absent if there are none. */
  readonly unusedSettings?: (node: {
    readonly input: JsonMap;
    readonly config: JsonMap;
    readonly policy: NodePolicy | undefined;
  }) => readonly UnusedSetting[];
  /** Whether it does not end on its own. Rejected unless the engine allows it. */
  readonly longLived?: true;
  /** Name of the pack that defines it, which a flow must list in `flow.nodePacks`; absent for built-in types. */
  readonly pack?: string;
  /** Heading in lists if the category is not enough, such as an agent's pack. */
  readonly group?: string;
  /**
   * Returns the branch names in order, for types whose branches depend on settings; empty if they are known only at run
   * time.
   */
  readonly routes?: (input: Readonly<Record<string, JsonValue>>) => readonly string[];
  /**
   * Output field that names the selected branch; `route` if absent. For `condition`, the branches are `true` and
   * `false`, as booleans.
   */
  readonly routeField?: 'condition';
  /**
   * Returns an entry of `input.cases` for one of the values that `input.value` can have, at a path below it; absent if
   * the type has no cases.
   */
  readonly caseFor?: (value: string, path: readonly string[]) => JsonMap;
  /** Returns a new node's initial content; absent if derived from its schemas. Must be valid as it is. */
  readonly start?: (from: StartSource) => NodeStart;
  /** Additional initial configurations, offered next to it; absent for none. */
  readonly variants?: readonly NodeVariant[];
  /**
   * Returns the output fields determined by the input, such as a value that is passed on, with values of their types;
   * absent for none.
   */
  readonly given?: (input: Readonly<Record<string, JsonValue>>) => JsonMap;
  /**
   * Returns the JSON Schemas of output fields that depend on the input; absent for none. `false` marks a field that
   * such a node never has.
   */
  readonly givenSchemas?: (
    node: { readonly input: JsonMap; readonly config: JsonMap },
    schemaOf: SchemaOf,
  ) => Readonly<Record<string, JsonMap | false>>;
  /** Returns the text on the card, based on the file (with unresolved bindings). Must accept incomplete input. */
  readonly summary?: (
    config: Readonly<Record<string, JsonValue>>,
    input: Readonly<Record<string, JsonValue>>,
  ) => readonly SummaryPart[];
}

/**
 * Name under which flows may list the built-in types in `flow.nodePacks`, for compatibility with other FlowSpec
 * runners.
 */
export const builtinPack = 'core';

/** A node type as plain data that can be sent between processes. `data-type.ts` converts it to a description. */
export interface NodeTypeData
  extends Pick<
    NodeTypeSpec,
    'type' | 'title' | 'description' | 'example' | 'category' | 'icon' | 'effects' | 'group' | 'secretFields'
  > {
  /** JSON Schema of the input map. */
  readonly input: JsonMap;
  /** JSON Schema of the settings; absent if there are none. */
  readonly config?: JsonMap;
  /** JSON Schema of the output; `true` for anything. */
  readonly output: JsonMap | boolean;
  /** The text on the card; `{{input.path}}` in it becomes a chip with the value. */
  readonly summary?: string;
  /** A new node's initial content; absent if derived from its schemas. */
  readonly start?: NodeStart;
}

/** A type that a flow uses but that is missing or has an invalid description. */
export interface MissingNodeType {
  readonly type: string;
  /** A sentence that describes the problem and a fix. */
  readonly problem: string;
}

/** Looks up node types; implemented by the registry. */
export interface NodeTypeCatalog {
  get(type: string): NodeTypeSpec | undefined;
  list(): readonly NodeTypeSpec[];
  /** Returns the names of the packs that the host allows, including those without types. */
  packs(): readonly string[];
  /** Returns whether nodes of a long-lived type may run. */
  allowsLongLived(type: string): boolean;
  /**
   * Returns why an agent node type is missing; undefined if it has not been loaded yet, so that nothing is reported. If
   * the method is absent, the type is unknown.
   */
  agentProblem?(type: string): string | undefined;
}
