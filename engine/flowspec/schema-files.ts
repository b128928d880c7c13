/**
 * What stands in files of its own: schemas, agents that are node types, and flows that are called. Which files a flow names, and the
 * flow with what they hold.
 */

import { isAgentType } from './agent-type-name.ts';
import { holdsBinding } from './bindings.ts';
import type { Finding } from './finding.ts';
import { callType, type FlowDoc, type NodeDoc } from './flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from './json-value.ts';
import type { NodeTypeCatalog, NodeTypeData, NodeTypeSpec } from './node-type-spec.ts';
import { type ValuePath, valueAt } from './schema-problems.ts';

/** A flow that another one calls, with the files that it names itself. */
export interface CalledFlow {
  /** Relative to the workspace with `/`, or absolute when it lies outside. */
  readonly path: string;
  readonly text: string;
  readonly files: readonly (readonly [name: string, file: SchemaFile])[];
}

/** What a file holds: a JSON Schema, a node type, or a flow to be called; or why it gives none, in a sentence that names the file. */
export type SchemaFile =
  | { readonly schema: JsonMap | boolean }
  | { readonly nodeType: NodeTypeData }
  | { readonly flow: CalledFlow }
  | { readonly problem: string };

/** By the path that the definition names, as it is written there; of a flow by `callKeyOf` that path. */
export type SchemaFiles = ReadonlyMap<string, SchemaFile>;

export const noSchemaFiles: SchemaFiles = new Map();

const keyStart = 'flow\n';

/** How the files of a definition have a flow that it calls: a path of a file has no line break. @param name as the node has it */
export function callKeyOf(name: string): string {
  return keyStart + name;
}

/** The name that a key is of; undefined for one of a schema file. */
export function calledName(key: string): string | undefined {
  return key.startsWith(keyStart) ? key.slice(keyStart.length) : undefined;
}

/** The keys of the flows that a node calls; that of no name for one that only a run will know. */
export function callKeysOf({ type, input }: Pick<NodeDoc, 'type' | 'input'>): readonly string[] {
  if (type !== callType) return [];
  const name = input['flow'];
  if (typeof name !== 'string' || name === '') return [];
  return [callKeyOf(holdsBinding(name) ? '' : name)];
}

interface NamedFile {
  /** Of the name, below the node. */
  readonly path: ValuePath;
  readonly name: string;
}

function filesNamedBy(node: NodeDoc, spec: NodeTypeSpec | undefined): readonly NamedFile[] {
  return (spec?.schemaPlaces ?? []).flatMap((place): NamedFile[] => {
    const path = ['config', ...place, 'schemaFile'];
    const name = valueAt({ config: node.config ?? {} }, path);
    return typeof name === 'string' && name !== '' ? [{ path, name }] : [];
  });
}

/**
 * The schema files that the nodes of a flow name, the agents that are their types, and the keys of the flows that they call; without
 * repeats, in the order of the file.
 */
export function schemaFilesOf(doc: FlowDoc, catalog: NodeTypeCatalog): readonly string[] {
  const names = doc.nodes.flatMap((node) => {
    const spec = catalog.get(node.type);
    if (spec === undefined) return isAgentType(node.type) ? [node.type] : [];
    return [...filesNamedBy(node, spec).map(({ name }) => name), ...callKeysOf(node)];
  });
  return [...new Set(names)];
}

/** The flow with schemas in place of the names of their files; where there is none, the name stays. */
export function withSchemaFiles(doc: FlowDoc, catalog: NodeTypeCatalog, files: SchemaFiles): FlowDoc {
  if (files.size === 0) return doc;
  return { ...doc, nodes: doc.nodes.map((node) => nodeWithSchemas(node, catalog.get(node.type), files)) };
}

/** The same for one node. */
export function nodeWithSchemas<Node extends Pick<NodeDoc, 'config'>>(
  node: Node,
  spec: NodeTypeSpec | undefined,
  files: SchemaFiles,
): Node {
  let { config } = node;
  for (const place of spec?.schemaPlaces ?? []) if (config !== undefined) config = withSchemaAt(config, place, files);
  return config === node.config ? node : { ...node, config };
}

function withSchemaAt(map: JsonMap, [key, ...below]: readonly string[], files: SchemaFiles): JsonMap {
  if (key !== undefined) {
    const inner = Object.hasOwn(map, key) ? map[key] : undefined;
    if (!isJsonMap(inner ?? null)) return map;
    const changed: JsonValue = withSchemaAt(inner as JsonMap, below, files);
    return changed === inner ? map : { ...map, [key]: changed };
  }
  const { schemaFile, ...others } = map;
  const file = typeof schemaFile === 'string' ? files.get(schemaFile) : undefined;
  return file === undefined || !('schema' in file) ? map : { ...others, schema: file.schema };
}

/** The files of a node that give no schema; paths are below the node. What was not looked at is no problem. */
export function schemaFileFindings(node: NodeDoc, spec: NodeTypeSpec | undefined, files: SchemaFiles): Finding[] {
  if (files.size === 0) return [];
  return filesNamedBy(node, spec).flatMap(({ path, name }): Finding[] => {
    const file = files.get(name);
    return file !== undefined && 'problem' in file
      ? [{ code: 'node.bad-schema-file', severity: 'error', message: file.problem, path }]
      : [];
  });
}
