/**
 * A parsed document against the node types: everything that would make a run fail and can be known before it.
 */
import { parsePath } from './binding-path.ts';
import { findBindings } from './bindings.ts';
import { type Diagnostic, type DiagnosticCode, worstProblems } from './diagnostic.ts';
import { findCycles } from './find-cycles.ts';
import type { FlowDoc, NodeDoc, WhenExpr } from './flow-doc.ts';
import { MAX_PROBLEMS } from './flow-limits.ts';
import { didYouMean } from './nearest.ts';
import type { NodeTypeCatalog } from './node-type-spec.ts';
import { configFindings, inputFindings, type NodeFinding } from './node-value-findings.ts';
import { type ParsedFlow, startOf } from './parse-flow.ts';
import type { ValuePath } from './schema-problems.ts';
import { type ComparisonExpr, comparisonOf } from './when.ts';

/**
 * Checks types, literal values, bindings, conditions and cycles. Values that hold bindings are left to the run.
 * A document that could not be read at all gives nothing: its parse diagnostics say why. Never throws.
 */
export function validateFlow(parsed: ParsedFlow, catalog: NodeTypeCatalog): Diagnostic[] {
  if (parsed.doc === null) return [];
  const { doc } = parsed;
  const ids = doc.nodes.map(({ id }) => id);
  const roots: Roots = { ids, all: new Set(['flow', ...ids]) };
  const errors = parsed.diagnostics.filter(({ severity }) => severity === 'error');
  const reported: ReadonlySet<string> = new Set(errors.map(({ range }) => startOf(range)));
  const checks = doc.nodes.map((node, index): NodeCheck => ({ node, index, roots, catalog, parsed, reported }));
  const found = worstProblems(checks.flatMap(nodeProblems), MAX_PROBLEMS);
  return [...found.flatMap(diagnosticOf), ...cycleDiagnostics(doc, parsed)];
}

/** The roots that paths may begin with. */
interface Roots {
  readonly ids: readonly string[];
  readonly all: ReadonlySet<string>;
}

interface NodeCheck {
  readonly node: NodeDoc;
  readonly index: number;
  readonly roots: Roots;
  readonly catalog: NodeTypeCatalog;
  readonly parsed: ParsedFlow;
  /** Where parsing found errors already: the document holds a makeshift there, which is not to be judged again. */
  readonly reported: ReadonlySet<string>;
}

interface NodeProblem extends NodeFinding {
  readonly check: NodeCheck;
}

function nodeProblems(check: NodeCheck): readonly NodeProblem[] {
  const findings = [...typeFindings(check), ...bindingFindings(check), ...whenFindings(check)];
  return findings.map((finding) => ({ ...finding, check }));
}

function diagnosticOf({ check, path, focus, code, severity, message }: NodeProblem): readonly Diagnostic[] {
  const { node, index, parsed, reported } = check;
  const range = parsed.problemRange(['nodes', index, ...path], focus);
  const isEcho = path.length > 0 && reported.has(startOf(range));
  return isEcho ? [] : [{ code, severity, message, range, nodeId: node.id }];
}

function typeFindings({ node, index, catalog, parsed, reported }: NodeCheck): readonly NodeFinding[] {
  const spec = catalog.get(node.type);
  if (spec === undefined) {
    const known = catalog.list().map(({ type }) => type);
    const message = `There is no node type "${node.type}".${didYouMean(node.type, known)}`;
    return [error('node.unknown-type', ['type'], message)];
  }
  const isReadable = (part: 'input' | 'config'): boolean =>
    !reported.has(startOf(parsed.problemRange(['nodes', index, part])));
  return [
    ...(isReadable('input') ? inputFindings(node, spec) : []),
    ...(isReadable('config') ? configFindings(node, spec) : []),
  ];
}

function bindingFindings({ node, roots }: NodeCheck): readonly NodeFinding[] {
  return findBindings(node.input).flatMap(({ path: inner, template }): NodeFinding[] => {
    const path = ['input', ...inner];
    const faulty = template.problems.map(
      ({ code, message, source }): NodeFinding => ({ ...error(code, path, message), focus: { part: source } }),
    );
    const strange = template.parts.flatMap((part): NodeFinding[] => {
      if (typeof part === 'string') return [];
      return rootFindings(part.path, roots).map((found) => ({ ...found, path, focus: { part: part.source } }));
    });
    return [...faulty, ...strange];
  });
}

function whenFindings({ node, roots }: NodeCheck): readonly NodeFinding[] {
  return node.when === undefined ? [] : conditionFindings(node.when, ['when'], roots);
}

function conditionFindings(expr: WhenExpr, path: ValuePath, roots: Roots): readonly NodeFinding[] {
  if ('not' in expr) return conditionFindings(expr.not, [...path, 'not'], roots);
  if ('and' in expr) return expr.and.flatMap((part, index) => conditionFindings(part, [...path, 'and', index], roots));
  if ('or' in expr) return expr.or.flatMap((part, index) => conditionFindings(part, [...path, 'or', index], roots));
  const [place, varText] = conditionPath(expr, path);
  const segments = parsePath(varText);
  if (segments !== undefined) return rootFindings(segments, roots).map((found) => ({ ...found, path: place }));
  const message = `"${varText}" is not a path. Write it without braces, for example node.field.`;
  return [error('binding.bad-path', place, message)];
}

function conditionPath(expr: ComparisonExpr | { exists: string }, path: ValuePath): [place: ValuePath, text: string] {
  if ('exists' in expr) return [[...path, 'exists'], expr.exists];
  const [op, comparison] = comparisonOf(expr);
  return [[...path, op, 'var'], comparison.var];
}

function rootFindings([root = '', field]: readonly string[], roots: Roots): readonly NodeFinding[] {
  if (root === 'flow' && field !== 'input') {
    const message = 'Of "flow" only "flow.input" can be read, so this path is always missing.';
    return [{ code: 'binding.unknown-root', severity: 'warning', path: [], message }];
  }
  if (roots.all.has(root)) return [];
  const message = `No node has the id "${root}", so this path is always missing.${didYouMean(root, roots.ids)}`;
  return [{ code: 'binding.unknown-root', severity: 'warning', path: [], message }];
}

function cycleDiagnostics(doc: FlowDoc, parsed: ParsedFlow): readonly Diagnostic[] {
  return findCycles(doc).map(({ edgeIndex, ids }) => ({
    code: 'edge.cycle',
    severity: 'error',
    message: `The edges close a cycle: ${cycleText(ids)}. Remove one of them.`,
    range: parsed.problemRange(['edges', edgeIndex]),
  }));
}

function cycleText(ids: readonly string[]): string {
  const shown = ids.length <= 20 ? ids : [...ids.slice(0, 18), '...', ids.at(-1)];
  return shown.join(' -> ');
}

function error(code: DiagnosticCode, path: ValuePath, message: string): NodeFinding {
  return { code, severity: 'error', path, message };
}
