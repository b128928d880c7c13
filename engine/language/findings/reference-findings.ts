/**
 * Validates bindings and conditions: their syntax, and whether the referenced values can exist.
 */
import { parsePath } from '../bindings/binding-path.ts';
import { findBindings } from '../bindings/bindings.ts';
import { secretRoot } from '../bindings/secret-bindings.ts';
import { type ConditionScope, inputConditions, pathsOf } from '../bindings/when.ts';
import { type FlowDoc, type NodeDoc, type WhenExpr, whenSchema } from '../flow/flow-doc.ts';
import { type LoopNesting, loopsAround } from '../flow/loops.ts';
import { isJsonMap, type JsonMap } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import { type Finding, placedAt } from './finding.ts';

/** The valid path roots in one part of a flow. */
export interface ReferenceScope {
  readonly nodes: ReferenceableNodes;
  /** IDs of the loops around this part. */
  readonly loops: ReadonlySet<string>;
  /** Roots that those loops add. */
  readonly names: ReadonlySet<string>;
}

/** The nodes that references may name. */
interface ReferenceableNodes {
  readonly ids: readonly string[];
  readonly isNode: ReadonlySet<string>;
  readonly nesting: LoopNesting;
  /** Names of the flow's inputs; undefined if it accepts any input. */
  readonly inputs: readonly string[] | undefined;
}

/**
 * Returns the scope of a node's values or, without a node, the flow's own scope. All nodes in one body share a scope.
 * With `isInside`, the node is a loop, and the result is its body's scope.
 */
export function createScopes(
  { nodes: docs, flow }: FlowDoc,
  nesting: LoopNesting,
): (nodeId?: string, isInside?: boolean) => ReferenceScope {
  const ids = docs.map(({ id }) => id);
  const inputs = flow.inputs && [...Object.keys(flow.inputs), ...Object.keys(flow.input ?? {})];
  const nodes: ReferenceableNodes = { ids, isNode: new Set(ids), nesting, inputs };
  const scopes = new Map<string | undefined, ReferenceScope>();
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

/** Returns the problems of the bindings in a node's input; paths are relative to the node. */
export function bindingFindings({ input }: NodeDoc, scope: ReferenceScope): readonly Finding[] {
  return placedAt(['input'], findingsInValue(input, scope));
}

/** Returns the problems of a flow's outputs; paths are relative to the document. */
export function outputFindings({ outputs = {} }: FlowDoc['flow'], scope: ReferenceScope): readonly Finding[] {
  const bound = findBindings(outputs);
  const secrets = bound.flatMap(({ path, template }) =>
    template.parts.flatMap((part): Finding[] => {
      if (typeof part === 'string' || part.path[0] !== secretRoot) return [];
      const message = 'Flow outputs cannot contain secrets: anyone who receives the outputs would see them.';
      return [{ ...error('secret.misplaced', path, message), focus: { part: part.source } }];
    }),
  );
  return placedAt(['flow', 'outputs'], [...findingsInValue(outputs, scope), ...secrets]);
}

/** Returns the problems of the bindings in a value; paths are relative to it. */
function findingsInValue(value: JsonMap, scope: ReferenceScope): readonly Finding[] {
  return findBindings(value).flatMap(({ path, template }): Finding[] => {
    const faulty = template.problems.map(
      ({ code, message, source }): Finding => ({ ...error(code, path, message), focus: { part: source } }),
    );
    const strange = template.parts.flatMap((part): Finding[] => {
      // References to secrets are validated by location.
      if (typeof part !== 'string' && part.path[0] === secretRoot) return [];
      const found = typeof part === 'string' ? undefined : rootFinding(part.path, scope);
      return found === undefined || typeof part === 'string' ? [] : [{ ...found, path, focus: { part: part.source } }];
    });
    return [...faulty, ...strange];
  });
}

/** Returns a condition's problems; paths are relative to the node or edge that contains `when`. */
export function conditionFindings(when: WhenExpr | undefined, scope: ReferenceScope): readonly Finding[] {
  return when === undefined ? [] : findingsAt(when, ['when'], scope);
}

/**
 * Returns the problems of conditions in a node's input that read the flow; paths are relative to the node. Values that
 * are not conditions are left to its schema.
 */
export function inputConditionFindings(
  node: NodeDoc,
  scopeOf: (sees: ConditionScope) => ReferenceScope,
): readonly Finding[] {
  return inputConditions(node).flatMap(({ key, sees, condition }): readonly Finding[] => {
    const path = ['input', key];
    const bound = findBindings(isJsonMap(condition) ? condition : { condition });
    if (bound.length > 0) {
      const message =
        'A condition cannot contain bindings. Compare the value at a path, such as node.field, with a literal value.';
      return bound.map((binding) =>
        error('when.bad-shape', isJsonMap(condition) ? [...path, ...binding.path] : path, message),
      );
    }
    const read = whenSchema.safeParse(condition);
    return read.success ? findingsAt(read.data, path, scopeOf(sees)) : [];
  });
}

function findingsAt(expr: WhenExpr, base: ValuePath, scope: ReferenceScope): readonly Finding[] {
  return pathsOf(expr, base).flatMap(({ place, text }): readonly Finding[] => {
    const segments = parsePath(text);
    if (segments === undefined) {
      const message = `"${text}" is not a valid path. Write it without braces, for example node.field.`;
      return [error('binding.bad-path', place, message)];
    }
    const found = rootFinding(segments, scope);
    return found === undefined ? [] : [{ ...found, path: place }];
  });
}

/** Returns the problem with a path's first segments; undefined for a path that may exist. */
export function rootFinding(
  [root = '', field, name]: readonly string[],
  { nodes, loops, names }: ReferenceScope,
): Finding | undefined {
  if (names.has(root)) return undefined;
  if (nodes.isNode.has(root)) {
    const loop = nodes.nesting.loopOf.get(root)?.id;
    return loop === undefined || loops.has(loop) ? undefined : hiddenFinding(root, loop);
  }
  if (root === secretRoot) return warning('binding.unknown-root', 'A condition cannot read a secret.');
  if (root !== 'flow') {
    const message = `No node has the id "${root}", so this path is always missing.`;
    return { ...warning('binding.unknown-root', message), mistyped: { word: root, known: nodes.ids } };
  }
  if (field === 'input') return inputFinding(name, nodes.inputs);
  return warning('binding.unknown-root', 'Only "flow.input" can be read from "flow", so this path is always missing.');
}

function inputFinding(name: string | undefined, inputs: readonly string[] | undefined): Finding | undefined {
  if (name === undefined || inputs === undefined || inputs.includes(name)) return undefined;
  const message = `The flow has no input "${name}", so this path is always missing.`;
  return { ...warning('binding.unknown-root', message), mistyped: { word: name, known: inputs } };
}

function hiddenFinding(id: string, loop: string): Finding {
  const message = `This path has no value: "${id}" runs inside the loop "${loop}". Read ${loop}.iterations instead.`;
  return warning('loop.hidden-output', message);
}

function warning(code: DiagnosticCode, message: string): Finding {
  return { code, severity: 'warning', path: [], message };
}

function error(code: DiagnosticCode, path: ValuePath, message: string): Finding {
  return { code, severity: 'error', path, message };
}
