/**
 * Validates a document's loops: their bodies, the names they define, and edges that cross their boundaries.
 */

import { secretRoot } from '../bindings/secret-bindings.ts';
import type { EdgeDoc, FlowDoc, NodeDoc } from '../flow/flow-doc.ts';
import { MAX_NESTING_DEPTH } from '../flow/flow-limits.ts';
import { type Loop, type LoopNesting, loopsAround, previousRoot } from '../flow/loops.ts';
import { isJsonList } from '../json/json-value.ts';
import type { Finding } from './finding.ts';

/** Returns the problems of all loops, except those that the node type's own schema detects, such as a missing body. */
export function loopFindings(doc: FlowDoc, nesting: LoopNesting): readonly Finding[] {
  if (nesting.loops.length === 0) return [];
  const ids = doc.nodes.map(({ id }) => id);
  const loops: FlowLoops = { nesting, ids, isKnown: new Set(ids) };
  return [
    ...nesting.loops.flatMap((loop) => findingsOfLoop(loop, doc.nodes[loop.index], loops)),
    ...reservedFindings(doc, nesting),
    ...doc.edges.flatMap((edge, index) => crossingFindings(edge, index, loops)),
  ];
}

/** Whether both ends of an edge are in the same body, or outside all bodies. */
export function staysInBody({ from, to }: EdgeDoc, { loopOf }: LoopNesting): boolean {
  return loopOf.get(from) === loopOf.get(to);
}

interface FlowLoops {
  readonly nesting: LoopNesting;
  readonly ids: readonly string[];
  readonly isKnown: ReadonlySet<string>;
}

function findingsOfLoop(loop: Loop, node: NodeDoc | undefined, loops: FlowLoops): readonly Finding[] {
  const path = ['nodes', loop.index];
  const around = loopsAround(loop.id, loops.nesting);
  return [
    ...retryFindings(node, path),
    ...depthFindings(around, path),
    ...nameFindings(loop.as, [...path, 'input', 'as'], loops),
    ...bodyFindings({ loop, around: new Set(around.map(({ id }) => id)).add(loop.id), loops }, node),
  ];
}

/** In a `control.loop` body, no node that it runs or can refer to may have the previous iteration's name. */
function reservedFindings({ nodes }: FlowDoc, { loops, loopOf }: LoopNesting): readonly Finding[] {
  const hasPasses = loops.some(({ roots }) => roots.includes(previousRoot));
  return nodes.flatMap(({ id }, index): Finding[] => {
    if (id !== previousRoot || !(hasPasses || loopOf.has(id))) return [];
    const message = `In a loop, "${previousRoot}" refers to the output of the previous iteration, so a node in or beside a loop cannot have this id. Choose another id.`;
    return [{ code: 'node.reserved-id', severity: 'error', message, path: ['nodes', index, 'id'] }];
  });
}

function retryFindings(node: NodeDoc | undefined, path: Finding['path']): readonly Finding[] {
  if (node?.policy?.retry === undefined) return [];
  const message = 'A loop cannot be retried as a whole. Set the retry on the nodes of its body.';
  return [{ code: 'loop.retry', severity: 'error', message, path: [...path, 'policy', 'retry'] }];
}

function depthFindings(around: readonly Loop[], path: Finding['path']): readonly Finding[] {
  if (around.length < MAX_NESTING_DEPTH) return [];
  const message = `Loops are nested more than ${MAX_NESTING_DEPTH} levels deep, which is the limit for a flow.`;
  return [{ code: 'loop.too-deep', severity: 'error', message, path }];
}

function nameFindings(name: string | undefined, path: Finding['path'], { isKnown }: FlowLoops): readonly Finding[] {
  if (name === undefined) return [];
  if (isBound(name)) return [boundFinding('The name of the item', path)];
  if (name === secretRoot || name === previousRoot) {
    const meaning = name === secretRoot ? 'the secrets of a run' : 'the output of the previous iteration of a loop';
    const message = `The item cannot be named "${name}" because this name refers to ${meaning}. Choose another name.`;
    return [{ code: 'loop.bad-name', severity: 'error', message, path }];
  }
  if (!isKnown.has(name)) return [];
  const message = `The item cannot be named "${name}" because a node has this id. Choose another name.`;
  return [{ code: 'loop.bad-name', severity: 'error', message, path }];
}

