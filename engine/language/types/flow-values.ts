/** Determines the possible values in a flow before it runs: node outputs, loop items, inputs and binding results. */
import { type Binding, parseTemplate } from '../bindings/binding-template.ts';
import { secretRoot } from '../bindings/secret-bindings.ts';
import { calledFileOf, interfaceOf } from '../flow/called-flows.ts';
import { callType, type FlowDoc, type NodeDoc } from '../flow/flow-doc.ts';
import { type InputHeader, inputsSchemaOf } from '../flow/flow-interface.ts';
import { findLoops, isLoop, type LoopNesting, loopsAround, passLoop, previousRoot } from '../flow/loops.ts';
import { type CalledFlow, nodeWithSchemas, type SchemaFiles } from '../flow/schema-files.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { outputJsonSchema } from '../schema/json-schemas.ts';
import { rejectionFields, withMarkers, withOptional } from './marker-shapes.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from './node-type-spec.ts';
import { schemaOfShape, shapeOfSchema, shapeOfValue } from './schema-to-shape.ts';
import {
  anyShape,
  canBe,
  deepest,
  emptyShape,
  except,
  isEmptyShape,
  isUnknown,
  kindOf,
  listOf,
  mapOf,
  ofKind,
  oneOfValues,
  stepInto,
  sure,
  union,
  unionOf,
  unsure,
  type ValueShape,
  withField,
} from './shape.ts';

/** Where a path is written: at a node, or in the node's body if it is a loop. Without a node: at the flow itself. */
export interface BindingLocation {
  readonly nodeId?: string;
  readonly isInside?: boolean;
}

/** Roots that override the flow's. */
export type ShapeRoots = ReadonlyMap<string, ValueShape>;

/** Information about outputs that is not in the file. */
export interface KnownOutputs {
  /** Nodes with a pinned output, which may have any type. */
  readonly pinned?: ReadonlySet<string>;
  /** JSON Schemas of tool outputs, by tool name. */
  readonly tools?: ReadonlyMap<string, JsonMap>;
}

export interface FlowParts extends KnownOutputs {
  readonly doc: FlowDoc;
  readonly nesting: LoopNesting;
  readonly catalog: NodeTypeCatalog;
  readonly files: SchemaFiles;
}

const text = ofKind('string');

/** One flow's values. */
export class FlowValues {
  readonly #parts: FlowParts;
  readonly #nodes: ReadonlyMap<string, NodeDoc>;
  readonly #outputs = new Map<string, ValueShape>();
  #inputs: ValueShape | undefined;
  #rejectable: ReadonlySet<string> | undefined;
  #depth = 0;

  constructor(parts: FlowParts) {
    this.#parts = parts;
    this.#nodes = new Map(parts.doc.nodes.map((node) => [node.id, node]));
  }

  node(id: string): NodeDoc | undefined {
    return this.#nodes.get(id);
  }

  /** Returns whether a name refers to a node there, and not to a root added by a loop. */
  isNode(name: string, place: BindingLocation): boolean {
    return this.#nodes.has(name) && !this.#loopsAt(place).some(({ roots }) => roots.includes(name));
  }

  /** Whether the node's output may have a field of this name, other than a failure's field. */
  hasOwnField(node: NodeDoc, name: string): boolean {
    const { fields, rest = anyShape } = this.#completed(node);
    return fields?.has(name) === true || rest.kinds !== 0;
  }

