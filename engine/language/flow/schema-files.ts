/**
 * Content in separate files: schemas, agents used as node types, and called flows. Determines which files a flow
 * references, and combines the flow with their content.
 */

import { holdsBinding } from '../bindings/bindings.ts';
import type { Finding } from '../findings/finding.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { type ValuePath, valueAt } from '../schema/schema-problems.ts';
import type { NodeTypeCatalog, NodeTypeData, NodeTypeSpec } from '../types/node-type-spec.ts';
import { isAgentType } from './agent-type-name.ts';
import { callType, type FlowDoc, type NodeDoc } from './flow-doc.ts';

/** A called flow, with the files that it references. */
export interface CalledFlow {
  /** Path relative to the workspace with `/`, or absolute if it is outside. */
  readonly path: string;
  readonly text: string;
  readonly files: readonly (readonly [name: string, file: SchemaFile])[];
}

/**
 * The content of a file: a JSON Schema, a node type, or a called flow; or why it cannot be used, in a sentence that
 * names the file.
 */
export type SchemaFile =
  | { readonly schema: JsonMap | boolean }
  | { readonly nodeType: NodeTypeData }
  | { readonly flow: CalledFlow }
  | { readonly problem: string };

/** Files by the path as written in the definition; for a flow, by `callKeyOf` that path. */
export type SchemaFiles = ReadonlyMap<string, SchemaFile>;

export const noSchemaFiles: SchemaFiles = new Map();

const keyStart = 'flow\n';

/**
 * Returns the key of a called flow among the files of a definition. It is unambiguous, because file paths have no line
 * break. @param name as written in the node
 */
export function callKeyOf(name: string): string {
  return keyStart + name;
}

/** Returns the name for a key; undefined for the key of a schema file. */
export function calledName(key: string): string | undefined {
  return key.startsWith(keyStart) ? key.slice(keyStart.length) : undefined;
}

/** Returns the keys of the flows that a node calls; the key of an empty name if the flow is known only at run time. */
export function callKeysOf({ type, input }: Pick<NodeDoc, 'type' | 'input'>): readonly string[] {
  if (type !== callType) return [];
  const name = input['flow'];
  if (typeof name !== 'string' || name === '') return [];
  return [callKeyOf(holdsBinding(name) ? '' : name)];
}

interface NamedFile {
  /** The name's path, relative to the node. */
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
 * Returns the schema files that a flow's nodes reference, the agents that are their types, and the keys of called
 * flows; without duplicates, in file order.
 */
export function schemaFilesOf(doc: FlowDoc, catalog: NodeTypeCatalog): readonly string[] {
  const names = doc.nodes.flatMap((node) => {
    const spec = catalog.get(node.type);
    if (spec === undefined) return isAgentType(node.type) ? [node.type] : [];
    return [...filesNamedBy(node, spec).map(({ name }) => name), ...callKeysOf(node)];
  });
  return [...new Set(names)];
}

/** Returns the flow with schemas in place of their file names. If there is no schema, the name remains. */
export function withSchemaFiles(doc: FlowDoc, catalog: NodeTypeCatalog, files: SchemaFiles): FlowDoc {
  if (files.size === 0) return doc;
  return { ...doc, nodes: doc.nodes.map((node) => nodeWithSchemas(node, catalog.get(node.type), files)) };
}

/** Does the same for one node. */
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

/**
 * Returns a node's schema files that have no valid schema; paths are relative to the node. Files that were not loaded
 * are not reported.
 */
export function schemaFileFindings(node: NodeDoc, spec: NodeTypeSpec | undefined, files: SchemaFiles): Finding[] {
  if (files.size === 0) return [];
  return filesNamedBy(node, spec).flatMap(({ path, name }): Finding[] => {
    const file = files.get(name);
    return file !== undefined && 'problem' in file
      ? [{ code: 'node.bad-schema-file', severity: 'error', message: file.problem, path }]
      : [];
  });
}