interface LoopScope {
  readonly loop: Loop;
  /** IDs of the loop and its enclosing loops. */
  readonly around: ReadonlySet<string>;
  readonly loops: FlowLoops;
}

function bodyFindings(place: LoopScope, node: NodeDoc | undefined): readonly Finding[] {
  const { loop } = place;
  const path = ['nodes', loop.index, 'input', 'body'];
  const body = node?.input['body'];
  if (typeof body === 'string' && isBound(body)) return [boundFinding('The body of a loop', path)];
  if (isJsonList(body) && body.length === 0) {
    const message = `The body of "${loop.id}" is empty, so the loop does nothing. List the ids of the nodes to run.`;
    return [{ code: 'loop.empty-body', severity: 'warning', message, path }];
  }
  const seen = new Set<string>();
  return loop.body.flatMap((id, entry): Finding[] => {
    if (id === undefined) return [];
    const problem = entryProblem(id, seen.has(id), place);
    seen.add(id);
    return problem === undefined ? [] : [{ ...problem, path: [...path, entry] }];
  });
}

function entryProblem(id: string, isRepeat: boolean, { loop, around, loops }: LoopScope): Finding | undefined {
  if (isBound(id)) return boundFinding('The body of a loop', []);
  const problem = { severity: 'error', path: [] } as const;
  if (!loops.isKnown.has(id)) {
    const message = `The body lists "${id}", but no node has this id.`;
    return { ...problem, code: 'loop.unknown-node', message, mistyped: { word: id, known: loops.ids } };
  }
  if (around.has(id)) {
    return {
      ...problem,
      code: 'loop.holds-itself',
      message: `The loop "${id}" cannot run inside itself. Remove it from this body.`,
    };
  }
  const owner = loops.nesting.loopOf.get(id);
  if (owner === loop && !isRepeat) return undefined;
  const where = owner === undefined || owner === loop ? 'this body' : `the body of "${owner.id}"`;
  return {
    ...problem,
    code: 'loop.shared-node',
    message: `The node "${id}" is already in ${where}. List it only once.`,
  };
}

function crossingFindings(edge: EdgeDoc, index: number, loops: FlowLoops): readonly Finding[] {
  const { nesting, isKnown } = loops;
  const { from, to } = edge;
  if (staysInBody(edge, nesting) || !isKnown.has(from) || !isKnown.has(to)) return [];
  const [loop, inner] = innerEnd(edge, nesting);
  const [outerFrom, outerTo] = levelEnds(edge, nesting);
  const remedy =
    outerFrom === outerTo
      ? 'Remove it: the loop starts its body and waits for it automatically.'
      : `Connect "${outerFrom}" to "${outerTo}" instead.`;
  const message = `This edge crosses the boundary of the loop "${loop}": "${inner}" is in its body. ${remedy}`;
  return [{ code: 'loop.crossing-edge', severity: 'error', message, path: ['edges', index] }];
}

/** Returns the end of a crossing edge that is nested deeper than the innermost body with both ends, and its loop. */
function innerEnd({ from, to }: EdgeDoc, nesting: LoopNesting): [loop: string, inner: string] {
  const aroundTo = loopsAround(to, nesting);
  const loopOfFrom = nesting.loopOf.get(from);
  const inner = loopOfFrom === undefined || aroundTo.includes(loopOfFrom) ? to : from;
  return [nesting.loopOf.get(inner)?.id ?? '', inner];
}

/** Returns the nodes that contain the ends of an edge, in the innermost body with both. */
function levelEnds({ from, to }: EdgeDoc, nesting: LoopNesting): [from: string, to: string] {
  const waysOut = [from, to].map((id) => [id, ...loopsAround(id, nesting).map((loop) => loop.id)]);
  const [wayFrom = [], wayTo = []] = waysOut;
  const depthOf = (way: readonly string[], depth: number): string | undefined => way.at(-1 - depth);
  let depth = 0;
  while (depthOf(wayFrom, depth) === depthOf(wayTo, depth) && depth < Math.min(wayFrom.length, wayTo.length) - 1)
    depth++;
  return [depthOf(wayFrom, depth) ?? from, depthOf(wayTo, depth) ?? to];
}

function boundFinding(what: string, path: Finding['path']): Finding {
  const message = `${what} must be a literal value: it is needed before the run, when bindings have no value yet.`;
  return { code: 'loop.not-literal', severity: 'error', message, path };
}

function isBound(text: string): boolean {
  return text.includes('{{');
}