  /** Returns the shape of a path's first segment; undefined for a name that refers to nothing there. */
  root(name: string, place: BindingLocation): ValueShape | undefined {
    for (const loop of this.#loopsAt(place)) {
      if (!loop.roots.includes(name)) continue;
      if (name === 'loop') return mapOf([['index', sure(ofKind('number'))]]);
      return name === previousRoot && loop.as === undefined ? this.#bodyOf(loop.id) : this.#itemOf(loop.id);
    }
    if (name === 'flow') return mapOf([['input', sure(this.#flowInput())]]);
    if (name === secretRoot) return mapOf([], text);
    const node = this.#nodes.get(name);
    return node === undefined ? undefined : this.outputOf(node);
  }

  /** Returns the shape of a value in the file after its bindings are resolved. */
  of(value: JsonValue | undefined, place: BindingLocation, roots?: ShapeRoots): ValueShape {
    if (value === undefined) return anyShape;
    if (this.#depth > deepest) return anyShape;
    this.#depth += 1;
    const shape = this.#of(value, place, roots);
    this.#depth -= 1;
    return shape;
  }

  #of(value: JsonValue, place: BindingLocation, roots: ShapeRoots | undefined): ValueShape {
    if (typeof value === 'string') return this.#ofText(value, place, roots);
    if (isJsonList(value)) return listOf(unionOf(value.map((item) => this.of(item, place, roots))));
    // Only the kind of a fixed value counts, because people change such settings.
    if (!isJsonMap(value)) return ofKind(kindOf(value));
    return mapOf(Object.entries(value).map(([key, item]) => [key, sure(this.of(item, place, roots))]));
  }

  #ofText(written: string, place: BindingLocation, roots: ShapeRoots | undefined): ValueShape {
    if (!written.includes('{{')) return text;
    const { parts, problems } = parseTemplate(written);
    const [first, ...others] = parts;
    if (problems.length > 0 || first === undefined) return anyShape;
    return typeof first === 'string' || others.length > 0 ? text : this.ofBinding(first, place, roots);
  }

  /** Returns the shape of a single binding. */
  ofBinding({ path, isOptional, default: otherwise }: Binding, place: BindingLocation, roots?: ShapeRoots): ValueShape {
    const [root = '', ...rest] = path;
    const start = roots === undefined ? this.root(root, place) : (roots.get(root) ?? emptyShape);
    if (start === undefined) return anyShape;
    const found = rest.reduce(stepInto, start);
    const given = isUnknown(found) ? found : except(found, 'null');
    if (otherwise !== undefined) return union(given, shapeOfValue(otherwise));
    return isOptional ? union(given, oneOfValues([''])) : given;
  }

  /** Returns the output shape of a node that completes; it may also have marker fields. */
  outputOf(node: NodeDoc): ValueShape {
    const made = this.#outputs.get(node.id);
    if (made !== undefined) return made;
    // Nodes that reference each other circularly, or in too long a chain, are unknown.
    this.#outputs.set(node.id, anyShape);
    if (this.#depth > deepest) {
      this.#outputs.delete(node.id);
      return anyShape;
    }
    this.#depth += 1;
    const completed = withMarkers(this.#completed(node));
    const shape = this.#mayBeRejected(node.id) ? withOptional(completed, rejectionFields) : completed;
    this.#depth -= 1;
    this.#outputs.set(node.id, shape);
    return shape;
  }

  #completed(node: NodeDoc): ValueShape {
    const { catalog, files, pinned } = this.#parts;
    const spec = catalog.get(node.type);
    if (spec === undefined || pinned?.has(node.id) === true || isPlaceholder(node)) return anyShape;
    if (spec.type === 'tool') return this.#toolOutput(node);
    const whole = shapeOfSchema(outputJsonSchema(spec));
    // The output of a node that never completes is never read.
    if (isEmptyShape(whole)) return anyShape;
    if (spec.type === callType) return withField(whole, 'outputs', this.#calledOutputs(node));
    if (isLoop(spec.type)) return this.#ofLoop(node, whole);
    const { config = {} } = nodeWithSchemas(node, spec, files);
    return this.#withGiven(whole, spec, { ...node, config });
  }

  #withGiven(whole: ValueShape, { givenSchemas }: NodeTypeSpec, { id, input, config = {} }: NodeDoc): ValueShape {
    const place = { nodeId: id };
    const given = givenSchemas?.({ input, config }, (value, roots) => {
      const others = roots && new Map(Object.entries(roots).map(([name, schema]) => [name, shapeOfSchema(schema)]));
      return schemaOfShape(this.of(value, place, others));
    });
    return Object.entries(given ?? {}).reduce(
      (shape, [name, schema]) => withField(shape, name, schema === false ? emptyShape : shapeOfSchema(schema)),
      whole,
    );
  }

  #toolOutput({ config = {} }: NodeDoc): ValueShape {
    const { tool } = config;
    const schema = typeof tool === 'string' ? this.#parts.tools?.get(tool) : undefined;
    return schema === undefined ? anyShape : shapeOfSchema(schema);
  }

  /** Whether an edge follows a start or call that a person rejects. */
  #mayBeRejected(id: string): boolean {
    this.#rejectable ??= new Set(
      this.#parts.doc.edges.flatMap(({ from, when }) =>
        when !== undefined && JSON.stringify(when).includes('"rejected"') ? [from] : [],
      ),
    );
    return this.#rejectable.has(id);
  }

  #ofLoop(loop: NodeDoc, whole: ValueShape): ValueShape {
    const outputs = this.#bodyOf(loop.id);
    const iterations = stepInto(whole, 'iterations');
    const { items = anyShape } = iterations;
    const isPasses = loop.type === passLoop;
    const item = withField(items, 'outputs', outputs);
    const known = listOf(isPasses ? item : withField(item, 'item', this.#itemOf(loop.id)));
    const shape = withField(whole, 'iterations', known);
    return isPasses ? withField(shape, 'last', outputs) : shape;
  }

  #bodyOf(loopId: string): ValueShape {
    const { doc, nesting } = this.#parts;
    const body = doc.nodes.filter(({ id }) => nesting.loopOf.get(id)?.id === loopId);
    return mapOf(body.map((node) => [node.id, sure(this.outputOf(node))]));
  }

  #itemOf(loopId: string): ValueShape {
    const items = this.of(this.#nodes.get(loopId)?.input['items'], { nodeId: loopId });
    return canBe(items, 'list') ? (items.items ?? anyShape) : anyShape;
  }

  #flowInput(): ValueShape {
    this.#inputs ??= inputShape(this.#parts.doc.flow);
    return this.#inputs;
  }

  #loopsAt({ nodeId, isInside = false }: BindingLocation): LoopNesting['loops'] {
    if (nodeId === undefined) return [];
    const { nesting } = this.#parts;
    const around = loopsAround(nodeId, nesting);
    const own = isInside ? nesting.loops.find(({ id }) => id === nodeId) : undefined;
    return own === undefined ? around : [own, ...around];
  }

  #calledOutputs(node: NodeDoc): ValueShape {
    const file = calledFileOf(node, this.#parts.files);
    return file !== undefined && 'flow' in file ? outputsOfCalled(file.flow, this.#parts.catalog) : anyShape;
  }
}

