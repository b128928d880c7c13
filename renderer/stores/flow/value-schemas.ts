/**
 * Infers the values of a flow before it runs, as JSON schemas: outputs of nodes, items of loops, inputs, and the
 * results of bindings. `{}` means unknown.
 */
import {
  bodyOwners,
  type CalledFlow,
  calledFileOf,
  callType,
  interfaceOf,
  isJsonList,
  isJsonMap,
  isLoop,
  type JsonMap,
  type JsonValue,
  type NodeTypeCatalog,
  type NodeTypeSpec,
  nodeWithSchemas,
  noSchemaFiles,
  outputJsonSchema,
  parseTemplate,
  passLoop,
  previousRoot,
  type SchemaFiles,
} from '../../../engine/isomorphic.ts';
import { followRefs, mapEach, membersOf, type OutputSchemaFields, withFields } from './schema-fields.ts';
import { text } from './text.ts';

/** The parts of a node that determine its output. */
export interface ValueNode {
  readonly id: string;
  readonly type: string;
  readonly input: JsonMap;
  readonly config: JsonMap;
  /** Whether the flow continues if the node fails. The failure then replaces its output. */
  readonly keepsFailure?: boolean;
}

/** The schema of a failed node's output. */
const failureSchema: JsonMap = {
  type: 'object',
  properties: {
    failed: { type: 'boolean', description: text.names.failed },
    error: {
      type: 'object',
      description: text.names.error,
      properties: {
        code: { type: 'string', description: text.names.errorCode },
        message: { type: 'string', description: text.names.errorMessage },
      },
    },
    attempts: { type: 'integer', description: text.names.attempts },
  },
};

export interface ValueFlow {
  readonly nodes: readonly ValueNode[];
  /** The loop of each node in a body. */
  readonly ownerOf: ReadonlyMap<string, string>;
  readonly flowInput: JsonValue | undefined;
  /** The input declarations of the flow, which may be unfinished. */
  readonly flowInputs?: JsonMap;
  /** The called flows, as far as they are known. */
  readonly files?: SchemaFiles;
}

type SchemaRoots = Readonly<Record<string, JsonMap>>;

export interface ValueSchemas {
  /** Returns the schema of a path used in a node. Null for a place outside all loops. */
  at(path: readonly string[], nodeId: string | null): JsonMap;
  /** Returns the schema of a value in the file at a node. `roots` override the names defined by the flow. */
  of(value: JsonValue | undefined, nodeId: string | null, roots?: SchemaRoots): JsonMap;
  /** Returns the schema of a loop's item. */
  itemOf(loopId: string): JsonMap;
}

/** Maximum number of list members to inspect. The others are assumed to be similar. */
const mostMembers = 50;

/** Maximum depth. Loops may contain each other, and bindings may be cyclic; deeper values are unknown. */
const mostSteps = 24;

/** Returns the schema at a path below a value. */
export function schemaAt(schema: JsonMap, path: readonly string[]): JsonMap {
  let found: readonly JsonMap[] = [schema];
  for (const step of path) found = membersOf(found, step);
  return oneOf(found);
}

/** Combines schemas: returns the only one, or a union. */
function oneOf(schemas: readonly JsonMap[]): JsonMap {
  const kinds = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [only = {}, ...others] = kinds.values();
  return others.length === 0 ? only : { anyOf: [...kinds.values()] };
}

/** Returns the schema of a list's members, or `{}` if the value is not a list. */
export function memberSchema(schema: JsonMap): JsonMap {
  return schemaAt(schema, ['0']);
}

/** Infers the values of one flow. Results are cached, so create a new instance for each text. */
export function createValueSchemas(flow: ValueFlow, catalog: NodeTypeCatalog): ValueSchemas {
  return new FlowValueSchemas(flow, catalog);
}

class FlowValueSchemas implements ValueSchemas {
  readonly #flow: ValueFlow;
  readonly #catalog: NodeTypeCatalog;
  readonly #nodes: ReadonlyMap<string, ValueNode>;
  readonly #outputs = new Map<string, JsonMap>();
  #steps = 0;

