/**
 * Loops and their body nodes. Each of these nodes belongs to exactly one loop.
 */

import { isJsonList, isJsonMap, type JsonValue } from '../json/json-value.ts';
import type { NodeDoc } from './flow-doc.ts';
import { MAX_NESTING_DEPTH } from './flow-limits.ts';

/** The node type that runs the nodes named in `input.body` once per item. */
export const itemLoop = 'control.foreach';

/** The node type that runs the nodes named in `input.body` until its condition is true. */
export const passLoop = 'control.loop';

/** Default maximum number of iterations of a `control.loop`. */
export const usualPasses = 10;

/** Whether nodes of a type have a body. @param type as written in a file */
export function isLoop(type: JsonValue | undefined): boolean {
  return type === itemLoop || type === passLoop;
}

/** Returns the number of items in a loop's input; null if the input is stored elsewhere. */
export function itemCount(input: JsonValue | undefined): number | null {
  const items = isJsonMap(input) ? input['items'] : undefined;
  return isJsonList(items) ? items.length : null;
}

/** Returns the item name in a loop's input; null if there is none. */
export function itemName(input: JsonValue | undefined): string | null {
  const as = isJsonMap(input) ? input['as'] : undefined;
  return typeof as === 'string' ? as : null;
}

/** Returns the maximum number of iterations in the input of a loop without items. */
export function passCount(input: JsonValue | undefined): number {
  const most = isJsonMap(input) ? Number(input['maxIterations']) : Number.NaN;
  return Number.isInteger(most) ? most : usualPasses;
}

/** Root under which a `control.loop` body reads its nodes' outputs from the previous iteration. */
export const previousRoot = 'previous';

export const defaultItemName = 'item';

/** A loop in a document. */
export interface Loop {
  readonly id: string;
  /** Index of the loop's node in the document. */
  readonly index: number;
  /**
   * Root under which the body reads the item; undefined if the file has no text there, and for a loop without items.
   */
  readonly as: string | undefined;
  /** All roots that the body can read in addition to the loop's own. */
  readonly roots: readonly string[];
  /** The file's body entries by index: an ID, or undefined for an invalid entry. */
  readonly body: readonly (string | undefined)[];
}

/** A document's loops. */
export interface LoopNesting {
  /** Loops in file order. */
  readonly loops: readonly Loop[];
  /** The first loop that lists each body node, by node ID. */
  readonly loopOf: ReadonlyMap<string, Loop>;
}

/** Finds the loops among nodes. Never throws, even if bodies are invalid. */
export function findLoops(nodes: readonly NodeDoc[]): LoopNesting {
  const loops = nodes.flatMap((node, index) => (isLoop(node.type) ? [loopAt(node, index)] : []));
  const loopOf = new Map<string, Loop>();
  for (const loop of loops) {
    for (const id of loop.body) if (id !== undefined && !loopOf.has(id)) loopOf.set(id, loop);
  }
  return { loops, loopOf };
}

/** Returns the ID of the loop for each node in a body. */
export function bodyOwners(nodes: readonly NodeDoc[]): ReadonlyMap<string, string> {
  return new Map(Array.from(findLoops(nodes).loopOf, ([id, loop]) => [id, loop.id]));
}

/**
 * Returns the loops around a node, innermost first, up to one more than the limit. A loop that contains itself also
 * counts as one of its own enclosing loops.
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

/** As in all inputs, an unquoted number or boolean is read as text. */
function textOf(value: JsonValue): string | undefined {
  return typeof value === 'object' ? undefined : String(value);
}
