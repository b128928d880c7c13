/**
 * What a binding or a condition may name: outputs of the nodes before it, inputs of the flow, items of the loops around it.
 */
import {
  bodyOwners,
  type FlowDoc,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  keepsFailure,
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
import {
  createValueSchemas,
  declaredSchema,
  memberSchema,
  type ValueFlow,
  type ValueNode,
  type ValueSchemas,
} from './value-schemas.ts';

/** As much of a flow as paths can speak of, whether it was read whole or from unfinished text. */
export interface BindingFlow extends ValueFlow {
  readonly nodes: readonly BindingNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** What the inputs of the flow hold at a path below them, with few words on each value. */
  inputsAt(path: readonly string[]): readonly { readonly name: string; readonly detail: string }[];
}

interface BindingNode extends ValueNode {
  readonly name: string | undefined;
}

/** One step that a path can take. */
export interface PathStep {
  readonly name: string;
  readonly kind: 'node' | 'field' | 'flow' | 'input' | 'item' | 'loop' | 'secrets';
  /** The kind of value, or the type of the node. */
  readonly detail: string;
  readonly description: string;
}

export interface Candidate extends Pick<PathStep, 'detail' | 'description'> {
  /** Without braces, for example `fetch.body`. */
  readonly path: string;
}

/** What may be named, given what was typed of a path. */
export type CandidateFinder = (begun: string) => readonly Candidate[];

/** What is known beside the flow itself. */
export interface Surroundings {
  /** What the files hold that the flow names, as far as they were read. */
  readonly files?: SchemaFiles | undefined;
  /** Names of secrets. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * All paths that make sense at a place, the nearest nodes first; of nodes and items each field, and then the whole. What is
 * deeper comes when a path was begun that leads there. Gathered when first asked for, since large flows have many.
 */
export function bindingCandidates(
  doc: FlowDoc,
  place: BindingPlace,
  catalog: NodeTypeCatalog,
  { files, secrets }: Surroundings = {},
): CandidateFinder {
  let gathered: { readonly known: KnownValues; readonly all: readonly Candidate[] } | undefined;
  const gather = () => {
    const flow = { ...bindingFlowOf(doc), ...(files === undefined ? {} : { files }) };
    const known: KnownValues = { flow, catalog, values: createValueSchemas(flow, catalog), place, secrets };
    return { known, all: usualCandidates(known) };
  };
  return (begun) => {
    gathered ??= gather();
    const { known, all } = gathered;
    return withDeeper(all, begun, (path) => stepsBelow(known, path));
  };
}

function usualCandidates(known: KnownValues): readonly Candidate[] {
  const below = (...path: readonly string[]): readonly Candidate[] =>
    stepsBelow(known, path).map(({ name, detail, description }) => ({
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

/** Candidates, and those behind the path that was begun which are not among them. */
export function withDeeper(
  all: readonly Candidate[],
  begun: string,
  stepsBehind: (path: readonly string[]) => readonly PathStep[],
): readonly Candidate[] {
  const deeper = candidatesBehind(begun, stepsBehind);
  if (deeper.length === 0) return all;
  const paths = new Set(all.map(({ path }) => path));
  return [...all, ...deeper.filter(({ path }) => !paths.has(path))];
}

/** What may follow on the path that was begun, written as it was begun: `a[0].` goes on with `a[0].name`. */
function candidatesBehind(
  begun: string,
  stepsBehind: (path: readonly string[]) => readonly PathStep[],
): readonly Candidate[] {
  const { segments, spans, end } = readPath(begun, 0) ?? { segments: [], spans: [], end: 0 };
  const isOpen = begun.slice(end) === '.';
  const [lastStart = 0] = spans.at(-1) ?? [];
  const isBracketed = begun.endsWith(']');
  // The last step may be half of a name, unless a dot or a bracket has ended it.
  const path = isOpen || isBracketed ? segments : segments.slice(0, -1);
  if (path.length === 0) return [];
  const typed = isOpen || isBracketed ? begun.slice(0, end) : begun.slice(0, lastStart).replace(/\.$/, '');
  return stepsBehind(path).map(({ name, detail, description }) => ({
    path: typed + pathText(['', name]),
    detail,
    description,
  }));
}

/** A flow and what is known of its values. */
export interface KnownValues {
  readonly flow: BindingFlow;
  readonly values: ValueSchemas;
  readonly catalog: NodeTypeCatalog;
  readonly place: BindingPlace;
  readonly secrets?: readonly string[] | undefined;
}

/** What a path may begin with, the nearest first. */
export function firstSteps({ flow, values, catalog, place, secrets = [] }: KnownValues): readonly PathStep[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const around = place === null ? [] : loopsAroundPlace(flow.ownerOf, place);
  const items = around.map((id): PathStep => {
    if (nodes.get(id)?.type === passLoop) {
      return {
        name: previousRoot,
        kind: 'item',
        detail: 'object',
        description: 'What the nodes gave in the pass before',
      };
    }
    const detail = typeText(values.itemOf(id));
    return { name: itemName(nodes.get(id)), kind: 'item', detail, description: `The item that ${id} works on` };
  });
  const loop: PathStep = { name: 'loop', kind: 'loop', detail: 'loop', description: 'Where the loop around it is' };
  const before = nodesBefore(flow, place).flatMap((id) => nodes.get(id) ?? []);
  return [
    ...items,
    ...(around.length === 0 ? [] : [loop]),
    ...before.map(({ id, type, name }): PathStep => {
      const description = name ?? catalog.get(type)?.title ?? 'Everything that the node gives';
      return { name: id, kind: 'node', detail: type, description };
    }),
    { name: 'flow', kind: 'flow', detail: 'inputs', description: 'Inputs of the run: `flow.input.<key>`' },
    ...(takesSecrets(nodes, { catalog, place }) && secrets.length > 0 ? [secretsStep] : []),
  ];
}

const secretsStep: PathStep = {
  name: 'secret',
  kind: 'secrets',
  detail: 'secrets',
  description: 'Secrets by name: `secret.<NAME>`. Settings > Secrets holds their values',
};

/** Whether some field of the node may hold secrets. */
function takesSecrets(
  nodes: ReadonlyMap<string, BindingNode>,
  { catalog, place }: Pick<KnownValues, 'catalog' | 'place'>,
): boolean {
  if (place === null || !('node' in place)) return false;
  return catalog.get(nodes.get(place.node)?.type ?? '')?.secretFields !== undefined;
}

function itemName(loop: BindingNode | undefined): string {
  const as = loop?.input['as'];
  return typeof as === 'string' ? as : 'item';
}

/** What may come behind a path that was begun. */
export function stepsBelow(
  { flow, values, place, secrets = [] }: KnownValues,
  path: readonly string[],
): readonly PathStep[] {
  const [root, ...inner] = path;
  if (root === 'flow') {
    const named = stepsBelowFlow(flow, inner);
    return named.length > 0 ? named : stepsOf(values.at(path, null));
  }
  if (root === 'loop' && inner.length === 0) return stepsOf(loopSchema);
  if (root === secretsStep.name && inner.length === 0) {
    return secrets.map((name) => ({ name, kind: 'field', detail: 'secret', description: 'Its value is never shown' }));
  }
  if (place === null) return stepsOf(values.at(path, null));
  // Inside a body all see the same, but for its nodes' own names.
  const inside = 'bodyOf' in place ? flow.nodes.find(({ id }) => flow.ownerOf.get(id) === place.bodyOf)?.id : undefined;
  return stepsOf(values.at(path, inside ?? nodeOf(place)));
}

/** The fields of what a type of node gives; none for a type that nobody knows. */
export function outputSteps(type: string, catalog: NodeTypeCatalog): readonly PathStep[] {
  const flow = { nodes: [{ id: type, type, input: {}, config: {} }], ownerOf: new Map(), flowInput: undefined };
  return stepsOf(createValueSchemas(flow, catalog).at([type], null));
}

/** The steps into a value: its fields or, of a list, the first member. */
export function stepsOf(schema: JsonMap): readonly PathStep[] {
  const fields = fieldsAt(schema, []).map(({ name, schema: field }): PathStep => {
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
  return [...fields, { name: '0', kind: 'field', detail, description: 'The first; 1 is the second, and so on' }];
}

function stepsBelowFlow(flow: BindingFlow, [part, ...path]: readonly string[]): readonly PathStep[] {
  if (part === undefined) return [{ name: 'input', kind: 'input', detail: 'inputs', description: 'Inputs of the run' }];
  if (part !== 'input') return [];
  const declared = path.length === 0 ? declaredSteps(flow.flowInputs ?? {}) : [];
  const plain = flow.inputsAt(path).filter(({ name }) => declared.every((step) => step.name !== name));
  const description = path.length === 0 ? 'Input of the flow' : '';
  return [...declared, ...plain.map(({ name, detail }): PathStep => ({ name, kind: 'input', detail, description }))];
}

/** Declarations may be unfinished. */
function declaredSteps(inputs: JsonMap): readonly PathStep[] {
  return Object.entries(inputs).map(([name, doc]) => {
    const about = isJsonMap(doc) ? doc['description'] : undefined;
    const description = typeof about === 'string' && about !== '' ? about : 'Input of the flow';
    return { name, kind: 'input', detail: typeText(declaredSchema(doc)), description };
  });
}

/** A flow that was read whole, as bindings see it. */
export function bindingFlowOf({ nodes, edges, flow }: FlowDoc): BindingFlow {
  return {
    nodes: nodes.map(({ id, type, name, input, config = {}, policy }) => ({
      ...{ id, type, name, input, config },
      keepsFailure: keepsFailure({ flow }, policy === undefined ? {} : { policy }),
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

/** An input that is null stands for any value. */
function schemaOf(value: JsonValue): JsonMap {
  if (value === null) return {};
  return { type: isJsonList(value) ? 'array' : typeof value };
}
