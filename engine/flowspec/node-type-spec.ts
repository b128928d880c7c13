/**
 * What everybody but the runner must know of a node type: the card, the form, the palette, validation, the JSON
 * schema and the command line all read this one value.
 */
import type { z } from 'zod';
import type { NodePolicy } from './flow-doc.ts';
import type { JsonMap, JsonValue } from './json-value.ts';

/** Kinds shown by the colour of a card's tile. */
export const nodeCategories = ['agent', 'model', 'logic', 'loop', 'file', 'net', 'text', 'human', 'flow'] as const;

type NodeCategory = (typeof nodeCategories)[number];

/** Glyphs a tile can show; `renderer/ui` draws each. */
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
 * What running twice would do to the world: `pure` nothing, `idempotent` the same again, `external` something more.
 * After a crash only an `external` node must not be repeated silently.
 */
export type NodeEffects = 'pure' | 'idempotent' | 'external';

/** A stretch of the sentence on a card: plain words, or a value drawn as a chip. */
export type SummaryPart = string | { readonly chip: string };

/** What a new node can take up from the node before it; without one, all give what is said otherwise. */
export interface StartSource {
  /** Text: the node's own with `words` before it, where its output is text. */
  text(otherwise: string, words?: string): string;
  list(otherwise: readonly JsonValue[]): string | readonly JsonValue[];
  any(otherwise: JsonValue): JsonValue;
  /** Text of which the values are known, such as a label that a model chooses; absent = there is none. */
  readonly choice?: { readonly binding: string; readonly values: readonly string[] };
}

/** What a new node begins with. */
export interface NodeStart {
  readonly input: JsonMap;
  readonly config?: JsonMap;
}

/** A further way to begin a node of a type, which people look for as a thing of its own. */
export interface NodeVariant extends Pick<NodeTypeSpec, 'title' | 'description' | 'example'> {
  /** Unlike those of the type's other variants: small letters and dashes. */
  readonly id: string;
  /** What a node of it begins with. The check must accept it as it is. */
  start(from: StartSource): NodeStart;
}

/**
 * The JSON schema of a value as the file has it: bindings have that of what they name; `{}` = nobody knows.
 * @param roots what bindings in it may name instead of what the flow has, by name
 */
export type SchemaOf = (value: JsonValue | undefined, roots?: Readonly<Record<string, JsonMap>>) => JsonMap;

/** A setting that does not do what somebody may expect. */
export interface UnusedSetting {
  /** Below the node. */
  readonly path: readonly (string | number)[];
  /** A sentence about it, with what would help. */
  readonly message: string;
}

/** A kind of node, described. */
export interface NodeTypeSpec {
  /** Registry key, for example `file.read`. */
  readonly type: string;
  readonly title: string;
  /** One sentence for palette and documentation. */
  readonly description: string;
  /** A line that shows it at work, for whoever chooses among types. */
  readonly example?: string;
  readonly category: NodeCategory;
  readonly icon: NodeIcon;
  /** Checked after bindings are resolved. Literals are checked before a run as well. */
  readonly inputSchema: z.ZodType;
  /** Fixed settings, never templated. */
  readonly configSchema: z.ZodType;
  readonly outputSchema: z.ZodType;
  readonly effects: NodeEffects;
  /** Fields of the input whose texts may name secrets: what they hold goes out of the program, and nowhere else. */
  readonly secretFields?: readonly string[];
  /** Maps of the config, by the way to each, in which `schemaFile` may name a file whose schema then stands there as `schema`. */
  readonly schemaPlaces?: readonly (readonly string[])[];
  /** Settings of a node that have no effect, or not the one that they seem to have; absent = there are none. */
  readonly unusedSettings?: (node: {
    readonly input: JsonMap;
    readonly config: JsonMap;
    readonly policy: NodePolicy | undefined;
  }) => readonly UnusedSetting[];
  /** It does not end by itself. Refused unless the engine was made to allow it. */
  readonly longLived?: true;
  /** Name of the bundle it comes from, which a flow must list in `flow.nodePacks`; absent for built-in types. */
  readonly pack?: string;
  /** The heading that lists show it under, where its category does not say it, such as the pack of an agent. */
  readonly group?: string;
  /** Names of the ways out, for types whose settings make several, in order; none when only a run will know them. */
  readonly routes?: (input: Readonly<Record<string, JsonValue>>) => readonly string[];
  /** Field of the output that names the way taken: `route` when absent; of `condition` the ways are `true` and `false`, as truths. */
  readonly routeField?: 'condition';
  /**
   * A member of `input.cases` for one of the values that `input.value` can have, at a path below it; absent = the type has no cases.
   */
  readonly caseFor?: (value: string, path: readonly string[]) => JsonMap;
  /** What a new node of the type begins with; absent = what its schemas ask for. The check must accept it as it is. */
  readonly start?: (from: StartSource) => NodeStart;
  /** Further ways to begin one, offered beside it; absent = none. */
  readonly variants?: readonly NodeVariant[];
  /**
   * Fields of the output that the input gives already, such as a value that is passed on, with values of their types;
   * absent = none.
   */
  readonly given?: (input: Readonly<Record<string, JsonValue>>) => JsonMap;
  /**
   * JSON schemas of those fields of the output that depend on what the node is given; absent = none does. `false` is a field
   * that such a node never has.
   */
  readonly givenSchemas?: (
    node: { readonly input: JsonMap; readonly config: JsonMap },
    schemaOf: SchemaOf,
  ) => Readonly<Record<string, JsonMap | false>>;
  /** The sentence on the card, from what the file says (bindings unresolved). Must accept unfinished input. */
  readonly summary?: (
    config: Readonly<Record<string, JsonValue>>,
    input: Readonly<Record<string, JsonValue>>,
  ) => readonly SummaryPart[];
}

/** The name under which flows may list the built-in types in `flow.nodePacks`, as other runners of FlowSpec want it. */
export const builtinPack = 'core';

/** A kind of node as plain data, which goes from process to process. `data-type.ts` makes a description of it. */
export interface NodeTypeData
  extends Pick<
    NodeTypeSpec,
    'type' | 'title' | 'description' | 'example' | 'category' | 'icon' | 'effects' | 'group' | 'secretFields'
  > {
  /** JSON Schema of the map that is its input. */
  readonly input: JsonMap;
  /** JSON Schema of its settings; absent = it has none. */
  readonly config?: JsonMap;
  /** JSON Schema of what it gives; `true` = anything. */
  readonly output: JsonMap | boolean;
  /** The sentence on the card; `{{input.path}}` in it is a chip with what stands there. */
  readonly summary?: string;
  /** What a new node begins with; absent = what its schemas ask for. */
  readonly start?: NodeStart;
}

/** A type that a flow names and nobody can use: it is not there, or its description is broken. */
export interface MissingNodeType {
  readonly type: string;
  /** A sentence that says what is wrong and what would help. */
  readonly problem: string;
}

/** Lookup of node types; the registry implements it. */
export interface NodeTypeCatalog {
  get(type: string): NodeTypeSpec | undefined;
  list(): readonly NodeTypeSpec[];
  /** Names of the bundles that the host allows, whether or not a type comes from them. */
  packs(): readonly string[];
  /** Whether nodes of a long-lived type may run. */
  allowsLongLived(type: string): boolean;
  /**
   * Why a type that is named like an agent is not there. Undefined: nobody has looked yet, so nothing is said of it; without
   * the method, it is a type that nobody knows.
   */
  agentProblem?(type: string): string | undefined;
}
