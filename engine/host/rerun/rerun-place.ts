/**
 * Determines where a rerun starts: at a flow node or at one loop item, named by its path in the run.
 */
import { EngineError } from '../../base/engine-error.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { itemLoop } from '../../language/flow/loops.ts';
import type { EarlierResults } from './earlier-results.ts';

export class RerunPlace {
  /** The top-level node of the flow; undefined if none was named. */
  readonly nodeId: string | undefined;
  /** Paths of the enclosing items, outermost first: `outer[1]`, `outer[1].inner[2]`. */
  readonly #items: readonly string[];

  /**
   * @param place a node's ID, an item's path, or the path of a node in an item, which selects the item
   * @throws EngineError `node.not-found`; `node.in-loop` for a body node without its item, or for an iteration
   */
  constructor(place: string | undefined, flow: CompiledFlow, earlier: EarlierResults) {
    const isOwn = place === undefined || flow.nodes.some(({ id }) => id === place);
    this.#items = isOwn
      ? []
      : [...place.matchAll(/\[\d+\](?=\.|$)/g)].map(({ index, 0: at }) => place.slice(0, index + at.length));
    this.nodeId = isOwn ? place : (place.split('[')[0] ?? place);
    if (this.nodeId === undefined || isOwn) return;
    const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
    const loop = nodes.get(this.nodeId);
    if (loop === undefined || !this.isItem) throw nodeNotFound(place ?? '', flow);
    refuseOtherThanItems(loop, this.#items, earlier);
  }

  /** Whether only one item runs again, without the nodes after the loop. */
  get isItem(): boolean {
    return this.#items.length > 0;
  }

  /** Returns whether the item at this path must run because it is the selected item or contains it. */
  leadsThrough(item: string): boolean {
    return this.#items.includes(item);
  }
}

/**
 * @throws EngineError `node.in-loop` for an iteration of a loop | `node.not-found` for an item that the loop did not
 * have
 */
function refuseOtherThanItems(top: CompiledNode, items: readonly string[], earlier: EarlierResults): void {
  let loop: CompiledNode | undefined = top;
  for (const [depth, item] of items.entries()) {
    const name = item.slice(0, item.lastIndexOf('['));
    const id = name.slice(name.lastIndexOf('.') + 1);
    if (depth > 0) loop = loop?.body?.nodes.find((node) => node.id === id);
    if (loop?.body === undefined)
      throw new EngineError({ code: 'node.not-found', message: `The flow has no loop "${name}".` });
    if (loop.type !== itemLoop) throw passError(loop.id);
    const count = earlier.itemsAt(name)?.length;
    const index = Number(item.slice(name.length + 1, -1));
    if (count !== undefined && index < count) continue;
    const known = count === undefined ? 'It did not run' : `It had ${count} items, counted from 0`;
    const message = `Loop "${name}" had no item ${index} in this run. ${known}.`;
    throw new EngineError({ code: 'node.not-found', message, nodeId: top.id });
  }
}

function passError(loopId: string): EngineError {
  const message = `Each pass of "${loopId}" depends on the previous one, so a single pass cannot run again. Run again from "${loopId}".`;
  return new EngineError({ code: 'node.in-loop', message, nodeId: loopId });
}

function nodeNotFound(id: string, flow: CompiledFlow): EngineError {
  const ids = flow.nodes.map((node) => node.id);
  return new EngineError({
    code: 'node.not-found',
    message: `The flow has no node "${id}" to run again from.${didYouMean(id, ids)}`,
    nodeId: id,
  });
}
