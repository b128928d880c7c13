/**
 * The names that a binding or a condition can use: outputs of the nodes before it, inputs of the flow, items of the
 * loops around it.
 */
import {
  bodyOwners,
  continuesOnFailure,
  type FlowDoc,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  loopSchema,
  type NodeTypeCatalog,
  passLoop,
  pathText,
  previousRoot,
  readPath,
  type SchemaFiles,
} from '../../../engine/isomorphic.ts';
import { type BindingPlace, loopsAroundPlace, nodeOf, nodesBefore } from './binding-places.ts';
import { alternativesOf, fieldsAt, typeText } from './schema-fields.ts';
import { text } from './text.ts';
import {
  createValueSchemas,
  declaredSchema,
  memberSchema,
  type ValueFlow,
  type ValueNode,
  type ValueSchemas,
} from './value-schemas.ts';

/** The parts of a flow that paths can refer to, whether it was parsed completely or from unfinished text. */
export interface BindingFlow extends ValueFlow {
  readonly nodes: readonly BindingNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Returns the inputs of the flow at a path below them, with a short description of each value. */
  inputsAt(path: readonly string[]): readonly { readonly name: string; readonly detail: string }[];
}

interface BindingNode extends ValueNode {
  readonly name: string | undefined;
}

/** One segment of a path. */
export interface BindingPathStep {
  readonly name: string;
  readonly kind: 'node' | 'field' | 'flow' | 'input' | 'item' | 'loop' | 'secrets';
  /** The kind of the value, or the node's type. */
  readonly detail: string;
  readonly description: string;
}

export interface Candidate extends Pick<BindingPathStep, 'detail' | 'description'> {
  /** Without braces, for example `fetch.body`. */
  readonly path: string;
}

/** Returns the candidates for the typed beginning of a path. */
export type CandidateFinder = (begun: string) => readonly Candidate[];

