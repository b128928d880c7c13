/**
 * A parsed document against the node types: everything that would make a run fail and can be known before it.
 */
import { type Diagnostic, worstProblems } from './diagnostic.ts';
import { findCycles } from './find-cycles.ts';
import { type Finding, messageOf, placedAt } from './finding.ts';
import type { EdgeDoc, FlowDoc, NodeDoc } from './flow-doc.ts';
import { MAX_PROBLEMS } from './flow-limits.ts';
import { loopFindings, staysInBody } from './loop-findings.ts';
import { findLoops, type LoopNesting } from './loops.ts';
import type { NodeTypeCatalog } from './node-type-spec.ts';
import { configFindings, inputFindings } from './node-value-findings.ts';
import { type ParsedFlow, startOf } from './parse-flow.ts';
import { bindingFindings, conditionFindings, createScopes, type Scope } from './reference-findings.ts';
import { routeFindings } from './route-findings.ts';
import type { ValuePath } from './schema-problems.ts';
import { packFindings, typeFindings } from './type-findings.ts';

/**
 * Checks types, packs, literal values, bindings, conditions, loops and cycles. Values that hold bindings are left to
 * the run. A document that could not be read at all gives nothing: its parse diagnostics say why. Never throws.
 */
export function validateFlow(parsed: ParsedFlow, catalog: NodeTypeCatalog): Diagnostic[] {
  const { doc } = parsed;
  if (doc === null) return [];
  const nesting = findLoops(doc.nodes);
  const ids = doc.nodes.map(({ id }) => id);
  const check: FlowCheck = { doc, catalog, scopeOf: createScopes(ids, nesting), isReported: reportedPlaces(parsed) };
  const findings = [
    ...packFindings(doc, catalog),
    ...doc.nodes.flatMap((node, index) => placedAt(['nodes', index], nodeFindings(node, index, check))),
    ...doc.edges.flatMap((edge, index) => edgeFindings(edge, index, check)),
    ...loopFindings(doc, nesting),
    ...cycleFindings(doc, nesting),
  ];
  return worstProblems(findings, MAX_PROBLEMS).flatMap((finding) => diagnosticOf(finding, parsed, check));
}

interface FlowCheck {
  readonly doc: FlowDoc;
  readonly catalog: NodeTypeCatalog;
  readonly scopeOf: (nodeId: string) => Scope;
  /** Whether parsing found an error there: the document holds a makeshift then, which is not to be judged again. */
  readonly isReported: (path: ValuePath, focus?: Finding['focus']) => boolean;
}

function reportedPlaces(parsed: ParsedFlow): FlowCheck['isReported'] {
  const errors = parsed.diagnostics.filter(({ severity }) => severity === 'error');
  // Without errors nobody needs to ask for places, which takes time.
  if (errors.length === 0) return () => false;
  const reported: ReadonlySet<string> = new Set(errors.map(({ range }) => startOf(range)));
  return (path, focus) => reported.has(startOf(parsed.problemRange(path, focus)));
}

function nodeFindings(node: NodeDoc, index: number, check: FlowCheck): readonly Finding[] {
  const { doc, catalog, isReported } = check;
  const scope = check.scopeOf(node.id);
  const spec = catalog.get(node.type);
  const canJudge = (part: 'input' | 'config'): boolean => spec !== undefined && !isReported(['nodes', index, part]);
  return [
    ...typeFindings(node, doc, catalog),
    ...(spec !== undefined && canJudge('input') ? inputFindings(node, spec) : []),
    ...(spec !== undefined && canJudge('config') ? configFindings(node, spec) : []),
    ...bindingFindings(node, scope),
    ...conditionFindings(node.when, scope),
  ];
}

function edgeFindings(edge: EdgeDoc, index: number, { scopeOf, doc, catalog }: FlowCheck): readonly Finding[] {
  const { from, when } = edge;
  if (when === undefined) return [];
  return placedAt(['edges', index], [...conditionFindings(when, scopeOf(from)), ...routeFindings(edge, doc, catalog)]);
}

/** An error for each group of nodes in a circle. */
export function cycleFindings(doc: FlowDoc, nesting: LoopNesting): readonly Finding[] {
  return findCycles(doc, (edge) => staysInBody(edge, nesting)).map(({ edgeIndex, ids }) => ({
    code: 'edge.cycle',
    severity: 'error',
    message: `The edges close a cycle: ${cycleText(ids)}. Remove one of them.`,
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
