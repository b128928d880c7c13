/**
 * Bindings and conditions: whether they are well written, and whether what they name can ever stand there.
 */
import { parsePath } from './binding-path.ts';
import { findBindings } from './bindings.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import type { Finding } from './finding.ts';
import type { NodeDoc, WhenExpr } from './flow-doc.ts';
import { type LoopNesting, loopsAround } from './loops.ts';
import type { ValuePath } from './schema-problems.ts';
import { secretRoot } from './secret-bindings.ts';
import { type ComparisonExpr, comparisonOf } from './when.ts';

/** What paths at one place of a flow may begin with. */
export interface Scope {
  readonly nodes: KnownNodes;
  /** Ids of the loops around the place. */
  readonly loops: ReadonlySet<string>;
  /** Roots that those loops add. */
  readonly names: ReadonlySet<string>;
}

/** The nodes that references may name. */
interface KnownNodes {
  readonly ids: readonly string[];
  readonly isNode: ReadonlySet<string>;
  readonly nesting: LoopNesting;
}

/** Gives the scope of what a node says; all places in one body share one. */
export function createScopes(ids: readonly string[], nesting: LoopNesting): (nodeId: string) => Scope {
  const nodes: KnownNodes = { ids, isNode: new Set(ids), nesting };
  const scopes = new Map<string | undefined, Scope>();
  return (nodeId) => {
    const owner = nesting.loopOf.get(nodeId)?.id;
    const known = scopes.get(owner);
    if (known !== undefined) return known;
    const around = loopsAround(nodeId, nesting);
    const names = around.flatMap(({ as }) => as ?? []).concat(around.length === 0 ? [] : ['loop']);
    const scope = { nodes, loops: new Set(around.map(({ id }) => id)), names: new Set(names) };
    scopes.set(owner, scope);
    return scope;
  };
}

/** Problems of the bindings in a node's input; paths are below the node. */
export function bindingFindings({ input }: NodeDoc, scope: Scope): readonly Finding[] {
  return findBindings(input).flatMap(({ path: inner, template }): Finding[] => {
    const path = ['input', ...inner];
    const faulty = template.problems.map(
      ({ code, message, source }): Finding => ({ ...error(code, path, message), focus: { part: source } }),
    );
    const strange = template.parts.flatMap((part): Finding[] => {
      // Those are judged by where they stand.
      if (typeof part !== 'string' && part.path[0] === secretRoot) return [];
      const found = typeof part === 'string' ? undefined : rootFinding(part.path, scope);
      return found === undefined || typeof part === 'string' ? [] : [{ ...found, path, focus: { part: part.source } }];
    });
    return [...faulty, ...strange];
  });
}

/** Problems of a condition; paths are below the node or edge whose `when` it is. */
export function conditionFindings(when: WhenExpr | undefined, scope: Scope): readonly Finding[] {
  return when === undefined ? [] : findingsAt(when, ['when'], scope);
}

function findingsAt(expr: WhenExpr, path: ValuePath, scope: Scope): readonly Finding[] {
  if ('not' in expr) return findingsAt(expr.not, [...path, 'not'], scope);
  if ('and' in expr) return expr.and.flatMap((part, index) => findingsAt(part, [...path, 'and', index], scope));
  if ('or' in expr) return expr.or.flatMap((part, index) => findingsAt(part, [...path, 'or', index], scope));
  const [place, varText] = pathIn(expr, path);
  const segments = parsePath(varText);
  if (segments === undefined) {
    const message = `"${varText}" is not a path. Write it without braces, for example node.field.`;
    return [error('binding.bad-path', place, message)];
  }
  const found = rootFinding(segments, scope);
  return found === undefined ? [] : [{ ...found, path: place }];
}

function pathIn(expr: ComparisonExpr | { exists: string }, path: ValuePath): [place: ValuePath, text: string] {
  if ('exists' in expr) return [[...path, 'exists'], expr.exists];
  const [op, comparison] = comparisonOf(expr);
  return [[...path, op, 'var'], comparison.var];
}

function rootFinding([root = '', field]: readonly string[], { nodes, loops, names }: Scope): Finding | undefined {
  if (names.has(root)) return undefined;
  if (nodes.isNode.has(root)) {
    const loop = nodes.nesting.loopOf.get(root)?.id;
    return loop === undefined || loops.has(loop) ? undefined : hiddenFinding(root, loop);
  }
  if (root === secretRoot) return warning('binding.unknown-root', 'A condition cannot see a secret.');
  if (root !== 'flow') {
    const message = `No node has the id "${root}", so this path is always missing.`;
    return { ...warning('binding.unknown-root', message), mistyped: { word: root, known: nodes.ids } };
  }
  return field === 'input'
    ? undefined
    : warning('binding.unknown-root', 'Of "flow" only "flow.input" can be read, so this path is always missing.');
}

function hiddenFinding(id: string, loop: string): Finding {
  const message = `Nothing stands at this path: "${id}" runs inside the loop "${loop}". Read ${loop}.iterations instead.`;
  return warning('loop.hidden-output', message);
}

function warning(code: DiagnosticCode, message: string): Finding {
  return { code, severity: 'warning', path: [], message };
}

function error(code: DiagnosticCode, path: ValuePath, message: string): Finding {
  return { code, severity: 'error', path, message };
}