/** Information that is not part of the flow itself. */
export interface CandidateContext {
  /** The contents of files used by the flow, as far as they have been read. */
  readonly files?: SchemaFiles | undefined;
  /** Names of secrets. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * Returns all paths that can be used at a place, nearest nodes first. For nodes and items, lists each field and then
 * the whole value. Deeper paths are returned once a path that leads there was started. Computed on the first call,
 * because large flows have many.
 */
export function bindingCandidates(
  doc: FlowDoc,
  place: BindingPlace,
  catalog: NodeTypeCatalog,
  { files, secrets }: CandidateContext = {},
): CandidateFinder {
  let gathered: { readonly known: CandidateSource; readonly all: readonly Candidate[] } | undefined;
  const gather = () => {
    const flow = { ...bindingFlowOf(doc), ...(files === undefined ? {} : { files }) };
    const known: CandidateSource = { flow, catalog, values: createValueSchemas(flow, catalog), place, secrets };
    return { known, all: usualCandidates(known) };
  };
  return (begun) => {
    gathered ??= gather();
    const { known, all } = gathered;
    return withDeeper(all, begun, (path) => nextPathSteps(known, path));
  };
}

function usualCandidates(known: CandidateSource): readonly Candidate[] {
  const below = (...path: readonly string[]): readonly Candidate[] =>
    nextPathSteps(known, path).map(({ name, detail, description }) => ({
      path: pathText([...path, name]),
      detail,
      description,
    }));
  return firstSteps(known).flatMap(({ name, kind, detail, description }): readonly Candidate[] => {
    if (kind === 'flow') return below('flow', 'input');
    if (kind === 'loop' || kind === 'secrets') return below(name);
    return [...below(name), { path: name, detail, description }];
  });
}

/** Returns the candidates, and those below the started path that are not among them. */
export function withDeeper(
  all: readonly Candidate[],
  begun: string,
  stepsBehind: (path: readonly string[]) => readonly BindingPathStep[],
): readonly Candidate[] {
  const deeper = candidatesBehind(begun, stepsBehind);
  if (deeper.length === 0) return all;
  const paths = new Set(all.map(({ path }) => path));
  return [...all, ...deeper.filter(({ path }) => !paths.has(path))];
}

/** Returns the candidates that continue the started path in the same notation: `a[0].` continues with `a[0].name`. */
function candidatesBehind(
  begun: string,
  stepsBehind: (path: readonly string[]) => readonly BindingPathStep[],
): readonly Candidate[] {
  const { segments, spans, end } = readPath(begun, 0) ?? { segments: [], spans: [], end: 0 };
  const isOpen = begun.slice(end) === '.';
  const [lastStart = 0] = spans.at(-1) ?? [];
  const isBracketed = begun.endsWith(']');
  // The last segment may be incomplete, unless a dot or a bracket has ended it.
  const path = isOpen || isBracketed ? segments : segments.slice(0, -1);
  if (path.length === 0) return [];
  const typed = isOpen || isBracketed ? begun.slice(0, end) : begun.slice(0, lastStart).replace(/\.$/, '');
  return stepsBehind(path).map(({ name, detail, description }) => ({
    path: typed + pathText(['', name]),
    detail,
    description,
  }));
}

/** A flow and the information about its values. */
export interface CandidateSource {
  readonly flow: BindingFlow;
  readonly values: ValueSchemas;
  readonly catalog: NodeTypeCatalog;
  readonly place: BindingPlace;
  readonly secrets?: readonly string[] | undefined;
}

/** Returns the first segments of paths, nearest first. */
export function firstSteps({
  flow,
  values,
  catalog,
  place,
  secrets = [],
}: CandidateSource): readonly BindingPathStep[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const around = place === null ? [] : loopsAroundPlace(flow.ownerOf, place);
  const items = around.map((id): BindingPathStep => {
    if (nodes.get(id)?.type === passLoop) {
      return { name: previousRoot, kind: 'item', detail: text.types.map, description: text.names.previousPass };
    }
    const detail = typeText(values.itemOf(id));
    return { name: itemName(nodes.get(id)), kind: 'item', detail, description: text.names.itemOf({ id }) };
  });
  const loop: BindingPathStep = { name: 'loop', kind: 'loop', detail: text.types.loop, description: text.names.loop };
  const before = nodesBefore(flow, place).flatMap((id) => nodes.get(id) ?? []);
  return [
    ...items,
    ...(around.length === 0 ? [] : [loop]),
    ...before.map(({ id, type, name }): BindingPathStep => {
      const description = name ?? catalog.get(type)?.title ?? text.names.nodeOutput;
      return { name: id, kind: 'node', detail: type, description };
    }),
    { name: 'flow', kind: 'flow', detail: text.types.inputs, description: text.names.inputsWithPath },
    ...(takesSecrets(nodes, { catalog, place }) && secrets.length > 0 ? [secretsStep] : []),
  ];
}

const secretsStep: BindingPathStep = {
  name: 'secret',
  kind: 'secrets',
  detail: text.types.secrets,
  description: text.names.secrets,
};

/** Returns whether a field of the node can contain secrets. */
function takesSecrets(
  nodes: ReadonlyMap<string, BindingNode>,
  { catalog, place }: Pick<CandidateSource, 'catalog' | 'place'>,
): boolean {
  if (place === null || !('node' in place)) return false;
  return catalog.get(nodes.get(place.node)?.type ?? '')?.secretFields !== undefined;
}

function itemName(loop: BindingNode | undefined): string {
  const as = loop?.input['as'];
  return typeof as === 'string' ? as : 'item';
}

/** Returns the segments that can follow a started path. */
export function nextPathSteps(
  { flow, values, place, secrets = [] }: CandidateSource,
  path: readonly string[],
): readonly BindingPathStep[] {
  const [root, ...inner] = path;
  if (root === 'flow') {
    const named = stepsBelowFlow(flow, inner);
    return named.length > 0 ? named : stepsOf(values.at(path, null));
  }
  if (root === 'loop' && inner.length === 0) return stepsOf(loopSchema);
  if (root === secretsStep.name && inner.length === 0) {
    return secrets.map((name) => ({ name, kind: 'field', detail: text.types.secret, description: text.names.secret }));
  }
  if (place === null) return stepsOf(values.at(path, null));
  // All nodes in a body have the same names available, except their own.
  const inside = 'bodyOf' in place ? flow.nodes.find(({ id }) => flow.ownerOf.get(id) === place.bodyOf)?.id : undefined;
  return stepsOf(values.at(path, inside ?? nodeOf(place)));
}

/** Returns the output fields of a node type. Empty for an unknown type. */
export function outputSteps(type: string, catalog: NodeTypeCatalog): readonly BindingPathStep[] {
  const flow = { nodes: [{ id: type, type, input: {}, config: {} }], ownerOf: new Map(), flowInput: undefined };
  return stepsOf(createValueSchemas(flow, catalog).at([type], null));
}

/** Returns the segments into a value: its fields, or the first member of a list. */
export function stepsOf(schema: JsonMap): readonly BindingPathStep[] {
  const fields = fieldsAt(schema, []).map(({ name, schema: field }): BindingPathStep => {
    const { description } = field;
    return {
      name,
      kind: 'field',
      detail: typeText(field),
      description: typeof description === 'string' ? description : '',
    };
  });
  if (!alternativesOf(schema).some(({ type }) => type === 'array')) return fields;
  const detail = typeText(memberSchema(schema));
  return [...fields, { name: '0', kind: 'field', detail, description: text.names.firstMember }];
}

function stepsBelowFlow(flow: BindingFlow, [part, ...path]: readonly string[]): readonly BindingPathStep[] {
  if (part === undefined)
    return [{ name: 'input', kind: 'input', detail: text.types.inputs, description: text.names.inputs }];
  if (part !== 'input') return [];
  const declared = path.length === 0 ? declaredSteps(flow.flowInputs ?? {}) : [];
  const plain = flow.inputsAt(path).filter(({ name }) => declared.every((step) => step.name !== name));
  const description = path.length === 0 ? text.names.input : '';
  return [
    ...declared,
    ...plain.map(({ name, detail }): BindingPathStep => ({ name, kind: 'input', detail, description })),
  ];
}

/** Declarations may be unfinished. */
function declaredSteps(inputs: JsonMap): readonly BindingPathStep[] {
  return Object.entries(inputs).map(([name, doc]) => {
    const about = isJsonMap(doc) ? doc['description'] : undefined;
    const description = typeof about === 'string' && about !== '' ? about : text.names.input;
    return { name, kind: 'input', detail: typeText(declaredSchema(doc)), description };
  });
}

/** Returns a completely parsed flow in the form used for bindings. */
export function bindingFlowOf({ nodes, edges, flow }: FlowDoc): BindingFlow {
  return {
    nodes: nodes.map(({ id, type, name, input, config = {}, policy }) => ({
      ...{ id, type, name, input, config },
      keepsFailure: continuesOnFailure({ flow }, policy === undefined ? {} : { policy }),
    })),
    edges,
    ownerOf: bodyOwners(nodes),
    flowInput: flow.input,
    ...(flow.inputs === undefined ? {} : { flowInputs: flow.inputs as unknown as JsonMap }),
    inputsAt(path) {
      let value: JsonValue | undefined = flow.input;
      for (const step of path) value = isJsonMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      if (!isJsonMap(value)) return [];
      return Object.entries(value).map(([name, part]) => ({ name, detail: typeText(schemaOf(part)) }));
    },
  };
}

/** An input of null allows any value. */
function schemaOf(value: JsonValue): JsonMap {
  if (value === null) return {};
  return { type: isJsonList(value) ? 'array' : typeof value };
}
