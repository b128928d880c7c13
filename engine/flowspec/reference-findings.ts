/**
 * Bindings and conditions: whether they are well written, and whether what they name can ever stand there.
 */
import { parsePath } from './binding-path.ts';
import { findBindings } from './bindings.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import { type Finding, placedAt } from './finding.ts';
import { type FlowDoc, type NodeDoc, type WhenExpr, whenSchema } from './flow-doc.ts';
import { isJsonMap, type JsonMap } from './json-value.ts';
import { type LoopNesting, loopsAround } from './loops.ts';
import type { ValuePath } from './schema-problems.ts';
import { secretRoot } from './secret-bindings.ts';
import { type ConditionSight, inputConditions, pathsOf } from './when.ts';

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
  /** Names of the flow's inputs; undefined = it may be given any. */
  readonly inputs: readonly string[] | undefined;
}

/**
 * Gives the scope of what a node says, or without a node that of the flow itself; all places in one body share one. With
 * `isInside` that of the body of the node, which is a loop.
 */
export function createScopes(
  { nodes: docs, flow }: FlowDoc,
  nesting: LoopNesting,
): (nodeId?: string, isInside?: boolean) => Scope {
  const ids = docs.map(({ id }) => id);
  const inputs = flow.inputs && [...Object.keys(flow.inputs), ...Object.keys(flow.input ?? {})];
  const nodes: KnownNodes = { ids, isNode: new Set(ids), nesting, inputs };
  const scopes = new Map<string | undefined, Scope>();
  return (nodeId, isInside = false) => {
    const own = isInside ? nesting.loops.find(({ id }) => id === nodeId) : undefined;
    const owner = own?.id ?? (nodeId === undefined ? undefined : nesting.loopOf.get(nodeId)?.id);
    const known = scopes.get(owner);
    if (known !== undefined) return known;
    const outside = nodeId === undefined ? [] : loopsAround(nodeId, nesting);
    const around = own === undefined ? outside : [own, ...outside];
    const names = new Set(around.flatMap(({ roots }) => roots));
    const scope = { nodes, loops: new Set(around.map(({ id }) => id)), names };
    scopes.set(owner, scope);
    return scope;
  };
}

/** Problems of the bindings in a node's input; paths are below the node. */
export function bindingFindings({ input }: NodeDoc, scope: Scope): readonly Finding[] {
  return placedAt(['input'], findingsInValue(input, scope));
}

/** Problems of what a flow gives; paths are below the document. */
export function outputFindings({ outputs = {} }: FlowDoc['flow'], scope: Scope): readonly Finding[] {
  const bound = findBindings(outputs);
  const secrets = bound.flatMap(({ path, template }) =>
    template.parts.flatMap((part): Finding[] => {
      if (typeof part === 'string' || part.path[0] !== secretRoot) return [];
      const message = 'A flow does not give a secret away: whoever gets its outputs would see it.';
      return [{ ...error('secret.misplaced', path, message), focus: { part: part.source } }];
    }),
  );
  return placedAt(['flow', 'outputs'], [...findingsInValue(outputs, scope), ...secrets]);
}

/** Problems of the bindings in a value; paths are below it. */
function findingsInValue(value: JsonMap, scope: Scope): readonly Finding[] {
  return findBindings(value).flatMap(({ path, template }): Finding[] => {
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

/** Problems of the conditions in a node's input that see the flow; paths are below the node. What is no condition is left to its schema. */
export function inputConditionFindings(node: NodeDoc, scopeOf: (sees: ConditionSight) => Scope): readonly Finding[] {
  return inputConditions(node).flatMap(({ key, sees, condition }): readonly Finding[] => {
    const path = ['input', key];
    const bound = findBindings(isJsonMap(condition) ? condition : { condition });
    if (bound.length > 0) {
      const message =
        'A condition is not filled in before it is tested. Compare what stands at a path, such as node.field, with a plain value.';
      return bound.map((binding) =>
        error('when.bad-shape', isJsonMap(condition) ? [...path, ...binding.path] : path, message),
      );
    }
    const read = whenSchema.safeParse(condition);
    return read.success ? findingsAt(read.data, path, scopeOf(sees)) : [];
  });
}

function findingsAt(expr: WhenExpr, base: ValuePath, scope: Scope): readonly Finding[] {
  return pathsOf(expr, base).flatMap(({ place, text }): readonly Finding[] => {
    const segments = parsePath(text);
    if (segments === undefined) {
      const message = `"${text}" is not a path. Write it without braces, for example node.field.`;
      return [error('binding.bad-path', place, message)];
    }
    const found = rootFinding(segments, scope);
    return found === undefined ? [] : [{ ...found, path: place }];
  });
}

/** What is wrong with the first segments of a path; undefined for a path that may lead to something. */
export function rootFinding(
  [root = '', field, name]: readonly string[],
  { nodes, loops, names }: Scope,
): Finding | undefined {
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
  if (field === 'input') return inputFinding(name, nodes.inputs);
  return warning('binding.unknown-root', 'Of "flow" only "flow.input" can be read, so this path is always missing.');
}

function inputFinding(name: string | undefined, inputs: readonly string[] | undefined): Finding | undefined {
  if (name === undefined || inputs === undefined || inputs.includes(name)) return undefined;
  const message = `The flow has no input "${name}", so this path is always missing.`;
  return { ...warning('binding.unknown-root', message), mistyped: { word: name, known: inputs } };
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