/**
 * Returns the shape of a run's inputs. A flow without declared inputs accepts values of any type, including in place of
 * its defaults.
 */
function inputShape(header: InputHeader): ValueShape {
  const { input = {}, inputs } = header;
  if (inputs === undefined)
    return mapOf(
      Object.keys(input).map((name) => [name, sure(anyShape)]),
      anyShape,
    );
  const { properties } = inputsSchemaOf({ inputs });
  const declared = Object.entries(isJsonMap(properties ?? null) ? (properties as JsonMap) : {});
  const undeclared = Object.keys(input).filter((name) => !Object.hasOwn(inputs, name));
  return mapOf([
    ...undeclared.map((name) => [name, sure(anyShape)] as const),
    ...declared.map(([name, schema]) => {
      const { required, default: own } = inputs[name] ?? {};
      const isGiven = required === true || own !== undefined || Object.hasOwn(input, name);
      const shape = isJsonMap(schema) ? shapeOfSchema(schema) : anyShape;
      return [name, isGiven ? sure(shape) : unsure(shape)] as const;
    }),
  ]);
}

const calledShapes = new WeakMap<CalledFlow, ValueShape>();

/** Returns the declared outputs of a called flow; unknown if it declares none. */
function outputsOfCalled(called: CalledFlow, catalog: NodeTypeCatalog): ValueShape {
  const made = calledShapes.get(called);
  if (made !== undefined) return made;
  const { doc } = interfaceOf(called);
  // Without a declaration, the outputs depend on which of the flow's nodes were skipped.
  const shape =
    doc?.flow.outputs === undefined
      ? anyShape
      : new FlowValues({ doc, nesting: findLoops(doc.nodes), catalog, files: new Map(called.files) }).of(
          doc.flow.outputs,
          {},
        );
  calledShapes.set(called, shape);
  return shape;
}

/** Whether a node stands for one that is still missing: a disabled no-op without a value. Its output is unknown. */
function isPlaceholder({ type, disabled, input }: NodeDoc): boolean {
  return disabled === true && type === 'control.noop' && !Object.hasOwn(input, 'value');
}
