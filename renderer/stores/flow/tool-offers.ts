/**
 * Offers tools as nodes: each is the node type `tool` with the tool's description and its required values.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, type NodeTypeSpec } from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

/** The node type that calls a tool. */
const toolType = 'tool';

const keyStart = `${toolType}:`;

/** A tool that can be offered. */
export interface ToolCandidate {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonMap;
  readonly kind: string;
  /** The product that owns it. Undefined if none does. */
  readonly product?: string | undefined;
  /** Whether other products may call it. */
  readonly shared?: true | undefined;
}

/** Longer descriptions are truncated. The settings show the full text. */
const longestDescription = 300;

const emptyOf: Readonly<Record<string, JsonValue>> = { number: 0, integer: 0, boolean: false, array: [], object: {} };

/** Returns a placeholder for a value. */
function beginningOf(schema: JsonValue | undefined): JsonValue {
  if (!isJsonMap(schema)) return '';
  const { default: usual, type, enum: options } = schema;
  if (usual !== undefined) return usual;
  const first = isJsonList(options) ? options[0] : undefined;
  return first ?? emptyOf[String(type)] ?? '';
}

/** Returns the required values of a tool. */
function inputFor({ properties, required }: JsonMap): JsonMap {
  if (!isJsonMap(properties) || !isJsonList(required)) return {};
  return Object.fromEntries(required.map((key) => [String(key), beginningOf(properties[String(key)])]));
}

/** Returns the type with a tool's title and description. @param spec spec of the node type `tool` */
export function toolOffer<Spec extends NodeTypeSpec>(spec: Spec, tool: ToolCandidate): Spec & { readonly key: string } {
  const { name, title, description, inputSchema, kind } = tool;
  const about = description.length <= longestDescription ? description : `${description.slice(0, longestDescription)}…`;
  const { example: _example, variants: _variants, ...plain } = spec;
  return {
    ...(plain as Spec),
    key: `${keyStart}${name}`,
    title: title ?? name,
    description: title === undefined ? about : `${name} · ${about}`,
    group: kind === 'mcp' ? text.groups.servers : text.groups.tools,
    start: () => ({ input: inputFor(inputSchema), config: { tool: name } }),
  };
}

/** Returns the tool with this key, or undefined. */
export function toolOfKey(key: string): string | undefined {
  return key.startsWith(keyStart) ? key.slice(keyStart.length) : undefined;
}
