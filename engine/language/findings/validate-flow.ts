/**
 * Validates a parsed document against the node types: finds everything known in advance that would make a run fail.
 * Also validates an edge before it is added.
 */

import { findBindings } from '../bindings/bindings.ts';
import { secretFindings } from '../bindings/secret-bindings.ts';
import { isAgentType } from '../flow/agent-type-name.ts';
import { callFindings } from '../flow/called-flows.ts';
import { nameEdges } from '../flow/compile-flow.ts';
import { conditionTestsFailure, continuesOnFailure } from '../flow/failure-way.ts';
import { findCycles } from '../flow/find-cycles.ts';
import type { EdgeDoc, FlowDoc, NodeDoc } from '../flow/flow-doc.ts';
import { interfaceFindings } from '../flow/flow-interface.ts';
import { MAX_PROBLEMS } from '../flow/flow-limits.ts';
import { findLoops, type LoopNesting } from '../flow/loops.ts';
import { insteadOfType, promptFileFinding } from '../flow/older-form.ts';
import { type ParsedFlow, startOf } from '../flow/parse-flow.ts';
import { noSchemaFiles, type SchemaFiles, schemaFileFindings } from '../flow/schema-files.ts';
import { isJsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';
import { outputJsonSchema } from '../schema/json-schemas.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import { lintSteps } from '../steps/lint-steps.ts';
import type { StepFlowDoc } from '../steps/step-flow-doc.ts';
import { triggerFindings } from '../triggers/trigger-findings.ts';
import { problemOfAgent, withAgentTypes } from '../types/data-type.ts';
import type { KnownOutputs } from '../types/flow-values.ts';
import { builtinPack, type NodeTypeCatalog, type NodeTypeSpec } from '../types/node-type-spec.ts';
import { TypeCheck } from '../types/type-findings.ts';
import { type Diagnostic, worstProblems } from './diagnostic.ts';
import { type Finding, messageOf, placedAt } from './finding.ts';
import { loopFindings, staysInBody } from './loop-findings.ts';
import { didYouMean } from './nearest.ts';
import { configFindings, inputFindings, unusedFindings } from './node-value-findings.ts';
import {
  bindingFindings,
  conditionFindings,
  createScopes,
  inputConditionFindings,
  outputFindings,
  type ReferenceScope,
} from './reference-findings.ts';

/**
 * Validates types, packs, literal values, bindings, conditions, loops and cycles. Values with bindings are validated
 * during the run. Returns nothing for a document that could not be parsed, because its parse diagnostics explain why.
 * Never throws.
 * @param schemas the referenced schema files, insofar as they were loaded
 */
export function validateFlow(
  parsed: ParsedFlow,
  known: NodeTypeCatalog,
  schemas = noSchemaFiles,
  outputs: KnownOutputs = {},
): Diagnostic[] {
  const { doc } = parsed;
  if (doc === null) return [];
  if (parsed.steps !== undefined) return stepWarnings(parsed, parsed.steps);
  const catalog = schemas.size === 0 ? known : withAgentTypes(known, schemas);
  const nesting = findLoops(doc.nodes);
  const scopeOf = createScopes(doc, nesting);
  const check: FlowCheck = {
    doc,
    catalog,
    scopeOf,
    isReported: reportedPlaces(parsed),
    schemas,
    types: new TypeCheck({ ...outputs, doc, nesting, catalog, files: schemas, scopeOf }),
  };
  const findings = [
    ...packFindings(doc, catalog),
    ...interfaceFindings(doc.flow),
    ...flowTriggerFindings(doc, check.isReported),
    ...outputFindings(doc.flow, check.scopeOf()),
    ...check.types.ofOutputs(),
    ...doc.nodes.flatMap((node, index) => placedAt(['nodes', index], nodeFindings(node, index, check))),
    ...doc.edges.flatMap((edge, index) => edgeFindings(edge, index, check)),
    ...loopFindings(doc, nesting),
    ...cycleFindings(doc, nesting, check.isReported),
  ];
  return worstProblems(findings, MAX_PROBLEMS).flatMap((finding) => diagnosticOf(finding, parsed, check));
}

/** The schema of the file validates the steps, independently of node types. Only warnings remain. */
function stepWarnings(parsed: ParsedFlow, { steps }: StepFlowDoc): Diagnostic[] {
  return worstProblems(lintSteps(steps), MAX_PROBLEMS).map((finding) => {
    const { code, severity, path, focus } = finding;
    const nodeId = steps[Number(path[1])]?.id;
    const range = parsed.problemRange(path, focus);
    return { code, severity, message: messageOf(finding), range, ...(nodeId === undefined ? {} : { nodeId }) };
  });
}

interface FlowCheck {
  readonly doc: FlowDoc;
  readonly catalog: NodeTypeCatalog;
  readonly scopeOf: (nodeId?: string, isInside?: boolean) => ReferenceScope;
  /** Whether parsing found an error there. The document then contains a substitute that must not be validated again. */
  readonly isReported: (path: ValuePath, focus?: Finding['focus']) => boolean;
  readonly schemas: SchemaFiles;
  readonly types: TypeCheck;
}

function reportedPlaces(parsed: ParsedFlow): FlowCheck['isReported'] {
  const errors = parsed.diagnostics.filter(({ severity }) => severity === 'error');
  // Without errors, positions are not needed, and computing them takes time.
  if (errors.length === 0) return () => false;
  const reported: ReadonlySet<string> = new Set(errors.map(({ range }) => startOf(range)));
  return (path, focus) => reported.has(startOf(parsed.problemRange(path, focus)));
}

function nodeFindings(node: NodeDoc, index: number, check: FlowCheck): readonly Finding[] {
  const { doc, catalog, isReported } = check;
  const scope = check.scopeOf(node.id);
  const spec = catalog.get(node.type);
  const canJudge = (part: 'input' | 'config'): boolean => spec !== undefined && !isReported(['nodes', index, part]);
  const promptFile = promptFileFinding(node, node.type === 'prompt');
  return [
    ...typeFindings(node, doc, catalog),
    // Without its file, the prompt would also be reported as missing.
    ...(promptFile !== null ? [promptFile] : spec !== undefined && canJudge('input') ? inputFindings(node, spec) : []),
    ...(spec !== undefined && canJudge('config') ? [...configFindings(node, spec), ...unusedFindings(node, spec)] : []),
    ...bindingFindings(node, scope),
    ...secretFindings(node, spec),
    ...schemaFileFindings(node, spec, check.schemas),
    ...callFindings(node, check.schemas),
    ...conditionFindings(node.when, scope),
    ...inputConditionFindings(node, (sees) => check.scopeOf(node.id, sees === 'body')),
    ...check.types.ofNode(node, spec),
  ];
}

function edgeFindings(edge: EdgeDoc, index: number, check: FlowCheck): readonly Finding[] {
  const { scopeOf, doc, catalog } = check;
  const { from, when } = edge;
  if (when === undefined) return [];
  const routes = routeFindings(edge, doc, catalog);
  return placedAt(
    ['edges', index],
    [
      ...conditionFindings(when, scopeOf(from)),
      ...(routes.length > 0 ? routes : check.types.ofEdge(edge)),
      ...failureFindings(edge, doc, catalog),
    ],
  );
}

/** Returns an error for each group of nodes in a cycle, except for cycles formed by a rejected edge. */
function cycleFindings(
  doc: FlowDoc,
  nesting: LoopNesting,
  isReported: FlowCheck['isReported'] = () => false,
): readonly Finding[] {
  const refused = new Set(doc.edges.filter((_, index) => isReported(['edges', index])));
  return findCycles(doc, (edge) => staysInBody(edge, nesting) && !refused.has(edge)).map(({ edgeIndex, ids }) => ({
    code: 'edge.cycle',
    severity: 'error',
    message: `The edges form a cycle: ${cycleText(ids)}. Remove one of them.`,
    path: ['edges', edgeIndex],
  }));
}

function cycleText(ids: readonly string[]): string {
  const shown = ids.length <= 20 ? ids : [...ids.slice(0, 18), '...', ids.at(-1)];
  return shown.join(' -> ');
}

function diagnosticOf(finding: Finding, parsed: ParsedFlow, { doc, isReported }: FlowCheck): readonly Diagnostic[] {
  const { code, severity, path, focus } = finding;
  const [list, index] = path;
  const isInside = path.length > 2;
  if (isInside && isReported(path, focus)) return [];
  const nodeId = list === 'nodes' ? doc.nodes[Number(index)]?.id : undefined;
  const range = parsed.problemRange(path, focus);
  return [{ code, severity, message: messageOf(finding), range, ...(nodeId === undefined ? {} : { nodeId }) }];
}

/**
 * Returns why an edge may not be added, as a sentence for people; null if it may.
 * @param replaced name of the edge that it replaces, as returned by `nameEdges`
 */
export function edgeRefusal({ flow, nodes, edges }: FlowDoc, edge: EdgeDoc, replaced?: string): string | null {
  const names = nameEdges(edges);
  const others = edges.filter((_, index) => names[index]?.id !== replaced);
  const isThere = others.some(
    ({ from, to, when }) =>
      from === edge.from && to === edge.to && jsonEquals((when ?? null) as JsonValue, (edge.when ?? null) as JsonValue),
  );
  if (isThere) return `An edge already leads from "${edge.from}" to "${edge.to}".`;
  const nesting = findLoops(nodes);
  const crossing = loopFindings({ flow, nodes, edges: [edge] }, nesting).find(
    ({ code }) => code === 'loop.crossing-edge',
  );
  if (crossing !== undefined) return crossing.message;
  // It comes first, so that it is reported for a cycle that it forms.
  const cycle = cycleFindings({ flow, nodes, edges: [edge, ...others] }, nesting).find(({ path }) => path[1] === 0);
  return cycle?.message ?? null;
}

/** Finds an edge for a branch that its source does not have; paths are relative to the edge. */
function routeFindings({ from, when }: EdgeDoc, { nodes }: FlowDoc, catalog: NodeTypeCatalog): readonly Finding[] {
  const node = nodes.find(({ id }) => id === from);
  const spec = catalog.get(node?.type ?? '');
  const field = spec?.routeField ?? 'route';
  if (node === undefined || when === undefined || !('equals' in when) || when.equals.var !== `${from}.${field}`)
    return [];
  const word = when.equals.value;
  const known = spec?.routes?.(node.input) ?? [];
  if (known.length === 0 || typeof word !== 'string' || (field === 'route' && known.includes(word))) return [];
  // A branch with a bound name receives its name during the run.
  if (findBindings(node.input).some(({ path }) => path.at(-1) === 'route')) return [];
  const plain = field === 'condition' ? ', without quotes' : '';
  const message = `"${from}" has no branch "${word}", so this edge is never taken. It has: ${known.join(', ')}${plain}.`;
  const mistyped = { word, known };
  return [{ code: 'edge.unknown-route', severity: 'error', message, path: ['when', 'equals', 'value'], mistyped }];
}

/** Finds an edge for the failure of a node that ends the run; paths are relative to the edge. */
function failureFindings({ from, when }: EdgeDoc, doc: FlowDoc, catalog: NodeTypeCatalog): readonly Finding[] {
  if (conditionTestsFailure(from, when) !== true) return [];
  const node = doc.nodes.find(({ id }) => id === from);
  const spec = node === undefined ? undefined : catalog.get(node.type);
  if (node === undefined || continuesOnFailure(doc, node) || spec === undefined || mayGiveField(spec, 'failed'))
    return [];
  const message = `The run ends when "${from}" fails, so this edge is never taken. Set policy.continueOnError of "${from}" to true, or remove the edge.`;
  return [{ code: 'edge.never-fails', severity: 'warning', message, path: ['when'] }];
}

/** Whether outputs of a type may have a field of this name. A condition on it may then refer to data. */
function mayGiveField(spec: NodeTypeSpec, field: string): boolean {
  const { properties, additionalProperties } = outputJsonSchema(spec);
  const isOpen = !isJsonMap(properties) || (additionalProperties !== undefined && additionalProperties !== false);
  return isOpen || Object.hasOwn(properties, field);
}

/** Nothing about triggers is known if their structure is invalid. */
function flowTriggerFindings({ flow, nodes }: FlowDoc, isReported: FlowCheck['isReported']): readonly Finding[] {
  const { triggers = [] } = flow;
  if (triggers.length === 0 || isReported(['flow', 'triggers'])) return [];
  const nodeTypes = new Set(nodes.map(({ type }) => type));
  return placedAt(['flow', 'triggers'], triggerFindings(triggers, { header: flow, nodeTypes }));
}

/** Returns packs that the flow requires but the host does not allow. */
function packFindings({ flow }: FlowDoc, catalog: NodeTypeCatalog): readonly Finding[] {
  const allowed = catalog.packs();
  return (flow.nodePacks ?? []).flatMap((pack, index): Finding[] =>
    pack === builtinPack || allowed.includes(pack) ? [] : [forbiddenPack(pack, allowed, ['flow', 'nodePacks', index])],
  );
}

/** Returns why a node's type is not allowed; paths are relative to the node. */
function typeFindings(node: NodeDoc, { flow }: FlowDoc, catalog: NodeTypeCatalog): readonly Finding[] {
  const spec = catalog.get(node.type);
  if (spec === undefined) {
    const message = isAgentType(node.type) ? problemOfAgent(node.type, catalog) : unknownType(node.type, catalog);
    return message === undefined ? [] : [{ code: 'node.unknown-type', severity: 'error', message, path: ['type'] }];
  }
  return [...unlistedPack(spec, flow.nodePacks ?? [], catalog), ...unendingType(spec, catalog)];
}

function unknownType(type: string, catalog: NodeTypeCatalog): string {
  const older = insteadOfType(type);
  const known = catalog.list().map((spec) => spec.type);
  return `Node type "${type}" does not exist.${older === undefined ? didYouMean(type, known) : ` ${older}`}`;
}

function unlistedPack({ type, pack }: NodeTypeSpec, listed: readonly string[], catalog: NodeTypeCatalog): Finding[] {
  if (pack === undefined || listed.includes(pack)) return [];
  const allowed = catalog.packs();
  if (!allowed.includes(pack)) return [forbiddenPack(pack, allowed, ['type'])];
  const message = `The type "${type}" belongs to the node pack "${pack}". Add "${pack}" to flow.nodePacks.`;
  return [{ code: 'node.pack-not-listed', severity: 'error', message, path: ['type'] }];
}

function forbiddenPack(pack: string, allowed: readonly string[], path: Finding['path']): Finding {
  const known = allowed.length === 0 ? 'It allows no node packs.' : `It allows: ${allowed.join(', ')}.`;
  const message = `The node pack "${pack}" is not allowed by the program that runs this flow.${didYouMean(pack, allowed) || ` ${known}`}`;
  return { code: 'flow.pack-not-allowed', severity: 'error', message, path };
}

function unendingType({ type, longLived }: NodeTypeSpec, catalog: NodeTypeCatalog): Finding[] {
  if (longLived !== true || catalog.allowsLongLived(type)) return [];
  const message = `A node of type "${type}" never ends on its own, and the program that runs this flow does not allow that. Use another type, or allow "${type}" in that program.`;
  return [{ code: 'node.long-lived', severity: 'error', message, path: ['type'] }];
}