  constructor(flow: ValueFlow, catalog: NodeTypeCatalog) {
    this.#flow = flow;
    this.#catalog = catalog;
    this.#nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  }

  at(path: readonly string[], nodeId: string | null): JsonMap {
    if (this.#steps >= mostSteps) return {};
    this.#steps += 1;
    const schema = this.#find(path, nodeId);
    this.#steps -= 1;
    return schema;
  }

  of(value: JsonValue | undefined, nodeId: string | null, roots?: SchemaRoots): JsonMap {
    if (value === undefined || value === null) return {};
    if (typeof value === 'string') return this.#ofText(value, nodeId, roots);
    if (isJsonList(value)) {
      const members = value.slice(0, mostMembers).map((part) => this.of(part, nodeId, roots));
      return { type: 'array', items: oneOf(members) };
    }
    if (!isJsonMap(value)) return { type: typeof value };
    const parts = Object.entries(value).map(([key, part]) => [key, this.of(part, nodeId, roots)] as const);
    return { type: 'object', properties: Object.fromEntries(parts) };
  }

  itemOf(loopId: string): JsonMap {
    const loop = this.#nodes.get(loopId);
    return loop === undefined ? {} : memberSchema(this.of(loop.input['items'], loopId));
  }

  #ofText(text: string, nodeId: string | null, roots: SchemaRoots | undefined): JsonMap {
    const path = loneBinding(text);
    if (path === undefined) return { type: 'string' };
    if (roots === undefined) return this.at(path, nodeId);
    const [root = '', ...rest] = path;
    return schemaAt(roots[root] ?? {}, rest);
  }

  #find([root = '', ...rest]: readonly string[], nodeId: string | null): JsonMap {
    if (root === 'flow') {
      const [part, ...path] = rest;
      return part === 'input' ? schemaAt(this.#inputs(), path) : {};
    }
    const loop = nodeId === null ? undefined : this.#loopNaming(root, nodeId);
    if (loop !== undefined) return schemaAt(root === previousRoot ? this.#bodyOf(loop) : this.itemOf(loop), rest);
    const node = this.#nodes.get(root);
    return node === undefined ? {} : schemaAt(this.#outputOf(node), rest);
  }

  #inputs(): JsonMap {
    const { flowInput, flowInputs = {} } = this.#flow;
    const { properties } = this.of(flowInput, null);
    const plain = isJsonMap(properties) ? properties : {};
    // A default says more about the contents of a list or a map than the declaration does.
    const declared = Object.entries(flowInputs).map(([name, doc]): [string, JsonMap] => {
      const schema = declaredSchema(doc);
      const known = Object.hasOwn(plain, name) ? plain[name] : this.of(isJsonMap(doc) ? doc['default'] : null, null);
      return [name, isJsonMap(known) && known['type'] === schema['type'] ? { ...known, ...schema } : schema];
    });
    return { type: 'object', properties: { ...plain, ...Object.fromEntries(declared) } };
  }

  #outputOf(node: ValueNode): JsonMap {
    const made = this.#outputs.get(node.id);
    if (made !== undefined) return made;
    const spec = this.#catalog.get(node.type);
    if (spec === undefined) return node.keepsFailure === true ? failureSchema : {};
    // Cyclic lookups during the inference get the schema of the type alone.
    this.#outputs.set(node.id, specOutput(spec));
    const given = withFields(specOutput(spec), this.#givenBy(node, spec));
    const output = node.keepsFailure === true ? { anyOf: [given, failureSchema] } : given;
    this.#outputs.set(node.id, output);
    return output;
  }

  /**
   * The type's definition infers the fields that depend on the input. Only a loop depends on the outputs of other
   * nodes.
   */
  #givenBy(node: ValueNode, spec: NodeTypeSpec): OutputSchemaFields {
    const { id, input } = node;
    if (spec.type === callType) return { outputs: calledOutputs(node, this.#flow.files, this.#catalog) };
    if (isLoop(spec.type)) return this.#ofLoop(id, spec);
    const { config } = nodeWithSchemas(node, spec, this.#flow.files ?? noSchemaFiles);
    const given = spec.givenSchemas?.({ input, config }, (value, roots) => this.of(value, id, roots)) ?? {};
    return mapEach(given, followRefs);
  }

  #ofLoop(loopId: string, spec: NodeTypeSpec): SchemaRoots {
    const iterations = schemaAt(specOutput(spec), ['iterations']);
    const outputs = this.#bodyOf(loopId);
    const own = spec.type === passLoop ? { outputs } : { item: this.itemOf(loopId), outputs };
    const known = { ...iterations, items: withFields(memberSchema(iterations), own) };
    return spec.type === passLoop ? { iterations: known, last: outputs } : { iterations: known };
  }

  /** Returns the outputs of the nodes in a loop body, by ID. */
  #bodyOf(loopId: string): JsonMap {
    const body = this.#flow.nodes.filter(({ id }) => this.#flow.ownerOf.get(id) === loopId);
    return { type: 'object', properties: Object.fromEntries(body.map((node) => [node.id, this.#outputOf(node)])) };
  }

  /**
   * Returns the innermost loop around a node with an item of this name, or with a previous iteration that the name
   * refers to.
   */
  #loopNaming(name: string, nodeId: string): string | undefined {
    const seen = new Set<string>();
    const { ownerOf } = this.#flow;
    for (let id = ownerOf.get(nodeId); id !== undefined && !seen.has(id); id = ownerOf.get(id)) {
      const node = this.#nodes.get(id);
      const own = node?.type === passLoop ? previousRoot : (node?.input['as'] ?? 'item');
      if (own === name) return id;
      seen.add(id);
    }
    return undefined;
  }
}

const calledSchemas = new WeakMap<CalledFlow, JsonMap>();

/** Returns the outputs of a called flow: the declared ones, or those of its final nodes. */
function calledOutputs(node: ValueNode, files: SchemaFiles | undefined, catalog: NodeTypeCatalog): JsonMap {
  const file = files === undefined ? undefined : calledFileOf(node, files);
  if (file === undefined || !('flow' in file)) return {};
  const { flow } = file;
  const made = calledSchemas.get(flow) ?? outputsOf(flow, catalog);
  calledSchemas.set(flow, made);
  return made;
}

function outputsOf(called: CalledFlow, catalog: NodeTypeCatalog): JsonMap {
  const { doc } = interfaceOf(called);
  if (doc === null) return {};
  const { flow, nodes, edges } = doc;
  const values = createValueSchemas(
    {
      nodes: nodes.map(({ id, type, input, config = {} }) => ({ id, type, input, config })),
      ownerOf: bodyOwners(nodes),
      flowInput: flow.input,
      ...(flow.inputs === undefined ? {} : { flowInputs: flow.inputs as unknown as JsonMap }),
      files: new Map(called.files),
    },
    catalog,
  );
  if (flow.outputs !== undefined) return values.of(flow.outputs, null);
  const owners = bodyOwners(nodes);
  const ends = nodes.filter(({ id }) => !owners.has(id) && edges.every(({ from }) => from !== id));
  const properties = Object.fromEntries(ends.map(({ id }) => [id, values.at([id], null)]));
  return { type: 'object', properties };
}

/** Returns the JSON schema of a declared input. The declaration may be unfinished. */
export function declaredSchema(doc: JsonValue): JsonMap {
  if (!isJsonMap(doc)) return {};
  const { type, enum: values, description } = doc;
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(isJsonList(values) ? { enum: values } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** Returns the path of a text that consists of a single binding, which keeps the type of its value. */
function loneBinding(text: string): readonly string[] | undefined {
  if (!text.includes('{{')) return undefined;
  const [part, ...others] = parseTemplate(text).parts;
  return part === undefined || typeof part === 'string' || others.length > 0 ? undefined : part.path;
}

const outputSchemas = new WeakMap<NodeTypeSpec, JsonMap>();

function specOutput(spec: NodeTypeSpec): JsonMap {
  const schema = outputSchemas.get(spec) ?? outputJsonSchema(spec);
  outputSchemas.set(spec, schema);
  return schema;
}
