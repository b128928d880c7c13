/**
 * Loops and what stands in their bodies: a node of a body belongs to its loop and to nothing else.
 */
import type { NodeDoc } from './flow-doc.ts';
import { MAX_NESTING_DEPTH } from './flow-limits.ts';
import { isJsonList, isJsonMap, type JsonValue } from './json-value.ts';

/** The node type whose `input.body` names the nodes that it runs for each of its items. */
export const itemLoop = 'control.foreach';

/** The node type whose `input.body` names the nodes that it runs until its condition holds. */
export const passLoop = 'control.loop';

/** How many passes a loop of them may have that does not say it. */
export const usualPasses = 10;

/** Whether nodes of a type have a body. @param type as a file has it */
export function isLoop(type: JsonValue | undefined): boolean {
  return type === itemLoop || type === passLoop;
}

/** How many items the input of a loop gives it; null if the input is stored elsewhere. */
export function itemCount(input: JsonValue | undefined): number | null {
  const items = isJsonMap(input) ? input['items'] : undefined;
  return isJsonList(items) ? items.length : null;
}

/** What the input of a loop calls its items; null if it has no name for them. */
export function itemName(input: JsonValue | undefined): string | null {
  const as = isJsonMap(input) ? input['as'] : undefined;
  return typeof as === 'string' ? as : null;
}

/** How many passes the input of a loop of them allows. */
export function passCount(input: JsonValue | undefined): number {
  const most = isJsonMap(input) ? Number(input['maxIterations']) : Number.NaN;
  return Number.isInteger(most) ? most : usualPasses;
}

/** Root under which the body of a `control.loop` sees what its nodes gave in the pass before. */
export const previousRoot = 'previous';

export const defaultItemName = 'item';

/** A loop of a document. */
export interface Loop {
  readonly id: string;
  /** Index of its node in the document. */
  readonly index: number;
  /** Root under which its body sees the item; undefined when the file gives no text, and for a loop without items. */
  readonly as: string | undefined;
  /** All roots that its body sees beside what the loop sees. */
  readonly roots: readonly string[];
  /** What the file lists, by index: an id, or undefined for what cannot be one. */
  readonly body: readonly (string | undefined)[];
}

/** The loops of a document. */
export interface LoopNesting {
  /** In the order of the file. */
  readonly loops: readonly Loop[];
  /** Of each id in a body: the loop that lists it first. */
  readonly loopOf: ReadonlyMap<string, Loop>;
}

/** Finds the loops among nodes. Never throws: bodies may be faulty. */
export function findLoops(nodes: readonly NodeDoc[]): LoopNesting {
  const loops = nodes.flatMap((node, index) => (isLoop(node.type) ? [loopAt(node, index)] : []));
  const loopOf = new Map<string, Loop>();
  for (const loop of loops) {
    for (const id of loop.body) if (id !== undefined && !loopOf.has(id)) loopOf.set(id, loop);
  }
  return { loops, loopOf };
}

/** Of each node that stands in the body of a loop: the id of the loop. */
export function bodyOwners(nodes: readonly NodeDoc[]): ReadonlyMap<string, string> {
  return new Map(Array.from(findLoops(nodes).loopOf, ([id, loop]) => [id, loop.id]));
}

/**
 * The loops around a node, the innermost first, up to one more than the limit. A loop that holds itself is among those
 * around it.
 */
export function loopsAround(id: string, { loopOf }: LoopNesting): readonly Loop[] {
  const around = new Set<Loop>();
  for (let loop = loopOf.get(id); loop !== undefined && !around.has(loop); loop = loopOf.get(loop.id)) {
    around.add(loop);
    if (around.size > MAX_NESTING_DEPTH) break;
  }
  return [...around];
}

function loopAt({ id, type, input }: NodeDoc, index: number): Loop {
  const body = isJsonList(input['body']) ? input['body'].map(textOf) : [];
  if (type === passLoop) return { id, index, as: undefined, roots: ['loop', previousRoot], body };
  const as = textOf(input['as'] ?? defaultItemName);
  return { id, index, as, roots: as === undefined ? ['loop'] : [as, 'loop'], body };
}

/** As everywhere in inputs, an unquoted number or truth stands for its text. */
function textOf(value: JsonValue): string | undefined {
  return typeof value === 'object' ? undefined : String(value);
}
